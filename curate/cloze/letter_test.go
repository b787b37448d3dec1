package cloze

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestLetteredRowsAreSoundAndEven(t *testing.T) {
	var rows []*Row
	for _, name := range sceneNames {
		for k := 1; k <= variants; k++ {
			rows = append(rows, Letter(scene(t, name, k), 7))
		}
	}
	for _, r := range rows {
		if f := CheckRow(r, Paper()); len(f) > 0 {
			t.Errorf("%s: %v", r.UUID, f)
		}
	}
	s, findings := Balance(rows)
	if len(findings) > 0 || s.Counts[0]+s.Counts[1]+s.Counts[2]+s.Counts[3] != 600 {
		t.Errorf("counts %v, p %v, findings %v", s.Counts, s.P, findings)
	}
}

func TestLettersDependOnSeedAndUUIDAlone(t *testing.T) {
	d := scene(t, "ferry", 1)
	first, again, other := Letter(d, 1), Letter(d, 1), Letter(d, 2)
	if keys(first) != keys(again) || keys(first) == keys(other) {
		t.Errorf("seed 1: %s and %s; seed 2: %s", keys(first), keys(again), keys(other))
	}
	d.Blanks[4].Answer = "backwards"
	if changed := Letter(d, 1); keys(changed) != keys(first) || changed.Cloze.Blanks[5].Options[0] != first.Cloze.Blanks[5].Options[0] {
		t.Error("repairing blank 5 moved the options of others")
	}
}

func keys(r *Row) string {
	var out strings.Builder
	for _, b := range r.Cloze.Blanks {
		out.WriteString(b.Key)
	}
	return out.String()
}

func TestBalanceFindsUnevenKeys(t *testing.T) {
	r := Letter(scene(t, "market", 1), 0)
	for i := range r.Cloze.Blanks {
		b := &r.Cloze.Blanks[i]
		at := i % 2 // A and B alone
		*b = r.Draft().Blanks[i].lettered(at, []int{0, 1, 2})
	}
	if _, f := Balance([]*Row{r}); len(f) != 1 || f[0].Text != "A 15, B 15, C 0, D 0" {
		t.Errorf("found %v", f)
	}
}

// The values are those of tables of the distribution.
func TestChiSquareWithThreeDegrees(t *testing.T) {
	for _, c := range []struct{ x, p float64 }{{0, 1}, {7.815, 0.05}, {11.345, 0.01}, {16.266, 0.001}} {
		if got := chiSquare3(c.x); math.Abs(got-c.p) > 1e-4*max(1, c.p) {
			t.Errorf("p of %v is %v, want %v", c.x, got, c.p)
		}
	}
}

func TestLetterFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*RowBlank)
	}{
		{"another key", func(b *RowBlank) { b.Key = string(letters[(*b.Index+1)%4]) }},
		{"no index", func(b *RowBlank) { b.Index = nil }},
		{"another index", func(b *RowBlank) { n := (*b.Index + 1) % 4; b.Index = &n }},
		{"no fifth option", func(b *RowBlank) { b.Options = b.Options[:4] }},
		{"a fifth option that says something", func(b *RowBlank) { b.Options[4] = "E: none" }},
		{"options in another order", func(b *RowBlank) { b.Options[0], b.Options[1] = b.Options[1], b.Options[0] }},
		{"an answer that is no option", func(b *RowBlank) { b.Answer = "hail" }},
		{"a distractor that is no option", func(b *RowBlank) { b.Distractors[1] = "hail" }},
	} {
		r := Letter(scene(t, "market", 1), 3)
		c.change(&r.Cloze.Blanks[0])
		if f := CheckRow(r, Paper()); len(f) != 1 || f[0].Check != "letters" || f[0].Blank != 1 {
			t.Errorf("%s: found %v", c.name, f)
		}
	}
}

// A row has the members of the released rows, in their order.
func TestRowForm(t *testing.T) {
	d := &Draft{UUID: "u", Video: "./videos/u.mp4", Passage: "It is [BLANK_1].", Blanks: []draftBlank{{1, "red", []string{"blue", "green", "pink"}, "visual"}}}
	r := Letter(d, 0)
	text, err := json.Marshal(r)
	fixture.OK(t, err)
	want := `{"uuid":"u","video_path":"./videos/u.mp4","cloze":{"passage":"It is [BLANK_1].","blanks":[{"number":1,"answer":"red","distractors":["blue","green","pink"],"options":[`
	if !strings.HasPrefix(string(text), want) || !strings.Contains(string(text), `"E: not given"],"answer_index":`) || !strings.HasSuffix(string(text), `"required_modality":"visual"}]}}`) {
		t.Errorf("row %s", text)
	}
}
