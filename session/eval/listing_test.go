package eval

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/predict"
	"omniscope/session/probe"
	"omniscope/session/rows"
)

func TestListedRuns(t *testing.T) {
	s, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	defer s.Close()
	type row struct {
		kind, name, manifest, command, by string
		what                              []string
	}
	want := []row{
		{"eval", "3fa2", `{"spec":2,"benchmark":"omni-cloze","predictions":"a.jsonl","roles":{"judge":{"model":"openai/x"}}}`, "eval omni-cloze", "openai/x", []string{"a.jsonl"}},
		{"eval", "4fa2", `{"spec":2,"benchmark":"mcif","predictions":"a.xml"}`, "eval mcif", "", []string{"a.xml"}},
		{"caption", "investigate-1", `{"detective":"offline","clips":["a.mp4","b.mp4"]}`, "investigate", "offline", []string{"a.mp4", "b.mp4"}},
		{"audit", "audit-1", `{"splitter":"offline","clip":"a.mp4"}`, "audit", "", nil}, // of an earlier version
		{"eval", "5fa2", `{"spec":2,"benchmark":"claims","predictions":"none","options":{"text":"A dog.","media":"a.mp4"},"roles":{"judge":{"model":"offline"}}}`, "audit", "offline", []string{"A dog."}},
		{"predict", "predict-1", `{"dataset":"mmau","data":"a.json","model":{"model":"openai/m"}}`, "run mmau", "openai/m", []string{"a.json"}},
		{"predict", "predict-2", `{"clips":["a.mp4"],"model":{"model":"openai/m"}}`, "predict captions", "openai/m", []string{"a.mp4"}},
		{"score", "unknown", `{"command":"score","predictions":"a"}`, "score", "", []string{"a"}},
		{"eval", "damaged", `{`, "", "", nil},
	}
	for _, r := range want {
		j, err := s.Run(t.Context(), journal.Description{Name: r.name, Kind: r.kind, Manifest: r.manifest})
		fixture.OK(t, err)
		j.Close()
	}
	listed, err := session.Kinds{Kind, predict.Kind, caption.Kind, probe.Kind, rows.Kind, rows.ScoreKind}.ListRuns(t.Context(), s)
	if err != nil || len(listed) != len(want) {
		t.Fatalf("%+v, %v", listed, err)
	}
	for i, r := range want {
		if got := listed[i]; got.Run != r.name || got.Command != r.command || got.By != r.by || !slices.Equal(got.What, r.what) || got.What == nil {
			t.Errorf("got %+v, want %+v", got, r)
		}
	}
}

func TestListingsForPeople(t *testing.T) {
	s, err := sqlite.Open(t.TempDir())
	fixture.OK(t, err)
	defer s.Close()
	j, err := s.Run(t.Context(), journal.Description{Name: "3fa2", Kind: "score", Manifest: `{"command":"score","predictions":"/data/a.jsonl"}`})
	fixture.OK(t, err)
	for attempt, result := range []string{`{"text":"a dog\nbarks","answered":"mini","tokens_in":7,"tokens_out":2}`, `{"error":"refused","error_kind":"declined"}`} {
		e := &run.Entry{Key: run.Key{byte(attempt)}, Step: "0001", Attempt: attempt + 1, Kind: "model", Outcome: omniscope.OK, Result: []byte(result),
			Request: []byte(`{"messages":[{"role":"user","parts":[{"kind":"text","text":"What is it?"}]}]}`)}
		if attempt == 1 {
			e.Outcome = omniscope.Failed
		}
		fixture.OK(t, j.Append(t.Context(), e))
	}
	fixture.OK(t, j.Close())
	listed, err := session.Kinds{Kind, predict.Kind, caption.Kind, probe.Kind, rows.Kind, rows.ScoreKind}.ListRuns(t.Context(), s)
	fixture.OK(t, err)
	var runs, calls, failed, step, none bytes.Buffer
	session.WriteRuns(&runs, listed)
	for _, err := range []error{session.WriteCalls(t.Context(), &calls, s, "3fa2", false), session.WriteCalls(t.Context(), &failed, s, "3fa2", true),
		session.WriteStep(t.Context(), &step, s, "3fa2", "0001"), session.WriteCalls(t.Context(), &none, s, "4fa2", false)} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct{ what, got, want string }{
		{"runs", runs.String(), "│ 1 of 2  │"}, {"runs", runs.String(), "│ score a.jsonl"},
		{"calls", calls.String(), "0001                           1  ok        mini                            7        2         –  a dog barks\n"},
		{"a step", step.String(), "-- user\nWhat is it?\n-- answer: mini, 7 + 2 tokens, – ms, – tries \na dog\nbarks\n"},
		{"no call", none.String(), "This run rests on no call.\n"},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%s: got\n%swant in it\n%s", c.what, c.got, c.want)
		}
	}
	if strings.Contains(failed.String(), "a dog") || !strings.Contains(failed.String(), "refused") {
		t.Errorf("the failed calls are\n%s", &failed)
	}
	if err := session.WriteStep(t.Context(), &step, s, "3fa2", "0002"); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("a step that is not there: %v", err)
	}
}
