package compare

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/results"
)

// A Run is a folder that a run wrote its results to.
type Run struct {
	*results.Run
	label string // what tables call it
	units map[string]Unit
}

// A Unit is a line of bench.CountsFile, for one scoring.
type Unit struct {
	Name, Cluster string
	Outcome       omniscope.Outcome
	Counts        metric.Counts
	Verdicts      []bench.ItemVerdict // by item, strict scoring
}

// Judged reports whether the outcome is one that scores are made of.
func (u Unit) Judged() bool { return u.Outcome == omniscope.OK || u.Outcome == omniscope.Abstained }

// Open reads the results documents of two or more folders. A folder that is
// named twice, one without results, and results of several benchmarks are
// errors.
func Open(ctx context.Context, dirs []string) ([]*Run, error) {
	var runs []*Run
	var seen []fs.FileInfo
	for _, dir := range dirs {
		opened, err := results.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		r := &Run{Run: opened}
		info, err := os.Stat(dir)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(info, other) }); i >= 0 {
			return nil, omniscope.Usagef("%s and %s are the same folder: name each run once", runs[i].Dir, dir)
		}
		seen = append(seen, info)
		runs = append(runs, r)
		if first := runs[0].Results.Benchmark.Name; r.Results.Benchmark.Name != first {
			return nil, omniscope.Invalidf("%s is a run of %s, %s one of %s: runs of one benchmark can be compared", runs[0].Dir, first, dir, r.Results.Benchmark.Name)
		}
	}
	name(runs)
	return runs, nil
}

// readUnits reads the counts of a scoring, and makes sure that they are those
// which the run's scores are made of.
func (r *Run) readUnits(ctx context.Context, m *metric.Metric, p bench.Scoring) error {
	whole, ok := r.Overall(p)
	if !ok {
		return omniscope.Invalidf("%s has no scores of scoring %s: run the same eval again with this version", filepath.Join(r.Dir, results.File), p)
	}
	path := filepath.Join(r.Dir, bench.CountsFile)
	lines, err := rows.Open(ctx, path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return omniscope.NotFoundf("%s: no such file: an older version wrote this run, which kept no counts to compare; run the same eval again, remembered answers cost nothing", path)
		}
		return err
	}
	defer lines.Close()
	reader := &unitReader{scoring: p, metric: m, at: make(map[string]int), items: make(map[string]string)}
	for i, field := range m.Fields {
		reader.at[field] = i
	}
	r.units = make(map[string]Unit, lines.Len())
	sum := make(metric.Counts, len(m.Fields))
	var text []byte
	for i := range lines.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if text, err = lines.AppendTo(text[:0], i); err != nil {
			return err
		}
		u, err := reader.read(text)
		if err == nil && r.has(u.Name) {
			err = fmt.Errorf("unit %q is there twice", u.Name)
		}
		if err != nil {
			return lines.Bad(i, text, err)
		}
		r.units[u.Name] = u
		sum.Add(u.Counts)
	}
	if !sameSums(m, sum, whole.Counts) || len(r.units) != r.Results.Samples {
		return omniscope.Invalidf("%s and %s in %s are not of one run, or a run was cut short between them: run the same eval again", results.File, bench.CountsFile, r.Dir)
	}
	return nil
}

func (r *Run) has(name string) bool {
	_, ok := r.units[name]
	return ok
}

// A unitReader reads lines of bench.CountsFile.
type unitReader struct {
	scoring bench.Scoring
	metric  *metric.Metric
	at      map[string]int    // field to its place
	items   map[string]string // names of items, kept once: most units have the same
}

func (u *unitReader) read(text []byte) (out Unit, err error) {
	var line bench.CountLine
	if err := json.Unmarshal(text, &line); err != nil {
		return out, cmp.Or(rows.CheckJSON(text), err)
	}
	given := line.Strict
	if u.scoring == bench.Official {
		given = line.Official
	}
	switch {
	case line.Unit == "":
		return out, errors.New(`"unit" is missing`)
	case given == nil:
		return out, fmt.Errorf("counts of scoring %s are missing", u.scoring)
	}
	out = Unit{Name: line.Unit, Cluster: line.Cluster, Outcome: line.Outcome, Counts: make(metric.Counts, len(u.metric.Fields))}
	for field, n := range given {
		i, ok := u.at[field]
		if !ok {
			return out, fmt.Errorf("%q is not a count of %s: another version wrote this file; run the same eval again", field, u.metric.Name)
		}
		out.Counts[i] = n
	}
	for item, v := range line.Verdicts {
		kept, ok := u.items[item]
		if !ok {
			kept = strings.Clone(item)
			u.items[kept] = kept
		}
		out.Verdicts = append(out.Verdicts, bench.ItemVerdict{Item: kept, Verdict: v})
	}
	slices.SortFunc(out.Verdicts, func(a, b bench.ItemVerdict) int { return strings.Compare(a.Item, b.Item) })
	return out, nil
}

// sameSums compares up to rounding: fractions were added in another order.
func sameSums(m *metric.Metric, sum metric.Counts, whole map[string]float64) bool {
	for i, field := range m.Fields {
		if math.Abs(sum[i]-whole[field]) > 1e-6*max(1, math.Abs(sum[i])) {
			return false
		}
	}
	return true
}

// Units returns the counts and verdicts of the run's units in a scoring, by name. It fails where the counts are not those that
// the run's scores are made of.
func (r *Run) Units(ctx context.Context, m *metric.Metric, p bench.Scoring) ([]Unit, error) {
	if err := r.readUnits(ctx, m, p); err != nil {
		return nil, err
	}
	all := make([]Unit, 0, len(r.units))
	for _, name := range slices.Sorted(maps.Keys(r.units)) {
		all = append(all, r.units[name])
	}
	return all, nil
}

// Label is what tables call the run.
func (r *Run) Label() string { return r.label }
