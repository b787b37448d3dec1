// Package compare compares runs of one benchmark: their scores, the differences between them with
// paired intervals, their agreement item by item, and the agreement of judges over systems. Its
// result is a sentence, one table that supports it, and all tables.
//
// It reads results.json and bench.CountsFile of the runs and asks no model. Package report prints
// the tables.
package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/results"
)

// Options define how runs are compared. The zero value compares official scoring.
type Options struct {
	Scoring bench.Scoring
	Seed    uint64 // of the resamples
	AnyData bool   // compare runs on different data by what they share
	Check   *Check // whether the second of two runs is worse than the first; nil = not checked
}

// A Comparison is the result of comparing several runs.
type Comparison struct {
	Title    string
	Sentence string          // the finding in the first score; "" = ratings have none
	Summary  omniscope.Table // the numbers behind the sentence; with a check, the checked scores
	Runs     []string        // ids of the runs; of ratings, their digest
	Tables   []omniscope.Table
	Warnings []string
	Checked  checkedScore // what Options.Check found
}

// mostForAllPairs is up to how many runs each is compared with each. More are
// compared with the first only.
const mostForAllPairs = 4

// Runs compares runs of one benchmark, as Open returns them. Scores and counts
// are those of m: scores that no run has are left out. The result depends on the
// runs and options only, not on the order of lines in their files.
func Runs(ctx context.Context, runs []*Run, m *metric.Metric, o Options) (*Comparison, error) {
	name(runs)
	differ := Contrasts(runs)
	if err := checkData(runs, differ, o.AnyData); err != nil {
		return nil, err
	}
	for _, r := range runs {
		if err := r.readUnits(ctx, m, o.Scoring); err != nil {
			return nil, err
		}
	}
	s := &session{runs: runs, options: o, differ: differ, fields: len(m.Fields), metric: m}
	s.scores = slices.DeleteFunc(slices.Clone(m.Scores), func(d metric.Score) bool { return !HasScore(runs, o.Scoring, d.Name) })
	c := &Comparison{Title: s.title(), Runs: ids(runs), Warnings: contrastWarnings(runs, differ), Tables: []omniscope.Table{s.runTable(), s.scoreTable()}}
	pairs, err := s.pairs(ctx)
	if err != nil {
		return nil, err
	}
	differences, tests, err := s.differences(ctx, pairs)
	if err != nil {
		return nil, err
	}
	agreement, err := s.agreement(ctx, pairs)
	if err != nil {
		return nil, err
	}
	judges, warnings := s.judges()
	c.Tables = slices.Concat(c.Tables, differences, agreement, judges)
	c.Warnings = slices.Concat([]string{}, c.Warnings, warnNothingShared(pairs), warnings)
	f := s.newConclusion(pairs, tests)
	c.Sentence, c.Summary = f.sentence(), f.table()
	if o.Check != nil {
		err = s.check(c, pairs)
	}
	return c, err
}

func ids(runs []*Run) (ids []string) {
	for _, r := range runs {
		ids = append(ids, r.Results.Run.ID)
	}
	return ids
}

// A session is one comparison of runs.
type session struct {
	runs    []*Run
	options Options
	differ  []Contrast
	scores  []metric.Score
	fields  int // counts of a unit
	metric  *metric.Metric
}

func (s *session) title() string {
	b := s.runs[0].Results.Benchmark
	title := b.Title
	if title == "" {
		title = b.Name
	}
	return fmt.Sprintf("%s: %d runs, scoring %s", title, len(s.runs), s.options.Scoring)
}

// HasScore reports whether any of the runs has the score, or a reason why it is missing.
func HasScore(runs []*Run, p bench.Scoring, score string) bool {
	for _, r := range runs {
		overall, _ := r.Overall(p)
		if v, ok := overall.Scores[score]; ok && (v.Value != nil || v.Why != "" || v.N+v.Unscored > 0) {
			return true
		}
	}
	return false
}

// name gives each run the shortest unique label: its system, its judge, both, or
// its folder with the shortest unique end of its path.
func name(runs []*Run) {
	for _, label := range []func(*Run) string{
		func(r *Run) string { return r.Results.System },
		func(r *Run) string { return r.Results.Judge.Shown() },
		func(r *Run) string { return r.Results.System + " by " + r.Results.Judge.Shown() },
	} {
		var labels []string
		for _, r := range runs {
			r.label = label(r)
			labels = append(labels, r.label)
		}
		if len(distinct(labels)) == len(runs) && !slices.Contains(labels, "") {
			return
		}
	}
	for i, folder := range Folders(runs) {
		runs[i].label = folder
	}
}

// Folders are the short names of the runs' folders: see results.ShortNames.
func Folders(runs []*Run) []string {
	dirs := make([]string, len(runs))
	for i, r := range runs {
		dirs[i] = r.Dir
	}
	return results.ShortNames(dirs...)
}

// runTable has a row for each run: who, by whom, how much, and in what else the
// runs differ.
func (s *session) runTable() omniscope.Table {
	t := omniscope.Table{Name: "runs", Title: "Runs", Rows: make([][]string, len(s.runs))}
	column := func(heading string, cell func(i int, r *Run) string) {
		t.Columns = append(t.Columns, heading)
		for i, r := range s.runs {
			t.Rows[i] = append(t.Rows[i], cmp.Or(cell(i, r), notAvailable))
		}
	}
	column("run", func(_ int, r *Run) string { return r.label })
	if s.any(func(r *Run) bool { return r.label != r.Results.System }) {
		column("system", func(_ int, r *Run) string { return r.Results.System })
	}
	if s.any(func(r *Run) bool { return r.label != r.Results.Judge.Shown() && r.Results.Judge.Name != "" }) {
		column("judge", func(_ int, r *Run) string { return r.Results.Judge.Shown() })
	}
	t.Numbers = []int{len(t.Columns), len(t.Columns) + 1}
	column("n", func(_ int, r *Run) string { return s.span(r, func(score omniscope.Score) int { return score.N }) })
	column("unscored", func(_ int, r *Run) string {
		return s.span(r, func(score omniscope.Score) int { return score.Unscored })
	})
	if s.any(func(r *Run) bool { return costOf(r) != "" }) {
		t.Numbers = append(t.Numbers, len(t.Columns))
		column("cost", func(_ int, r *Run) string { return costOf(r) })
	}
	for _, c := range s.differ {
		if c.Name != judgePart {
			column(c.Name, func(i int, _ *Run) string { return c.Values[i] })
		}
	}
	folders := Folders(s.runs)
	if i := 0; s.any(func(r *Run) bool { i++; return r.label != folders[i-1] }) {
		column("folder", func(i int, _ *Run) string { return folders[i] })
	}
	if s.any(func(r *Run) bool { return r.Results.Marked() != "" }) {
		column("marked", func(_ int, r *Run) string { return r.Results.Marked() })
	}
	var baselines []string
	for _, r := range s.runs {
		if r.Results.Judge.Baseline {
			baselines = append(baselines, cmp.Or(r.Results.Judge.Shown(), r.label))
		}
	}
	if len(baselines) > 0 {
		t.Note = strings.Join(distinct(baselines), ", ") + ": baseline, not comparable with published scores"
	}
	return t
}

// costOf is what a run's calls cost; "" = it is not known, or nothing was asked.
func costOf(r *Run) string {
	u := r.Results.Usage
	if u.CostUSD == nil || u.Calls == 0 {
		return ""
	}
	return quantity.Dollars(*u.CostUSD)
}

func (s *session) any(is func(*Run) bool) bool { return slices.ContainsFunc(s.runs, is) }

// span is a count that a run's scores share, or its range.
func (s *session) span(r *Run, count func(omniscope.Score) int) string {
	whole, _ := r.Overall(s.options.Scoring)
	var numbers []int
	for _, d := range s.scores {
		numbers = append(numbers, count(whole.Scores[d.Name]))
	}
	return span(numbers)
}

// scoreTable has a row for each run.
func (s *session) scoreTable() omniscope.Table {
	t := omniscope.Table{Name: "scores", Title: "Scores", Columns: []string{"run"},
		Note: "with 95 % intervals, over all units of a run"}
	t.Note = strings.Join(append([]string{t.Note}, Remarks(s.runs, s.metric, s.options.Scoring)...), "; ")
	for _, d := range s.scores {
		t.Columns = append(t.Columns, Heading(d))
	}
	for _, r := range s.runs {
		t.Rows = append(t.Rows, append([]string{r.label}, s.scoreCells(r)...))
	}
	return t
}

// scoreCells are a run's scores with their intervals.
func (s *session) scoreCells(r *Run) []string {
	whole, _ := r.Overall(s.options.Scoring)
	cells := make([]string, len(s.scores))
	for i, d := range s.scores {
		cells[i] = Scored(d, whole.Scores[d.Name])
	}
	return cells
}
