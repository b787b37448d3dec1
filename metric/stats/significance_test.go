package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// total0 is the sum of field 0.
func total0(sum []float64) (float64, bool) { return sum[0], true }

func oneField(values ...float64) Clusters { return Clusters{Width: 1, Rows: values} }

// TestPermutationOfEightClips: of the 256 ways to swap sides 16 give a difference of 9
// or more, as counted by going through them with itertools in Python.
func TestPermutationOfEightClips(t *testing.T) {
	a, b := oneField(7, 5, 6, 8, 4, 9, 6, 5), oneField(8, 7, 6, 9, 6, 8, 8, 7)
	got := PermutationTest(a, b, []Statistic{total0}, Options{})[0]
	near(t, "exact", got.P, 16.0/256, 1e-15)
	back := PermutationTest(b, a, []Statistic{total0}, Options{})[0]
	near(t, "sides changed", back.P, got.P, 0)

	// 24 clusters are too many to go through: three times the same clips. By chance,
	// the estimate of 20,000 swaps is within 0.0005 of the truth, about 0.0002.
	triple := func(c Clusters) Clusters { return oneField(slices.Concat(c.Rows, c.Rows, c.Rows)...) }
	random := PermutationTest(triple(a), triple(b), []Statistic{total0}, Options{Resamples: 20_000})[0]
	if !random.Known || random.P <= 0 || random.P > 0.002 {
		t.Errorf("random swaps: %+v", random)
	}
	doubled := PermutationTest(a, b, []Statistic{total0, ratio(0, 0)}, Options{})
	if doubled[1].P != 1 {
		t.Errorf("a statistic that is 1 on both sides: %+v", doubled[1])
	}
}

// alike draws two systems' grades of k clips: what is hard for one is hard for the other.
// Grades have many digits, so that no two differences are equal.
func alike(src *rand.Rand, k int) (a, b Clusters) {
	a, b = Clusters{Width: 2}, Clusters{Width: 2}
	for range k {
		hard, spread := src.Float64(), src.Float64()
		a.Rows = append(a.Rows, hard+spread*src.NormFloat64(), 1)
		b.Rows = append(b.Rows, hard+spread*src.NormFloat64(), 1)
	}
	return a, b
}

// TestPermutationUnderTheNull: where systems do not differ, P is spread evenly, so that P
// below 0.05 comes in 5 of 100 cases.
func TestPermutationUnderTheNull(t *testing.T) {
	const trials = 2000
	src := rand.New(rand.NewPCG(1, 2))
	below := map[float64]int{}
	for trial := range trials {
		a, b := alike(src, 40)
		p := PermutationTest(a, b, []Statistic{ratio(0, 1)}, Options{Resamples: 199, Seed: uint64(trial)})[0]
		for _, level := range []float64{0.01, 0.05, 0.1, 0.25, 0.5, 0.9} {
			if p.P <= level {
				below[level]++
			}
		}
	}
	for level, n := range below {
		share, sd := float64(n)/trials, math.Sqrt(level*(1-level)/trials)
		if math.Abs(share-level) > 4*sd {
			t.Errorf("P is at most %g in %g of the trials", level, share)
		}
	}
}

func TestNoPermutationTest(t *testing.T) {
	for name, sides := range map[string][2]Clusters{
		"one cluster":     {oneField(1), oneField(2)},
		"none":            {oneField(), oneField()},
		"other clusters":  {oneField(1, 2), oneField(1, 2, 3)},
		"not finite":      {oneField(1, math.NaN()), oneField(1, 2)},
		"undefined score": {Clusters{Width: 2, Rows: []float64{1, 0, 1, 0}}, Clusters{Width: 2, Rows: []float64{1, 1, 1, 1}}},
	} {
		stat := []Statistic{total0}
		if name == "undefined score" {
			stat = []Statistic{ratio(0, 1)}
		}
		if got := PermutationTest(sides[0], sides[1], stat, Options{})[0]; got.Known || !math.IsNaN(got.P) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestMcNemar has values by exact fractions in Python; the third is of the counts of R's own
// example, the approval of a president (Agresti 1990, page 350).
func TestMcNemar(t *testing.T) {
	for _, c := range []struct {
		onlyA, onlyB int
		want         float64
	}{
		{5, 15, 0.04138946533203125},
		{15, 5, 0.04138946533203125},
		{150, 86, 3.715936139571442e-05},
		{0, 6, 0.03125},
		{3, 3, 1},
		{0, 0, 1},
		{1000, 1100, 0.030720707864242296},
	} {
		near(t, "McNemar", McNemar(c.onlyA, c.onlyB).P, c.want, 1e-12)
	}
	if p := McNemar(0, 20_000).P; p <= 0 || p > 1e-300 {
		t.Errorf("20,000 to none: %g", p)
	}
	if McNemar(-1, 2).Known {
		t.Error("a negative count is tested")
	}
}

// TestHolm has the values of R: p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm"), and with others.
func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{[]float64{0.01, 0.02, 0.03, 0.04, 0.05}, []float64{0.05, 0.08, 0.09, 0.09, 0.09}},
		{[]float64{0.04, 0.001, 0.5}, []float64{0.08, 0.003, 0.5}},
		{[]float64{0.6, 0.9}, []float64{1, 1}},
		{[]float64{math.NaN(), 0.02, 0.04}, []float64{math.NaN(), 0.04, 0.04}},
		{nil, nil},
	} {
		got := Holm(c.p)
		for i, want := range c.want {
			if !(math.Abs(got[i]-want) < 1e-15) && !(math.IsNaN(want) && math.IsNaN(got[i])) {
				t.Errorf("Holm(%v) = %v, want %v", c.p, got, c.want)
				break
			}
		}
	}
}
