package neuralgen

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
)

// deviates are 4,096 quantiles of the standard normal distribution in no
// order: a number from them costs 12 random bits and a look-up.
func deviates() *[4096]float32 {
	var table [4096]float32
	for i := range table {
		p := (float64(i) + 0.5) / float64(len(table))
		table[i] = float32(math.Sqrt2 * math.Erfinv(2*p-1))
	}
	return &table
}

// fill writes the numbers of a tensor as little-endian float32. They depend on
// its name and the seed, not on what was written before.
func (t tensor) fill(w io.Writer, seed uint64, table *[4096]float32) error {
	h := fnv.New64a()
	io.WriteString(h, t.name)
	r := rand.NewPCG(seed, h.Sum64())
	var numbers [4096]float32
	for i, d := range table {
		numbers[i] = t.center + t.spread*d
	}
	buf := make([]byte, 0, 1<<18)
	for left := t.count(); left > 0; {
		n := min(left, cap(buf)/4)
		left -= n
		buf = buf[:4*n]
		for i := 0; i < n; {
			bits := r.Uint64()
			for range min(5, n-i) {
				binary.LittleEndian.PutUint32(buf[4*i:], math.Float32bits(numbers[bits&4095]))
				bits >>= 12
				i++
			}
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}
