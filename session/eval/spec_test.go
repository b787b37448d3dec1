package eval

import (
	"encoding/json"
	"reflect"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/session"
)

func readSpec(text string) (*Spec, error) {
	s := &Spec{}
	return s, json.Unmarshal([]byte(text), s)
}

func TestReadSpec(t *testing.T) {
	warm := 0.7
	want := &Spec{Form: specForm, Benchmark: "capricorn", Options: map[string]string{"judge-mode": "batched"}, Predictions: "c.jsonl", Profile: "strict", Folder: "/runs",
		Roles: map[string]*session.Role{session.Judge: {Name: session.Judge, Model: "openai/m", Temperature: &warm, Attempts: 5, MaxTokens: 3072, Source: "http://h/v1"}}}
	text, err := json.Marshal(want)
	fixture.OK(t, err)
	got, err := readSpec(string(text))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, want)
	}
	old, err := readSpec(`{"benchmark":"capricorn","predictions":"c.jsonl","profile":"strict","judge":"openai/m","judge_attempts":5,"judge_temperature":0.7,
		"judge_max_tokens":3072,"judge_mode":"batched","seed":0,"source":"http://h/v1","folder":"/runs"}`)
	if err != nil || !reflect.DeepEqual(old, want) {
		t.Errorf("the earlier form: read %+v, %v\nwant %+v", old, err, want)
	}
}

// TestSpecIsReadBackBeforeItHasAForm reads a Spec that was written as it is in memory, as another process is given it.
func TestSpecIsReadBackBeforeItHasAForm(t *testing.T) {
	for _, want := range []*Spec{
		{Benchmark: "omni-cloze", Predictions: "c.jsonl", Profile: "strict", Roles: map[string]*session.Role{session.Judge: {Name: session.Judge, Model: "openai/m"}}},
		{Benchmark: "mcif", Predictions: "out.xml", Profile: "official", Options: map[string]string{"track": "long"}},
	} {
		text, err := json.Marshal(want)
		fixture.OK(t, err)
		got, err := readSpec(string(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("read %+v, %v\nwant %+v", got, err, want)
		}
	}
}

func TestInvalidSpecs(t *testing.T) {
	for _, text := range []string{``, `[]`, `{"spec":3}`, `{"spec":2,"benchmark":"omni-cloze"}`, `{"spec":2,"benchmark":"omni-cloze","roles":{"judge":null}}`} {
		if s, err := readSpec(text); err == nil {
			t.Errorf("%s: read %+v", text, s)
		}
	}
	_, err := readSpec(`{"spec":3}`)
	if omniscope.KindOf(err) != omniscope.Invalid {
		t.Error(err)
	}
}

// TestSpecForm1 reads what form1 writes: runs are named by it.
func TestSpecForm1(t *testing.T) {
	cold := 0.0
	for _, temperature := range []*float64{nil, &cold} {
		s := &Spec{Form: specForm, Benchmark: "capricorn", Options: map[string]string{"judge-mode": "single", "continue": "past"}, Data: "d", Field: "f", System: "s", Modality: "audio",
			Profile: "official", Prompts: "p", Limit: 3, SampleIDs: []string{"a"}, Seed: 7,
			Roles: map[string]*session.Role{session.Judge: {Name: session.Judge, Model: "offline", Temperature: temperature, Attempts: 2, MaxTokens: 5, Extra: `{"a":1}`}}}
		if got := s.form1().spec(); !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v\nwant %+v", got, s)
		}
	}
}
