package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestComponentsByHand has the group means 2, 5 and 9: MSB = 2 * 74/3 / 2 = 74/3, MSW = (2 + 2 + 8) / 3 = 4.
func TestComponentsByHand(t *testing.T) {
	between, within, ok := Components([][]float64{{1, 3}, {4, 6}, {7, 11}})
	if !ok {
		t.Fatal("not known")
	}
	near(t, "within", within, 4, 1e-12)
	near(t, "between", between, (74./3-4)/2, 1e-12)
}

func TestComponentsOfShroutAndFleiss(t *testing.T) { // their table 2: ICC(1,1) is 0.17
	between, within, ok := Components([][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}})
	if !ok {
		t.Fatal("not known")
	}
	near(t, "ICC(1,1)", between/(between+within), 0.1657, 0.0001)
}

func TestComponentsAreRecovered(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	groups := make([][]float64, 20_000)
	for i := range groups {
		level := 3 * src.NormFloat64()
		for range 4 {
			groups[i] = append(groups[i], level+2*src.NormFloat64())
		}
	}
	between, within, _ := Components(groups)
	near(t, "sd between", math.Sqrt(between), 3, 0.05)
	near(t, "sd within", math.Sqrt(within), 2, 0.05)
}

func TestComponentsAtTheirLimits(t *testing.T) {
	if between, within, ok := Components([][]float64{{0, 1}, {1, 0}, {0, 1}}); !ok || between != 0 || math.Abs(within-0.5) > 1e-12 {
		t.Errorf("groups with one mean have %g between and %g within, %t", between, within, ok)
	}
	for _, groups := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {1}}} {
		if _, _, ok := Components(groups); ok {
			t.Errorf("%v has components", groups)
		}
	}
}
