package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"omniscope/internal/testing/fixture"
)

// rated draws k units, each rated by so many raters who are right with chance p, else
// give one of the two other values at random; alpha over all units is then (1.5·p - 0.5)².
func rated(src *rand.Rand, k, raters int, p float64, row func(values []int) []float64) (c Clusters) {
	for range k {
		truth, values := src.IntN(3), make([]int, raters)
		for i := range values {
			if values[i] = truth; src.Float64() >= p {
				values[i] = (truth + 1 + src.IntN(2)) % 3
			}
		}
		of := row(values)
		c.Width = len(of)
		c.Rows = append(c.Rows, of...)
	}
	return c
}

// TestLongCoverageOfEveryInterval draws data whose truth is known, clustered where the
// method is for clusters, and counts how often an interval of 95 % holds the truth.
func TestLongCoverageOfEveryInterval(t *testing.T) {
	const k = 300
	one := func(iv []Interval) Interval { return iv[0] }
	for name, c := range map[string]struct {
		sets  int
		truth float64
		draw  func(src *rand.Rand, opts Options) Interval
	}{
		"bootstrap of clusters": {4000, 0.65, func(src *rand.Rand, opts Options) Interval {
			return one(Bootstrap(correlated(src, k), []Statistic{ratio(0, 2)}, opts))
		}},
		"linearised": {8000, 0.65, func(src *rand.Rand, _ Options) Interval { return linearised(correlated(src, k), ratio(0, 2), 0.95) }},
		"Wilson": {8000, 0.3, func(src *rand.Rand, _ Options) Interval {
			right := 0.0
			for range 1000 {
				if src.Float64() < 0.3 {
					right++
				}
			}
			return Wilson(right, 1000, 0.95)
		}},
		"paired bootstrap": {4000, 0.1, func(src *rand.Rand, opts Options) Interval {
			a, b := twoSystems(src, k, 0.1)
			return one(PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, opts))
		}},
		"Fisher's of a correlation": {8000, 0.6, func(src *rand.Rand, _ Options) Interval {
			x, y := make([]float64, 60), make([]float64, 60)
			for i := range x {
				x[i] = src.NormFloat64()
				y[i] = 0.6*x[i] + 0.8*src.NormFloat64()
			}
			return Pearson(x, y).Interval(0.95)
		}},
		"bootstrap of Fleiss' kappa": {4000, 0.49, func(src *rand.Rand, opts Options) Interval {
			return one(Bootstrap(rated(src, k, 4, 0.8, func(v []int) []float64 {
				counts := make([]int, 3)
				for _, value := range v {
					counts[value]++
				}
				return FleissRow(counts)
			}), []Statistic{Fleiss(3)}, opts))
		}},
		"bootstrap of Krippendorff's alpha": {4000, 0.49, func(src *rand.Rand, opts Options) Interval {
			return one(Bootstrap(rated(src, k, 4, 0.8, func(v []int) []float64 { return AlphaRow(3, v) }), []Statistic{Alpha([]float64{0, 1, 2}, Nominal)}, opts))
		}},
		"bootstrap of Cohen's kappa": {4000, 0.49, func(src *rand.Rand, opts Options) Interval {
			return one(Bootstrap(rated(src, k, 2, 0.8, func(v []int) []float64 {
				cells := make([]float64, 9)
				cells[3*v[0]+v[1]] = 1
				return cells
			}), []Statistic{Kappa(3)}, opts))
		}},
		"bootstrap of Bradley-Terry": {3000, 1000 + 1.5*0.4*400/math.Ln10, func(src *rand.Rand, opts Options) Interval {
			battles, clusters := foughtByClips(src, 150)
			opts.Resamples = 400
			ranked, _, err := RankBattles(4, battles, clusters, Davidson, opts)
			if err != nil {
				t.Error(err)
				return Interval{}
			}
			return ranked[3].Interval
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			share := coverage(c.sets, c.truth, c.draw)
			t.Logf("%.4f", share)
			if share < 0.94 || share > 0.96 {
				t.Errorf("%.4f of the intervals hold the truth, want 0.94 to 0.96", share)
			}
		})
	}
}

// coverage is the share of intervals that hold the truth.
func coverage(sets int, truth float64, draw func(*rand.Rand, Options) Interval) float64 {
	var mu sync.Mutex
	var workers sync.WaitGroup
	held := 0
	const lanes = 4
	for lane := range lanes {
		workers.Go(func() {
			n := 0
			for set := lane; set < sets; set += lanes {
				src := rand.New(rand.NewPCG(2026, uint64(set)))
				iv := draw(src, Options{Resamples: 1000, Seed: uint64(set)})
				if iv.Known && iv.Low <= truth && truth <= iv.High {
					n++
				}
			}
			mu.Lock()
			held += n
			mu.Unlock()
		})
	}
	workers.Wait()
	return float64(held) / float64(sets)
}

// foughtByClips draws battles of four systems, 0.4 apart in strength, ten about each clip.
func foughtByClips(src *rand.Rand, clips int) (battles []Battle, clusters []int) {
	for clip := range clips {
		for range 10 {
			a, b := src.IntN(4), src.IntN(3)
			if b >= a {
				b++
			}
			result := WonByB
			if src.Float64() < 1/(1+math.Exp(0.4*float64(b-a))) {
				result = WonByA
			}
			battles, clusters = append(battles, Battle{a, b, result}), append(clusters, clip)
		}
	}
	return battles, clusters
}

// shuffled has the rows in another order, and each n times.
func shuffled(src *rand.Rand, c Clusters, n int) Clusters {
	out := Clusters{Width: c.Width}
	for range n {
		for _, i := range src.Perm(c.Len()) {
			out.Rows = append(out.Rows, c.Rows[i*c.Width:(i+1)*c.Width]...)
		}
	}
	return out
}

// TestOrderAndDuplicatesChangeNoScore: the order of clusters changes neither a score nor
// its error nor what a test says; everything twice leaves scores as they are, and makes
// errors smaller by the square root of two.
func TestOrderAndDuplicatesChangeNoScore(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 6))
	table := rated(src, 200, 2, 0.7, func(v []int) []float64 {
		cells := make([]float64, 9)
		cells[3*v[0]+v[1]] = 1
		return cells
	})
	votes := rated(src, 200, 4, 0.7, func(v []int) []float64 {
		counts := make([]int, 3)
		for _, value := range v {
			counts[value]++
		}
		return FleissRow(counts)
	})
	for name, c := range map[string]struct {
		data Clusters
		stat Statistic
	}{
		"share": {correlated(src, 200), ratio(0, 2)}, "F1": {correlated(src, 200), f1}, "kappa": {table, Kappa(3)}, "agreement": {table, Agreement(3)}, "Fleiss": {votes, Fleiss(3)},
	} {
		want, ok := c.stat(c.data.Total())
		wantSE, okSE := clusterError(c.data, c.stat)
		if !ok || !okSE {
			t.Fatalf("%s has no value", name)
		}
		for n, what := range map[int]string{1: "in another order", 2: "twice"} {
			again := shuffled(src, c.data, n)
			got, _ := c.stat(again.Total())
			near(t, name+" "+what, got, want, 1e-12)
			se, _ := clusterError(again, c.stat)
			k := float64(c.data.Len())
			correction := math.Sqrt((k / (k - 1)) / (float64(n) * k / (float64(n)*k - 1))) // for few clusters
			near(t, "error of "+name+" "+what, se*math.Sqrt(float64(n))*correction, wantSE, 1e-6*wantSE)
		}
	}
	a, b := twoSystems(src, 12, 0.1)
	want := PermutationTest(a, b, []Statistic{ratio(0, 1)}, Options{})[0]
	order := src.Perm(12)
	pick := func(c Clusters) Clusters {
		out := Clusters{Width: c.Width}
		for _, i := range order {
			out.Rows = append(out.Rows, c.Rows[2*i:2*i+2]...)
		}
		return out
	}
	if got := PermutationTest(pick(a), pick(b), []Statistic{ratio(0, 1)}, Options{})[0]; got.P != want.P {
		t.Errorf("exact P in another order: %g, was %g", got.P, want.P)
	}
	battles, _ := foughtByClips(src, 100)
	bt, err := bradleyTerry(4, battles, Davidson)
	fixture.OK(t, err)
	turned := slices.Clone(battles)
	src.Shuffle(len(turned), func(i, j int) { turned[i], turned[j] = turned[j], turned[i] })
	again, err := bradleyTerry(4, slices.Concat(turned, battles), Davidson)
	fixture.OK(t, err)
	for i := range bt.Ratings {
		near(t, "Bradley-Terry, in another order and twice", again.Ratings[i], bt.Ratings[i], 1e-4)
	}
}

// TestPermutationOfFishersMaize is R. A. Fisher's own example (The Design of Experiments,
// 1935, section 21): Darwin's fifteen pairs of plants, differences in eighths of an inch.
// Of the 32,768 arrangements 863 have a sum of 314 or more: 1,726 of them both ways.
func TestPermutationOfFishersMaize(t *testing.T) {
	crossed := oneField(49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
	selfed := Clusters{Width: 1, Rows: make([]float64, 15)}
	near(t, "P", PermutationTest(selfed, crossed, []Statistic{total0}, Options{})[0].P, 1726.0/32768, 1e-15)
}

// TestMcNemarOfTables has tables and values of statsmodels' own tests of
// mcnemar(table, exact=True), which an online computation gave.
func TestMcNemarOfTables(t *testing.T) {
	for _, c := range []struct {
		b, c int
		want float64
	}{{121, 59, 0.000004}, {70, 59, 0.378688}, {80, 59, 0.089452}, {30, 60, 0.00206}, {10, 30, 0.002221}, {10, 10, 1}} {
		near(t, "McNemar", McNemar(c.b, c.c).P, c.want, 5e-7)
	}
}

// TestKappasOfR has data and values of R's package irr, as statsmodels' tests have them:
// kappam.fleiss(diagnoses), thirty patients by six raters (Fleiss 1971), and
// kappa2(anxiety[,2:3]), twenty by two. The last is a printout of SAS.
func TestKappasOfR(t *testing.T) {
	var c Clusters
	for _, ratings := range []string{
		"444444", "222555", "233335", "555555", "222444", "113333", "333355", "113334", "114444", "555555", "144444", "124444", "222333", "144444", "224445",
		"333335", "111455", "111112", "224444", "133555", "555555", "244444", "224555", "114444", "144445", "222224", "111155", "224444", "133333", "555555",
	} {
		counts := make([]int, 5)
		for _, r := range ratings {
			counts[r-'1']++
		}
		row := FleissRow(counts)
		c.Width = len(row)
		c.Rows = append(c.Rows, row...)
	}
	got, _ := Fleiss(5)(c.Total())
	near(t, "Fleiss", got, 0.4302445, 5e-8)

	const second, third = "36462424332333221334", "21443216111233113322"
	confusion := make([][]int, 6)
	for i := range confusion {
		confusion[i] = make([]int, 6)
	}
	for i := range second {
		confusion[second[i]-'1'][third[i]-'1']++
	}
	got, _ = CohenKappa(confusion)
	near(t, "Cohen", got, -0.006289308, 5e-10)
	got, _ = CohenKappa([][]int{{0, 4, 1}, {0, 8, 0}, {0, 1, 5}})
	near(t, "Cohen, by SAS", got, 0.4842, 5e-5)
}
