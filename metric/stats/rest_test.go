package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRestByHand compares with a sum worked out by hand: 2, 4 and 9 of ten values. Their mean is 5,
// their variance 13, and Student's t for 2 degrees of freedom 4.302653.
func TestRestByHand(t *testing.T) {
	sum, in := Rest([]float64{2, 4, 9}, 10, 0.95)
	half := 4.302653 * math.Sqrt(13) * math.Sqrt(10*7/3.)
	if math.Abs(sum-35) > 1e-9 || !in.Known || in.Low != 0 || in.High < 35+half-1e-3 {
		t.Errorf("%v in %+v, want 35 in 0 to at least %v", sum, in, 35+half)
	}
	if sum, in := Rest([]float64{-1, 0, 1}, 10, 0.95); sum != 0 || math.Abs(in.Low+in.High) > 1e-9 || math.Abs(in.High-4.302653*math.Sqrt(10*7/3.)) > 1e-3 {
		t.Errorf("%v in %+v", sum, in)
	}
	for name, few := range map[string][]float64{"a factor of ten": {0.05, 0.5}, "a factor of two": {1, 2}, "a thousand": {1, 1, 1000}, "one is nothing": {0, 1}} {
		if sum, in := Rest(few, 10, 0.95); sum <= 0 || in.Known {
			t.Errorf("of few values, %s: %v in %+v, want no interval", name, sum, in)
		}
	}
	if _, in := Rest([]float64{1, 1.1}, 10, 0.95); !in.Known {
		t.Errorf("of two values that hardly differ: %+v", in)
	}
	if sum, in := Rest([]float64{3}, 10, 0.95); sum != 27 || in.Known {
		t.Errorf("of one value: %v in %+v", sum, in)
	}
	if sum, in := Rest([]float64{3, 4}, 2, 0.95); sum != 0 || in.Known {
		t.Errorf("of all values: %v in %+v", sum, in)
	}
}

// TestRestHoldsTheSum draws 20 of 2,000 values that differ tenfold, many times, and counts how
// often the rest lies within its interval: the ends are of 95 %, and so it must at least in 93 %. A kind
// that one value in ten is of is missing from 12 % of such samples, which no interval can know.
func TestRestHoldsTheSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rare = "two kinds, one in ten dear"
	kinds := map[string]func() float64{
		rare: func() float64 {
			if rng.Float64() < 0.1 {
				return 10
			}
			return 1
		},
		"even from 1 to 10": func() float64 { return 1 + 9*rng.Float64() },
		"even by factors":   func() float64 { return math.Pow(10, rng.Float64()) },
		"half dear":         func() float64 { return []float64{1, 10}[rng.IntN(2)] },
	}
	for name, draw := range kinds {
		const all, n, times = 2000, 20, 2000
		values := make([]float64, all)
		sum := 0.0
		for i := range values {
			values[i] = draw()
			sum += values[i]
		}
		held := 0
		for range times {
			rng.Shuffle(all, func(i, j int) { values[i], values[j] = values[j], values[i] })
			rest := sum
			for _, v := range values[:n] {
				rest -= v
			}
			if _, in := Rest(values[:n], all, 0.95); in.Low <= rest && rest <= in.High {
				held++
			}
		}
		least := 0.93
		if name == rare {
			least = 0.93 * (1 - math.Pow(0.9, n))
		}
		if share := float64(held) / times; share < least {
			t.Errorf("%s: the interval holds the rest in %.1f %%", name, 100*share)
		} else {
			t.Logf("%s: %.1f %%", name, 100*share)
		}
	}
}
