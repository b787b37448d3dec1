package mcif

import (
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/metric"
)

// withScore sets a score of a run.
func withScore(r systemRun, name string, s omniscope.Score) systemRun {
	r.Results.Headline.Scores[name] = s
	return r
}

// Cells tell apart why they have no number, and mark numbers of a part.
func TestTableCells(t *testing.T) {
	half := 0.5
	long := runOf(t, "audio_long_en_fixed_a", nil)
	long = withScore(long, metric.ASRWER, omniscope.Score{Value: &half, N: 10, Unscored: 200, Interval: &omniscope.Interval{Low: 0.4, High: 0.625}})
	long = withScore(long, metric.QABERTScore, omniscope.Score{Unscored: 3, Why: missingBERTScore})
	long = withScore(long, metric.SumBERTScore, omniscope.Score{Unscored: 3})
	long.Unscored = map[string]string{metric.ASRWER: "20 of 21 left unscored: 20 missing", metric.SumBERTScore: "3 of 3 left unscored: 3 abstained"}
	long.Results.Outcomes, long.Results.Samples = map[string]int{"missing": 20}, 27
	german := withScore(runOf(t, "audio_long_de_fixed_a", nil), metric.QABERTScore, omniscope.Score{Value: &half, N: 2})
	stop := withScore(runOf(t, "audio_long_de_fixed_b", nil), metric.TransCOMET, omniscope.Score{Why: (&stopReason{Reason: "'3'"}).Error()})
	runs := []systemRun{long, german, stop}

	tables := systemTables(runs)
	equal(t, shown(tableNamed(t, tables, "overview")), `track|input|model|fix REC|fix TRANS|fix QA|fix SUM|mix REC|mix TRANS|mix QA|mix SUM
long|audio|a|50.0†|–|50.0*|unscored|–|–|–|–
long|audio|b|–|stops|–|–|–|–|–|–`)
	equal(t, shown(tableNamed(t, tables, "languages-fix")), `track|input|model|REC en|TRANS de|QA en|QA de|SUM en
long|audio|a|50.0†|–|n/a|50.0|unscored
long|audio|b|–|stops|–|–|–`)
	equal(t, shown(tableNamed(t, tables, "details")), `track|input|model|language|prompts|score|value|low|high|n|unscored|why|folder
long|audio|a|en|fixed|REC|50.00|40.00|62.50|10|200|20 of 21 left unscored: 20 missing|audio_long_en_fixed_a
long|audio|a|en|fixed|QA|n/a|||0|3|`+missingBERTScore+`|audio_long_en_fixed_a
long|audio|a|en|fixed|SUM|unscored|||0|3|3 of 3 left unscored: 3 abstained|audio_long_en_fixed_a
long|audio|a|de|fixed|QA|50.00|||2|0||audio_long_de_fixed_a
long|audio|b|de|fixed|TRANS|stops|||0|0|the published scorer stops with the reason '3'|audio_long_de_fixed_b`)
	equal(t, reasonsOf(runs), []string{
		"QA: not available in 1 file: " + missingBERTScore,
		"TRANS: no score in 1 file: the published scorer stops with the reason '3'",
		"audio_long_en_fixed_a: 20 of 27 talks, answers and summaries lack outputs or references",
	})
	for _, table := range tables[:3] {
		contains(t, table.Title, "scoring strict")
	}
}

func TestMeansWithUnscoredItems(t *testing.T) {
	v := 0.5
	for _, c := range []struct {
		of   []cell
		want string
	}{
		{[]cell{{&v, ""}, {&v, partly}}, "50.0†"},
		{[]cell{{&v, partly}, {mark: notAvailable}}, "50.0*†"},
		{[]cell{{mark: nothingThere}, {mark: stopped}}, "stops"},
		{[]cell{{mark: nothingThere}}, "–"},
	} {
		if got := meanCell(c.of); got != c.want {
			t.Errorf("%v: %s, want %s", c.of, got, c.want)
		}
	}
}

func TestReferenceNamed(t *testing.T) {
	pivot := runOf(t, "audio_long_de_fixed_p", answers(1))
	pivot.Reference = true
	tables := systemTables([]systemRun{runOf(t, "audio_long_de_fixed_c", answers(0.5)), pivot})
	for _, name := range []string{"overview", "languages-fix", "details", "failures", "failures-by-file"} {
		if text := shown(tableNamed(t, tables, name)); !strings.Contains(text, "audio|p (the reference)|") || strings.Contains(text, "c (the reference)") {
			t.Errorf("%s is\n%s", name, text)
		}
	}
}

func TestUnscoredUnitsByOutcome(t *testing.T) {
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", but(without(sagend, "3"), "1", "")...), Data: referenceFile(t, "long", "de", german...)}
	e, _ := scored(t, Benchmark{Track: "long", Lang: "de"}, in)
	equal(t, e.Unscored(), map[string]string{metric.TransCOMET: "1 of 1 left unscored: 1 missing", metric.QABERTScore: "1 of 1 left unscored: 1 abstained"})
}
