package stats

import (
	"math"
	"math/bits"
	"testing"
)

func TestPassesByHand(t *testing.T) {
	for _, c := range []struct {
		n, c, k    int
		at, allOfK float64
	}{
		{5, 2, 1, 0.4, 0.4},
		{5, 2, 2, 0.7, 0.1}, // of 10 pairs, 3 have no right answer and 1 has two
		{5, 2, 3, 0.9, 0},   // of 10 triples, 1 has no right answer
		{5, 2, 4, 1, 0},
		{4, 3, 2, 1, 0.5},
		{10, 7, 3, 1 - 1./120, 35. / 120},
		{3, 0, 2, 0, 0},
		{3, 3, 3, 1, 1},
	} {
		at, ok := PassAtK(c.n, c.c, c.k)
		all, okAll := PassHatK(c.n, c.c, c.k)
		if !ok || !okAll {
			t.Errorf("%+v: not known", c)
		}
		near(t, "pass@k", at, c.at, 1e-15)
		near(t, "pass^k", all, c.allOfK, 1e-15)
	}
}

// TestPassesByEnumeration counts subsets of up to 9 answers, of which the first c are right.
func TestPassesByEnumeration(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for c := 0; c <= n; c++ {
			for k := 1; k <= n; k++ {
				var subsets, some, every float64
				right := uint(1)<<c - 1
				for set := range uint(1) << n {
					if bits.OnesCount(set) != k {
						continue
					}
					subsets++
					if set&right != 0 {
						some++
					}
					if set&^right == 0 {
						every++
					}
				}
				at, ok := PassAtK(n, c, k)
				all, okAll := PassHatK(n, c, k)
				if !ok || !okAll || math.Abs(at-some/subsets) > 1e-14 || math.Abs(all-every/subsets) > 1e-14 {
					t.Errorf("n %d, c %d, k %d: pass@k %v, pass^k %v, want %v and %v", n, c, k, at, all, some/subsets, every/subsets)
				}
			}
		}
	}
}

func TestPassesOfManyAnswers(t *testing.T) {
	at, _ := PassAtK(1_000_000, 500_000, 10)
	near(t, "pass@10", at, 1-math.Pow(0.5, 10)*(1-45e-6), 1e-11) // 45 pairs of the ten draw without replacement
	all, _ := PassHatK(1_000_000, 999_999, 999_999)              // one of a million subsets leaves out the wrong answer
	near(t, "pass^999999", all, 1e-6, 1e-18)
}

func TestPassesOutOfRange(t *testing.T) {
	for _, c := range [][3]int{{3, 1, 4}, {3, 1, 0}, {3, 4, 1}, {3, -1, 1}, {0, 0, 0}} {
		_, ok := PassAtK(c[0], c[1], c[2])
		_, okAll := PassHatK(c[0], c[1], c[2])
		if ok || okAll {
			t.Errorf("n, c, k = %v has a value", c)
		}
	}
}
