package sample

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/peopletest"
	"omniscope/people"
)

// results writes a run's results to a folder.
func writeRun(t *testing.T, benchmark string, inputs map[string]string, cases ...*document.Case) string {
	t.Helper()
	dir := t.TempDir()
	doc := document.Results{Schema: document.Schema, Benchmark: document.BenchmarkInfo{Name: benchmark}, Judge: document.JudgeInfo{Name: "test/judge"}, Run: document.RunInfo{ID: "r", Inputs: inputs}}
	write(t, filepath.Join(dir, "results.json"), &doc)
	var lines strings.Builder
	for _, c := range cases {
		text, _ := json.Marshal(c)
		fmt.Fprintf(&lines, "%s\n", text)
	}
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "cases.jsonl"), []byte(lines.String()), 0o600))
	return dir
}

func write(t *testing.T, path string, value any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	fixture.OK(t, err)
}

func text(s string) []document.Piece { return []document.Piece{{Text: s}} }

// clozeRun is a run of so many clips of two blanks each. The judge is right on blank 1 of all, and
// finds blank 2 not given in nine of ten, else wrong.
func clozeRun(t *testing.T, clips int) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data.jsonl")
	var rows strings.Builder
	var cases []*document.Case
	for i := range clips {
		id := fmt.Sprint("clip", i)
		fmt.Fprintf(&rows, `{"uuid": %q, "cloze": {"blanks": [{"number": 1, "options": ["A: red", "B: blue", "E: not given"]}, {"number": 2, "options": ["A: one", "B: two", "E: not given"]}]}}`+"\n", id)
		second, verdict := "E: not given", "not_given"
		if i%10 == 0 {
			second, verdict = "A: one", "wrong"
		}
		cases = append(cases, &document.Case{Unit: id, Cluster: id, Outcome: omniscope.OK, Sections: []document.Section{
			{Title: "Caption", Text: text("A red car.")},
			{Title: "Passage", Text: []document.Piece{{Text: "A "}, {Text: "1 red", Note: "blank 1, correct: chosen A: red; right is A: red"}, {Text: " car passes "}, {Text: "2 not given", Note: "blank 2, not_given: chosen E; right is B: two"}, {Text: " times."}}},
			{Title: "Blanks", Columns: []string{"blank", "modality", "right", "chosen", "verdict"}, Rows: [][][]document.Piece{
				{text("1"), text("visual"), text("A: red"), text("A: red"), text("correct")},
				{text("2"), text("audio"), text("B: two"), text(second), text(verdict)},
			}},
		}})
	}
	fixture.OK(t, os.WriteFile(data, []byte(rows.String()), 0o600))
	return writeRun(t, "omni-cloze", map[string]string{data: "sha", "captions.jsonl": "sha"}, cases...)
}

func opened(t *testing.T, m *maker) (*people.Workplace, *people.Plan) {
	t.Helper()
	p := peopletest.Make(t, m)
	w := peopletest.Open(t, Kind, p)
	peopletest.Invite(t, w, people.Annotator, "ann", "ben")
	return w, p
}

func judgements(t *testing.T, w *people.Workplace) (out []*judgement) {
	t.Helper()
	for _, id := range w.Items() {
		item, err := w.Item(t.Context(), id)
		fixture.OK(t, err)
		j, err := readJudgement(item)
		fixture.OK(t, err)
		out = append(out, j)
	}
	return out
}

func TestWhatPeopleSee(t *testing.T) {
	w, p := opened(t, &maker{Run: clozeRun(t, 40), N: 24, Stratify: "verdict", People: 1})
	if len(p.Warnings) != 0 || p.Project.Stages[0].Sound != people.NoMedia {
		t.Errorf("%+v", p)
	}
	verdicts := make(map[string]int)
	for _, j := range judgements(t, w) {
		verdicts[j.Verdict]++
	}
	if verdicts["correct"] != 10 || verdicts["not_given"] != 10 || verdicts["wrong"] != 4 { // there are four only
		t.Errorf("%v", verdicts)
	}
	ofSeed := func(seed int) (out []string) {
		w, _ := opened(t, &maker{Run: clozeRun(t, 40), N: 24, Stratify: "verdict", People: 1, Seed: seed})
		for _, j := range judgements(t, w) {
			out = append(out, j.Unit+j.Place)
		}
		return out
	}
	if !slices.Equal(ofSeed(3), ofSeed(3)) || slices.Equal(ofSeed(3), ofSeed(4)) {
		t.Error("the seed does not say what is drawn")
	}
	c, err := w.WorkItem(t.Context(), w.Items()[0], stage)
	fixture.OK(t, err)
	form, err := Kind.Form(c)
	fixture.OK(t, err)
	page, _ := json.Marshal(form)
	for _, tells := range []string{"correct", "wrong", "not_given", "chosen", "right"} {
		if strings.Contains(string(page), tells) {
			t.Errorf("the form says %q: %s", tells, page)
		}
	}
	for _, want := range []string{"A red car.", "A [BLANK_1] car passes [BLANK_2] times.", "E: not given"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the form does not say %q: %s", want, page)
		}
	}
}

// TestAgreementIsWeightedBack has a run of 200 judgements: 100 right, 90 not given and 10 wrong. Ten
// of each are checked, and people find all that is right right, all that is wrong wrong, and of what
// is not given half not given, half right. In the sample they agree on 25 of 30; in the run they
// would on 100 + 45 + 10 of 200.
func TestAgreementIsWeightedBack(t *testing.T) {
	w, _ := opened(t, &maker{Run: clozeRun(t, 100), N: 30, Stratify: "verdict", People: 1})
	n := 0
	peopletest.DoAll(t, w, stage, []string{"ann"}, func(_ string, c *people.WorkItem, _ *people.Form) map[string]people.Value {
		j, _ := readJudgement(c.Item)
		choice := j.Chosen
		if j.Verdict == notGiven {
			if n++; n%2 == 0 {
				choice = j.Key
			}
		}
		return map[string]people.Value{choiceKey: {choiceField: choice}}
	})
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	fixture.OK(t, err)
	for figure, want := range map[string]string{
		"agreement": "0.775", "agreement in the sample as drawn": "0.833",
		// Chance: (100·145 + 90·45 + 10·10)/200² = 0.46625.
		"Cohen's kappa": "0.578",
		`people agree where the judge found "correct"`: "1.000", `people agree where the judge found "not_given"`: "0.500",
	} {
		found := false
		for _, row := range tables[0].Rows {
			if row[0] == figure {
				if found = true; row[1] != want {
					t.Errorf("%s is %q, want %s", figure, row, want)
				}
			}
		}
		if !found {
			t.Errorf("no %s", figure)
		}
	}
	if got := fmt.Sprint(tables[1].Rows); got != "[[correct 10 0 0] [not_given 5 5 0] [wrong 0 0 10]]" {
		t.Errorf("%s", got)
	}
	var out strings.Builder
	if err := Kind.Exports[0].Write(t.Context(), w, &out); err != nil || strings.Count(out.String(), "\n") != 31 {
		t.Errorf("%s (%v)", out.String(), err)
	}
}

func TestTooFewAreNoFigure(t *testing.T) {
	w, _ := opened(t, &maker{Run: clozeRun(t, 5), N: 100, Stratify: "none", People: 2})
	tables, err := Kind.Tables(t.Context(), w)
	peopletest.NobodyIsNamed(t, w, tables)
	if err != nil || tables[0].Rows[0][3] != "0 were made again; at least 10 are needed" {
		t.Errorf("%+v (%v)", tables, err)
	}
}

// TestOtherBenchmarks has questions with choices, and tables with verdicts.
func TestOtherBenchmarks(t *testing.T) {
	question := &document.Case{Unit: "q1", Cluster: "c", Sections: []document.Section{
		{Title: "Caption", Text: text("A dog barks.")}, {Title: "Question", Text: text("What barks?")},
		{Title: "Options", Columns: []string{"letter", "option", ""}, Rows: [][][]document.Piece{{text("A"), text("a cat"), text("chosen")}, {text("B"), text("a dog"), text("right")}}},
	}}
	w, _ := opened(t, &maker{Run: writeRun(t, "video-mme", nil, question), N: 1, Stratify: "verdict", People: 1})
	j := judgements(t, w)[0]
	if j.Verdict != wrong || j.Key != "B" || j.verdictOf("B") != correct || len(j.Choices) != 2 || j.Texts[1].Body != "What barks?" {
		t.Errorf("%+v", j)
	}

	keypoints := &document.Case{Unit: "v1", Sections: []document.Section{
		{Title: "Caption", Text: []document.Piece{{Text: "There is "}, {Text: "a man in red [1a]", Tone: document.Subject}, {Text: "."}}},
		{Title: "Events: 1 of 2", Columns: []string{"verdict", "keypoint", "in the caption", "why"}, Rows: [][][]document.Piece{
			{text("✓ correct"), {{Text: "A man."}, {Text: " (remark)", Tone: document.Dim}}, text("a man in red"), text("it says so")},
			{text("– not given"), text("A cat."), nil, text("no cat")},
			{text("? unjudged"), text("A cow."), nil, nil},
		}},
	}}
	short := &document.Case{Unit: "v2", Sections: []document.Section{{Title: "Caption", Text: []document.Piece{{Text: "A"}, {Text: "[… 9,000 characters …]", Tone: document.Dim}}}}}
	w, p := opened(t, &maker{Run: writeRun(t, "capricorn", nil, keypoints, short), N: 2, Stratify: "verdict", People: 1})
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "shortened captions") {
		t.Errorf("%q", p.Warnings)
	}
	all := judgements(t, w)
	if len(all) != 2 || len(all[0].Texts) != 2 || all[0].Texts[0].Body != "There is a man in red." {
		t.Fatalf("%+v", all[0])
	}
	if i := slices.IndexFunc(all, func(j *judgement) bool { return j.Verdict == correct }); i < 0 || all[i].Texts[1].Body != "A man." || len(all[i].Choices) != 2 {
		t.Errorf("%+v", all)
	}
	if want := []people.Choice{{Value: "correct", Label: "correct"}, {Value: "not given", Label: "not given"}}; !slices.Equal(all[0].Choices, want) {
		t.Errorf("%v", all[0].Choices)
	}
}

// TestItemsNameTheAuditedFile draws from runs of claims with their audits, and without.
func TestItemsNameTheAuditedFile(t *testing.T) {
	digest := strings.Repeat("0123456789abcdef", 4)
	one := &document.Case{Unit: "kitchen", Media: "./clips/kitchen.mp4", Sections: []document.Section{
		{Title: "Caption", Text: text("A dog barks.")},
		{Title: "Claims", Columns: []string{"verdict", "claim"}, Rows: [][][]document.Piece{{text("✓ supported"), text("A dog.")}, {text("✗ contradicted"), text("It barks.")}}},
	}}
	for audits, want := range map[string]string{`{"clip": {"id": "kitchen", "path": "clips/kitchen.mp4", "sha256": "` + digest + `"}}`: digest, "": ""} {
		run := writeRun(t, "claims", nil, one)
		if audits != "" {
			fixture.OK(t, os.WriteFile(filepath.Join(run, "audits.jsonl"), []byte(audits+"\n"), 0o600))
		}
		w, _ := opened(t, &maker{Run: run, N: 2, Stratify: "verdict", People: 1})
		for _, id := range w.Items() {
			if media := w.MediaOf(id); len(media) != 1 || media[0] != (people.Media{File: "clips/kitchen.mp4", SHA256: want}) {
				t.Errorf("%s: %+v", id, media)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for says, m := range map[string]*maker{
		"name the folder of the results": newMaker(),
		"at least 1":                     {Run: "x", N: 0, People: 1},
		"no judgement":                   {Run: writeRun(t, "x", nil, &document.Case{Unit: "u"}), N: 1, People: 1},
		"name it with --data":            {Run: writeRun(t, "omni-cloze", nil, &document.Case{Unit: "u"}), N: 1, People: 1},
		"no such file":                   {Run: t.TempDir(), N: 1, People: 1},
	} {
		if _, err := m.Make(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
