// Command coverage simulates runs of few clips and prints how often their 95 % intervals hold the truth:
// the tables of docs/design/intervals.md. Answers of one clip are right with a probability that is drawn for each
// clip, so that they go together (beta-binomial; intra-cluster correlation icc).
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"omniscope/metric/stats"
)

func main() {
	runs := flag.Int("runs", 10_000, "simulated runs of each cell")
	resampled := flag.Int("resampled", 1_000, "runs of the methods that resample")
	questions := flag.Int("questions", 4, "questions of each clip")
	flag.Parse()
	cells := cellsOf(*questions)
	rows := make([]string, len(cells))
	var wait sync.WaitGroup
	turn := make(chan bool, runtime.NumCPU())
	for i, c := range cells {
		wait.Add(1)
		turn <- true
		go func() {
			defer func() { <-turn; wait.Done() }()
			rows[i] = c.simulate(rand.New(rand.NewPCG(uint64(i), 39)), *runs, *resampled)
		}()
	}
	wait.Wait()
	fmt.Println("| what | clips | accuracy | icc | difference | chosen | width | given | percentiles | BCa | bootstrap-t |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|")
	for _, row := range rows {
		fmt.Println(row)
	}
}

// A cell is one setting that is simulated.
type cell struct {
	clips, questions          int
	accuracy, icc, difference float64
	kind                      kind
}

type kind int

const (
	single kind = iota
	paired
	correlated
	rated
)

var kindNames = []string{"score", "difference", "correlation", "correlation by clips"}

func cellsOf(questions int) (cells []cell) {
	clips, accuracies, iccs := []int{7, 10, 13, 20, 30}, []float64{0.5, 0.7, 0.85, 0.95}, []float64{0, 0.1, 0.2, 0.5}
	for _, n := range clips {
		for _, a := range accuracies {
			for _, icc := range iccs {
				cells = append(cells, cell{n, questions, a, icc, 0, single})
			}
		}
	}
	for _, n := range clips {
		for _, a := range accuracies {
			for _, icc := range iccs {
				for _, d := range []float64{0, 0.1} {
					cells = append(cells, cell{n, questions, a, icc, d, paired})
				}
			}
		}
	}
	for _, n := range clips {
		for _, icc := range iccs {
			for _, r := range []float64{0, 0.5, 0.9} {
				cells = append(cells, cell{n, questions, 0.7, icc, r, correlated})
			}
		}
	}
	for _, n := range clips {
		for _, icc := range iccs {
			for _, spread := range []float64{0.3, 1} {
				cells = append(cells, cell{n, questions, 0, icc, spread, rated})
			}
		}
	}
	return cells
}

// A result counts the intervals of one method.
type result struct{ runs, given, holds, width float64 }

func (r *result) add(iv stats.Interval, truth float64) {
	r.runs++
	if !iv.Known {
		return
	}
	r.given++
	r.width += iv.High - iv.Low
	if iv.Low-1e-12 <= truth && truth <= iv.High+1e-12 {
		r.holds++
	}
}

func (r *result) coverage() string {
	if r.runs == 0 || r.given < 0.05*r.runs {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*r.holds/r.given)
}

func (c cell) simulate(r *rand.Rand, runs, resampled int) string {
	var chosen, percentiles, bca, studentised result
	var estimates []float64
	for run := range runs {
		a, b := c.draw(r)
		truth := c.accuracy
		var iv stats.Interval
		switch c.kind {
		case single:
			iv = stats.Scores(a, []stats.Statistic{share}, []bool{true}, stats.Options{})[0]
			v, _ := share(a.Total())
			estimates = append(estimates, v)
		case paired:
			truth = -c.difference
			iv = stats.Paired(a, b, []stats.Statistic{share}, stats.Options{})[0]
			v, _ := difference(joined(a, b).Total())
			estimates = append(estimates, v)
		case correlated:
			truth = c.difference
			p := correlation(a)
			iv = p.Interval(stats.DefaultLevel)
			estimates = append(estimates, p.R)
		case rated:
			truth, _ = ratedCorrelation(c.trueMeans())
			iv = stats.Correlated(a, ratedCorrelation, stats.Options{})
			v, _ := ratedCorrelation(a.Total())
			estimates = append(estimates, v)
		}
		chosen.add(iv, truth)
		if run < resampled && c.kind != correlated {
			rows, of := a, stats.Statistic(share)
			switch c.kind {
			case paired:
				rows, of = joined(a, b), difference
			case rated:
				of = ratedCorrelation
			}
			s := resample(r, rows, of)
			percentiles.add(s.percentiles(), truth)
			bca.add(s.bca(), truth)
			studentised.add(s.studentised(), truth)
		}
	}
	slices.Sort(estimates)
	span := quantile(estimates, 0.975) - quantile(estimates, 0.025)
	width := "–"
	if chosen.given >= 0.05*chosen.runs {
		width = fmt.Sprintf("%.2f", chosen.width/chosen.given/span)
	}
	return fmt.Sprintf("| %s | %d | %.2f | %.1f | %.1f | %s | %s | %.0f %% | %s | %s | %s |", kindNames[c.kind], c.clips, c.accuracy, c.icc, c.difference,
		chosen.coverage(), width, 100*chosen.given/chosen.runs, percentiles.coverage(), bca.coverage(), studentised.coverage())
}

// draw draws right answers and questions by clip: of two systems if paired, with half of the answers equal for a common
// cause; two scores of each clip if correlated.
func (c cell) draw(r *rand.Rand) (a, b stats.Clusters) {
	a.Width, b.Width = 2, 2
	if c.kind == rated {
		return c.ratings(r), b
	}
	for range c.clips {
		if c.kind == correlated {
			x := r.NormFloat64()
			y := c.difference*x + math.Sqrt(1-c.difference*c.difference)*r.NormFloat64()
			a.Rows = append(a.Rows, x, y)
			continue
		}
		p, q := beta(r, c.accuracy, c.icc), beta(r, c.accuracy-2*c.difference, c.icc)
		x, y := 0.0, 0.0
		for range c.questions {
			first := r.Float64() < p
			second := first
			if r.Float64() < 0.5 {
				second = r.Float64() < q
			}
			if first {
				x++
			}
			if second {
				y++
			}
		}
		a.Rows, b.Rows = append(a.Rows, x, float64(c.questions)), append(b.Rows, y, float64(c.questions))
	}
	return a, b
}

// systemScores are scores of six systems, and systemMeans how people rate them in the mean, in units of c.difference.
var (
	systemScores = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	systemMeans  = []float64{-0.8, -1, 0.1, -0.1, 0.8, 1}
)

// ratings draws ratings of each system for each clip: their sum and number. A share icc of their variance is the clip's.
func (c cell) ratings(r *rand.Rand) stats.Clusters {
	a := stats.Clusters{Width: 2 * len(systemMeans)}
	for range c.clips {
		clip := math.Sqrt(c.icc) * r.NormFloat64()
		for _, m := range systemMeans {
			sum := 0.0
			for range c.questions {
				sum += min(5, max(1, math.Round(3+c.difference*m+clip+math.Sqrt(1-c.icc)*r.NormFloat64())))
			}
			a.Rows = append(a.Rows, sum, float64(c.questions))
		}
	}
	return a
}

// trueMeans are the sums of very many ratings.
func (c cell) trueMeans() []float64 {
	if c.kind != rated {
		return nil
	}
	sums := make([]float64, 0, 2*len(systemMeans))
	for _, m := range systemMeans {
		sums = append(sums, expectedRating(c.difference*m), 1)
	}
	return sums
}

// expectedRating is the mean of ratings from 1 to 5 that are rounded from a normal distribution around 3 + shift, with
// variance 1.
func expectedRating(shift float64) (mean float64) {
	above := func(x float64) float64 { return 0.5 * math.Erfc((x-3-shift)/math.Sqrt2) }
	return 1 + above(1.5) + above(2.5) + above(3.5) + above(4.5)
}

// ratedCorrelation is the correlation of mean ratings with the systems' scores.
func ratedCorrelation(sum []float64) (float64, bool) {
	means := make([]float64, len(systemMeans))
	for i := range means {
		if sum[2*i+1] == 0 {
			return 0, false
		}
		means[i] = sum[2*i] / sum[2*i+1]
	}
	p := stats.Pearson(systemScores, means)
	return p.R, p.Known
}

func share(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }

func difference(sum []float64) (float64, bool) {
	return sum[2]/sum[3] - sum[0]/sum[1], sum[1] > 0 && sum[3] > 0
}

func joined(a, b stats.Clusters) stats.Clusters {
	c := stats.Clusters{Width: 4}
	for i := 0; i < len(a.Rows); i += 2 {
		c.Rows = append(c.Rows, a.Rows[i], a.Rows[i+1], b.Rows[i], b.Rows[i+1])
	}
	return c
}

func correlation(a stats.Clusters) stats.Correlation {
	var x, y []float64
	for i := 0; i < len(a.Rows); i += 2 {
		x, y = append(x, a.Rows[i]), append(y, a.Rows[i+1])
	}
	return stats.Pearson(x, y)
}

// beta draws a probability with a mean, so that two answers with it correlate by icc.
func beta(r *rand.Rand, mean, icc float64) float64 {
	if icc == 0 {
		return mean
	}
	a := (1 - icc) / icc
	x, y := gamma(r, mean*a), gamma(r, (1-mean)*a)
	if x+y == 0 {
		return math.Round(mean)
	}
	return x / (x + y)
}

// gamma draws from the gamma distribution with a shape and scale 1. Source: G. Marsaglia and W. W. Tsang, ACM
// Transactions on Mathematical Software 26 (2000), 363-372.
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := math.Pow(1+c*x, 3)
		if v > 0 && math.Log(r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
