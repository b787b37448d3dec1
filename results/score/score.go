// Package score scores texts that belong together line by line: it reads them
// from files of several forms, scores systems beside each other on the same
// references, with intervals and paired differences, and makes tables and
// documents of that. It counts nothing itself: a Measure is a metric with what it needs to count segments.
package score

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"

	"omniscope/internal/parallel"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/metric/textnorm"
)

// A Measure scores texts. It reduces each segment to counts that add up; its
// scores are functions of summed counts, so that a segment, a document, all of
// them and a resample take one path.
type Measure struct {
	metric.Metric // its first score is the headline

	Title     string
	Source    bool // it looks at the source as well
	Signature func(refs int, segment bool) string

	// Texts returns the texts of a line of a text file; nil = pythonLines.
	Texts func(line string) []string

	// EmptyRefs describes the treatment of references without words, for a warning; "" = scored like any other.
	EmptyRefs string

	// Detail is a further column of a table; nil = no such column.
	Detail func(sum []float64) (title, value string)

	// Count returns a row of counts for each segment of a system.
	Count func(ctx context.Context, in *Input, system Column) ([][]float64, error)

	// Warn describes doubtful texts; nil = no check.
	Warn func(in *Input) []string

	Python Python
}

// ofSegment is a score of one segment's counts.
func ofSegment(s metric.Score, counts []float64) (float64, bool) {
	if s.Segment != nil {
		return s.Segment(counts)
	}
	return s.Value(counts)
}

// Scored is what a measure made of its input.
type Scored struct {
	Measure  *Measure
	Input    *Input
	clusters int // how many are resampled
	Systems  []*scoredSystem
	pairs    []pair
	Warnings []string

	Signature, SegmentSignature string
}

// A scoredSystem is what the measure made of a system's texts.
type scoredSystem struct {
	Column
	Rows      [][]float64 // counts by segment
	Sum       []float64
	intervals []stats.Interval // by score
}

// A pair is how two systems differ: the second less the first.
type pair struct {
	a, b        *scoredSystem
	differences []float64 // by score; NaN where one has no score
	intervals   []stats.Interval
}

// allPairs is up to how many systems each is compared with each other. Of more,
// each is compared with the first only.
const allPairs = 4

// Score scores each system, and compares them.
func (m *Measure) Score(ctx context.Context, in *Input, seed uint64) (*Scored, error) {
	s := &Scored{Measure: m, Input: in, Warnings: emptyTexts(in, m.EmptyRefs)}
	if m.Warn != nil {
		s.Warnings = append(s.Warnings, m.Warn(in)...)
	}
	var clusters []stats.Clusters
	for _, c := range in.Systems {
		rows, err := m.Count(ctx, in, c)
		if err != nil {
			return nil, err
		}
		k := clustered(rows, in.Clusters)
		s.clusters, clusters = k.Len(), append(clusters, k)
		s.Systems = append(s.Systems, &scoredSystem{Column: c, Rows: rows, Sum: k.Total()})
	}
	s.Signature, s.SegmentSignature = m.Signature(len(in.Refs), false), m.Signature(len(in.Refs), true)
	var values []stats.Statistic
	var shares []bool
	for _, sc := range m.Scores {
		values, shares = append(values, func(sum []float64) (float64, bool) { return sc.Value(sum) }), append(shares, sc.Share)
	}
	options := stats.Options{Seed: seed}
	for i, b := range s.Systems {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.intervals = stats.Scores(clusters[i], values, shares, options)
		for j, a := range s.Systems[:i] {
			if j > 0 && len(s.Systems) > allPairs {
				break
			}
			s.pairs = append(s.pairs, pair{a: a, b: b, differences: differencesOf(values, a.Sum, b.Sum),
				intervals: stats.Paired(clusters[j], clusters[i], values, options)})
		}
	}
	return s, nil
}

// EachSegment does the segments from 0 to n-1, on all processors at a time. Of
// several errors it returns that of the first segment, as a loop would. When ctx
// ends it does not wait: a segment of megabytes would take minutes, and what its
// goroutine still writes is not read.
func EachSegment(ctx context.Context, n int, do func(segment int) error) error {
	done := make(chan error, 1)
	go func() {
		done <- parallel.Each(ctx, runtime.GOMAXPROCS(0), n, func(_, i int) error { return do(i) })
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// differencesOf are those of the scores of two sums, the second less the first.
func differencesOf(values []stats.Statistic, a, b []float64) []float64 {
	var out []float64
	for _, value := range values {
		va, okA := value(a)
		vb, okB := value(b)
		if !okA || !okB {
			va = math.NaN()
		}
		out = append(out, vb-va)
	}
	return out
}

// clustered adds up the rows of each cluster, in the order in which clusters come
// up.
func clustered(rows [][]float64, of []string) stats.Clusters {
	c := stats.Clusters{Width: len(rows[0])}
	if of == nil {
		for _, row := range rows {
			c.Rows = append(c.Rows, row...)
		}
		return c
	}
	at := make(map[string]int)
	for i, row := range rows {
		start, known := at[of[i]]
		if !known {
			start = len(c.Rows)
			at[of[i]] = start
			c.Rows = append(c.Rows, make([]float64, len(row))...)
		}
		for j, v := range row {
			c.Rows[start+j] += v
		}
	}
	return c
}

// emptyTexts counts the texts without a word: they are scored, and often a sign
// that something went wrong.
func emptyTexts(in *Input, emptyRefs string) (warnings []string) {
	const likeOthers = "they are scored like any other"
	look := func(what string, c Column, fate string) {
		n, first := 0, 0
		for i, text := range c.Texts {
			if textnorm.Strip(text) == "" {
				if n++; n == 1 {
					first = c.Lines[i]
				}
			}
		}
		if n > 0 {
			warnings = append(warnings, fmt.Sprintf("%s: %d of %d %s are empty, the first in line %d; %s", c.Where(), n, len(c.Texts), what, first, fate))
		}
	}
	for _, c := range in.Systems {
		look("hypotheses", c, likeOthers)
	}
	for _, c := range in.Refs {
		look("references", c, cmp.Or(emptyRefs, likeOthers))
	}
	if in.Source != nil {
		look("sources", *in.Source, likeOthers)
	}
	return warnings
}
