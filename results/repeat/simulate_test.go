package repeat

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"omniscope"
	"omniscope/metric"
	"omniscope/metric/stats"
	"omniscope/results/compare"
)

// drawn are four repetitions of two questions about each of k clips. The questions of a clip are right with a chance of 0.95 or 0.15, each
// for half of the clips: the true accuracy is 0.55. single has right answers and answers of each repetition of a clip, as if it were a clip
// of its own.
func drawn(src *rand.Rand, k int) (t *table, single stats.Clusters) {
	single.Width = 2
	var units [][]compare.Unit
	for clip := range k {
		p := 0.15
		if src.IntN(2) == 0 {
			p = 0.95
		}
		rows := make([]float64, 4*2)
		for question := range 2 {
			unit := make([]compare.Unit, 4)
			for r := range unit {
				v := omniscope.Wrong
				if src.Float64() < p {
					v = omniscope.Correct
					rows[2*r]++
				}
				rows[2*r+1]++
				unit[r] = compare.Unit{Name: fmt.Sprintf("s%03d.%d", clip, question), Cluster: fmt.Sprintf("k%03d", clip), Outcome: omniscope.OK, Counts: make(metric.Counts, len(metric.Choice.Fields))}
				metric.CountChoice(unit[r].Counts, v, false)
			}
			units = append(units, unit)
		}
		single.Rows = append(single.Rows, rows...)
	}
	return newTable(units), single
}

// TestIntervalsCoverTheTruth simulates runs of few clips, which have their intervals from Student's t, and of more, which have them
// from resamples. Repetitions that count as samples of their own have intervals that are too narrow.
func TestIntervalsCoverTheTruth(t *testing.T) {
	const truth = 0.55
	accuracy := metric.Choice
	accuracy.Scores = accuracy.Scores[:1]
	share := func(sum []float64) (float64, bool) { return sum[0] / sum[1], true }
	for _, c := range []struct {
		clips, runs int
		least, most float64
	}{
		{40, 500, 0.92, 0.98}, // a coverage of 0.95 has a standard error of 0.01
		{60, 100, 0.9, 0.99},  // 0.02
	} {
		src := rand.New(rand.NewPCG(1, uint64(c.clips)))
		var covered, coveredAlone float64
		for range c.runs {
			table, single := drawn(src, c.clips)
			mean := table.spreads(&accuracy, 0)[0].Mean
			if mean.Interval == nil {
				t.Fatalf("no interval: %s", mean.NoInterval)
			}
			if mean.Interval.Low <= truth && truth <= mean.Interval.High {
				covered++
			}
			linearised := stats.Options{MaxBootstrapClusters: 1} // resamples give the same and take longer
			if iv := stats.Clustered(single, []stats.Statistic{share}, linearised)[0]; iv.Low <= truth && truth <= iv.High {
				coveredAlone++
			}
		}
		covered, coveredAlone = covered/float64(c.runs), coveredAlone/float64(c.runs)
		t.Logf("%d clips: coverage %.3f, with repetitions as samples of their own %.3f", c.clips, covered, coveredAlone)
		if covered < c.least || covered > c.most {
			t.Errorf("%d clips: coverage %.3f, want %g to %g", c.clips, covered, c.least, c.most)
		}
		if coveredAlone > 0.8 {
			t.Errorf("%d clips: with repetitions as samples of their own the coverage is %.3f", c.clips, coveredAlone)
		}
	}
}
