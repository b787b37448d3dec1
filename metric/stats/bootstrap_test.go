package stats

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// With one item per cluster a resample's successes are Binomial(k, p), so the
// percentile limits are known exactly up to Monte Carlo error.
func TestBootstrapBinomial(t *testing.T) {
	const k, successes = 100, 30
	c := Clusters{Width: 2}
	for i := range k {
		hit := 0.0
		if i < successes {
			hit = 1
		}
		c.Rows = append(c.Rows, hit, 1)
	}
	got := Bootstrap(c, []Statistic{ratio(0, 1)}, Options{Resamples: 20_000, Seed: 1})[0]
	near(t, "low", got.Low*k, binomialQuantile(k, 0.3, 0.025), 1e-9)
	near(t, "high", got.High*k, binomialQuantile(k, 0.3, 0.975), 1e-9)
	if !got.Known || got.Level != DefaultLevel {
		t.Errorf("got %+v", got)
	}
}

// binomialQuantile returns the least x with P(X <= x) >= q.
func binomialQuantile(n int, p, q float64) float64 {
	mass := math.Pow(1-p, float64(n))
	x, below := 0, mass
	for below < q {
		mass *= float64(n-x) / float64(x+1) * p / (1 - p)
		x++
		below += mass
	}
	return float64(x)
}

// For many clusters a bootstrapped mean is normal around the sample mean.
func TestBootstrapMean(t *testing.T) {
	src := rand.New(rand.NewPCG(2, 2))
	const k = 4000
	c := Clusters{Width: 2}
	var sum, squares float64
	for range k {
		x := src.ExpFloat64()
		sum += x
		squares += x * x
		c.Rows = append(c.Rows, x, 1)
	}
	mean := sum / k
	half := 1.959964 * math.Sqrt((squares/k-mean*mean)/k)
	got := Bootstrap(c, []Statistic{ratio(0, 1)}, Options{Resamples: 8000, Seed: 3})[0]
	near(t, "low", got.Low, mean-half, 0.06*half)
	near(t, "high", got.High, mean+half, 0.06*half)
}

// Both cluster methods must cover the truth about as often as they claim, on
// data where treating items as independent does not.
func TestCoverage(t *testing.T) {
	const sets, k, truth = 400, 60, 0.65
	src := rand.New(rand.NewPCG(10, 20))
	covered := map[string]float64{}
	count := func(method string, iv Interval) {
		if iv.Known && iv.Low <= truth && truth <= iv.High {
			covered[method] += 1.0 / sets
		}
	}
	accuracy := ratio(0, 2)
	for set := range sets {
		c := correlated(src, k)
		total := c.Total()
		opts := Options{Resamples: 1000, Seed: uint64(set)}
		count("bootstrap", Bootstrap(c, []Statistic{accuracy}, opts)[0])
		count("linearised", linearised(c, accuracy, 0.95))
		count("ignoring clusters", Wilson(total[0], total[2], 0.95))
	}
	for _, method := range []string{"bootstrap", "linearised"} {
		if covered[method] < 0.90 || covered[method] > 0.98 {
			t.Errorf("%s covers %.3f, want 0.90 to 0.98", method, covered[method])
		}
	}
	if covered["ignoring clusters"] > 0.85 {
		t.Errorf("ignoring clusters covers %.3f: the data do not test clustering", covered["ignoring clusters"])
	}
}

func TestBootstrapDeterministic(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(4, 4)), 200)
	stats := []Statistic{ratio(0, 2), f1}
	opts := Options{Resamples: 500, Seed: 7}
	first := Bootstrap(c, stats, opts)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		if again := Bootstrap(c, stats, opts); !slices.Equal(again, first) {
			t.Errorf("GOMAXPROCS %d: %v, want %v", procs, again, first)
		}
	}
	opts.Seed++
	if other := Bootstrap(c, stats, opts); slices.Equal(other, first) {
		t.Error("another seed gave the same intervals")
	}
}

// Recorded values: the draws are part of what a published interval rests on, so
// a change to them must be noticed.
func TestBootstrapDraws(t *testing.T) {
	times := make([]float64, 10)
	drawTimes(rand.NewPCG(1, 2), times)
	want := []float64{1, 2, 1, 0, 2, 0, 1, 3, 0, 0}
	if !slices.Equal(times, want) {
		t.Errorf("drawn %v, want %v", times, want)
	}
}

// Every statistic sees the same draws, so neither its company nor its place nor
// fields it does not read may change its interval.
func TestBootstrapSharedDraws(t *testing.T) {
	c := correlated(rand.New(rand.NewPCG(5, 5)), 50)
	opts := Options{Resamples: 300, Seed: 8}
	want := Bootstrap(c, []Statistic{ratio(0, 2)}, opts)[0]
	both := Bootstrap(c, []Statistic{f1, ratio(0, 2)}, opts)
	if both[1] != want {
		t.Errorf("beside another statistic: %v, want %v", both[1], want)
	}
	moved := Clusters{Width: 4} // fields reordered, one full of NaN added
	for i := 0; i < len(c.Rows); i += 3 {
		moved.Rows = append(moved.Rows, c.Rows[i+2], math.NaN(), c.Rows[i+1], c.Rows[i])
	}
	if got := Bootstrap(moved, []Statistic{ratio(3, 0)}, opts)[0]; got != want {
		t.Errorf("after moving fields: %v, want %v", got, want)
	}
	linear, linearMoved := linearised(c, ratio(0, 2), 0.95), linearised(moved, ratio(3, 0), 0.95)
	near(t, "linearised low", linearMoved.Low, linear.Low, 1e-12)
	near(t, "linearised high", linearMoved.High, linear.High, 1e-12)
}

// A small Lemire range makes any bias visible: 3 clusters, 300,000 draws.
func TestDrawTimesUniform(t *testing.T) {
	src := rand.NewPCG(6, 6)
	times, seen := make([]float64, 3), make([]float64, 3)
	for range 100_000 {
		drawTimes(src, times)
		for i, n := range times {
			seen[i] += n
		}
	}
	for i := range seen {
		near(t, "draws of one cluster", seen[i], 100_000, 1100) // over 4 sd
	}
}

func TestDot(t *testing.T) {
	a := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for n := range a {
		want := 0.0
		for _, x := range a[:n] {
			want += x * x
		}
		near(t, "dot", dot(a[:n], a[:n]), want, 0)
	}
}

func TestBootstrapSkipsUndefined(t *testing.T) {
	// One cluster of 40 holds the denominator: a resample lacks it with
	// probability (1-1/40)^40 = 0.36, fewer than half.
	c := Clusters{Width: 2, Rows: make([]float64, 80)}
	for i := range 40 {
		c.Rows[2*i] = float64(i % 3)
	}
	c.Rows[1] = 1
	// Defined at the total but in few resamples, which it tells by the sum.
	rare := func(sum []float64) (float64, bool) { return sum[0], sum[0] == 39 }
	got := Bootstrap(c, []Statistic{ratio(0, 1), rare}, Options{})
	if !got[0].Known {
		t.Errorf("undefined in a third of the resamples: %+v", got[0])
	}
	wantUnavailable(t, "rarely defined", got[1], "more than half")
}
