package session

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/ref"
)

// roleOf is a role that a reference gives its model.
func roleOf(t *testing.T, name, text string) (*Role, error) {
	t.Helper()
	m, err := ref.Parse(text)
	fixture.OK(t, err)
	r := DefaultRole(name)
	return &r, r.Use(m, environ.Source{Name: "--" + name})
}

func TestReferenceShapesARole(t *testing.T) {
	t.Setenv("ROUTE", "blue")
	r, err := roleOf(t, Observer, `vllm/m,temperature=0.5,top-p=0.9,seed=7,max-tokens=99,stop="\n",stop=END,attempts=2,extra.top_k=1,extra.user="7",fps=2,max-frames=8,system=Look.,id=pool,header.x-route!=env:ROUTE`)
	fixture.OK(t, err)
	shape, err := json.Marshal(r)
	fixture.OK(t, err)
	for _, want := range []string{`"model":"vllm/m"`, `"temperature":0.5`, `"top_p":0.9`, `"seed":7`, `"max_tokens":99`, `"stop":["\n","END"]`, `"attempts":2`, `"extra":"{\"top_k\":1,\"user\":\"7\"}"`,
		`"shown":{"fps":2,"max_frames":8,"system":"Look."}`, `"id":"pool"`, `"route":"`} {
		if !strings.Contains(string(shape), want) {
			t.Errorf("%s lacks %s", shape, want)
		}
	}
	if strings.Contains(string(shape), "blue") {
		t.Errorf("the value of a header is in %s", shape)
	}
}

func TestTransportShapesNothing(t *testing.T) {
	r, err := roleOf(t, Judge, "openai/m,base-url=http://a/v1,base-url=http://b/v1,key-env=MY_KEY,timeout=90s,concurrency=4,rpm=60,retries=0,price-in=2.5,price-out=10,price-cached=1")
	fixture.OK(t, err)
	plain, err := roleOf(t, Judge, "openai/m")
	fixture.OK(t, err)
	one, _ := json.Marshal(r)
	two, _ := json.Marshal(plain)
	if string(one) != string(two) {
		t.Errorf("%s\n%s", one, two)
	}
	tr := r.Transport
	if r.BaseURL != "http://a/v1" || len(r.Replicas) != 1 || tr.KeyEnv != "MY_KEY" || tr.Timeout != 90*time.Second || tr.Concurrency != 4 || tr.RPM != 60 || *tr.Retries != 0 || tr.Price.In != 2.5 || *tr.Price.Cached != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := roleOf(t, Judge, "openai/m,fps=2"); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "reads text only") {
		t.Errorf("a judge with frames: %v", err)
	}
}

func TestMissingKeyVariable(t *testing.T) {
	r, err := roleOf(t, Judge, "openai/m,base-url=http://127.0.0.1:9/v1,key-env=NO_SUCH_KEY")
	fixture.OK(t, err)
	calls := TextCalls()
	if _, err := NewModel(t.Context(), r, &calls, &Shared{}); err == nil || !strings.Contains(err.Error(), "key-env=NO_SUCH_KEY, and this environment variable is not set") {
		t.Errorf("%v", err)
	}
}

// TestServersOfOneModelShareCalls has two servers of one model, which are one source.
func TestServersOfOneModelShareCalls(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "k")
	reply := func(*fake.Request) fake.Reply { return fake.Reply{Content: "Hello."} }
	one, two := fake.Start(t, fake.Config{Reply: reply}), fake.Start(t, fake.Config{Reply: reply})
	a, b := one.URL(), two.URL()
	var sources []string
	for _, text := range []string{"openai/m,base-url=" + a + ",base-url=" + b, "openai/m,base-url=" + b + ",base-url=" + a} {
		r, err := roleOf(t, Judge, text)
		fixture.OK(t, err)
		calls := TextCalls()
		m, err := NewModel(t.Context(), r, &calls, &Shared{})
		fixture.OK(t, err)
		sources = append(sources, m.Source)
		for range 4 {
			_, err := m.provider.Generate(t.Context(), &model.Request{Model: "m", Messages: []model.Message{model.Text(model.User, "Hello.")}})
			fixture.OK(t, err)
		}
	}
	if sources[0] != sources[1] || one.Stats().Requests != 4 || two.Stats().Requests != 4 {
		t.Errorf("sources %q, %d and %d requests", sources, one.Stats().Requests, two.Stats().Requests)
	}
}
