package stats

import (
	"math/bits"
	"math/rand/v2"
)

// Nearly all fields are small integers. Sums of them are exact in any order, so the fields of a cluster fit into
// two words that are added up as each cluster is drawn: a resample needs no count of each cluster and no pass over all of
// them.

// packed is a matrix of integers, a row of two words for each cluster.
type packed struct {
	rows   [][2]uint64
	fields []place
}

// place is where the sum of a field is in two words. It cannot reach the bits of the next field.
type place struct {
	word, shift int
	mask        uint64 // 0 = all clusters have 0
}

// pack packs the columns of a matrix. It reports false where a field is negative or not an integer, or the sums of k draws
// need more than two words.
func pack(columns [][]float64, k int) (packed, bool) {
	p := packed{rows: make([][2]uint64, k), fields: make([]place, len(columns))}
	var used [2]int // bits
	for j, column := range columns {
		most, ok := mostOf(column)
		_, sum := bits.Mul64(most, uint64(k)) // most has 32 bits at most
		size := bits.Len64(sum)
		word := 0
		if used[word]+size > 64 {
			word = 1
		}
		if !ok || used[word]+size > 64 {
			return packed{}, false
		}
		p.fields[j] = place{word: word, shift: used[word], mask: 1<<size - 1}
		for i, x := range column {
			p.rows[i][word] |= uint64(x) << used[word]
		}
		used[word] += size
	}
	return p, true
}

// mostOf returns the largest value of a column. It reports false where a value is not an integer below 2³².
func mostOf(column []float64) (most uint64, ok bool) {
	for _, x := range column {
		if !(x >= 0 && x < 1<<32) || x != float64(uint64(x)) {
			return 0, false
		}
		most = max(most, uint64(x))
	}
	return most, true
}

// draw draws as many clusters as there are, as drawTimes does, and sets sum to the sums of their fields.
func (p packed) draw(src *rand.PCG, sum []float64) {
	rows := p.rows
	n := uint64(len(rows))
	reject := -n % n
	var words [2]uint64
	for range rows {
		index, low := bits.Mul64(src.Uint64(), n)
		for low < reject {
			index, low = bits.Mul64(src.Uint64(), n)
		}
		row := &rows[index]
		words[0] += row[0]
		words[1] += row[1]
	}
	for j, f := range p.fields {
		sum[j] = float64(words[f.word] >> f.shift & f.mask)
	}
}
