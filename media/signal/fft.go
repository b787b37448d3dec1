package signal

import (
	"math"
	"math/bits"
)

// An FFT transforms blocks of one power-of-two length, in place. It is the
// iterative radix-2 form of Cooley and Tukey (1965) with the first two stages
// joined, which need no multiplications. It is safe for concurrent use.
type FFT struct {
	n        int
	swap     []int32   // pairs of places to exchange
	cos, sin []float64 // twiddles, stage after stage, so that they are read in order
}

// NewFFT plans transforms of length n, a power of two of at least 4.
func NewFFT(n int) *FFT {
	f := &FFT{n: n}
	shift := bits.LeadingZeros32(uint32(n)) + 1
	for i := range n {
		if j := int(bits.Reverse32(uint32(i)) >> shift); j > i {
			f.swap = append(f.swap, int32(i), int32(j))
		}
	}
	for half := 4; half < n; half *= 2 {
		for k := range half {
			s, c := math.Sincos(-math.Pi * float64(k) / float64(half))
			f.cos, f.sin = append(f.cos, c), append(f.sin, s)
		}
	}
	return f
}

// Transform replaces re + i·im by its discrete Fourier transform, not scaled.
func (f *FFT) Transform(re, im []float64) {
	for i := 0; i < len(f.swap); i += 2 {
		a, b := f.swap[i], f.swap[i+1]
		re[a], re[b] = re[b], re[a]
		im[a], im[b] = im[b], im[a]
	}
	f.firstStages(re, im)
	at := 0
	for half := 4; half < f.n; half *= 2 {
		cos, sin := f.cos[at:at+half], f.sin[at:at+half]
		at += half
		for start := 0; start < f.n; start += 2 * half {
			butterflies(re[start:start+2*half], im[start:start+2*half], cos, sin)
		}
	}
}

// firstStages does the stages of length 2 and 4.
func (f *FFT) firstStages(re, im []float64) {
	for i := 0; i+4 <= f.n; i += 4 {
		r, m := re[i:i+4:i+4], im[i:i+4:i+4]
		r0, r1, m0, m1 := r[0]+r[1], r[0]-r[1], m[0]+m[1], m[0]-m[1]
		r2, r3, m2, m3 := r[2]+r[3], r[2]-r[3], m[2]+m[3], m[2]-m[3]
		r[0], r[2], m[0], m[2] = r0+r2, r0-r2, m0+m2, m0-m2
		r[1], r[3], m[1], m[3] = r1+m3, r1-m3, m1-r3, m1+r3
	}
}

// butterflies joins the two halves of a block.
func butterflies(re, im, cos, sin []float64) {
	half := len(cos)
	ra, rb := re[:half], re[half:][:half]
	ma, mb := im[:half], im[half:][:half]
	sin = sin[:half]
	for k, c := range cos {
		s, x, y := sin[k], rb[k], mb[k]
		tr, tm := x*c-y*s, x*s+y*c
		ar, am := ra[k], ma[k]
		ra[k], ma[k] = ar+tr, am+tm
		rb[k], mb[k] = ar-tr, am-tm
	}
}

// bothPowers adds up the power spectra of the real signals whose sum a + i·b
// has been transformed into re + i·im: |A|² + |B|² = (|Z[k]|² + |Z[n-k]|²)/2.
// So two channels cost one transform, and opposite phases cannot cancel as they
// would in a mix. power has n/2 + 1 places.
func bothPowers(re, im, power []float64) {
	n := len(re)
	power[0] = re[0]*re[0] + im[0]*im[0]
	for k := 1; k <= n/2; k++ {
		a, b, c, d := re[k], im[k], re[n-k], im[n-k]
		power[k] = (a*a + b*b + c*c + d*d) / 2
	}
}

// Hann returns a periodic Hann window of length n, and the sum of its squares.
func Hann(n int) (window []float64, energy float64) {
	window = make([]float64, n)
	for i := range window {
		window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n))
		energy += window[i] * window[i]
	}
	return window, energy
}
