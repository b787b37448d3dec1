package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// A conclusion is the result of all tests of a comparison, as a sentence and as one table.
type conclusion struct {
	*session
	pairs     []*pair
	tests     []tested
	corrected []float64 // p of each test
}

func (s *session) newConclusion(pairs []*pair, tests []tested) *conclusion {
	corrected, _ := correct(tests)
	return &conclusion{session: s, pairs: pairs, tests: tests, corrected: corrected}
}

// test returns the test of a score between two runs, and its corrected p. ok is false if there is no test.
func (f *conclusion) test(base, run *Run, score string) (t *tested, p float64, ok bool) {
	i := slices.IndexFunc(f.tests, func(t tested) bool {
		return t.pair.base == base && t.pair.run == run && t.score.Name == score
	})
	if i < 0 {
		return nil, 0, false
	}
	return &f.tests[i], f.corrected[i], true
}

// first is the first score that has a test.
func (f *conclusion) first() (d metric.Score, ok bool) {
	for _, d := range f.scores {
		if slices.ContainsFunc(f.tests, func(t tested) bool { return t.score.Name == d.Name }) {
			return d, true
		}
	}
	return d, false
}

// sentence is about the first score: a user who reads only one line has to learn whether a run is better.
func (f *conclusion) sentence() string {
	if !slices.ContainsFunc(f.pairs, func(p *pair) bool { return len(p.shared) > 0 }) {
		return "nothing can be compared: the runs have no unit in common"
	}
	d, ok := f.first()
	if !ok {
		return "nothing can be compared: no score is known of two runs"
	}
	if len(f.runs) > 2 {
		return f.ofMany(d)
	}
	t, p, _ := f.test(f.runs[0], f.runs[1], d.Name)
	return f.ofTwo(t, p)
}

// ofTwo is the sentence about two runs.
func (f *conclusion) ofTwo(t *tested, p float64) string {
	base, run := t.pair.base, t.pair.run
	numbers := func(flip float64) string {
		iv := flipped(t.interval, flip)
		return f.difference(t.score, flip*t.difference) + f.withInterval(t, iv.Low, iv.High)
	}
	of := quantity.Things(t.clusters, f.cluster())
	if !t.Known {
		return fmt.Sprintf("%s and %s could not be tested: %s of %s %s, %s", base.label, run.label, t.score.Title, run.label, numbers(1), of)
	}
	ending := fmt.Sprintf(", p %s, %s", chance(p), of)
	if p >= alpha {
		return fmt.Sprintf("no difference between %s and %s could be shown: %s of %s %s%s", base.label, run.label, t.score.Title, run.label, numbers(1), ending)
	}
	better, worse, flip := run, base, 1.0
	if f.baseIsBetter(t, p) {
		better, worse, flip = base, run, -1
	}
	sameSystem, sameJudge := base.Results.System == run.Results.System, base.Results.Judge.Shown() == run.Results.Judge.Shown()
	verb := "is better than"
	switch {
	case sameSystem && !sameJudge: // one set of answers, which no judge makes better
		verb = "gives better scores than"
	case !sameJudge:
		ending += "; their judges differ, too"
	}
	return fmt.Sprintf("%s %s %s: %s %s%s", better.label, verb, worse.label, t.score.Title, numbers(flip), ending)
}

// baseIsBetter reports whether a test finds the base better than the run.
func (f *conclusion) baseIsBetter(t *tested, p float64) bool {
	return t.Known && p < alpha && t.difference > 0 == t.score.Lower
}

// flipped is the interval of a difference, or with flip -1 of the opposite difference.
func flipped(iv stats.Interval, flip float64) stats.Interval {
	if flip < 0 {
		iv.Low, iv.High = -iv.High, -iv.Low
	}
	return iv
}

// ofMany is the sentence about more than two runs: the highest one, and the first against the others.
func (f *conclusion) ofMany(d metric.Score) string {
	base := f.runs[0]
	var better, worse, same, untested []string
	for _, r := range f.runs[1:] {
		t, p, ok := f.test(base, r, d.Name)
		switch {
		case !ok || !t.Known:
			untested = append(untested, r.label)
		case p >= alpha:
			same = append(same, r.label)
		case t.difference > 0 == d.Lower:
			worse = append(worse, r.label)
		default:
			better = append(better, r.label)
		}
	}
	var parts []string
	if i, ok := f.leader(d); ok {
		whole, _ := f.runs[i].Overall(f.options.Scoring)
		parts = append(parts, fmt.Sprintf("%s has the best %s, %s", f.runs[i].label, d.Title, Number(d, *whole.Scores[d.Name].Value, false)))
	}
	add := func(what string, labels []string) {
		if len(labels) > 0 {
			parts = append(parts, what+" "+base.label+": "+strings.Join(labels, ", "))
		}
	}
	add("better than", better)
	add("worse than", worse)
	add("no difference shown from", same)
	add("not tested against", untested)
	return strings.Join(parts, "; ")
}

// difference writes a difference of a score with its unit.
func (f *conclusion) difference(d metric.Score, v float64) string {
	factor, digits := scale(d, false)
	text := signed(v*factor, digits)
	if d.Percent {
		text += " points"
	}
	return text
}

func (f *conclusion) withInterval(t *tested, low, high float64) string {
	if !t.interval.Known {
		return ""
	}
	factor, digits := scale(t.score, false)
	return fmt.Sprintf(" [%s, %s]", fixed(low*factor, digits), fixed(high*factor, digits))
}

// cluster is the noun for what is independent of each other.
func (f *conclusion) cluster() string { return cmp.Or(f.runs[0].Results.Benchmark.Cluster, "clip") }

// table has the scores of two runs with their differences, or of more runs the first score with its differences from the first run.
func (f *conclusion) table() omniscope.Table {
	t := f.tableOfMany
	if len(f.runs) == 2 {
		t = f.tableOfTwo
	}
	out := t()
	notes := []string{out.Note}
	if runs := f.runTable(); runs.Note != "" {
		notes = append(notes, runs.Note)
	}
	_, counted := correct(f.tests)
	notes = append(notes, fmt.Sprintf("p: chance of so large a difference if there is no true one, corrected (Holm) for %s; below %s a difference is shown",
		quantity.Things(counted, "test"), fixed(alpha, 2)))
	notes = append(notes, Remarks(f.runs, f.metric, f.options.Scoring)...)
	out.Note = strings.Join(notes, "; ")
	return out
}

func (f *conclusion) tableOfTwo() omniscope.Table {
	base, run := f.runs[0], f.runs[1]
	less, flip := run.label+" less "+base.label, 1.0
	if d, ok := f.first(); ok { // the signs are those of the sentence
		if t, p, _ := f.test(base, run, d.Name); f.baseIsBetter(t, p) {
			less, flip = base.label+" less "+run.label, -1
		}
	}
	out := omniscope.Table{Name: "summary", Title: f.title(), Columns: []string{"score", base.label, run.label, "difference", "95 % interval", "p", f.cluster() + "s"},
		Numbers: []int{1, 2, 3, 5, 6}, Note: "scores of the units that both runs have; difference: " + less}
	for _, d := range f.scores {
		factor, digits := scale(d, false)
		show := func(v float64) string { return signed(v*factor, digits) }
		row := []string{Heading(d), notAvailable, notAvailable, notAvailable, notAvailable, notAvailable, notAvailable}
		if t, p, ok := f.test(base, run, d.Name); ok {
			row = []string{Heading(d), Number(d, t.base, false), Number(d, t.run, false), show(flip * t.difference), within(flipped(t.interval, flip), show), chance(p), quantity.Grouped(t.clusters)}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func (f *conclusion) tableOfMany() omniscope.Table {
	base := f.runs[0]
	d, ok := f.first()
	if !ok {
		return f.scoreTable()
	}
	out := omniscope.Table{Name: "summary", Title: f.title(), Columns: []string{"run", Heading(d), "difference", "95 % interval", "p"}, Numbers: []int{1, 2, 4},
		Note: "difference: from " + base.label + ", of the units that both runs have"}
	others := slices.DeleteFunc(slices.Clone(f.scores), func(o metric.Score) bool { return o.Name == d.Name })
	for _, o := range others {
		out.Numbers = append(out.Numbers, len(out.Columns))
		out.Columns = append(out.Columns, Heading(o))
	}
	factor, digits := scale(d, false)
	show := func(v float64) string { return signed(v*factor, digits) }
	for _, r := range f.runs {
		whole, _ := r.Overall(f.options.Scoring)
		row := []string{r.label, value(d, whole.Scores[d.Name]), notAvailable, notAvailable, notAvailable}
		if t, p, ok := f.test(base, r, d.Name); ok {
			row = []string{row[0], row[1], show(t.difference), within(t.interval, show), chance(p)}
		}
		for _, o := range others {
			row = append(row, value(o, whole.Scores[o.Name]))
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// value writes a score of a results document without its interval.
func value(d metric.Score, s omniscope.Score) string {
	s.Interval = nil
	return Scored(d, s)
}
