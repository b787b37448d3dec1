// Package cite writes the scores of runs for model cards, papers and pages: tables in Markdown, LaTeX and HTML, the Hugging Face hub's model-index, and
// BibTeX of what was measured.
//
// A value is written as the report of a run has it, with its interval, how many items it
// is made of, who judged, and the signature. A best value is marked only where package
// compare finds the run better than every other beyond chance.
package cite

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/results"
	"omniscope/results/compare"
)

// A board holds the runs of one benchmark.
type board struct {
	Benchmark string // name
	Title     string
	Dataset   string // on the hub; "" = not known
	Scoring   string
	Version   string   // of this program, as the last run has it
	Scores    []string // headings
	Rows      []row
	Marked    string   // how the best values were found; "" = none is marked
	Notes     []string // what to be wary of
}

// A row is a run.
type row struct {
	System    string
	Folder    string // of the run, where another one has the same system and judge; "" = none has
	Judge     string // "" = none was asked
	Baseline  bool
	N         string // items that the scores are made of, or a range
	Cells     []cell // one for each of the board's scores
	Signature string
	Run       string // id
	Marks     string // see bench.Mark; "" = no mark
	Other     string // values of the other profile; "" = the same
}

// name is what tables call the run, with a dagger where it is marked.
func (r row) name() string {
	name := r.System
	if r.Folder != "" {
		name += " (" + r.Folder + ")"
	}
	if r.Marks != "" {
		name += document.Dagger
	}
	return name
}

// A cell is a score.
type cell struct {
	Score    string // name
	Shown    string // the value; "no score" or a dash where there is none
	Interval string // "LOW, HIGH"; "" = none is known
	Value    *float64
	Best     bool
}

// Options say what a board shows.
type Options struct {
	Scoring bench.Scoring
	Scores  []string // names; nil = all that a run has
	Seed    uint64
}

// Boards makes the boards of runs, one for each benchmark. infoOf describes a benchmark by its name.
func Boards(ctx context.Context, runs []*results.Run, infoOf func(benchmark string) (bench.Info, error), o Options) (boards []*board, err error) {
	var names []string
	dirs := make(map[string][]string)
	for _, r := range runs {
		name := r.Results.Benchmark.Name
		if dirs[name] == nil {
			names = append(names, name)
		}
		dirs[name] = append(dirs[name], r.Dir)
	}
	for _, name := range names {
		info, err := infoOf(name)
		if err != nil {
			return nil, err
		}
		together, err := compare.Open(ctx, dirs[name])
		if err != nil {
			return nil, err
		}
		board, err := of(ctx, info, together, o)
		if err != nil {
			return nil, err
		}
		boards = append(boards, board)
	}
	return boards, nil
}

// of makes the board of runs of one benchmark.
func of(ctx context.Context, info bench.Info, runs []*compare.Run, o Options) (*board, error) {
	b := &board{Benchmark: info.Name, Title: info.Title, Scoring: o.Scoring.String()}
	if i := slices.IndexFunc(info.Needs, func(n bench.Need) bool { return n.Dataset != "" }); i >= 0 {
		b.Dataset = info.Needs[i].Dataset
	}
	var known []string
	for _, d := range info.Metric.Scores {
		known = append(known, d.Name)
	}
	for _, name := range o.Scores {
		if !slices.Contains(known, name) {
			return nil, omniscope.Usagef("--score %s: %s has the scores %s", name, info.Name, strings.Join(known, ", "))
		}
	}
	best, err := compare.BestRuns(ctx, runs, info.Metric, compare.Options{Scoring: o.Scoring, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	b.Rows = make([]row, len(runs))
	for i, r := range runs {
		b.Rows[i] = rowOf(r, info.Metric, o.Scoring)
		b.Version = r.Results.Run.Version
	}
	b.tellApart(runs)
	for _, d := range info.Metric.Scores {
		if len(o.Scores) > 0 && !slices.Contains(o.Scores, d.Name) || !anyHas(runs, o.Scoring, d.Name) {
			continue
		}
		b.Scores = append(b.Scores, compare.Heading(d))
		for i, r := range runs {
			whole, _ := r.Overall(o.Scoring)
			c := cell{Score: d.Name, Value: whole.Scores[d.Name].Value}
			c.Shown, c.Interval, _ = strings.Cut(compare.Scored(d, whole.Scores[d.Name]), " [")
			c.Interval = strings.TrimSuffix(c.Interval, "]")
			leader, marked := best.Run[d.Name]
			if c.Best = marked && leader == i; c.Best {
				b.Marked = best.By
			}
			b.Rows[i].Cells = append(b.Rows[i].Cells, c)
		}
	}
	b.note(runs, best, o.Scoring)
	return b, nil
}

// tellApart gives those rows their folders that would have the same name.
func (b *board) tellApart(runs []*compare.Run) {
	type who struct{ system, judge string }
	rows := make(map[who]int)
	for _, r := range b.Rows {
		rows[who{r.System, r.Judge}]++
	}
	folders := compare.Folders(runs)
	for i, r := range b.Rows {
		if rows[who{r.System, r.Judge}] > 1 {
			b.Rows[i].Folder = folders[i]
		}
	}
}

func (b *board) note(runs []*compare.Run, best *compare.Best, p bench.Scoring) {
	if len(runs) > 1 && best.Not != "" {
		b.Notes = append(b.Notes, "no value is marked as best: "+best.Not)
	}
	var baselines []string
	for _, r := range b.Rows {
		if name := cmp.Or(r.Judge, r.System); r.Baseline && !slices.Contains(baselines, name) {
			baselines = append(baselines, name)
			b.Notes = append(b.Notes, "baseline, compares with no published scores: "+name)
		}
	}
	for i, r := range runs {
		whole, _ := r.Overall(p)
		most := 0
		for _, s := range whole.Scores {
			most = max(most, s.Unscored)
		}
		if most > 0 {
			b.Notes = append(b.Notes, fmt.Sprintf("%d items of %s could not be scored", most, strings.TrimSuffix(b.Rows[i].name(), document.Dagger)))
		}
		b.remark(b.Rows[i])
	}
}

// remark notes the marks of a run, and what the other profile shows.
func (b *board) remark(r row) {
	name, marked := strings.CutSuffix(r.name(), document.Dagger)
	if marked {
		b.Notes = append(b.Notes, "marked"+document.Dagger+" "+name+": "+r.Marks)
	}
	if r.Other != "" {
		b.Notes = append(b.Notes, "of "+name+", "+r.Other)
	}
}

func rowOf(r *compare.Run, m *metric.Metric, p bench.Scoring) row {
	whole, _ := r.Overall(p)
	low, high := -1, 0
	for _, s := range whole.Scores {
		if s.N+s.Unscored == 0 {
			continue
		}
		if low < 0 || s.N < low {
			low = s.N
		}
		high = max(high, s.N)
	}
	n := fmt.Sprint(max(low, 0))
	if high > low && low >= 0 {
		n = fmt.Sprintf("%d–%d", low, high)
	}
	return row{System: r.Results.System, Judge: r.Results.Judge.Shown(), Baseline: r.Results.Judge.Baseline, N: n, Signature: r.Results.In(p.String()).Signature, Run: r.Results.Run.ID,
		Marks: r.Results.Marked(), Other: compare.Other(r.Results, m, p)}
}

// anyHas reports whether a run has the score or should have it.
func anyHas(runs []*compare.Run, p bench.Scoring, score string) bool {
	return slices.ContainsFunc(runs, func(r *compare.Run) bool {
		whole, _ := r.Overall(p)
		s := whole.Scores[score]
		return s.Value != nil || s.N+s.Unscored > 0
	})
}

// hasJudges reports whether a run was judged.
func (b *board) hasJudges() bool {
	return slices.ContainsFunc(b.Rows, func(r row) bool { return r.Judge != "" })
}

// legend says what the numbers are.
func (b *board) legend() []string {
	lines := []string{"Scoring " + b.Scoring + "; in brackets 95 % intervals; n: items scored."}
	if b.Marked != "" {
		lines = append(lines, "Bold: better than each other system beyond chance ("+b.Marked+").")
	}
	for _, n := range b.Notes {
		lines = append(lines, strings.ToUpper(n[:1])+n[1:]+".")
	}
	return lines
}

// A grid is the board as lines of texts, the first of them headings: a run is a row, or
// a column.
type grid [][]text

// A text is a cell.
type text struct {
	shown    string
	interval string
	best     bool
}

// left is how many columns hold texts.
func (b *board) left(runsAsColumns bool) int {
	if b.hasJudges() && !runsAsColumns {
		return 2
	}
	return 1
}

func (b *board) grid(runsAsColumns bool) grid {
	head := []text{{shown: "System"}}
	if b.hasJudges() {
		head = append(head, text{shown: "Judge"})
	}
	for _, s := range b.Scores {
		head = append(head, text{shown: s})
	}
	g := grid{append(head, text{shown: "n"})}
	for _, r := range b.Rows {
		line := []text{{shown: r.name()}}
		if b.hasJudges() {
			line = append(line, text{shown: r.Judge})
		}
		for _, c := range r.Cells {
			line = append(line, text{c.Shown, c.Interval, c.Best})
		}
		g = append(g, append(line, text{shown: r.N}))
	}
	if !runsAsColumns {
		return g
	}
	turned := make(grid, len(g[0]))
	for i := range g[0] {
		for _, line := range g {
			turned[i] = append(turned[i], line[i])
		}
	}
	return turned
}
