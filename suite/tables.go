package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/compare"
	"omniscope/metric"
)

const none = "–"

// Tables show what came of the runs: how far each came, then a table of scores for
// each benchmark. metrics are the benchmarks' by name.
func Tables(outcomes []Outcome, metrics map[string]*metric.Metric) []omniscope.Table {
	tables := []omniscope.Table{runTable(outcomes)}
	for _, benchmark := range benchmarksOf(outcomes) {
		if t, ok := scoreTable(benchmark, ofBenchmark(outcomes, benchmark), metrics[benchmark]); ok {
			tables = append(tables, t)
		}
	}
	return tables
}

func benchmarksOf(outcomes []Outcome) (names []string) {
	for _, o := range outcomes {
		if !slices.Contains(names, o.Benchmark) {
			names = append(names, o.Benchmark)
		}
	}
	return names
}

func ofBenchmark(outcomes []Outcome, name string) []Outcome {
	return slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool { return o.Benchmark != name })
}

// runTable says how far each run came.
func runTable(outcomes []Outcome) omniscope.Table {
	t := omniscope.Table{Name: "runs", Title: "Runs", Columns: []string{"run", "state", "answered", "tokens in", "tokens out", "why not"}, Numbers: []int{2, 3, 4}}
	for _, o := range outcomes {
		answered := none
		if o.Sent.Samples > 0 {
			answered = fmt.Sprintf("%d of %d", o.Sent.Answered, o.Sent.Samples)
		}
		t.Rows = append(t.Rows, []string{o.Name, string(o.State), answered, count(o.Sent.TokensIn), count(o.Sent.TokensOut), cmp.Or(o.Why, none)})
	}
	return t
}

// A row is one results document and the run that it is of.
type row struct {
	*Outcome
	results *omniscope.Results
}

func rowsOf(outcomes []Outcome) (rows []row) {
	for i := range outcomes {
		for _, r := range outcomes[i].Results {
			rows = append(rows, row{&outcomes[i], r})
		}
	}
	return rows
}

// scoreTable has a row for each results document. Columns that say nothing are left
// out.
func scoreTable(benchmark string, outcomes []Outcome, m *metric.Metric) (t omniscope.Table, ok bool) {
	rows := rowsOf(outcomes)
	if len(rows) == 0 || m == nil {
		return t, false
	}
	t = omniscope.Table{Name: "scores of " + benchmark, Title: titleOf(rows[0].results), Rows: make([][]string, len(rows))}
	column := func(heading string, number, always bool, cell func(row) string) {
		cells := make([]string, len(rows))
		empty := true
		for i, r := range rows {
			cells[i] = cmp.Or(cell(r), none)
			empty = empty && cells[i] == none
		}
		if empty && !always {
			return
		}
		if number {
			t.Numbers = append(t.Numbers, len(t.Columns))
		}
		t.Columns = append(t.Columns, heading)
		for i := range rows {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
	column("model", false, true, func(r row) string { return r.Model })
	column("profile", false, false, func(r row) string { return r.Profile })
	for _, axis := range axesOf(outcomes) {
		column(axisName(axis), true, false, func(r row) string { return r.Point.text(axis) })
	}
	if severalJudges(rows) {
		column("judge", false, false, func(r row) string { return r.results.Judge.Name })
	}
	column("frames sent", true, false, func(r row) string { return decimal(r.Sent.Frames) })
	column("pixels of one", true, false, func(r row) string { return decimal(r.Sent.Pixels) })
	column("s of sound", true, false, func(r row) string { return decimal(r.Sent.Seconds) })
	column("words", true, false, func(r row) string { return decimal(r.Sent.Words) })
	column("samples", true, true, func(r row) string { return count(r.results.Samples) })
	for _, d := range m.Scores {
		column(compare.Heading(d), true, false, func(r row) string { return compare.Scored(d, r.results.Headline.Scores[d.Name]) })
	}
	return t, true
}

func titleOf(r *omniscope.Results) string {
	return fmt.Sprintf("%s, profile %s", cmp.Or(r.Benchmark.Title, r.Benchmark.Name), r.Headline.Profile)
}

// axesOf are the flags that the sweep sets.
func axesOf(outcomes []Outcome) (axes []string) {
	for _, o := range outcomes {
		for _, p := range o.Point {
			if !slices.Contains(axes, p.Name) {
				axes = append(axes, p.Name)
			}
		}
	}
	return axes
}

func severalJudges(rows []row) bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.results.Judge.Name != rows[0].results.Judge.Name })
}

func count(n int) string {
	if n == 0 {
		return none
	}
	return strconv.Itoa(n)
}

func decimal(v float64) string {
	switch {
	case v == 0:
		return none
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}
