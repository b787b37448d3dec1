package mcif

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/model/symptoms"
)

// runOf is a scored file with this name, without folder and ending, and these
// scores.
func runOf(t *testing.T, name string, scores map[string]float64, symptoms ...symptomCount) systemRun {
	t.Helper()
	f, ok := parseName(name + "_output.xml")
	if !ok {
		t.Fatalf("%s is no name of outputs", name)
	}
	r := &document.Results{Scoring: "strict", Headline: document.Headline{Scores: make(map[string]omniscope.Score)}}
	for _, s := range tableScores {
		score := omniscope.Score{Name: s.name}
		if v, ok := scores[s.name]; ok {
			score.Value = &v
		}
		r.Headline.Scores[s.name] = score
	}
	return systemRun{File: f, Results: r, Folder: name, Outputs: 10, Whole: 7, Symptoms: symptoms}
}

// shown is a table in lines, its columns first.
func shown(table omniscope.Table) string {
	lines := []string{strings.Join(table.Columns, "|")}
	for _, row := range table.Rows {
		lines = append(lines, strings.Join(row, "|"))
	}
	return strings.Join(lines, "\n")
}

func tableNamed(t *testing.T, tables []omniscope.Table, name string) omniscope.Table {
	t.Helper()
	for _, table := range tables {
		if table.Name == name {
			return table
		}
	}
	t.Fatalf("there is no table %s", name)
	return omniscope.Table{}
}

func answers(v float64) map[string]float64 { return map[string]float64{metric.QABERTScore: v} }

func TestPaperTables(t *testing.T) {
	tables := systemTables([]systemRun{
		runOf(t, "mllm_long_en_fixed_b", map[string]float64{metric.ASRWER: 0.066, metric.QABERTScore: 0.3}),
		runOf(t, "mllm_long_de_fixed_b", map[string]float64{metric.TransCOMET: 0.7, metric.QABERTScore: 0.5}),
		runOf(t, "audio_long_en_fixed_b", answers(0.1)), runOf(t, "audio_long_de_fixed_b", answers(0.2)),
		runOf(t, "audio_long_it_fixed_b", answers(0.3)), runOf(t, "audio_long_zh_fixed_b", answers(0.4)),
		runOf(t, "audio_long_zh_random_b", answers(-0.123)),
		runOf(t, "text_long_de_fixed_c", nil),
		runOf(t, "audio_long_de_fixed_a", answers(1)),
		runOf(t, "audio_short_en_random_b", map[string]float64{metric.ASRWER: 12.5}),
	})
	overview := tableNamed(t, tables, "overview")
	equal(t, shown(overview), `track|input|model|fix REC|fix TRANS|fix QA|fix SUM|mix REC|mix TRANS|mix QA|mix SUM
short|audio|b|–|–|–|–|1250.0|–|–|–
long|text|c|–|–|–|–|–|–|–|–
long|audio|a|–|–|100.0*|–|–|–|–|–
long|audio|b|–|–|25.0|–|–|–|-12.3*|–
long|mllm|b|6.6|70.0*|40.0*|–|–|–|–|–`)
	equal(t, overview.Numbers, []int{3, 4, 5, 6, 7, 8, 9, 10})

	fix := tableNamed(t, tables, "languages-fix")
	equal(t, shown(fix), `track|input|model|REC en|TRANS de|QA en|QA de|QA it|QA zh
long|audio|a|–|–|–|100.0|–|–
long|audio|b|–|–|10.0|20.0|30.0|40.0
long|mllm|b|6.6|70.0|30.0|50.0|–|–`)
	equal(t, fix.Numbers, []int{3, 4, 5, 6, 7, 8})
	mix := tableNamed(t, tables, "languages-mix")
	equal(t, shown(mix), "track|input|model|REC en|QA zh\nshort|audio|b|1250.0|–\nlong|audio|b|–|-12.3")
	contains(t, fix.Title+mix.Title, "Table 9", "Table 10")
}

func TestTableWithoutScores(t *testing.T) {
	for _, table := range systemTables([]systemRun{runOf(t, "text_long_de_fixed_c", answers(0.5))}) {
		if table.Name == "languages-mix" {
			t.Errorf("nothing is mixed, but there is %s", shown(table))
		}
	}
}

func TestFailuresAddUp(t *testing.T) {
	found := func(kind symptoms.Kind, task string, n int) symptomCount {
		return symptomCount{Kind: kind, Task: task, Found: n}
	}
	tables := systemTables([]systemRun{
		runOf(t, "audio_long_de_fixed_a", nil, found(symptoms.Refusal, qa, 1), found(symptoms.WrongLanguage, qa, 2), found(symptoms.WrongLanguage, sum, 3)),
		runOf(t, "audio_long_it_random_a", nil, found(symptoms.WrongLanguage, qa, 4)),
		runOf(t, "audio_long_it_random_b", nil),
	})
	equal(t, shown(tableNamed(t, tables, "failures")), "track|input|model|outputs|wholes|wrong-language|refusal\nlong|audio|a|20|14|9|1\nlong|audio|b|10|7|0|0")
	equal(t, shown(tableNamed(t, tables, "failures-by-file")), `track|input|model|language|prompts|outputs|wholes|wrong-language|refusal
long|audio|a|de|fixed|10|7|5|1
long|audio|a|it|random|10|7|4|0
long|audio|b|it|random|10|7|0|0`)
}

func TestTaskNames(t *testing.T) {
	for _, c := range []struct{ macro, modality, want string }{
		{asr, "audio", "ASR"}, {asr, "mllm", "AVR"}, {trans, "text", "MT"}, {qa, "video", "VQA"}, {sum, "mllm", "AVSUM"}, {asr, "text", ""}, {qa, "", ""},
	} {
		if got := taskName(c.macro, c.modality); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.macro, c.modality, got, c.want)
		}
	}
	if len(Tasks) != 13 {
		t.Errorf("%d tasks, want 13", len(Tasks))
	}
}
