package bench

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"omniscope/metric"
	"omniscope/metric/stats"
)

// totals gathers the tallies of all units. A run may have hundreds of
// thousands of units in any order of arrival, so tallies are kept packed, a few
// bytes to a count, and unpacked slice by slice at the end in input order:
// scores and intervals do not depend on who finished first.
type totals struct {
	metric *metric.Metric
	seed   maphash.Seed

	mu       sync.Mutex
	slices   map[sliceKey]int // index into names
	names    []sliceKey
	rows     []row
	clusters int       // known after finish
	index    [][]int32 // the rows of each slice, in the order of the input; known after finish
	chunks   [][]byte  // packed tallies; a full chunk is never copied to grow
}

// chunkSize leaves room for the tallies of many units.
const chunkSize = 256 << 10

type sliceKey struct {
	dimension, group string
}

// A row is one unit: where its packed tallies lie.
type row struct {
	cluster        uint64 // hash of the cluster's name; after finish its number
	seq, chunk, at int32
}

func newTotals(m *metric.Metric, units int) *totals {
	return &totals{metric: m, seed: maphash.MakeSeed(), slices: make(map[sliceKey]int),
		rows: make([]row, 0, units)}
}

func (t *totals) add(seq int, r *Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	packed := t.pack(t.room(), r)
	last := len(t.chunks) - 1
	t.rows = append(t.rows, row{seq: int32(seq), cluster: maphash.String(t.seed, r.Cluster), chunk: int32(last), at: int32(len(t.chunks[last]))})
	t.chunks[last] = packed
}

// room returns a chunk that is not nearly full.
func (t *totals) room() []byte {
	const nearlyFull = chunkSize * 15 / 16
	if last := len(t.chunks) - 1; last >= 0 && len(t.chunks[last]) < nearlyFull {
		return t.chunks[last]
	}
	t.chunks = append(t.chunks, make([]byte, 0, chunkSize))
	return t.chunks[len(t.chunks)-1]
}

// Who shares a run of packed tallies.
const (
	bothScorings = 0 // all scorings counted the same, as they nearly always do
	itsOwn       = 1 // each scoring has a run
)

func (t *totals) pack(b []byte, r *Result) []byte {
	if sameTallies(r.Tallies[Official], r.Tallies[Strict]) {
		return t.packScoring(append(b, bothScorings), r.Tallies[Official])
	}
	b = append(b, itsOwn)
	for _, tallies := range r.Tallies {
		b = t.packScoring(b, tallies)
	}
	return b
}

func (t *totals) packScoring(b []byte, tallies []Tally) []byte {
	b = binary.AppendUvarint(b, uint64(len(tallies)))
	for _, tally := range tallies {
		b = binary.AppendUvarint(b, uint64(t.slice(sliceKey{tally.Dimension, tally.Group})))
		for _, v := range tally.Counts {
			b = appendCount(b, v)
		}
	}
	return b
}

func (t *totals) slice(key sliceKey) int {
	i, ok := t.slices[key]
	if !ok {
		i = len(t.names)
		t.slices[key] = i
		t.names = append(t.names, key)
	}
	return i
}

// appendCount packs whole numbers into as few bytes as they need and all else
// into nine, without loss.
func appendCount(b []byte, v float64) []byte {
	if whole := uint64(v); v >= 0 && v < 1<<40 && float64(whole) == v {
		return binary.AppendUvarint(b, whole<<1)
	}
	b = append(b, 1)
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func readCount(b []byte) (v float64, rest []byte) {
	if b[0] == 1 {
		return math.Float64frombits(binary.LittleEndian.Uint64(b[1:])), b[9:]
	}
	whole, n := binary.Uvarint(b)
	return float64(whole >> 1), b[n:]
}

// A gathering is the memory for the counts of one slice, used for one slice
// after another.
type gathering struct {
	at   []int32 // place of each cluster's row, from 1; 0 = none yet
	rows []float64
}

// clustersOf returns the counts of one slice in one scoring, one row for each
// cluster that has any, in the order of the input. They are valid until g is
// used again. It may be called once finish has been.
func (t *totals) clustersOf(p Scoring, slice int, g *gathering) stats.Clusters {
	width := len(t.metric.Fields)
	g.at = append(g.at[:0], make([]int32, t.clusters)...)
	g.rows = g.rows[:0]
	counts := make(metric.Counts, width)
	for _, i := range t.index[slice] {
		r := &t.rows[i]
		t.each(r, func(run, s int, packed []byte) {
			if s != slice || run != bothScorings && run-itsOwn != int(p) {
				return
			}
			for k := range counts {
				counts[k], packed = readCount(packed)
			}
			g.add(int(r.cluster), counts)
		})
	}
	return stats.Clusters{Width: width, Rows: g.rows}
}

// each calls do for the tallies of a row: run is bothScorings, or itsOwn and the scoring.
func (t *totals) each(r *row, do func(run, slice int, packed []byte)) {
	b := t.chunks[r.chunk][r.at:]
	first, runs := int(b[0]), 1
	if first == itsOwn {
		runs = numScorings
	}
	b = b[1:]
	for run := range runs {
		n, used := binary.Uvarint(b)
		b = b[used:]
		for range n {
			s, used := binary.Uvarint(b)
			b = b[used:]
			do(first+run, int(s), b)
			for range t.metric.Fields {
				b = b[countSize(b):]
			}
		}
	}
}

// countSize is the number of bytes of a packed count.
func countSize(b []byte) int {
	if b[0] == 1 {
		return 9
	}
	n := 1
	for b[n-1] >= 0x80 {
		n++
	}
	return n
}

func (g *gathering) add(cluster int, counts metric.Counts) {
	width := len(counts)
	if g.at[cluster] == 0 {
		g.rows = append(g.rows, counts...)
		g.at[cluster] = int32(len(g.rows) / width)
		return
	}
	k := int(g.at[cluster]-1) * width
	metric.Counts(g.rows[k : k+width]).Add(counts)
}

// finish puts the rows into input order, numbers the clusters, and finds the rows of each slice: to look for them in all
// rows takes longer than all else where there are many slices.
func (t *totals) finish() {
	slices.SortFunc(t.rows, func(a, b row) int { return cmp.Compare(a.cluster, b.cluster) })
	t.clusters = 0
	var last uint64
	for i := range t.rows {
		if name := t.rows[i].cluster; i == 0 || name != last {
			last = name
			t.clusters++
		}
		t.rows[i].cluster = uint64(t.clusters - 1)
	}
	slices.SortFunc(t.rows, func(a, b row) int { return cmp.Compare(a.seq, b.seq) })
	t.index = make([][]int32, len(t.names))
	for i := range t.rows {
		t.each(&t.rows[i], func(_, slice int, _ []byte) {
			if of := t.index[slice]; len(of) == 0 || of[len(of)-1] != int32(i) {
				t.index[slice] = append(of, int32(i))
			}
		})
	}
}
