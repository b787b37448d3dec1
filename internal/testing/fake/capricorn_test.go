package fake_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/capricorn"
	"omniscope/internal/testing/benchgen"
	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
	"omniscope/model/exchange"
	"omniscope/model/judge"
	"omniscope/model/openai"
	"omniscope/model/wrap"
	"omniscope/run/local"
)

// The server, the made benchmark and the benchmark's own readers together: a
// prompt whose wording changes is a prompt that the server no longer knows.
func TestCapricornAnswers(t *testing.T) {
	const videos, keypoints, subjects = 12, 36, 4
	dir := t.TempDir()
	rows, captions := filepath.Join(dir, "rows.jsonl"), filepath.Join(dir, "captions.jsonl")
	made := benchgen.CaptionOptions{Videos: videos, Keypoints: keypoints, Subjects: subjects, Words: 40}
	fixture.OK(t, writeFiles(rows, captions, made))
	scores := make(map[bool]map[string]omniscope.Score)
	for _, batched := range []bool{false, true} {
		server := fake.Start(t, fake.Config{Reply: fake.CapricornReply(300)})
		m, err := openai.New(openai.Options{Options: exchange.Options{BaseURL: server.URL(), Conns: 8}})
		fixture.OK(t, err)
		tally := new(wrap.Meter)
		b := capricorn.Benchmark{Batched: batched}
		ev, err := b.Open(t.Context(), bench.Inputs{Data: rows, Predictions: captions, Scoring: bench.Strict,
			Judge: &judge.Judge{Name: "openai/mock", Request: "mock", Attempts: 1, Model: wrap.Stack(m, wrap.Options{Meter: tally})}})
		fixture.OK(t, err)
		defer ev.Close()
		r, err := bench.Score(t.Context(), b, ev, bench.Strict, bench.Options{Engine: &local.Engine{Workers: 4}, Meters: []*wrap.Meter{tally}})
		fixture.OK(t, err)
		expected := 0
		if batched {
			expected = 1 // that official asks otherwise
		}
		if r.Outcomes["ok"] != videos || len(r.Differences) > 0 || len(r.Warnings) != expected {
			t.Errorf("batched %t: %v, differences %+v, warnings %q", batched, r.Outcomes, r.Differences, r.Warnings)
		}
		events := videos * keypoints
		if batched {
			events = videos
		}
		if n := server.Stats().Answered; n != events+videos*subjects {
			t.Errorf("batched %t: %d calls, want %d about keypoints and %d about subjects", batched, n, events, videos*subjects)
		}
		scores[batched] = r.Headline.Scores
	}
	for name, score := range scores[false] {
		if v, w := score.Value, scores[true][name].Value; v == nil || w == nil || *v != *w || *v <= 0 || *v >= 1 {
			t.Errorf("%s: single %v, batched %v", name, v, w)
		}
	}
}

func writeFiles(rows, captions string, o benchgen.CaptionOptions) error {
	var a, b strings.Builder
	if err := benchgen.Captions(&a, &b, o); err != nil {
		return err
	}
	if err := os.WriteFile(rows, []byte(a.String()), 0o644); err != nil {
		return err
	}
	return os.WriteFile(captions, []byte(b.String()), 0o644)
}

func TestCapricornReply(t *testing.T) {
	reply := fake.CapricornReply(500)
	ask := func(prompt string) string {
		body, _ := json.Marshal(map[string]any{"model": "m", "messages": []map[string]string{{"role": "user", "content": prompt}}})
		return reply(&fake.Request{Body: body}).Content
	}
	event := func(text, subjects string) string {
		return ask("You check what a caption of a video says about one event.\n\nEvent: " + text +
			"\n\nThe event involves these subjects, each written as an identifier in angle brackets: " + subjects + "\nThe caption does not know")
	}
	if got := event("nobody does", "null"); !strings.Contains(got, `"not mentioned"`) || !strings.Contains(got, `{"<nobody>":null}`) || !json.Valid([]byte(got)) {
		t.Errorf("an event without subjects: %s", got)
	}
	if got := event("<a\"b> \"runs\"\nand\\", `["<a\"b>"]`); !strings.Contains(got, `{"<a\"b>":`) || !json.Valid([]byte(got)) {
		t.Errorf("text with quotes: %s", got)
	}
	if got := event("x", `["<a>"]`); got != event("x", `["<a>"]`) || len(got) < 450 || len(got) > 550 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	groups := ask("In truth, all of the descriptions below are of one and the same subject of a video.\nas a JSON list:\n[\"a \\\"q\\\"\",null,\"a \\\"q\\\"\"]\n\nCaption:")
	var members map[string][]*string
	if err := json.Unmarshal([]byte(groups), &members); err != nil {
		t.Fatalf("%s: %v", groups, err)
	}
	n := 0
	for _, m := range members {
		n += len(m)
	}
	if n != 3 {
		t.Errorf("groups %s", groups)
	}
	if got := ask("Something else"); json.Valid([]byte(got)) {
		t.Errorf("something else: %s", got)
	}
}
