package compare

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results"
)

// letters are verdicts in the notes of a made run: one letter an item.
var letters = map[rune]omniscope.Verdict{
	'c': omniscope.Correct, 'p': omniscope.Partial, 'n': omniscope.NotGiven, 'w': omniscope.Wrong, '?': omniscope.Unjudged,
}

// A made run of the cloze metric. Its lines are "UNIT CLUSTER LETTERS".
type made struct {
	system, judge string
	signature     string // of its parts but the benchmark and the judge
	lines         []string
	change        func(*document.Results)
}

// dir writes the run to a folder of its own below parent.
func (m made) dir(t *testing.T, parent, name string) string {
	t.Helper()
	dir := filepath.Join(parent, name)
	fixture.OK(t, os.MkdirAll(dir, 0o755))
	var lines strings.Builder
	rows := make(map[string]metric.Counts)
	var order []string
	for _, text := range m.lines {
		line, counts := m.line(t, text)
		encoded, err := json.Marshal(line)
		fixture.OK(t, err)
		fmt.Fprintf(&lines, "%s\n", encoded)
		if rows[line.Cluster] == nil {
			rows[line.Cluster] = make(metric.Counts, len(counts))
			order = append(order, line.Cluster)
		}
		rows[line.Cluster].Add(counts)
	}
	write(t, dir, bench.CountsFile, lines.String())
	text, err := json.Marshal(m.results(rows, order))
	fixture.OK(t, err)
	write(t, dir, results.File, string(text))
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	fixture.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

func (m made) line(t *testing.T, text string) (bench.CountLine, metric.Counts) {
	t.Helper()
	parts := strings.Fields(text)
	line := bench.CountLine{Unit: parts[0], Cluster: parts[1], Outcome: omniscope.OK,
		Official: map[string]float64{}, Strict: map[string]float64{}, Verdicts: map[string]omniscope.Verdict{}}
	counts := make(metric.Counts, len(metric.Cloze.Fields))
	for i, letter := range parts[2] {
		v, ok := letters[letter]
		if !ok {
			t.Fatalf("no verdict %q", letter)
		}
		line.Verdicts[fmt.Sprint(i+1)] = v
		metric.CountCloze(counts, v, false)
	}
	if strings.Trim(parts[2], "?") == "" {
		line.Outcome = omniscope.Failed
	}
	for i, n := range counts {
		if n > 0 {
			line.Official[metric.Cloze.Fields[i]], line.Strict[metric.Cloze.Fields[i]] = n, n
		}
	}
	return line, counts
}

// results is the document that the counts come to.
func (m made) results(rows map[string]metric.Counts, order []string) *document.Results {
	c := stats.Clusters{Width: len(metric.Cloze.Fields)}
	for _, cluster := range order {
		c.Rows = append(c.Rows, rows[cluster]...)
	}
	total := metric.Counts(c.Total())
	whole := document.Slice{Dimension: "overall", Counts: map[string]float64{}, Scores: map[string]omniscope.Score{}}
	for i, field := range metric.Cloze.Fields {
		whole.Counts[field] = total[i]
	}
	for _, d := range metric.Cloze.Scores {
		score := omniscope.Score{Name: d.Name, N: d.N(total), Unscored: d.Unscored(total), Clusters: c.Len()}
		if v, ok := d.Value(total); ok {
			score.Value = &v
			if iv := stats.Bootstrap(c, []stats.Statistic{func(sum []float64) (float64, bool) { return d.Value(sum) }}, stats.Options{})[0]; iv.Known {
				score.Interval = &omniscope.Interval{Low: iv.Low, High: iv.High, Level: iv.Level}
			}
		}
		whole.Scores[d.Name] = score
	}
	r := &document.Results{Schema: document.Schema, Benchmark: document.BenchmarkInfo{Name: "cloze", Title: "Made cloze"},
		System: m.system, Judge: document.JudgeInfo{Name: m.judge}, Samples: len(m.lines),
		Signature: strings.Join([]string{"cloze", "judge:" + m.judge, "profile:strict", m.signature}, "|"),
		Scorings:  []document.ScoringInfo{{Name: "official", Slices: []document.Slice{whole}}, {Name: "strict", Slices: []document.Slice{whole}}}}
	if m.change != nil {
		m.change(r)
	}
	return r
}

const plain = "reader2|data:0a1b2c|seed:0|omniscope:1.0"

// compared compares made runs, which are written to folders a, b, c and so on.
func compared(t *testing.T, o Options, runs ...made) (*Comparison, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	var dirs []string
	for i, m := range runs {
		dirs = append(dirs, m.dir(t, "", string(rune('a'+i))))
	}
	return opened(t, o, dirs...)
}

func opened(t *testing.T, o Options, dirs ...string) (*Comparison, error) {
	t.Helper()
	o.Scoring = bench.Strict
	runs, err := Open(t.Context(), dirs)
	if err != nil {
		return nil, err
	}
	return Runs(t.Context(), runs, &metric.Cloze, o)
}

func mustCompare(t *testing.T, o Options, runs ...made) *Comparison {
	t.Helper()
	c, err := compared(t, o, runs...)
	fixture.OK(t, err)
	return c
}

// table returns the table of that name, without rows where there is none.
func (c *Comparison) table(name string) omniscope.Table {
	for _, t := range c.Tables {
		if t.Name == name {
			return t
		}
	}
	return omniscope.Table{}
}

// rowsOf writes a table's rows as lines, cells parted by bars.
func rowsOf(t omniscope.Table) string {
	var out strings.Builder
	for _, row := range t.Rows {
		out.WriteString(strings.Join(row, "|") + "\n")
	}
	return out.String()
}

func wantRows(t *testing.T, table omniscope.Table, want ...string) {
	t.Helper()
	if got := rowsOf(table); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("%s: got\n%swant\n%s", table.Name, got, strings.Join(want, "\n"))
	}
}
