package baseline

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// A row is a clip of a cloze test.
type row struct {
	UUID  any
	Cloze struct {
		Passage string
		Blanks  []struct {
			Number  int
			Options []string
		}
	}
	Caption   string
	Gold      string `json:"gold_caption"`
	Predicted string `json:"predicted_caption"`
}

// A tally counts letters by what a careful person says.
type tally struct{ all, right, wrong, stated, missed int }

// add counts the letters that Read gives for a caption.
func (c *tally) add(t *testing.T, r *row, caption, want string) {
	t.Helper()
	blanks := make([]Blank, len(r.Cloze.Blanks))
	for i, b := range r.Cloze.Blanks {
		blanks[i].Number = b.Number
		for _, o := range b.Options[:maxOptions] {
			blanks[i].Options = append(blanks[i].Options, o[len("A: "):])
		}
	}
	for i, got := range Read(r.Cloze.Passage, blanks, caption) {
		c.all++
		if want[i] != 'E' {
			c.stated++
		}
		switch {
		case got.Letter == want[i:i+1]:
			c.right++
			continue
		case got.Letter == "E":
			c.missed++
		default:
			c.wrong++
		}
		t.Logf("%v blank %d %q: got %s %q, want %c", r.UUID, i+1, blanks[i].Options, got.Letter, got.Quote, want[i])
	}
}

// check wants a share of all letters right, and few letters of options that the caption does not state.
func (c *tally) check(t *testing.T, name string, share float64) {
	t.Helper()
	t.Logf("%s: %+v", name, *c)
	if c.all == 0 || float64(c.right) < share*float64(c.all) || 100*c.wrong > c.all {
		t.Errorf("%s: %+v; want %g right, and at most 1 %% wrong", name, *c, share)
	}
}

func readRows(tb testing.TB, path string) (rows []row) {
	tb.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(tb, err)
	for line := range strings.Lines(string(text)) {
		var r row
		fixture.OK(tb, json.Unmarshal([]byte(line), &r))
		rows = append(rows, r)
	}
	return rows
}

func readJSON(tb testing.TB, path string, into any) {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	fixture.OK(tb, err)
}

// TestDemo reads the captions of the demo's systems and compares with what their author intended.
func TestDemo(t *testing.T) {
	const folder = "../../../bench/demo"
	rows := make(map[any]*row)
	for _, r := range readRows(t, filepath.Join(folder, "cloze", "clips.jsonl")) {
		rows[r.UUID] = &r
	}
	var intended map[string]map[string]string
	readJSON(t, filepath.Join(folder, "intended.json"), &intended)
	var all tally
	for system, letters := range intended {
		for _, c := range readRows(t, filepath.Join(folder, "captions", system+".jsonl")) {
			if want := letters[c.UUID.(string)]; want != "" {
				all.add(t, rows[c.UUID], c.Caption, want)
			}
		}
	}
	all.check(t, "demo", 0.94)
}

// TestPublishedStudies compares with the three case studies printed in the Omni-Captioner paper. The captions there copy
// the wording of the passage, which is easier than what captioners write; retold are paraphrases.
func TestPublishedStudies(t *testing.T) {
	rows := readRows(t, golden.Path(t, "cloze", "case_studies.jsonl"))
	var expected []struct {
		Figure []string `json:"figure_prediction_keys"` // as the paper prints them, for the predicted caption
		Answer []string `json:"answer_keys"`
	}
	readJSON(t, golden.Path(t, "cloze", "case_studies_expected.json"), &expected)
	var gold, predicted, paraphrased tally
	for i := range rows {
		gold.add(t, &rows[i], rows[i].Gold, strings.Join(expected[i].Answer, ""))
		predicted.add(t, &rows[i], rows[i].Predicted, strings.Join(expected[i].Figure, ""))
		paraphrased.add(t, &rows[i], retold[i].caption, retold[i].want)
	}
	gold.check(t, "gold captions", 0.97)
	predicted.check(t, "predicted captions", 0.95)
	paraphrased.check(t, "retold captions", 0.88)
}

func BenchmarkReadStudy(b *testing.B) {
	r := readRows(b, golden.Path(b, "cloze", "case_studies.jsonl"))[0]
	var blanks []Blank
	for _, o := range r.Cloze.Blanks {
		blanks = append(blanks, Blank{o.Number, o.Options})
	}
	for b.Loop() {
		Read(r.Cloze.Passage, blanks, r.Gold)
	}
}
