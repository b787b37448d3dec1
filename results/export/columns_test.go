package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/bench/document"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
	"omniscope/results"
)

// runWith makes a run of a benchmark with files of lines; all its counts are named.
func runWith(t *testing.T, benchmark string, counts []string, files map[string]string) *results.Run {
	t.Helper()
	all := make(map[string]float64)
	for _, name := range counts {
		all[name] = 0
	}
	whole := []document.Slice{{Dimension: "overall", Counts: all}}
	r := &results.Run{Dir: t.TempDir(), Results: &document.Results{System: "s", Benchmark: document.BenchmarkInfo{Name: benchmark},
		Scorings: []document.ScoringInfo{{Name: "official", Slices: whole}, {Name: "strict", Slices: whole}}}}
	for name, text := range files {
		fixture.OK(t, os.WriteFile(filepath.Join(r.Dir, name), []byte(text), 0o644))
		r.Results.Run.Files = append(r.Results.Run.Files, name)
	}
	return r
}

// rowsOf are the rows of a table as JSON Lines has them.
func rowsOf(t *testing.T, name string, runs ...*results.Run) (all []map[string]any) {
	t.Helper()
	tables, err := Tables(t.Context(), runs)
	fixture.OK(t, err)
	i := slices.IndexFunc(tables, func(one *table) bool { return one.Name == name })
	if i < 0 {
		t.Fatalf("no table %s: %+v", name, Summary(tables))
	}
	var out bytes.Buffer
	fixture.OK(t, tables[i].JSONLines(t.Context(), &out))
	for line := range strings.Lines(out.String()) {
		var row map[string]any
		fixture.OK(t, json.Unmarshal([]byte(line), &row))
		all = append(all, row)
	}
	return all
}

var clozeCounts = []string{"correct", "not_given", "hallucinated", "unjudged", "forced_not_given"}

func TestCountsOfZeroAreZero(t *testing.T) {
	careful := runWith(t, "omni-cloze", clozeCounts, map[string]string{"counts.jsonl": `{"unit":"a","cluster":"a","outcome":"ok","official":{"correct":10},"strict":{"correct":9,"hallucinated":1}}
{"unit":"b","cluster":"b","outcome":"ok","official":{},"strict":{"not_given":10}}
`})
	for i, want := range []map[string]any{
		{"official.correct": 10.0, "official.hallucinated": 0.0, "official.unjudged": 0.0, "official.forced_not_given": 0.0, "strict.correct": 9.0, "strict.hallucinated": 1.0, "strict.not_given": 0.0, "strict.unjudged": 0.0},
		{"official.correct": 0.0, "official.hallucinated": 0.0, "strict.correct": 0.0, "strict.hallucinated": 0.0, "strict.not_given": 10.0, "strict.unjudged": 0.0, "verdicts": nil},
	} {
		row := rowsOf(t, "counts", careful)[i]
		for name, value := range want {
			if got, there := row[name]; !there || got != value {
				t.Errorf("row %d, %s: %v, want %v", i, name, got, value)
			}
		}
	}
}

// TestColumnsDoNotDependOnTheData: a run has the same columns with all counts 0 and with all counts above 0.
func TestColumnsDoNotDependOnTheData(t *testing.T) {
	header := func(lines string) []string {
		tables, err := Tables(t.Context(), []*results.Run{runWith(t, "omni-cloze", clozeCounts, map[string]string{"counts.jsonl": lines})})
		fixture.OK(t, err)
		var out bytes.Buffer
		fixture.OK(t, tables[0].CSV(t.Context(), &out))
		rows, err := csv.NewReader(&out).ReadAll()
		fixture.OK(t, err)
		return rows[0]
	}
	few := header(`{"unit":"a","cluster":"a","outcome":"ok","official":{},"strict":{}}` + "\n")
	all := header(`{"unit":"a","cluster":"a","outcome":"failed","official":{"forced_not_given":1,"not_given":1,"unjudged":2,"hallucinated":3,"correct":4},"strict":{"unjudged":10},"verdicts":{"1":"correct"}}` + "\n")
	if !slices.Equal(few, all) {
		t.Errorf("columns\n%v\n%v", few, all)
	}
}

// TestCountsThatAreNotKnown: cells stay empty if the published program stops, if a unit is unjudged, and
// for counts of another benchmark.
func TestCountsThatAreNotKnown(t *testing.T) {
	mcif := runWith(t, "mcif", []string{"hits"}, map[string]string{"counts.jsonl": `{"unit":"m","outcome":"ok","official":{},"strict":{"hits":3}}` + "\n",
		"units.jsonl": `{"unit":"m","outcome":"ok","official":{},"strict":{}}` + "\n"})
	claims := runWith(t, "claims", []string{"supported"}, map[string]string{"counts.jsonl": `{"unit":"f","outcome":"failed","official":{},"strict":{}}
{"unit":"no claims","outcome":"ok","official":{},"strict":{}}
`})
	var got []string
	for _, row := range rowsOf(t, "counts", mcif, claims) {
		got = append(got, strings.TrimSpace(fmt.Sprintln(row["unit"], row["official.hits"], row["strict.hits"], row["official.supported"], row["strict.supported"])))
	}
	want := []string{"m <nil> 3 <nil> <nil>", "f <nil> <nil> <nil> <nil>", "no claims <nil> <nil> 0 0"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	if row := rowsOf(t, "units", mcif)[0]; row["official.hits"] != nil || row["strict.hits"] != nil {
		t.Errorf("units: %v", row)
	}
}

// TestAnswersOfAModel checks the values that details leave out or write as 0, and that no line of a
// benchmark's own file of answers is among them.
func TestAnswersOfAModel(t *testing.T) {
	r := runWith(t, "mmau", []string{"correct"}, map[string]string{"answers.jsonl": `{"id":"q","chosen":"A"}` + "\n"})
	predictions := filepath.Join(r.Dir, "captions.jsonl")
	details := `{"run":"p","spec":{"model":"m"}}
{"sample":"answered","outcome":"ok","answer":"A dog.","words":2,"sent":{"modality":"audio","sound":{"seconds":4,"rate":16000}},"usage":{"tokens_in":10,"tokens_out":3,"cost_usd":0}}
{"sample":"empty","outcome":"abstained","sent":{"modality":"audio"},"usage":{"tokens_in":10,"tokens_out":1,"cost_usd":0.5,"estimated":true}}
{"sample":"failed","outcome":"failed","why":"HTTP 500","sent":{"modality":"audio"},"usage":{"tokens_in":0,"tokens_out":0,"cost_usd":0}}
`
	for path, text := range map[string]string{predictions: "{}\n", results.DetailsName(predictions): details} {
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	r.Results.Run.Inputs = map[string]string{predictions: sha256hex.Of("{}\n")}
	if rows := rowsOf(t, "answers", r); len(rows) != 1 {
		t.Errorf("the benchmark's own answers: %v", rows)
	}
	columns := []string{"words", "cut", "usage.tokens_in", "usage.tokens_out", "usage.cost_usd", "usage.estimated", "tokens_too_few", "sent.sound.seconds", "sent.frames.count", "inquiries"}
	want := []string{"2 false 10 3 <nil> false false 4 <nil> <nil>", "0 false 10 1 0.5 true <nil> <nil> <nil> <nil>", strings.TrimSpace(strings.Repeat("<nil> ", len(columns)))}
	for i, row := range rowsOf(t, "predictions", r) {
		var cells []string
		for _, name := range columns {
			value, there := row[name]
			if !there {
				t.Errorf("no column %s", name)
			}
			cells = append(cells, fmt.Sprint(value))
		}
		if got := strings.Join(cells, " "); got != want[i] {
			t.Errorf("row %d: %s, want %s", i, got, want[i])
		}
	}
}

// TestColumnsThatAllLinesLeaveOut reads two runs, one without the field in any line.
func TestColumnsThatAllLinesLeaveOut(t *testing.T) {
	for _, c := range []struct{ name, with, without string }{
		{"answers", `{"id":"a","clip":"a","right":"A","chosen":"","why":"abstained","strict":"not_given","official":"wrong","outcome":"ok","answer":"no idea"}`, `{"id":"a","clip":"a","right":"A","chosen":"","strict":"unjudged","official":"unjudged","outcome":"missing"}`},
		{"claims", `{"clip":"a","claim":"c1","text":"It is red.","sense":"visual","kinds":["colour"],"verdict":"supported","outcome":"ok","planted":"colour","says":[],"disputed":false,"written_by_checkers":false}`, `{"clip":"a","claim":"c1","text":"It is.","verdict":"supported","outcome":"ok","says":[],"disputed":false,"written_by_checkers":false}`},
		{"keypoints", `{"video_id":"a","class":"x","event":"e","verdict":"correct","reason":"r","descriptions":{"s":null},"quote":"q","outcome":"ok","attempts":1,"repeated":false}`, `{"video_id":"a","class":"x","event":"e","verdict":"correct","outcome":"ok","attempts":1,"repeated":false}`},
		{"units", `{"unit":"a","task":"ASR","name":"asr","talk":"t","sample_ids":["1"],"outcome":"ok","missing":["1"],"official":{},"strict":{},"wer":0.5,"comet":0.5,"bertscore":0.5,"symptoms":[],"qa_type":"A","qa_origin":"o","hypothesis":[]}`, `{"unit":"a","task":"ASR","talk":"t","sample_ids":["1"],"outcome":"ok","official":{},"strict":{}}`},
	} {
		var columns [][]column
		for _, line := range []string{c.with, c.without} {
			tables, err := Tables(t.Context(), []*results.Run{runWith(t, "any", clozeCounts, map[string]string{c.name + ".jsonl": line + "\n"})})
			fixture.OK(t, err)
			columns = append(columns, tables[0].Columns)
		}
		names := func(list []column) (out []string) {
			for _, one := range list {
				out = append(out, one.Name)
			}
			return out
		}
		if with, without := names(columns[0]), names(columns[1]); !slices.Equal(with, without) {
			t.Errorf("%s: columns %q, and without the fields %q", c.name, with, without)
		}
	}
}
