package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Sets I and IV of F. J. Anscombe, "Graphs in statistical analysis", The American
// Statistician 27 (1973), which correlate alike and look otherwise.
func TestPearsonOfAnscombe(t *testing.T) {
	first := []float64{10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5}
	last := []float64{8, 8, 8, 8, 8, 8, 8, 19, 8, 8, 8}
	got := Pearson(first, []float64{8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68})
	near(t, "set I", got.R, 0.81642, 5e-6)
	if !got.Known || got.N != 11 {
		t.Errorf("got %+v", got)
	}
	near(t, "set IV", Pearson(last, []float64{6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89}).R, 0.81652, 5e-6)
}

func TestPearsonIgnoresScaleAndSign(t *testing.T) {
	x := []float64{1, 2, 4, 3, 7}
	y := []float64{2, 1, 5, 4, 4}
	want := Pearson(x, y).R
	for name, change := range map[string]func(float64) float64{
		"shifted": func(v float64) float64 { return v + 1000 },
		"tiny":    func(v float64) float64 { return v * 1e-300 },
		"huge":    func(v float64) float64 { return v * 1e300 },
	} {
		near(t, name, Pearson(each(x, change), y).R, want, 1e-12)
		near(t, name+", turned", Pearson(each(x, func(v float64) float64 { return -change(v) }), y).R, -want, 1e-12)
	}
	if r := Pearson(x, each(x, func(v float64) float64 { return 3*v + 0.1 })).R; r > 1 || r < 1-1e-15 {
		t.Errorf("a straight line correlates with %v, want 1 and no more", r)
	}
}

// TestPearsonFarFromZero has values with the correlation 0.133657450212 by exact rational arithmetic.
func TestPearsonFarFromZero(t *testing.T) {
	x := []float64{1000000000.5337001, 1000000000.9877585, 1000000000.5894996}
	y := []float64{1000000000.0008098, 1000000000.0006359, 1000000000.0001923}
	near(t, "far from 0", Pearson(x, y).R, 0.133657450212, 1e-11)
	near(t, "far below 0", Pearson(each(x, func(v float64) float64 { return -v }), y).R, -0.133657450212, 1e-11)
	if r := Pearson(x[:2], y[:2]).R; r != -1 {
		t.Errorf("two pairs correlate with %v", r)
	}
	near(t, "from end to end", Pearson([]float64{-math.MaxFloat64, 0, math.MaxFloat64}, []float64{1, 2, 3}).R, 1, 1e-15)
	near(t, "next to 0", Pearson([]float64{5e-324, 0, 1e-323}, []float64{2, 1, 3}).R, 1, 1e-12)
}

func TestSpearman(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4}
	near(t, "the same order", Spearman(x, each(x, math.Exp)).R, 1, 1e-15)
	// Without ties it is 1 - 6 Σd² / n(n²-1): here d is 0, 1, -1, 1, -1.
	near(t, "two pairs exchanged", Spearman(x, []float64{0, 2, 1, 4, 3}).R, 1-6*4.0/120, 1e-15)
	// Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: Σ products 4.5, squares 4.5 and 5.
	near(t, "with a tie", Spearman([]float64{1, 5, 5, 9}, []float64{1, 2, 3, 4}).R, 4.5/math.Sqrt(4.5*5), 1e-15)
}

func TestNoCorrelation(t *testing.T) {
	for name, c := range map[string]struct{ x, y []float64 }{
		"nothing":        {nil, nil},
		"one pair":       {[]float64{1}, []float64{2}},
		"lengths":        {[]float64{1, 2, 3}, []float64{1, 2}},
		"constant":       {[]float64{1, 2, 3}, []float64{0.1, 0.1, 0.1}},
		"constant first": {[]float64{0, 0, 0}, []float64{1, 2, 3}},
		"not a number":   {[]float64{1, 2, math.NaN()}, []float64{1, 2, 3}},
		"infinite":       {[]float64{1, 2, 3}, []float64{1, 2, math.Inf(1)}},
	} {
		for _, got := range []Correlation{Pearson(c.x, c.y), Spearman(c.x, c.y)} {
			if got.Known || !math.IsNaN(got.R) {
				t.Errorf("%s: got %+v", name, got)
			}
		}
	}
}

func TestCorrelationsLieBetweenMinusOneAndOne(t *testing.T) {
	src := rand.New(rand.NewPCG(30, 30))
	for range 2000 {
		n := 2 + src.IntN(6)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(src.IntN(4)), src.NormFloat64()
		}
		for _, c := range []Correlation{Pearson(x, y), Spearman(x, y), Pearson(x, x)} {
			if c.Known && !(c.R >= -1 && c.R <= 1) {
				t.Fatalf("%v and %v: %+v", x, y, c)
			}
		}
		if a, b := Pearson(x, y), Pearson(y, x); a.Known != b.Known || a.Known && math.Abs(a.R-b.R) > 1e-15 {
			t.Fatalf("%v and %v: %+v, exchanged %+v", x, y, a, b)
		}
	}
}

func each(values []float64, change func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = change(v)
	}
	return out
}
