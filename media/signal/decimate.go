package signal

import "math"

// A decimator lowers the rate of two channels by a whole factor, block by
// block, through a windowed-sinc low-pass that is 6 dB down at 0.45 of the new
// rate. Output k lies at input sample k·factor.
type decimator struct {
	factor      int
	taps        []float64
	left, right []float64 // input not used up yet; the first output needs history before it
	outL, outR  []float64
}

// tapsPerFactor sets the length of the filter: its transition is about 0.2 of
// the new rate wide.
const tapsPerFactor = 16

func newDecimator(factor int) *decimator {
	d := &decimator{factor: factor}
	if factor == 1 {
		return d
	}
	n := tapsPerFactor*factor + 1
	cut := 0.45 / float64(factor) // of the old rate
	sum := 0.0
	for i := range n {
		t := float64(i - n/2)
		x := 2 * cut
		if t != 0 {
			x = math.Sin(2*math.Pi*cut*t) / (math.Pi * t)
		}
		x *= 0.54 + 0.46*math.Cos(2*math.Pi*t/float64(n)) // Hamming
		d.taps = append(d.taps, x)
		sum += x
	}
	for i := range d.taps {
		d.taps[i] /= sum
	}
	d.left, d.right = make([]float64, n/2), make([]float64, n/2)
	return d
}

// add takes samples and returns those of the lower rate that they complete.
// The result is valid until the next call. right may be nil throughout.
func (d *decimator) add(left, right []float64) (l, r []float64) {
	if d.factor == 1 {
		return left, right
	}
	d.left = append(d.left, left...)
	d.outL, d.outR = d.outL[:0], d.outR[:0]
	at := 0
	for ; at+len(d.taps) <= len(d.left); at += d.factor {
		d.outL = append(d.outL, dot(d.taps, d.left[at:]))
	}
	d.left = append(d.left[:0], d.left[at:]...)
	if right == nil {
		return d.outL, nil
	}
	d.right = append(d.right, right...)
	for i := range d.outL {
		d.outR = append(d.outR, dot(d.taps, d.right[i*d.factor:]))
	}
	d.right = append(d.right[:0], d.right[at:]...)
	return d.outL, d.outR
}

// dot returns Σ a[i]·b[i] over the length of a; b is at least as long. Four
// partial sums let the additions overlap.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}
