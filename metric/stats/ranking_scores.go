package stats

import (
	"errors"
	"math"
	"math/rand/v2"
)

// errNotRanked says why scores have no ranks.
var errNotRanked = errors.New("sides do not have the same clusters, or a score is undefined")

// RankScores ranks systems by a statistic: one side of counts each, with a row for each
// of the same clusters in the same order, and besides fixed values, such as published
// ones of which nothing else is known. Sides come first in the result, then the fixed.
// The largest is the first, or the smallest if lower is better.
//
// Each resample draws the same clusters for all sides and ranks anew, as RankBattles
// does; fixed values stay as they are, so that their ranks vary by those of the sides
// alone. Resamples in which a side's statistic is undefined are left out. A cluster that a
// side lacks is a row of zeros there.
func RankScores(sides []Clusters, stat Statistic, fixed []float64, lower bool, opts Options) ([]rankedItem, error) {
	opts = opts.withDefaults()
	sign := 1.
	if lower {
		sign = -1
	}
	values := make([]float64, len(sides)+len(fixed))
	for i, v := range fixed {
		values[len(sides)+i] = sign * v
	}
	sums := make([][]float64, len(sides))
	columns := make([][][]float64, len(sides))
	for i, side := range sides {
		if side.Width < 1 || side.Len() != sides[0].Len() || side.Width != sides[0].Width {
			return nil, errNotRanked
		}
		sums[i], columns[i] = side.Total(), side.columns()
	}
	evaluate := func() ([]float64, bool) {
		at := make([]float64, len(values))
		copy(at, values)
		for i, sum := range sums {
			v, ok := stat.at(sum)
			if !ok {
				return nil, false
			}
			at[i] = sign * v
		}
		return at, true
	}
	whole, ok := evaluate()
	if !ok {
		return nil, errNotRanked
	}
	all := ranked(whole, rescored(sides, sums, columns, opts, evaluate), opts)
	for i := range all {
		all[i].Rating *= sign
		if lower && all[i].Interval.Known {
			all[i].Interval.Low, all[i].Interval.High = -all[i].Interval.High, -all[i].Interval.Low
		}
		if len(sides) == 0 {
			all[i].BestRank, all[i].LastRank = all[i].Rank, all[i].Rank
		}
		if i >= len(sides) {
			all[i].Interval = Interval{Low: math.NaN(), High: math.NaN(), Level: opts.Level, Method: "not available: a fixed value"}
		}
	}
	return all, nil
}

// rescored are the values that evaluate finds in the resamples of the sides: sums are the sums of their columns that it reads.
func rescored(sides []Clusters, sums [][]float64, columns [][][]float64, opts Options, evaluate func() ([]float64, bool)) (rounds [][]float64) {
	if len(sides) == 0 || sides[0].Len() < 2 {
		return nil
	}
	times := make([]float64, sides[0].Len())
	src := rand.NewPCG(opts.Seed, opts.Seed^0x9e3779b97f4a7c15)
	for range opts.Resamples {
		drawTimes(src, times)
		for i := range sides {
			for j, column := range columns[i] {
				sums[i][j] = dot(times, column)
			}
		}
		if round, ok := evaluate(); ok {
			rounds = append(rounds, round)
		}
	}
	return rounds
}
