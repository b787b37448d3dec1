package weights

import (
	"bytes"
	"slices"
	"testing"
)

func TestPairsInPieces(t *testing.T) {
	const n = 100_000 // more than a piece
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(i)
	}
	header := `{"w":{"dtype":"F32","shape":[100000],"data_offsets":[0,400000]}}`
	a := opened(t, saved(t, safed(header, f32(values...))))
	values[70_000] = -1
	b := opened(t, saved(t, safed(header, f32(values...))))
	x, _ := a.Tensor("w")
	y, _ := b.Tensor("w")
	for _, c := range []struct{ first, count, different int }{{0, n, 1}, {0, 70_000, 0}, {70_000, 1, 1}, {70_001, n - 70_001, 0}} {
		seen, different := 0, 0
		err := Pairs(x, y, c.first, c.count, func(p, q []byte) error {
			seen += len(p) / 4
			if !bytes.Equal(p, q) {
				different++
			}
			return nil
		})
		if err != nil || seen != c.count || different != c.different {
			t.Errorf("%d from %d: %d elements, %d pieces differ, %v", c.count, c.first, seen, different, err)
		}
	}
}

func TestPairsOfOtherShapes(t *testing.T) {
	f := opened(t, saved(t, safed(`{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1,2],"data_offsets":[2,4]}}`, "1234")))
	a, _ := f.Tensor("a")
	b, _ := f.Tensor("b")
	mustSay(t, Pairs(a, b, 0, 2, nil), "shape [2]", "shape [1 2]")
}

func TestFloat64s(t *testing.T) {
	for kind, c := range map[DType]struct {
		raw  string
		want float64
	}{float64Type: {f64(0.1), 0.1}, float32Type: {f32(1.5), 1.5}, f16: {"\x00\xc0", -2}, BF16: {"\x80\x3f", 1}} {
		out := make([]float64, 1)
		if kind.Float64s(out, []byte(c.raw)); !slices.Equal(out, []float64{c.want}) || !kind.IsFloat() {
			t.Errorf("%s: %v", kind, out)
		}
	}
}
