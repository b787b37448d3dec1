package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Test is the outcome of a test of significance.
//
// When Known is false there is none: P is NaN, and Method holds "not available: "
// and the reason.
type Test struct {
	Known  bool
	P      float64 // chance of a difference at least as large, in either direction, if there is none; in (0, 1]
	Method string
}

// exactClusters is the largest number of clusters for which PermutationTest goes
// through all ways to swap sides.
const exactClusters = 16

// PermutationTest tests, for each statistic, whether two systems differ on the same
// clusters. If they are equally good, swapping their rows in any cluster changes
// nothing but chance. So the rows of random clusters are swapped, opts.Resamples
// times, and P is the share of arrangements whose difference is as large as the one
// found, or larger. The arrangement that was found counts as one of them. Up to 16
// clusters, all arrangements are tried and P is exact.
//
// Whole clusters are swapped: questions about one clip stay together. Source: R. A.
// Fisher, The Design of Experiments (1935), section 21; with random swaps B. Phipson
// and G. K. Smyth, "Permutation P-values should never be zero", Stat. Appl. Genet. Mol.
// Biol. 9 (2010), equation 2.
//
// It is not available with fewer than 2 clusters, for sides of different shape, and
// where the statistic is undefined for either side, or for more than half of the swaps.
func PermutationTest(a, b Clusters, stats []Statistic, opts Options) []Test {
	opts = opts.withDefaults()
	tests := make([]Test, len(stats))
	joined, _, ok := join(a, b)
	switch {
	case !ok:
		return unavailableTests(tests, "sides do not have the same clusters")
	case a.Len() < 2:
		return unavailableTests(tests, "fewer than 2 clusters")
	}
	if why := joined.problem(opts.Level); why != "" {
		return unavailableTests(tests, why)
	}
	p := newPermuter(a, b)
	observed := make([]float64, len(stats))
	defined := make([]bool, len(stats))
	for s, stat := range stats {
		observed[s], defined[s] = p.difference(stat)
	}
	larger, done := make([]int, len(stats)), make([]int, len(stats))
	count := func() {
		for s, stat := range stats {
			if d, ok := p.difference(stat); ok && defined[s] {
				done[s]++
				// Sums in another order differ in their last bits.
				if math.Abs(d) >= math.Abs(observed[s])*(1-1e-12)-1e-15 {
					larger[s]++
				}
			}
		}
	}
	rounds, exact := p.each(a.Len(), opts, count)
	for s := range tests {
		switch {
		case !defined[s]:
			tests[s] = unavailableTest(reasonUndefined)
		case 2*done[s] < rounds:
			tests[s] = unavailableTest("statistic undefined in more than half of the swaps")
		case exact:
			tests[s] = Test{true, float64(larger[s]) / float64(done[s]), "paired permutation, exact"}
		default:
			tests[s] = Test{true, float64(larger[s]+1) / float64(done[s]+1), "paired permutation"}
		}
	}
	return tests
}

// A permuter swaps the sides of clusters.
type permuter struct {
	width      int
	sumA, sumB []float64
	totalA     []float64
	totalB     []float64
	less       []float64 // of each cluster, its row of b less that of a
}

func newPermuter(a, b Clusters) *permuter {
	p := &permuter{width: a.Width, totalA: a.Total(), totalB: b.Total(), less: make([]float64, len(a.Rows))}
	for i := range p.less {
		p.less[i] = b.Rows[i] - a.Rows[i]
	}
	p.sumA, p.sumB = slices.Clone(p.totalA), slices.Clone(p.totalB)
	return p
}

func (p *permuter) difference(stat Statistic) (float64, bool) {
	x, okA := stat.at(p.sumA)
	y, okB := stat.at(p.sumB)
	return y - x, okA && okB
}

// swap moves cluster i's rows to the other sides.
func (p *permuter) swap(i int) {
	for j, d := range p.less[i*p.width : (i+1)*p.width] {
		p.sumA[j] += d
		p.sumB[j] -= d
	}
}

func (p *permuter) reset() {
	copy(p.sumA, p.totalA)
	copy(p.sumB, p.totalB)
}

// each calls count for all ways to swap k clusters where these are few, else for
// opts.Resamples random ones.
func (p *permuter) each(k int, opts Options, count func()) (rounds int, exact bool) {
	if k <= exactClusters {
		p.all(count)
		return 1 << k, true
	}
	p.random(opts, count)
	return opts.Resamples, false
}

// all goes through all swaps.
func (p *permuter) all(count func()) {
	k := len(p.less) / p.width
	for set := range 1 << k {
		p.reset()
		for i := range k {
			if set>>i&1 == 1 {
				p.swap(i)
			}
		}
		count()
	}
}

// random swaps each cluster with a chance of a half, again and again.
func (p *permuter) random(opts Options, count func()) {
	k := len(p.less) / p.width
	src := rand.NewPCG(opts.Seed, opts.Seed^0x9e3779b97f4a7c15)
	for range opts.Resamples {
		p.reset()
		var coins uint64
		for i := range k {
			if i%64 == 0 {
				coins = src.Uint64()
			}
			if coins&1 == 1 {
				p.swap(i)
			}
			coins >>= 1
		}
		count()
	}
}

func unavailableTest(why string) Test {
	return Test{P: math.NaN(), Method: "not available: " + why}
}

func unavailableTests(tests []Test, why string) []Test {
	for i := range tests {
		tests[i] = unavailableTest(why)
	}
	return tests
}

// McNemar tests whether two systems are right equally often on the same questions, by
// those on which one is right and the other wrong: each of them alike likely to be
// of either kind, P is the two-sided binomial probability, which is exact. onlyA and onlyB
// count these questions. Source: Q. McNemar, "Note on the sampling error of the
// difference between correlated proportions or percentages", Psychometrika 12 (1947).
//
// It takes questions for independent of each other. Where several are about one
// clip, PermutationTest over clips is right. It is not available for negative counts.
func McNemar(onlyA, onlyB int) Test {
	if onlyA < 0 || onlyB < 0 {
		return unavailableTest("negative count")
	}
	n, few := onlyA+onlyB, min(onlyA, onlyB)
	if 2*few >= n {
		return Test{true, 1, "McNemar, exact binomial"}
	}
	// Terms from the largest down, as long as they count.
	term, _ := math.Lgamma(float64(n + 1))
	lower, _ := math.Lgamma(float64(few + 1))
	upper, _ := math.Lgamma(float64(n - few + 1))
	largest := math.Exp(term - lower - upper - float64(n)*math.Ln2)
	sum, share := 0.0, 1.0
	for i := few; i >= 0 && share > 0; i-- {
		sum += share
		share *= float64(i) / float64(n-i+1)
	}
	return Test{true, max(min(1, 2*largest*sum), math.SmallestNonzeroFloat64), "McNemar, exact binomial"}
}

// Holm corrects the p-values of tests that are read together, so that the chance of
// calling any difference real that is none stays below the level that each corrected p
// is compared with. Values that are NaN stay so and do not count. Source: S. Holm, "A
// simple sequentially rejective multiple test procedure", Scand. J. Statist. 6 (1979).
func Holm(p []float64) []float64 {
	var order []int
	out := make([]float64, len(p))
	for i := range p {
		if out[i] = p[i]; !math.IsNaN(p[i]) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if p[a] < p[b] {
			return -1
		} else if p[a] > p[b] {
			return 1
		}
		return 0
	})
	largest := 0.0
	for done, i := range order {
		largest = max(largest, min(1, float64(len(order)-done)*p[i]))
		out[i] = largest
	}
	return out
}
