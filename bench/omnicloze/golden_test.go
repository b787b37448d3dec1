package omnicloze

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/model/judge"
	"omniscope/model/scripted"
)

// The case studies printed in the paper (figures 10 to 12, tables 16 to 18), in
// the released row format.
const (
	caseStudies = "cloze/case_studies.jsonl"
	caseLetters = "cloze/case_studies_expected.json"
)

// An expected row says what a judge answered and how that was counted.
type expected struct {
	UUID        any      `json:"uuid"`
	Letters     []string `json:"figure_prediction_keys"`
	Keys        []string `json:"answer_keys"`
	Total       counted  `json:"total"`
	Visual      *counted `json:"visual"`
	Audio       *counted `json:"audio"`
	AudioVisual *counted `json:"audio-visual"`
}

type counted struct {
	Total        int `json:"total"`
	Correct      int `json:"correct"`
	NotGiven     int `json:"not_given"`
	Hallucinated int `json:"hallucinated"`
}

func readExpected(t *testing.T, path string) (rows []expected) {
	t.Helper()
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	fixture.OK(t, json.Unmarshal(text, &rows))
	return rows
}

func (e *expected) uuid() string { return strings.Trim(fixture.JSON(e.UUID), `"`) }

// saying makes a judge that answers with the expected letters.
func saying(rows []expected) *judge.Judge {
	replies := make(script)
	for _, row := range rows {
		answer := make(map[string]string)
		for i, letter := range row.Letters {
			answer[strconv.Itoa(i+1)] = letter + ": as in the figure"
		}
		replies[row.uuid()] = []scripted.Reply{{Text: fixture.JSON(answer)}}
	}
	j, _ := follows(replies)
	return j
}

func TestPublishedCaseStudies(t *testing.T) {
	rows := readExpected(t, golden.Path(t, caseLetters))
	total := countsAsExpected(t, golden.Path(t, caseStudies), rows)
	if want := (counted{Total: 91, Correct: 44, NotGiven: 41, Hallucinated: 6}); total != want {
		t.Errorf("in all %+v, want %+v", total, want)
	}
}

// The expected counts of these rows were computed by a few lines of Python.
func TestCountsMatchReleasedScorer(t *testing.T) {
	rows := readExpected(t, "testdata/rows_expected.json")
	total := countsAsExpected(t, "testdata/rows.jsonl", rows)
	if want := (counted{Total: 5, Correct: 3, NotGiven: 1, Hallucinated: 1}); total != want {
		t.Errorf("in all %+v, want %+v", total, want)
	}
}

func countsAsExpected(t *testing.T, path string, rows []expected) (total counted) {
	t.Helper()
	e := opened(t, bench.Inputs{Predictions: path, Judge: saying(rows)})
	if e.plan.Units != len(rows) {
		t.Fatalf("%d units, want %d", e.plan.Units, len(rows))
	}
	for i, row := range rows {
		r := evaluated(t, e, i)
		if r.Unit != row.uuid() {
			t.Errorf("unit %d is %s, want %s", i, r.Unit, row.uuid())
		}
		for p, tallies := range r.Tallies {
			for group, want := range map[string]*counted{"": &row.Total, "visual": row.Visual, "audio": row.Audio, "audio-visual": row.AudioVisual} {
				if got := count(tallies, group); want != nil && got != *want {
					t.Errorf("uuid %s, %v, %q: got %+v, want %+v", r.Unit, bench.Scoring(p), group, got, *want)
				}
			}
		}
		add := count(r.Tallies[bench.Strict], "")
		total.Total += add.Total
		total.Correct += add.Correct
		total.NotGiven += add.NotGiven
		total.Hallucinated += add.Hallucinated
	}
	return total
}

// count finds the counts of a modality, or of the whole.
func count(tallies []bench.Tally, modality string) (c counted) {
	for _, t := range tallies {
		if t.Dimension == "modality" && t.Group == modality || t.Dimension == "overall" && modality == "" {
			c = counted{Correct: int(t.Counts[0]), NotGiven: int(t.Counts[1]), Hallucinated: int(t.Counts[2])}
			c.Total = c.Correct + c.NotGiven + c.Hallucinated + int(t.Counts[3])
		}
	}
	return c
}

// What the judge reads was made by Python from the same rows: the template
// with str(dict) in it, without what gives the answers away.
func TestPublishedPrompt(t *testing.T) {
	j, _ := follows(nil)
	e := opened(t, bench.Inputs{Predictions: "testdata/rows.jsonl", Judge: j})
	for i := range e.plan.Units {
		requests, err := e.Requests(i)
		fixture.OK(t, err)
		want, err := os.ReadFile(filepath.Join("testdata", "prompt_"+e.plan.Steps(i)+".txt"))
		fixture.OK(t, err)
		got := textOf(requests[0])
		if got != string(want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
		for _, secret := range []string{"'answer'", "distractors", "answer_index", "answer_key", "required_modality"} {
			if strings.Contains(got, secret) {
				t.Errorf("the judge is told %s", secret)
			}
		}
		if system := requests[0].Messages[0].Parts[0].Text; len(requests[0].Messages) != 2 || system != "You are a helpful assistant." {
			t.Errorf("%d messages, the first %q", len(requests[0].Messages), system)
		}
	}
}

// The offline judge agrees with the key where the caption says all, and with
// the printed predictions where it leaves out what the model abstained from.
func TestOfflineJudgeOnCaseStudies(t *testing.T) {
	rows := readExpected(t, golden.Path(t, caseLetters))
	for _, c := range []struct {
		field   string
		letters func(expected) []string
		least   float64
	}{
		{"gold_caption", func(e expected) []string { return e.Keys }, 0.90},
		{"predicted_caption", func(e expected) []string { return e.Letters }, 0.80},
	} {
		t.Run(c.field, func(t *testing.T) {
			e := opened(t, bench.Inputs{Predictions: golden.Path(t, caseStudies), CaptionField: c.field})
			same, all := 0, 0
			for i, row := range rows {
				want := c.letters(row)
				for k, l := range linesOf(t, evaluated(t, e, i)) {
					all++
					same += quantity.If(l.Judged == want[k])
				}
			}
			if share := float64(same) / float64(all); all != 91 || share < c.least {
				t.Errorf("%d of %d letters agree, %.3f, want %.2f", same, all, share, c.least)
			}
		})
	}
}

func TestReplacePrompts(t *testing.T) {
	open := func(folder fs.FS) *evaluation {
		j, _ := follows(nil)
		return opened(t, bench.Inputs{Predictions: "testdata/rows.jsonl", Judge: j, Modality: "audio", Prompts: folder, PromptsName: "./mine"})
	}
	builtin, mine := open(nil), open(fstest.MapFS{"judge.txt": {Data: []byte("{modality} {number} {prediction}|{cloze}")}})
	if builtin.plan.Protocol != readers+"|modality:audio" || len(builtin.plan.Prompts) != 2 {
		t.Errorf("protocol %s, prompts %v", builtin.plan.Protocol, builtin.plan.Prompts)
	}
	if mine.plan.Prompts[0] != builtin.plan.Prompts[0] || mine.plan.Prompts[1].From != "./mine" || mine.plan.Prompts[1].Digest == builtin.plan.Prompts[1].Digest {
		t.Errorf("prompts %v, built in %v", mine.plan.Prompts, builtin.plan.Prompts)
	}
	requests, err := mine.Requests(1)
	if err != nil || !strings.HasPrefix(textOf(requests[0]), "audio 2 A mill at dusk, a cello plays.\nThe end.|{'passage': ") {
		t.Errorf("asked %+v, %v", requests, err)
	}
}
