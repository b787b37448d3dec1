// Package pdq computes the picture hash PDQ: 256 bits that stay nearly the same
// when a picture is scaled, recoded or made a little lighter. It compares no
// clips; package curate/fingerprint does. Mirror images and the inner parts of pictures have other hashes, which can be had
// from the same picture; turned pictures are not known.
//
// The algorithm is described in "The TMK+PDQF Video-Hashing Algorithm and the PDQ
// Image-Hashing Algorithm" (Facebook, 2019). The code is our own.
package pdq

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Bits is the length of a hash.
const Bits = 256

const (
	side = 64 // of the picture that is transformed
	kept = 16 // frequencies of each direction
)

// A Hash is the hash of one picture. Bit i*16+j belongs to frequency i+1
// downwards and j+1 across.
type Hash [4]uint64

// Distance is the number of bits in which two hashes differ. Of two different
// pictures it is about 128; up to 31 the pictures are taken for the same.
func (h Hash) Distance(o Hash) int {
	return bits.OnesCount64(h[0]^o[0]) + bits.OnesCount64(h[1]^o[1]) + bits.OnesCount64(h[2]^o[2]) + bits.OnesCount64(h[3]^o[3])
}

// String is the hash in hex, the last bit first, as the published program prints it.
func (h Hash) String() string { return fmt.Sprintf("%016x%016x%016x%016x", h[3], h[2], h[1], h[0]) }

// MarshalText implements encoding.TextMarshaler.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what String wrote.
func (h *Hash) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != Bits/8 {
		return fmt.Errorf("%q is no PDQ hash of %d hex digits", text, Bits/4)
	}
	for i := range h {
		h[i] = 0
		for _, b := range raw[8*(3-i):][:8] {
			h[i] = h[i]<<8 | uint64(b)
		}
	}
	return nil
}

// A picture is a grey picture that was made ready for hashing. It is not changed by it.
type picture struct {
	smooth        []float64
	width, height int
}

// New makes a grey picture ready, row by row from 0 black to 255 white; nil if pix is too short for the size, or there is
// nothing in it.
func New(pix []byte, width, height int) *picture {
	if width <= 0 || height <= 0 || len(pix) < width*height {
		return nil
	}
	return &picture{smoothed(pix, width, height), width, height}
}

// Of is the hash of a grey picture, row by row from 0 black to 255 white, and its
// quality from 0 to 100: how much the picture has of edges. Hashes of a quality below 50 are of
// empty pictures and say nothing.
func Of(pix []byte, width, height int) (h Hash, quality int) {
	p := New(pix, width, height)
	if p == nil {
		return h, 0
	}
	h, _, quality = p.Hashes()
	return h, quality
}

// Hashes are the hash of the picture, that of its mirror image (left and right exchanged), and its quality. In the mirror image
// the cosines of odd frequencies across have the other sign, since cos(πf(64-x)/64) = (-1)^f cos(πfx/64), so that both
// hashes come from one transform. Where the filter or the points lie to one side, as with widths of 129 to 256 and
// all multiples of 128, the mirror image has other points and so a transform of its own.
//
// Of tells of the mirrored pixels the same, but for a few bits that the edges make.
func (p *picture) Hashes() (h, mirrored Hash, quality int) {
	columns, other := places(0, p.width), p.mirroredColumns()
	small := p.points(columns, places(0, p.height))
	b := transform(small)
	if h = hashOf(b); columns != other {
		b = transform(p.points(other, places(0, p.height)))
	}
	for i := range kept {
		for j := 0; j < kept; j += 2 { // j is frequency j+1
			b[i*kept+j] = -b[i*kept+j]
		}
	}
	return h, hashOf(b), qualityOf(small)
}

// Inside is the hash of the picture without margins left and right, and above and below, each a share of the
// picture from 0 to below a half.
func (p *picture) Inside(across, down float64) Hash {
	return hashOf(transform(p.points(places(across, p.width), places(down, p.height))))
}

// qualityOf sums the differences of neighbours, in percent of full scale.
func qualityOf(a *[side * side]float64) int {
	sum := 0
	add := func(u, v float64) { sum += int(math.Abs(math.Trunc((u - v) * 100 / 255))) }
	for i := range side {
		for j := range side {
			if i+1 < side {
				add(a[i*side+j], a[(i+1)*side+j])
			}
			if j+1 < side {
				add(a[i*side+j], a[i*side+j+1])
			}
		}
	}
	return min(100, sum/90)
}

// hashOf sets the bits of the frequencies above the median.
func hashOf(b [kept * kept]float64) (h Hash) {
	sorted := slices.Sorted(slices.Values(b[:]))
	median := (sorted[kept*kept/2-1] + sorted[kept*kept/2]) / 2
	for k, v := range b {
		if v > median {
			h[k/64] |= 1 << (k % 64)
		}
	}
	return h
}
