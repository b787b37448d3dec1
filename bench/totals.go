package bench

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"sync"

	"omniscope/metric"
	"omniscope/stats"
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
	clusters map[uint64]int32 // hash of the cluster's name to its number
	rows     []row
	arena    []byte
}

type sliceKey struct {
	profile          Profile
	dimension, group string
}

// A row is one unit: where its packed tallies lie.
type row struct {
	seq     int32
	cluster int32
	at      int64
}

func newTotals(m *metric.Metric) *totals {
	return &totals{metric: m, seed: maphash.MakeSeed(), slices: make(map[sliceKey]int), clusters: make(map[uint64]int32)}
}

func (t *totals) add(seq int, r *Result) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := maphash.String(t.seed, r.Cluster)
	cluster, ok := t.clusters[h]
	if !ok {
		cluster = int32(len(t.clusters))
		t.clusters[h] = cluster
	}
	t.rows = append(t.rows, row{seq: int32(seq), cluster: cluster, at: int64(len(t.arena))})
	n := len(r.Tallies[Official]) + len(r.Tallies[Strict])
	t.arena = binary.AppendUvarint(t.arena, uint64(n))
	for p, tallies := range r.Tallies {
		for _, tally := range tallies {
			t.arena = binary.AppendUvarint(t.arena, uint64(t.slice(sliceKey{Profile(p), tally.Dimension, tally.Group})))
			for _, v := range tally.Counts {
				t.arena = appendCount(t.arena, v)
			}
		}
	}
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

// clustersOf returns the counts of one slice, one row for each cluster that
// has any, in the order of the input.
func (t *totals) clustersOf(slice int) stats.Clusters {
	width := len(t.metric.Fields)
	at := make([]int32, len(t.clusters)) // row of each cluster, from 1; 0 = none yet
	c := stats.Clusters{Width: width}
	counts := make(metric.Counts, width)
	for _, r := range t.rows {
		b := t.arena[r.at:]
		n, used := binary.Uvarint(b)
		b = b[used:]
		for range n {
			s, used := binary.Uvarint(b)
			b = b[used:]
			for i := range counts {
				counts[i], b = readCount(b)
			}
			if int(s) != slice {
				continue
			}
			if at[r.cluster] == 0 {
				c.Rows = append(c.Rows, counts...)
				at[r.cluster] = int32(len(c.Rows) / width)
				continue
			}
			k := int(at[r.cluster]-1) * width
			metric.Counts(c.Rows[k : k+width]).Add(counts)
		}
	}
	return c
}

// sort puts the rows into input order.
func (t *totals) sort() {
	slices.SortFunc(t.rows, func(a, b row) int { return int(a.seq - b.seq) })
}
