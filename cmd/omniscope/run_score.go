package main

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"omniscope/internal/textnorm"
	"omniscope/stats"
)

// A measure scores texts. It reduces each segment to counts that add up; its
// scores are functions of summed counts, so that a segment, a document, all of
// them and a resample take one path.
type measure struct {
	name      string // for programs
	title     string
	sacrebleu bool // texts are read as sacrebleu reads them
	source    bool // it looks at the source as well
	fields    []string
	scores    []scoreOf // the first is the headline
	signature func(refs int, segment bool) string

	// detail is what else a table shows of a system; nil = nothing.
	detail func(sum []float64) (title, value string)

	// count returns a row of counts for each segment of a system.
	count func(ctx context.Context, in *scoreInput, system column) ([][]float64, error)

	// warn says what is odd about the texts; nil where nothing is looked for.
	warn func(in *scoreInput) []string

	python pythonForm
}

// A scoreOf is one score of a measure.
type scoreOf struct {
	name, title string
	digits      int // shown behind the point
	value       stats.Statistic
	segment     stats.Statistic // of one segment's counts; nil = value
}

func (s scoreOf) ofSegment(counts []float64) (float64, bool) {
	if s.segment != nil {
		return s.segment(counts)
	}
	return s.value(counts)
}

// scored is what a measure made of its input.
type scored struct {
	m        *measure
	in       *scoreInput
	clusters int // how many are resampled
	systems  []*scoredSystem
	pairs    []scoredPair
	warnings []string

	signature, segmentSignature string
}

type scoredSystem struct {
	column
	rows      [][]float64 // by segment
	sum       []float64
	intervals []stats.Interval // by score
}

// A scoredPair is how two systems differ: the second less the first.
type scoredPair struct {
	a, b        *scoredSystem
	differences []float64 // by score; NaN where one has no score
	intervals   []stats.Interval
}

// allPairs is up to how many systems each is compared with each other. Of more,
// each is compared with the first only.
const allPairs = 4

// score scores each system, and compares them.
func (m *measure) score(ctx context.Context, in *scoreInput, seed uint64) (*scored, error) {
	s := &scored{m: m, in: in, warnings: emptyTexts(in), signature: m.signature(len(in.refs), false), segmentSignature: m.signature(len(in.refs), true)}
	if m.warn != nil {
		s.warnings = append(s.warnings, m.warn(in)...)
	}
	var clusters []stats.Clusters
	for _, c := range in.systems {
		rows, err := m.count(ctx, in, c)
		if err != nil {
			return nil, err
		}
		k := clustered(rows, in.clusters)
		s.clusters, clusters = k.Len(), append(clusters, k)
		s.systems = append(s.systems, &scoredSystem{column: c, rows: rows, sum: k.Total()})
	}
	var values []stats.Statistic
	for _, sc := range m.scores {
		values = append(values, sc.value)
	}
	options := stats.Options{Seed: seed}
	for i, b := range s.systems {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.intervals = stats.Clustered(clusters[i], values, options)
		for j, a := range s.systems[:i] {
			if j > 0 && len(s.systems) > allPairs {
				break
			}
			s.pairs = append(s.pairs, scoredPair{a: a, b: b, differences: differencesOf(values, a.sum, b.sum),
				intervals: stats.Paired(clusters[j], clusters[i], values, options)})
		}
	}
	return s, nil
}

// eachSegment does the segments from 0 to n-1, on all processors at a time. Of
// several errors it returns that of the first segment, as a loop would. When ctx
// ends it does not wait: a segment of megabytes would take minutes, and nobody
// looks at what its goroutine still writes.
func eachSegment(ctx context.Context, n int, do func(segment int) error) error {
	const share = 64 // segments are handed out in shares of so many, in order
	var next atomic.Int64
	var work sync.WaitGroup
	var mutex sync.Mutex
	first, failed := n, error(nil)
	fail := func(segment int, err error) {
		mutex.Lock()
		defer mutex.Unlock()
		if segment < first {
			first, failed = segment, err
		}
		next.Store(int64(n)) // what comes before is in somebody's hands already
	}
	for range min(runtime.GOMAXPROCS(0), (n+share-1)/share) {
		work.Go(func() {
			for {
				from := int(next.Add(share)) - share
				for i := from; i < min(from+share, n); i++ {
					err := ctx.Err()
					if err == nil {
						err = do(i)
					}
					if err != nil {
						fail(i, err)
						return
					}
				}
				if from >= n {
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	select {
	case <-done:
		return failed
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
func emptyTexts(in *scoreInput) (warnings []string) {
	look := func(what string, c column) {
		n, first := 0, 0
		for i, text := range c.texts {
			if textnorm.Strip(text) == "" {
				if n++; n == 1 {
					first = c.lines[i]
				}
			}
		}
		if n > 0 {
			warnings = append(warnings, fmt.Sprintf("%s: %d of %d %s are empty, the first in line %d; they are scored like any other", c.where(), n, len(c.texts), what, first))
		}
	}
	for _, c := range in.systems {
		look("hypotheses", c)
	}
	for _, c := range in.refs {
		look("references", c)
	}
	if in.src != nil {
		look("sources", *in.src)
	}
	return warnings
}
