package openai_test

import (
	"encoding/json"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/exchange"
	"omniscope/model/openai"
)

// TestEmbed asks for vectors: texts with words in common are nearer to each other.
func TestEmbed(t *testing.T) {
	server := fake.Start(t, fake.Config{})
	m, err := openai.New(openai.Options{Options: exchange.Options{BaseURL: server.URL()}})
	fixture.OK(t, err)
	vector := func(text string) (v []float64) {
		resp, err := m.Generate(t.Context(), &model.Request{Step: "x", Model: "vectors", Embed: true, Messages: []model.Message{model.Text(model.User, text)}})
		fixture.OK(t, err)
		if err := json.Unmarshal([]byte(resp.Text), &v); err != nil || resp.Model != "vectors" || resp.Usage.TokensIn == 0 || resp.Usage.TokensOut != 0 {
			t.Fatalf("%+v, %v", resp, err)
		}
		return v
	}
	product := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	dog := vector("the dog barks")
	if product(dog, vector("a dog barks loudly")) <= product(dog, vector("rain falls")) {
		t.Error("texts with words in common are not nearer")
	}
}

// TestEmbedTroubles has the endpoint misbehave.
func TestEmbedTroubles(t *testing.T) {
	for body, kind := range map[string]omniscope.Kind{
		`{"data": []}`:                              omniscope.Transient,
		`{"data": [{"embedding": [1, "x"]}]}`:       omniscope.Transient,
		`{"data": [{"embedding": "AAAA"}]}`:         omniscope.Transient,
		`{"data": [{"embedding": [1, `:              omniscope.Transient,
		`{"error": {"message": "no", "code": 401}}`: omniscope.Denied,
		`{"data": [{"embedding": [0.5, -1e-3]}]}`:   omniscope.Internal, // which stands for none
	} {
		server := fake.Start(t, fake.Config{Faults: []fake.Fault{{When: fake.Always(), Do: fake.Body("application/json", body)}}})
		m, err := openai.New(openai.Options{Options: exchange.Options{BaseURL: server.URL()}})
		fixture.OK(t, err)
		resp, err := m.Generate(t.Context(), &model.Request{Step: "x", Model: "vectors", Embed: true, Messages: []model.Message{model.Text(model.User, "x")}})
		switch {
		case kind == omniscope.Internal && (err != nil || resp.Text != "[0.5, -1e-3]"):
			t.Errorf("%s: %+v, %v", body, resp, err)
		case kind != omniscope.Internal && (err == nil || omniscope.KindOf(err) != kind):
			t.Errorf("%s: %v of kind %v, want %v", body, err, omniscope.KindOf(err), kind)
		}
		server.Close()
	}
}
