package session

import (
	"errors"
	"slices"
	"testing"

	"omniscope/metric/remember"
	"omniscope/run"
	"omniscope/store"
)

func TestListedRunsSayWhatWasDone(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	type row struct {
		name, manifest, command, by string
		what                        []string
	}
	rows := []row{
		{"3fa2", `{"spec":2,"benchmark":"omni-cloze","predictions":"a.jsonl","roles":{"judge":{"model":"openai/x"}}}`, "eval omni-cloze", "openai/x", []string{"a.jsonl"}},
		{"4fa2", `{"spec":2,"benchmark":"mcif","predictions":"a.xml"}`, "eval mcif", "", []string{"a.xml"}},
		{"investigate-1", `{"detective":"offline","clips":["a.mp4","b.mp4"]}`, "investigate", "offline", []string{"a.mp4", "b.mp4"}},
		{"audit-1", `{"splitter":"offline","clip":"a.mp4"}`, "audit", "offline", []string{"a.mp4"}},
		{"unknown", `{"command":"score","predictions":"a"}`, "score", "", []string{"a"}},
		{"damaged", `{`, "", "", nil},
	}
	for _, r := range rows {
		j, err := s.Run(t.Context(), r.name, r.manifest)
		if err != nil {
			t.Fatal(err)
		}
		j.Close()
	}
	listed, err := ListRuns(t.Context(), s)
	if err != nil || len(listed) != len(rows) {
		t.Fatalf("%+v, %v", listed, err)
	}
	for i, r := range rows {
		if got := listed[i]; got.Run != r.name || got.Command != r.command || got.By != r.by || !slices.Equal(got.What, r.what) || got.What == nil {
			t.Errorf("got %+v, want %+v", got, r)
		}
	}
}

func TestAnswerOfACall(t *testing.T) {
	for _, c := range []struct {
		call        store.Call
		text, error string
	}{
		{store.Call{Entry: run.Entry{Kind: "model", Result: []byte(`{"text":"a dog"}`)}}, "a dog", ""},
		{store.Call{Entry: run.Entry{Kind: remember.Kind, Result: []byte(`0.5`)}}, "0.5", ""},
		{store.Call{Entry: run.Entry{Kind: "model"}, Damaged: errors.New("its checksum differs")}, "", "DAMAGED: its checksum differs"},
	} {
		if r := AnswerOf(&c.call); r.Text != c.text || r.Error != c.error {
			t.Errorf("got %+v, want %+v", r, c)
		}
	}
}

func TestRequestText(t *testing.T) {
	got := RequestText([]byte(`{"messages":[{"role":"user","parts":[{"kind":"text","text":"What is it?"},{"kind":"image","digest":"sha256:00"}]}]}`))
	if want := "-- user\nWhat is it?\n[image sha256:00]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := RequestText(nil); got != "-- the text of the request was lost\n" {
		t.Errorf("got %q", got)
	}
}
