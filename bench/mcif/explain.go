package mcif

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/metric"
)

// Explain implements bench.Explainer.
func (e *evaluation) Explain() bench.Explanation {
	var x bench.Explanation
	for p := range x.Why {
		x.Why[p] = e.lacks()
	}
	if e.stop != nil {
		for _, name := range e.b.scores() {
			x.Why[bench.Official][name] = e.stop.Error()
		}
	}
	x.Tables = slices.DeleteFunc([]omniscope.Table{e.tasks(), e.transcripts(), e.translations(), e.symptomTable()},
		func(t omniscope.Table) bool { return len(t.Rows) == 0 })
	if e.has(metric.QABERTScore) || e.has(metric.SumBERTScore) || e.has(metric.TransCOMET) {
		x.Pages = append(x.Pages, bench.Page{Name: "pairs.jsonl", Write: e.writePairs})
	}
	return x
}

// lacks returns the scores of the references whose scorer is not available, each with the reason.
func (e *evaluation) lacks() map[string]string {
	lacks := make(map[string]string)
	for _, name := range e.b.scores() {
		if why := e.scorers.Missing[name]; why != "" && e.has(name) {
			lacks[name] = why
		}
	}
	return lacks
}

// scoreOf is the score of each task.
var scoreOf = map[string]string{asr: metric.ASRWER, trans: metric.TransCOMET, qa: metric.QABERTScore, sum: metric.SumBERTScore}

// has reports whether the references have anything that a score is of.
func (e *evaluation) has(score string) bool {
	return slices.ContainsFunc(e.units, func(u *unit) bool { return scoreOf[u.ref.Task] == score })
}

// worst is how many talks the tables show.
const worst = 10

func (e *evaluation) ofTask(task string) []*unit {
	var units []*unit
	for _, u := range e.units {
		if u.ref.Task == task {
			units = append(units, u)
		}
	}
	return units
}

// tasks says what was there to score, task by task.
func (e *evaluation) tasks() omniscope.Table {
	t := omniscope.Table{Name: "tasks", Title: "Tasks", Columns: []string{"task", "score", "units", "outputs", "missing", "empty", "left unscored"}, Numbers: []int{2, 3, 4, 5, 6},
		Note: "units are talks for ASR and TRANS, answers for QA, summaries for SUM; left unscored by scoring strict, apart from scorers that are not available"}
	scores := map[string]string{asr: "ASR-WER", trans: "TRANS-COMET", qa: "QA-BERTScore", sum: "SUM-BERTScore"}
	for _, task := range macroTasks {
		units := e.ofTask(task)
		if len(units) == 0 {
			continue
		}
		var outputs, missing, empty, unscored int
		for _, u := range units {
			outputs, missing = outputs+len(u.hypotheses), missing+len(u.missing)
			for _, h := range u.hypotheses {
				if h == "" {
					empty++
				}
			}
			if !u.scorable {
				unscored++
			}
		}
		t.Rows = append(t.Rows, append([]string{cmp.Or(taskName(task, e.b.Input), task), scores[task]}, numbers(len(units), outputs, missing, empty, unscored)...))
	}
	return t
}

func (e *evaluation) transcripts() omniscope.Table {
	t := omniscope.Table{Name: "worst-transcripts", Title: "Worst transcripts", Note: "words of talks as they are compared, after normalising; 'omniscope view' shows them in full",
		Columns: []string{"talk", "WER", "words", "substituted", "deleted", "inserted", "words written"}, Numbers: []int{1, 2, 3, 4, 5, 6}}
	units := slices.DeleteFunc(e.ofTask(asr), func(u *unit) bool { return !u.scorable })
	rate := func(u *unit) float64 { r, _ := u.asr.edits.Rate(); return r }
	slices.SortStableFunc(units, func(a, b *unit) int { return -cmp.Compare(rate(a), rate(b)) })
	for _, u := range units[:min(len(units), worst)] {
		d := u.asr.edits
		t.Rows = append(t.Rows, append([]string{u.talk, quantity.Percent(rate(u))},
			numbers(d.Words(), d.Substitutions, d.Deletions, d.Insertions, u.asr.written)...))
	}
	return t
}

func (e *evaluation) translations() omniscope.Table {
	t := omniscope.Table{Name: "worst-translations", Title: "Translations that fit their reference least", Note: "token error rate of the cutting into lines (AS-WER of mwerSegmenter): no measure of quality, but far above the others it means that much is missing or invented",
		Columns: []string{"talk", "AS-WER", "lines", "empty lines"}, Numbers: []int{1, 2, 3}}
	units := slices.DeleteFunc(e.ofTask(trans), func(u *unit) bool { return !u.scorable })
	slices.SortStableFunc(units, func(a, b *unit) int { return -cmp.Compare(a.cut.strict.rate, b.cut.strict.rate) })
	for _, u := range units[:min(len(units), worst)] {
		empty := 0
		for _, line := range u.cut.strict.lines {
			if strings.TrimSpace(line) == "" {
				empty++
			}
		}
		t.Rows = append(t.Rows, append([]string{u.talk, quantity.Percent(u.cut.strict.rate)}, numbers(len(u.cut.strict.lines), empty)...))
	}
	return t
}

func numbers(list ...int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = strconv.Itoa(n)
	}
	return out
}
