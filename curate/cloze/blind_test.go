package cloze

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// answers are the letters of a judge that knows some blanks of a row, and chooses none for the others.
func answers(t *testing.T, r *Row, knows func(b *RowBlank) bool) string {
	t.Helper()
	said := make(map[string]string)
	for i := range r.Cloze.Blanks {
		b := &r.Cloze.Blanks[i]
		said[fmt.Sprint(b.Number)] = "E"
		if knows(b) {
			said[fmt.Sprint(b.Number)] = b.Key + ": " + b.Answer
		}
	}
	text, err := json.Marshal(said)
	fixture.OK(t, err)
	return string(text)
}

func tester(t *testing.T, replies map[string]string) *Tester {
	t.Helper()
	script := make(map[string][]scripted.Reply)
	for step, text := range replies {
		script[step] = []scripted.Reply{{Text: text}}
	}
	out := &Tester{Runs: 3, Asker: &judge.Judge{Name: "scripted/x", Request: "x", Attempts: 1, Model: scripted.New(script)}}
	fixture.OK(t, out.LoadPrompts(nil, ""))
	return out
}

// TestPlantedBlanksAreFound has a judge who guesses blanks 3 and 9 in every run and blank 4 in two of three, and captions of one
// sense that answer blanks which are said to need another.
func TestPlantedBlanksAreFound(t *testing.T) {
	d := changed(t)
	d.UUID = "u"
	row := Letter(d, 7)
	sense := func(m omniscope.Modality, n int) int { // number of the n-th blank of a sense
		for i := range d.Blanks {
			if d.Blanks[i].Modality == m {
				if n--; n == 0 {
					return d.Blanks[i].Number
				}
			}
		}
		t.Fatalf("no blank needs %s", m)
		return 0
	}
	heard, seen, both := sense(omniscope.Audio, 3), sense(omniscope.Visual, 4), sense(omniscope.AudioVisual, 2)
	replies := make(map[string]string)
	for run := 1; run <= 3; run++ {
		replies[BlindStep("u", GuessTest, run)] = answers(t, Letter(d, uint64(run)), func(b *RowBlank) bool {
			return b.Number == 1 || b.Number == 2 || b.Number == 30 && run < 3
		})
	}
	replies[BlindStep("u", AudioTest, 1)] = answers(t, row, func(b *RowBlank) bool { return b.Modality == omniscope.Audio || b.Number == seen || b.Number == both })
	replies[BlindStep("u", VisualTest, 1)] = answers(t, row, func(b *RowBlank) bool { return b.Modality == omniscope.Visual || b.Number == heard })
	caption := "A caption."
	out, err := tester(t, replies).Test(t.Context(), row, &caption, &caption)
	fixture.OK(t, err)
	var got, want []string
	for _, f := range out.Findings {
		got = append(got, fmt.Sprint(f.Check, " ", f.Blank))
	}
	want = []string{"guessable 1", "guessable 2", fmt.Sprint("modality ", seen), fmt.Sprint("modality ", heard), fmt.Sprint("modality ", both)}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || out.Failed() || len(out.Askings) != 5 || out.Askings[0].Chosen != 3 || out.Askings[0].Right != 3 {
		t.Errorf("found %q, want %q; %+v", got, want, out.Askings)
	}
}

func TestUnreadableAnswers(t *testing.T) {
	d := changed(t)
	d.UUID = "u"
	row := Letter(d, 7)
	for name, reply := range map[string]string{
		"no JSON": "A, B, C", "a blank too few": strings.Replace(answers(t, row, func(*RowBlank) bool { return false }), `"7":"E",`, "", 1),
		"no letter": strings.Replace(answers(t, row, func(*RowBlank) bool { return false }), `"7":"E"`, `"7":"Every one"`, 1),
	} {
		out, err := tester(t, map[string]string{"u/guess/1": reply, "u/guess/2": reply, "u/guess/3": reply}).Test(t.Context(), row, nil, nil)
		fixture.OK(t, err)
		if !out.Failed() || len(out.Findings) > 0 {
			t.Errorf("%s: %+v", name, out)
		}
	}
}
