package suite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/results/compare"
)

const none = "–"

// tables show what came of the runs: how far each came, then a table of scores for
// each benchmark. metrics are the benchmarks' by name.
func tables(outcomes []Outcome, metrics map[string]*metric.Metric) []omniscope.Table {
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

// runTable says how far each run came, and what was sent in it.
func runTable(outcomes []Outcome) omniscope.Table {
	t := newTable("runs", "Runs", len(outcomes))
	column := func(heading string, number, always bool, cell func(Outcome) string) {
		t.column(heading, number, always, func(i int) string { return cell(outcomes[i]) })
	}
	column("run", false, true, func(o Outcome) string { return o.Name })
	column("state", false, true, func(o Outcome) string { return string(o.State) })
	column("answered", true, true, func(o Outcome) string {
		if o.Sent.Samples == 0 {
			return ""
		}
		return fmt.Sprintf("%d of %d", o.Sent.Answered, o.Sent.Samples)
	})
	column("frames", true, false, func(o Outcome) string { return decimal(o.Sent.Frames) })
	column("pixels of one", true, false, func(o Outcome) string { return decimal(o.Sent.Pixels) })
	column("s of sound", true, false, func(o Outcome) string { return decimal(o.Sent.Seconds) })
	column("inquiries", true, false, func(o Outcome) string { return decimal(o.Sent.Inquiries) })
	column("words", true, false, func(o Outcome) string { return decimal(o.Sent.Words) })
	column("tokens in", true, false, func(o Outcome) string { return count(o.Sent.TokensIn) })
	column("tokens out", true, false, func(o Outcome) string { return count(o.Sent.TokensOut) })
	column("cost", true, false, func(o Outcome) string {
		usd, known := o.cost()
		if !known {
			return ""
		}
		return quantity.Dollars(usd)
	})
	column("why not", false, false, func(o Outcome) string { return o.Why })
	t.Note = "means for a sample; tokens are of all calls for the answers, blind twins and lost tries included, and cost is that of these and of judging"
	return t.Table
}

// A table is one in the making, column by column.
type table struct{ omniscope.Table }

func newTable(name, title string, rows int) *table {
	return &table{omniscope.Table{Name: name, Title: title, Rows: make([][]string, rows)}}
}

// column adds a column. One that says nothing is left out, unless it is always there.
func (t *table) column(heading string, number, always bool, cell func(i int) string) {
	cells := make([]string, len(t.Rows))
	for i := range cells {
		cells[i] = cmp.Or(cell(i), none)
		always = always || cells[i] != none
	}
	if !always {
		return
	}
	if number {
		t.Numbers = append(t.Numbers, len(t.Columns))
	}
	t.Columns = append(t.Columns, heading)
	for i := range cells {
		t.Rows[i] = append(t.Rows[i], cells[i])
	}
}

// A row is one results document and the run that it is of.
type row struct {
	*Outcome
	results *document.Results
}

func rowsOf(outcomes []Outcome) (rows []row) {
	for i := range outcomes {
		for _, r := range outcomes[i].Results {
			rows = append(rows, row{&outcomes[i], r})
		}
	}
	return rows
}

// scoreTable has a row for each results document.
func scoreTable(benchmark string, outcomes []Outcome, m *metric.Metric) (omniscope.Table, bool) {
	rows := rowsOf(outcomes)
	if len(rows) == 0 || m == nil {
		return omniscope.Table{}, false
	}
	t := newTable("scores of "+benchmark, titleOf(rows[0].results), len(rows))
	t.column("model", false, true, func(i int) string {
		if len(rows[i].results.Marks) > 0 {
			return rows[i].Model + document.Dagger
		}
		return rows[i].Model
	})
	t.column("profile", false, false, func(i int) string { return rows[i].Profile })
	for _, axis := range axesOf(outcomes) {
		t.column(axisName(axis), true, false, func(i int) string { return rows[i].Point.Text(axis) })
	}
	if severalJudges(rows) {
		t.column("judge", false, false, func(i int) string { return rows[i].results.Judge.Shown() })
	}
	t.column("samples", true, true, func(i int) string { return count(rows[i].results.Samples) })
	for _, d := range m.Scores {
		t.column(compare.Heading(d), true, false, func(i int) string { return compare.Scored(d, rows[i].results.Headline.Scores[d.Name]) })
	}
	t.Note = strings.Join(remarks(rows, m), "; ")
	return t.Table, true
}

// remarks are the marks of the rows, each once, and what the other profile shows.
func remarks(rows []row, m *metric.Metric) (notes []string) {
	add := func(note string) {
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	for _, r := range rows {
		add(r.results.Mark())
		scoring, _ := bench.ParseScoring(r.results.Headline.Scoring)
		if other := compare.Other(r.results, m, scoring); other != "" {
			add(r.results.System + ", " + other)
		}
	}
	return notes
}

func titleOf(r *document.Results) string {
	return fmt.Sprintf("%s, scoring %s", cmp.Or(r.Benchmark.Title, r.Benchmark.Name), r.Headline.Scoring)
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
		return ""
	}
	return strconv.Itoa(n)
}

func decimal(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 1, 64)
}
