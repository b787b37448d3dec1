// Package choicetest scores small files of multiple-choice benchmarks in tests.
package choicetest

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/choice"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/captionstest"
	"omniscope/model/judge/letters"
)

// Check puts a benchmark through the suite that every benchmark passes, with answers and
// as a cascade, and scores answers to the questions in data. official and strict are the counts of the
// whole: correct, wrong, abstained, unread, unjudged. groups must be among the slices, each
// as DIMENSION=GROUP.
func Check(t *testing.T, b bench.Benchmark, data, answers, official, strict string, groups ...string) {
	t.Helper()
	in := bench.Inputs{Data: captionstest.File(t, "data.json", data), Predictions: captionstest.File(t, "answers.jsonl", answers), Scoring: bench.Strict}
	for _, scoring := range []bench.Scoring{bench.Official, bench.Strict} {
		t.Run("answers "+scoring.String(), func(t *testing.T) {
			direct := in
			direct.Scoring = scoring
			benchtest.Run(t, b, direct, benchtest.Workers)
		})
	}
	t.Run("cascade", func(t *testing.T) {
		captionstest.Suite(t, b, in.Data, choice.NoCaptions, func(string, int, string) string { return "B" })
	})
	t.Run("perfect model", func(t *testing.T) { perfect(t, b, in) })
	r := captionstest.Score(t, b, in)
	for p, want := range map[bench.Scoring]string{bench.Official: official, bench.Strict: strict} {
		var there []string
		got := "none"
		for _, s := range r.Scorings[p].Slices {
			there = append(there, s.Dimension+"="+s.Group)
			if s.Dimension == "overall" {
				got = fmt.Sprint(s.Counts["correct"], s.Counts["wrong"], s.Counts["abstained"], s.Counts["unread"], s.Counts["unjudged"])
			}
		}
		if got != want {
			t.Errorf("%v: counts %s, want %s", p, got, want)
		}
		for _, g := range groups {
			if !strings.Contains("\n"+strings.Join(there, "\n")+"\n", "\n"+g+"\n") {
				t.Errorf("%v: there is no slice %s, but %s", p, g, there)
			}
		}
	}
}

// perfect has a model answer each question rightly in the form that its prompt asks for: all answers are right in both scorings.
func perfect(t *testing.T, b bench.Benchmark, in bench.Inputs) {
	asked, err := b.(bench.Asker).Asked(t.Context(), in.Data)
	if err != nil {
		t.Fatal(err)
	}
	writer := b.(bench.AnswerWriter)
	for _, words := range []bool{false, true} {
		answers := &bench.Answers{}
		for s, err := range writer.Samples(t.Context(), in.Data) {
			if err != nil {
				t.Fatal(err)
			}
			q := asked[s.ID]
			wantsWords := strings.Contains(s.Prompt, "the words of the right option")
			if wantsWords != (s.Options != nil) || !wantsWords && !strings.Contains(s.Prompt, "the letter of the right option") {
				t.Fatalf("%s is asked %q", s.ID, s.Prompt)
			}
			reply := q.Key
			if words && wantsWords {
				reply = q.Options[letters.Index(q.Key, len(q.Options))]
			}
			text, _ := bench.InWords(reply, s.Options)
			answers.List = append(answers.List, bench.Answer{Sample: s.ID, Text: text})
		}
		var file strings.Builder
		if _, err := writer.WriteAnswers(&file, answers); err != nil {
			t.Fatal(err)
		}
		own := in
		own.Predictions = captionstest.File(t, "perfect.jsonl", file.String())
		r := captionstest.Score(t, b, own)
		for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
			if accuracy := captionstest.Whole(r, p)["accuracy"].Value; accuracy == nil || *accuracy != 1 {
				t.Errorf("in words %v, %v: accuracy %v, want 1", words, p, accuracy)
			}
		}
	}
}
