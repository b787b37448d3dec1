package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"omniscope"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// A world draws pairs of runs whose truth is known.
type world struct {
	name   string
	k      int // clusters
	metric *metric.Metric
	scores []int // of the metric; nil = all
	draw   func(src *rand.Rand, worse float64) (a, b stats.Clusters)
	worse  float64 // how much worse the new run is, where it is; what it means is the world's
}

// beta draws from Beta(a, b) for whole a and b: the a-th smallest of a+b-1 uniform numbers.
func beta(src *rand.Rand, a, b int) float64 {
	draws := make([]float64, a+b-1)
	for i := range draws {
		draws[i] = src.Float64()
	}
	for i := range a { // the a smallest, in order
		for k := i + 1; k < len(draws); k++ {
			if draws[k] < draws[i] {
				draws[i], draws[k] = draws[k], draws[i]
			}
		}
	}
	return draws[a-1]
}

// blanks draws how many blanks a clip has: skewed, 5 to about 80.
func blanks(src *rand.Rand) int { return 5 + int(12*src.ExpFloat64()) }

// clozeOf draws the verdicts of a clip of n blanks.
func clozeOf(src *rand.Rand, n int, right, wrong float64) metric.Counts {
	c := make(metric.Counts, len(metric.Cloze.Fields))
	for range n {
		v := omniscope.NotGiven
		switch u := src.Float64(); {
		case src.Float64() < 0.03:
			v = omniscope.Unjudged
		case u < right:
			v = omniscope.Correct
		case u < right+wrong:
			v = omniscope.Wrong
		}
		metric.CountCloze(c, v, false)
	}
	return c
}

// clozeWorld has k clips; what is hard for one run is hard for the other. A run that is worse has a share
// of what is correct turned wrong or not given, in all clips alike.
func clozeWorld(k int) func(*rand.Rand, float64) (a, b stats.Clusters) {
	return func(src *rand.Rand, worse float64) (a, b stats.Clusters) {
		a.Width, b.Width = len(metric.Cloze.Fields), len(metric.Cloze.Fields)
		for range k {
			n, right := blanks(src), beta(src, 3, 2)
			wrong := (1 - right) * beta(src, 1, 3)
			a.Rows = append(a.Rows, clozeOf(src, n, right, wrong)...)
			b.Rows = append(b.Rows, clozeOf(src, n, right-worse, wrong+worse/2)...)
		}
		return a, b
	}
}

// unlikeWorld has runs of which neither is better over all clips, though they are good at different clips: the new run is better in many
// clips and much worse in a few, or the other way round.
func unlikeWorld(k int, few float64, manyGain float64) func(*rand.Rand, float64) (a, b stats.Clusters) {
	return func(src *rand.Rand, worse float64) (a, b stats.Clusters) {
		a.Width, b.Width = len(metric.Cloze.Fields), len(metric.Cloze.Fields)
		for range k {
			n, shift := blanks(src), manyGain
			if src.Float64() < few {
				shift = -manyGain * (1 - few) / few
			}
			a.Rows = append(a.Rows, clozeOf(src, n, 0.55, 0.1)...)
			b.Rows = append(b.Rows, clozeOf(src, n, 0.55+shift-worse, 0.1)...)
		}
		return a, b
	}
}

// choiceWorld has k questions, each a cluster.
func choiceWorld(k int) func(*rand.Rand, float64) (a, b stats.Clusters) {
	return func(src *rand.Rand, worse float64) (a, b stats.Clusters) {
		a.Width, b.Width = len(metric.Choice.Fields), len(metric.Choice.Fields)
		for range k {
			right := beta(src, 2, 1)
			for side, p := range []float64{right, right - worse} {
				c, v := make(metric.Counts, len(metric.Choice.Fields)), omniscope.Wrong
				if src.Float64() < p {
					v = omniscope.Correct
				}
				metric.CountChoice(c, v, false)
				if side == 0 {
					a.Rows = append(a.Rows, c...)
				} else {
					b.Rows = append(b.Rows, c...)
				}
			}
		}
		return a, b
	}
}

// errorRate is errors for each word: lower is better, and it may exceed 1.
var errorRate = metric.Metric{Name: "errors", Fields: []string{"errors", "words"}, Scores: []metric.Score{{
	Name: "wer", Title: "WER", Percent: true, Lower: true,
	Value:    func(c metric.Counts) (float64, bool) { return c[0] / c[1], c[1] > 0 },
	N:        func(c metric.Counts) int { return int(c[1]) },
	Unscored: func(metric.Counts) int { return 0 },
}}}

// talkWorld has k talks of 50 to about 3,000 words, of which one in twenty makes a run repeat itself: as many errors as words. Outputs
// are of any length, so the error counts are very skewed.
func talkWorld(k int) func(*rand.Rand, float64) (a, b stats.Clusters) {
	return func(src *rand.Rand, worse float64) (a, b stats.Clusters) {
		a.Width, b.Width = 2, 2
		for range k {
			words := math.Round(50 + 300*math.Exp(0.8*src.NormFloat64()))
			hard := 0.05 + 0.2*beta(src, 1, 3)
			for side, rate := range []float64{hard, hard * (1 + worse)} {
				errors := math.Round(words * rate * math.Exp(0.3*src.NormFloat64()))
				if src.Float64() < 0.05 {
					errors += words
				}
				if side == 0 {
					a.Rows = append(a.Rows, errors, words)
				} else {
					b.Rows = append(b.Rows, errors, words)
				}
			}
		}
		return a, b
	}
}

// worlds are the simulations of docs/design/fail-if-worse.md, which has the figures of TestLongFalseAlarmsAndPower.
var worlds = []world{
	{"cloze, 8 clips, accuracy", 8, &metric.Cloze, []int{0}, clozeWorld(8), 0.15},
	{"cloze, 12 clips, accuracy", 12, &metric.Cloze, []int{0}, clozeWorld(12), 0.10},
	{"cloze, 30 clips, accuracy", 30, &metric.Cloze, []int{0}, clozeWorld(30), 0.07},
	{"cloze, 100 clips, accuracy", 100, &metric.Cloze, []int{0}, clozeWorld(100), 0.04},
	{"cloze, 12 clips, 4 scores", 12, &metric.Cloze, nil, clozeWorld(12), 0.10},
	{"cloze, 100 clips, 4 scores", 100, &metric.Cloze, nil, clozeWorld(100), 0.04},
	{"choice, 50 questions", 50, &metric.Choice, []int{0}, choiceWorld(50), 0.2},
	{"choice, 300 questions", 300, &metric.Choice, []int{0}, choiceWorld(300), 0.08},
	{"WER, 10 talks", 10, &errorRate, nil, talkWorld(10), 0.5},
	{"WER, 60 talks", 60, &errorRate, nil, talkWorld(60), 0.5},
}

// A tallied counts what a check and two other procedures found in pairs of runs.
type tallied struct {
	pairs                        int
	found, bootstrap, linearised int       // pairs in which a score was called worse
	differences                  []float64 // of the only score, run less base
}

// examined checks a pair as compare does, but with fewer swaps, and of one score asks the other procedures too.
func (w world) examined(src *rand.Rand, worse float64, check Check, seed uint64, sum *tallied) {
	scores := w.metric.Scores
	if w.scores != nil {
		scores = nil
		for _, i := range w.scores {
			scores = append(scores, w.metric.Scores[i])
		}
	}
	a, b := w.draw(src, worse)
	g := &gate{Check: check, swaps: 999}
	g.examine(scores, a, b, seed)
	sum.pairs++
	for _, d := range g.drops {
		if g.isWorse(d) {
			sum.found++
			break
		}
	}
	if len(scores) > 1 {
		return
	}
	value := func(c []float64) (float64, bool) { return scores[0].Value(c) }
	drops := func(iv stats.Interval) bool {
		return iv.Known && (!scores[0].Lower && iv.High < 0 || scores[0].Lower && iv.Low > 0)
	}
	opts := stats.Options{Resamples: 999, Seed: seed, Level: 1 - 2*check.Level}
	if drops(stats.PairedBootstrap(a, b, []stats.Statistic{value}, opts)[0]) {
		sum.bootstrap++
	}
	opts.MaxBootstrapClusters = 1
	if drops(stats.Paired(a, b, []stats.Statistic{value}, opts)[0]) {
		sum.linearised++
	}
	va, _ := value(a.Total())
	vb, _ := value(b.Total())
	sum.differences = append(sum.differences, vb-va)
}

// theory is the power of a one-sided t-test at a level of 5 % over k clusters, were their differences normal, with the mean and the spread that the
// pairs had: the noncentral t distribution, by 50,000 draws.
func (sum tallied) theory(k int) float64 {
	mean, squares := 0.0, 0.0
	for _, d := range sum.differences {
		mean += d / float64(len(sum.differences))
	}
	for _, d := range sum.differences {
		squares += (d - mean) * (d - mean) / float64(len(sum.differences)-1)
	}
	shift := math.Abs(mean) / math.Sqrt(squares)
	src := rand.New(rand.NewPCG(31, 7))
	var none, drop []float64
	for range 50_000 {
		chi := 0.0
		for range k - 1 {
			z := src.NormFloat64()
			chi += z * z
		}
		z, spread := src.NormFloat64(), math.Sqrt(chi/float64(k-1))
		none, drop = append(none, z/spread), append(drop, (z+shift)/spread)
	}
	slices.Sort(none)
	critical, over := none[len(none)*95/100], 0
	for _, t := range drop {
		if t > critical {
			over++
		}
	}
	return float64(over) / float64(len(drop))
}

// simulate checks pairs of runs of a world.
func (w world) simulate(pairs int, worse float64, seed uint64) (sum tallied) {
	src := rand.New(rand.NewPCG(seed, 7))
	for i := range pairs {
		w.examined(src, worse, Check{Level: 0.05, MaxFailures: 1}, seed+uint64(i), &sum)
	}
	return sum
}

func percent(n, of int) string { return fmt.Sprintf("%.1f", 100*float64(n)/float64(of)) }

// row is the world's row in docs/design/fail-if-worse.md.
func (w world) row(none, drop tallied) string {
	others, theory := "– | –", "–"
	if len(drop.differences) > 0 {
		others = percent(none.bootstrap, none.pairs) + " | " + percent(none.linearised, none.pairs)
		theory = fmt.Sprintf("%.0f", 100*drop.theory(w.k))
	}
	return fmt.Sprintf("| %s | %s | %s | %.0f | %s |", w.name, percent(none.found, none.pairs), others, 100*float64(drop.found)/float64(drop.pairs), theory)
}

// falseAlarms fails where a check has more false alarms than a level of 5 % explains: 3.3 standard errors, one
// chance in 2,000.
func falseAlarms(t *testing.T, name string, sum tallied) {
	t.Helper()
	n := float64(sum.pairs)
	if most := 0.05*n + 3.3*math.Sqrt(0.05*0.95*n); float64(sum.found) > most {
		t.Errorf("%s: %d false alarms in %d pairs, more than the %.0f that a level of 5 %% explains", name, sum.found, sum.pairs, most)
	}
}

// powerNearTheory fails where a check of one score finds fewer drops than theory says, less 10 points and two standard errors. It
// may find more: counts with outliers, such as WER's, are far from normal.
func powerNearTheory(t *testing.T, w world, sum tallied) {
	t.Helper()
	if len(sum.differences) == 0 {
		return
	}
	found, expected := float64(sum.found)/float64(sum.pairs), sum.theory(w.k)
	if found < expected-0.1-1/math.Sqrt(float64(sum.pairs)) {
		t.Errorf("%s: found %.2f of the drops, and theory says %.2f", w.name, found, expected)
	}
}

// TestFalseAlarmsAndPower is TestLongFalseAlarmsAndPower in small.
func TestFalseAlarmsAndPower(t *testing.T) {
	for _, i := range []int{0, 4, 6, 8} {
		w := worlds[i]
		falseAlarms(t, w.name, w.simulate(150, 0, 3))
		drop := w.simulate(100, w.worse, 4)
		powerNearTheory(t, w, drop)
		if drop.found < 20 {
			t.Errorf("%s: %d of 100 drops were found", w.name, drop.found)
		}
	}
}

// TestLongFalseAlarmsAndPower checks 1,000 pairs of runs without a difference and 1,000 with one in each world. With -v
// it prints the table of docs/design/fail-if-worse.md.
func TestLongFalseAlarmsAndPower(t *testing.T) {
	for _, w := range worlds {
		none, drop := w.simulate(1000, 0, 1000), w.simulate(1000, w.worse, 5000)
		t.Log(w.row(none, drop))
		falseAlarms(t, w.name, none)
		powerNearTheory(t, w, drop)
		if none.found < 5 {
			t.Errorf("%s: %d false alarms in 1,000 pairs: a test that never fails shows nothing", w.name, none.found)
		}
	}
}

// TestLongRunsThatDifferAndAreNotWorse has runs that cannot be exchanged, though neither is better: here the level is
// held approximately, 7.2 % at most as measured. The bound is that and 2.8 standard errors.
func TestLongRunsThatDifferAndAreNotWorse(t *testing.T) {
	for _, w := range []world{
		{"unlike, 12 clips, few much worse", 12, &metric.Cloze, []int{0}, unlikeWorld(12, 0.1, 0.04), 0},
		{"unlike, 100 clips, few much worse", 100, &metric.Cloze, []int{0}, unlikeWorld(100, 0.1, 0.04), 0},
		{"unlike, 12 clips, few much better", 12, &metric.Cloze, []int{0}, unlikeWorld(12, 0.1, -0.04), 0},
		{"unlike, 100 clips, few much better", 100, &metric.Cloze, []int{0}, unlikeWorld(100, 0.1, -0.04), 0},
	} {
		none := w.simulate(1000, 0, 1000)
		t.Logf("| %s | %s | %s | %s |", w.name, percent(none.found, none.pairs), percent(none.bootstrap, none.pairs), percent(none.linearised, none.pairs))
		if none.found > 95 {
			t.Errorf("%s: %d false alarms in 1,000 pairs", w.name, none.found)
		}
	}
}

// trueDrop is by how much the score of a worse run drops in the long run, from 10,000 pairs.
func (w world) trueDrop(score metric.Score) float64 {
	src := rand.New(rand.NewPCG(99, 1))
	sumA, sumB := make(metric.Counts, len(w.metric.Fields)), make(metric.Counts, len(w.metric.Fields))
	for range 10_000 {
		a, b := w.draw(src, w.worse)
		sumA.Add(a.Total())
		sumB.Add(b.Total())
	}
	va, _ := score.Value(sumA)
	vb, _ := score.Value(sumB)
	return math.Abs(va - vb)
}

// TestLongMarginFalseAlarms: a true drop of exactly the margin fails in 5 of 100 pairs at most.
func TestLongMarginFalseAlarms(t *testing.T) {
	for _, i := range []int{1, 3, 7} {
		w := worlds[i]
		score := w.metric.Scores[w.scores[0]]
		check := Check{Level: 0.05, Margin: 100 * w.trueDrop(score), MaxFailures: 1}
		var at, beyond tallied
		src := rand.New(rand.NewPCG(17, 7))
		for k := range 1000 {
			w.examined(src, w.worse, check, uint64(k), &at)
			w.examined(src, 2*w.worse, check, uint64(k), &beyond)
		}
		t.Logf("| %s, margin %.1f | %s | %.0f |", w.name, check.Margin, percent(at.found, at.pairs), 100*float64(beyond.found)/float64(beyond.pairs))
		falseAlarms(t, w.name, at)
		if beyond.found < 300 {
			t.Errorf("%s: %d of 1,000 drops of twice the margin were found", w.name, beyond.found)
		}
	}
}
