package signal

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTransformMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{4, 8, 64, 512} {
		re, im := make([]float64, n), make([]float64, n)
		for i := range re {
			re[i], im[i] = r.NormFloat64(), r.NormFloat64()
		}
		a, b := append([]float64(nil), re...), append([]float64(nil), im...)
		NewFFT(n).Transform(a, b)
		for k := range n {
			x, y := 0.0, 0.0
			for i := range n {
				s, c := math.Sincos(-2 * math.Pi * float64(k*i%n) / float64(n))
				x += re[i]*c - im[i]*s
				y += re[i]*s + im[i]*c
			}
			if math.Hypot(a[k]-x, b[k]-y) > 1e-9*float64(n) {
				t.Fatalf("bin %d of %d is %g%+gi, want %g%+gi", k, n, a[k], b[k], x, y)
			}
		}
	}
}

func TestDecimatorPassBand(t *testing.T) {
	for _, c := range []struct{ hz, want float64 }{{100, 1}, {3000, 1}, {4600, 0}, {7000, 0}, {15000, 0}} {
		d, in := newDecimator(5), make([]float64, 44100)
		for i := range in {
			in[i] = math.Sin(2 * math.Pi * c.hz * float64(i) / 44100)
		}
		var out []float64
		for at := 0; at < len(in); at += 1000 {
			l, _ := d.add(in[at:min(len(in), at+1000)], nil)
			out = append(out, l...)
		}
		rms := math.Sqrt(2 * dot(out[100:8000], out[100:]) / 7900)
		if math.Abs(rms-c.want) > 0.01 && !(c.hz == 4600 && rms < 0.1) {
			t.Errorf("%.0f Hz comes out at %.4f, want %.0f", c.hz, rms, c.want)
		}
	}
}
