package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// twoSystems draws k clusters of items that two systems answered. Hard clusters
// are hard for both, and b is right on gain more of all items.
func twoSystems(src *rand.Rand, k int, gain float64) (a, b Clusters) {
	a, b = Clusters{Width: 2}, Clusters{Width: 2}
	for range k {
		p := 0.3 + 0.4*src.Float64()
		size, rightA, rightB := 4+src.IntN(5), 0.0, 0.0
		for range size {
			luck := src.Float64()
			if luck < p {
				rightA++
			}
			if luck < p+gain {
				rightB++
			}
		}
		a.Rows = append(a.Rows, rightA, float64(size))
		b.Rows = append(b.Rows, rightB, float64(size))
	}
	return a, b
}

// For many clusters of one item a difference of means is a mean of differences,
// and normal.
func TestPairedBootstrapMean(t *testing.T) {
	src := rand.New(rand.NewPCG(21, 21))
	const k = 4000
	a, b := Clusters{Width: 2}, Clusters{Width: 2}
	var sum, squares float64
	for range k {
		x, d := src.ExpFloat64(), 0.3*src.NormFloat64()+0.01
		sum, squares = sum+d, squares+d*d
		a.Rows, b.Rows = append(a.Rows, x, 1), append(b.Rows, x+d, 1)
	}
	mean := sum / k
	half := 1.959964 * math.Sqrt((squares/k-mean*mean)/k)
	got := PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, Options{Resamples: 8000, Seed: 3})[0]
	near(t, "low", got.Low, mean-half, 0.06*half)
	near(t, "high", got.High, mean+half, 0.06*half)
}

func TestPairedBootstrapCovers(t *testing.T) {
	const sets, k, gain = 400, 60, 0.1
	src := rand.New(rand.NewPCG(22, 22))
	covered := 0.0
	for set := range sets {
		a, b := twoSystems(src, k, gain)
		iv := PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, Options{Resamples: 1000, Seed: uint64(set)})[0]
		if iv.Known && iv.Low <= gain && gain <= iv.High {
			covered += 1.0 / sets
		}
	}
	if covered < 0.90 || covered > 0.98 {
		t.Errorf("covers %.3f, want 0.90 to 0.98", covered)
	}
}

func TestPairingNarrowsTheInterval(t *testing.T) {
	a, b := twoSystems(rand.New(rand.NewPCG(23, 23)), 200, 0.05)
	paired := PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, Options{})[0]
	turned := Clusters{Width: 2, Rows: slices.Concat(b.Rows[200:], b.Rows[:200])}
	loose := PairedBootstrap(a, turned, []Statistic{ratio(0, 1)}, Options{})[0]
	if !(paired.High-paired.Low < 0.6*(loose.High-loose.Low)) {
		t.Errorf("paired %+v, with other partners %+v", paired, loose)
	}
}

func TestSameTextsOnBothSides(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(24, 24)), 30)
	for _, iv := range PairedBootstrap(c, c, []Statistic{ratio(0, 2), f1}, Options{}) {
		if !iv.Known || iv.Low != 0 || iv.High != 0 {
			t.Errorf("got %+v", iv)
		}
	}
	opts := Options{MaxBootstrapClusters: 1}
	if iv := Paired(c, c, []Statistic{f1}, opts)[0]; !iv.Known || iv.Low != 0 || iv.High != 0 {
		t.Errorf("linearised: %+v", iv)
	}
}

// Two sides that are all wrong agree in every resample, and yet it is not known
// that they would on other clusters.
func TestPairedWithoutDifference(t *testing.T) {
	a := Clusters{Width: 2, Rows: []float64{0, 3, 0, 4, 0, 2}}
	b := Clusters{Width: 2, Rows: []float64{0, 3, 0, 5, 0, 2}}
	wantUnavailable(t, "no hits", PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, Options{})[0], "no variation")
}

func TestPairedManyClusters(t *testing.T) {
	a, b := twoSystems(rand.New(rand.NewPCG(26, 26)), 3000, 0.05)
	stats := []Statistic{ratio(0, 1)}
	sampled := Paired(a, b, stats, Options{})[0]
	linear := Paired(a, b, stats, Options{MaxBootstrapClusters: 2999})[0]
	if sampled.Method != "paired cluster bootstrap percentile" || linear.Method != "paired linearised, normal" {
		t.Errorf("methods %q and %q", sampled.Method, linear.Method)
	}
	near(t, "low", linear.Low, sampled.Low, 0.1*(sampled.High-sampled.Low))
	near(t, "high", linear.High, sampled.High, 0.1*(sampled.High-sampled.Low))
}

func TestExchangingTheSidesTurnsTheSign(t *testing.T) {
	a, b := twoSystems(rand.New(rand.NewPCG(25, 25)), 50, 0.1)
	opts := Options{Seed: 5}
	there := PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, opts)[0]
	back := PairedBootstrap(b, a, []Statistic{ratio(0, 1)}, opts)[0]
	near(t, "low", back.Low, -there.High, 1e-12)
	near(t, "high", back.High, -there.Low, 1e-12)
	if again := PairedBootstrap(a, b, []Statistic{ratio(0, 1)}, opts)[0]; again != there {
		t.Errorf("%+v, the second time %+v", there, again)
	}
}

func TestPairedBootstrapUnavailable(t *testing.T) {
	two := Clusters{Width: 2, Rows: []float64{1, 2, 1, 2}}
	more := Clusters{Width: 2, Rows: []float64{2, 2, 2, 2}}
	empty := Clusters{Width: 2, Rows: make([]float64, 4)}
	for _, c := range []struct {
		name   string
		a, b   Clusters
		reason string
	}{
		{"other clusters", two, Clusters{Width: 2, Rows: []float64{1, 2}}, "same clusters"},
		{"other fields", two, Clusters{Width: 1, Rows: []float64{1, 2, 1, 2}}, "same clusters"},
		{"no shape", Clusters{}, Clusters{}, "same clusters"},
		{"one cluster", Clusters{Width: 2, Rows: two.Rows[:2]}, Clusters{Width: 2, Rows: two.Rows[2:]}, "fewer than 2"},
		{"the same step in every cluster", two, more, "no variation"},
		{"nothing on one side", two, empty, "undefined"},
	} {
		wantUnavailable(t, c.name, PairedBootstrap(c.a, c.b, []Statistic{ratio(0, 1)}, Options{})[0], c.reason)
	}
	wantUnavailable(t, "level", PairedBootstrap(two, more, []Statistic{ratio(0, 1)}, Options{Level: 2})[0], "level")
}
