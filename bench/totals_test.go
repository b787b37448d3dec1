package bench

import (
	"math"
	"testing"
)

func TestPackedCounts(t *testing.T) {
	values := []float64{0, 1, 2, 63, 64, 127, 128, 1 << 20, 1<<40 - 1, 1 << 40, 1<<53 + 2, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64,
		0.5, 1.0 / 3, 1e-9, 1e15 + 0.5, -1, -0.25, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	var packed []byte
	for _, v := range values {
		packed = appendCount(packed, v)
	}
	for _, want := range values {
		var got float64
		if got, packed = readCount(packed); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v came back as %v", want, got)
		}
	}
	if len(packed) > 0 {
		t.Errorf("%d bytes are left", len(packed))
	}
	if n := len(appendCount(nil, 63)); n != 1 {
		t.Errorf("a small count takes %d bytes", n)
	}
}

func FuzzCountsArePackedWithoutLoss(f *testing.F) {
	for _, v := range []float64{0, 1, -1, 0.5, 1 << 40} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		got, rest := readCount(appendCount(nil, v))
		if got != v && !(math.IsNaN(got) && math.IsNaN(v)) || len(rest) > 0 {
			t.Errorf("%v came back as %v, with %d bytes left", v, got, len(rest))
		}
	})
}
