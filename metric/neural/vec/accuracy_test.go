package vec

import (
	"math"
	"math/rand/v2"
	"testing"

	"omniscope/metric/neural/isa"
)

// ulps is how far got is from want, in units of the last place that the
// float32 nearest to want has.
func ulps(got float32, want float64) float64 {
	if float64(got) == want || got != got && want != want {
		return 0
	}
	a := float32(math.Abs(want))
	if math.IsInf(float64(a), 0) {
		a = math.MaxFloat32
	}
	return math.Abs(float64(got)-want) / (float64(a) - float64(math.Nextafter32(a, -1)))
}

// sweep is every 4001st float32 from both ends of the line, in a long row, and
// the hostile values.
func sweep() []float32 {
	row := append([]float32{}, hostile...)
	for b := uint32(0); b <= 0x7f800000; b += 4001 {
		row = append(row, math.Float32frombits(b), math.Float32frombits(b|1<<31))
	}
	for x := float32(-14); x < 14; x += 1.0 / 4099 {
		row = append(row, x)
	}
	return append(row, inf, -inf, float32(math.NaN()))
}

// each calls test with every kernel's result for every value of a sweep.
func each(t *testing.T, run func(v *Kernel, row []float32), test func(x, got float32) bool) {
	t.Helper()
	in := sweep()
	for _, set := range isa.Available() {
		row := append([]float32{}, in...)
		run(New(set), row)
		for i, got := range row {
			if !test(in[i], got) {
				t.Fatalf("%s: %g became %g", set, in[i], got)
			}
		}
	}
}

func TestGELUAccuracy(t *testing.T) {
	var worst, worstAbsolute float64
	each(t, (*Kernel).GELU, func(x, got float32) bool {
		want := float64(x) / 2 * math.Erfc(-float64(x)/math.Sqrt2)
		switch {
		case x != x:
			return got != got
		case x < -12:
			return bits(got) == 0
		case x == inf:
			return got == inf
		}
		absolute := math.Abs(float64(got) - want)
		worst = max(worst, ulps(got, want))
		worstAbsolute = max(worstAbsolute, absolute/max(1, math.Abs(float64(x))))
		return ulps(got, want) <= 8 && absolute <= 1.2e-7*max(1, math.Abs(float64(x)))
	})
	t.Logf("at most %.2f units in the last place, %.2g absolute", worst, worstAbsolute)
}

func TestTanhAccuracy(t *testing.T) {
	var worst float64
	each(t, (*Kernel).Tanh, func(x, got float32) bool {
		want := math.Tanh(float64(x))
		worst = max(worst, ulps(got, want))
		return ulps(got, want) <= 1.5 && (got == got) == (x == x) && math.Signbit(float64(x)) == math.Signbit(float64(got))
	})
	t.Logf("at most %.2f units in the last place", worst)
}

// softmax64 is the definition in float64, of the scaled values in float32.
func softmax64(row []float32, scale float32) []float64 {
	top, sum := math.Inf(-1), 0.0
	out := make([]float64, len(row))
	for i, x := range row {
		out[i] = float64(x * scale)
		top = max(top, out[i])
	}
	for i := range out {
		out[i] = math.Exp(out[i] - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func TestSoftmaxAccuracy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, set := range isa.Available() {
		v := New(set)
		var worst float64
		for _, n := range lengths() {
			for _, spread := range []float32{0, 0.01, 1, 20, 100, 1e4, 1e36} {
				row := make([]float32, n)
				for i := range row {
					row[i] = (r.Float32() - 0.5) * spread
				}
				want := softmax64(row, 0.125)
				v.Softmax(row, 0.125)
				for i, got := range row {
					switch {
					case want[i] < 1e-33 && got == 0:
					case got != 0 && got < 0x1p-126:
						t.Fatalf("%s, %d values: a denormal, %g", set, n, got)
					case math.Abs(float64(got)-want[i]) > 1e-7*want[i]*64 && want[i] > 2e-28:
						t.Fatalf("%s, %d values, spread %g: %g, want %g", set, n, spread, got, want[i])
					case want[i] > 2e-28:
						worst = max(worst, math.Abs(float64(got)-want[i])/want[i])
					}
				}
			}
		}
		t.Logf("%s: relative error at most %.2g", set, worst)
	}
}

func TestSoftmaxUnderflow(t *testing.T) {
	for _, set := range isa.Available() {
		v := New(set)
		for _, n := range []int{1, 2, 15, 16, 17, 40} {
			for _, far := range []float32{-64.001, -88, -90, -95, -104, -1e30, -math.MaxFloat32, -inf} {
				row := make([]float32, n)
				for i := range row {
					row[i] = far
				}
				row[n/2] = 0
				v.Softmax(row, 1)
				for i, got := range row {
					if want := float32(0); i == n/2 && got != 1 || i != n/2 && bits(got) != bits(want) {
						t.Fatalf("%s: %g of %d became %g", set, far, n, got)
					}
				}
			}
		}
	}
}

func TestNoNumberSpoilsItsSum(t *testing.T) {
	gamma := make([]float32, 40)
	for _, set := range isa.Available() {
		v := New(set)
		for at := range 40 {
			for name, run := range map[string]func(row []float32) []float32{
				"softmax":   func(row []float32) []float32 { v.Softmax(row, 1); return row },
				"LayerNorm": func(row []float32) []float32 { v.AddNorm(row, row, nil, gamma, gamma, 1e-5); return row },
				"normalize": func(row []float32) []float32 { v.Normalize(row); return row },
				"dot":       func(row []float32) []float32 { return []float32{v.Dot(row, gamma)} },
				"max":       func(row []float32) []float32 { return []float32{v.Max(row)} },
			} {
				row := make([]float32, 40)
				row[at] = float32(math.NaN())
				for _, got := range run(row) {
					if got == got {
						t.Fatalf("%s: %s forgets the NaN at %d", set, name, at)
					}
				}
			}
		}
	}
}

func TestSumAccuracy(t *testing.T) {
	for _, set := range isa.Available() {
		v := New(set)
		for _, n := range lengths() {
			rows := fillers[0].rows(n)
			var dot, size, square float64
			for i, a := range rows[0] {
				p := float64(a) * float64(rows[1][i])
				dot, size, square = dot+p, size+math.Abs(p), square+float64(a)*float64(a)
			}
			if got := v.Dot(rows[0], rows[1]); math.Abs(float64(got)-dot) > 1e-6*size {
				t.Errorf("%s: dot of %d values %g, want %g", set, n, got, dot)
			}
			unit := append([]float32{}, rows[0]...)
			v.Normalize(unit)
			for i, got := range unit {
				if want := float64(rows[0][i]) / math.Sqrt(square); ulps(got, want) > 8 {
					t.Errorf("%s: normalized %d values: %g, want %g", set, n, got, want)
				}
			}
		}
	}
}

// norm64 is LayerNorm in float64 of the sum in float32.
func norm64(x, residual, gamma, beta []float32, eps float64) []float64 {
	out, mean, square := make([]float64, len(x)), 0.0, 0.0
	for i := range x {
		out[i] = float64(x[i] + residual[i])
		mean += out[i] / float64(len(x))
	}
	for _, s := range out {
		square += (s - mean) * (s - mean) / float64(len(x))
	}
	for i, s := range out {
		out[i] = (s-mean)/math.Sqrt(square+eps)*float64(gamma[i]) + float64(beta[i])
	}
	return out
}

func TestLayerNormAccuracy(t *testing.T) {
	for _, set := range isa.Available() {
		v := New(set)
		for _, n := range lengths() {
			r := fillers[0].rows(n)
			for i := range r[1] {
				r[1][i] += 30 // a mean that is large beside the deviation
			}
			want := norm64(r[1], r[2], r[3], r[4], 1e-5)
			v.AddNorm(r[0], r[1], r[2], r[3], r[4], 1e-5)
			for i, got := range r[0] {
				if math.Abs(float64(got)-want[i]) > 2e-5*max(1, math.Abs(want[i])) {
					t.Fatalf("%s: element %d of %d is %g, want %g", set, i, n, got, want[i])
				}
			}
		}
	}
}

func TestMaxOfZerosAndInfinities(t *testing.T) {
	negative := float32(math.Copysign(0, -1))
	for _, set := range isa.Available() {
		v := New(set)
		for _, c := range []struct {
			row  []float32
			want float32
		}{
			{nil, -inf}, {[]float32{-inf}, -inf}, {[]float32{negative, 0}, 0}, {[]float32{0, negative}, 0},
			{[]float32{negative, negative}, negative}, {[]float32{1, inf, 2}, inf}, {[]float32{-3, -2, -5}, -2},
		} {
			if got := v.Max(c.row); bits(got) != bits(c.want) {
				t.Errorf("%s: the maximum of %v is %v", set, c.row, got)
			}
			for _, src := range c.row {
				dst := []float32{c.row[0]}
				v.MaxInto(dst, []float32{src})
				if want := max(c.row[0], src); bits(dst[0]) != bits(want) {
					t.Errorf("%s: the larger of %v and %v is %v", set, c.row[0], src, dst[0])
				}
			}
		}
	}
}
