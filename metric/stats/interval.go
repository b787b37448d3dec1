// Package stats puts intervals on scores.
//
// It sees numbers only: successes out of trials, or a matrix of counts with one
// row per cluster. What the numbers count, how they were obtained and how a
// score is defined are the caller's business; a score reaches this package as a
// [Statistic], a function of summed counts.
//
// Items that share a source (questions on one image, say) tend to be right or
// wrong together, so treating them as independent makes intervals too narrow.
// [Bootstrap], linearised and [Clustered] therefore take whole clusters as the
// sampling unit; [Wilson] is for independent trials.
//
// Two systems on the same clusters are compared by [Paired] and [PermutationTest], which
// swaps whole clusters, and by [McNemar] where questions are independent; [Holm] corrects
// p-values that are read together, and [ClustersToShow] says how many clusters would
// show a difference. Lists of numbers are compared by [Pearson], [Spearman] and
// [Kendall]; raters by [Kappa], [Fleiss], [Alpha], [Gwet] and [ICC]; systems that met in
// battles are rated by [Elo], [bradleyTerry] and [RankBattles].
//
// What cannot be estimated is reported as not available, with the reason, never as a
// degenerate number.
package stats

import (
	"encoding/json"
	"math"
)

// DefaultLevel is the confidence level used where [Options] leaves it zero.
const DefaultLevel = 0.95

// Interval is a two-sided confidence interval in the units of the score.
//
// When Known is false there is no interval: Low and High are NaN in every value
// this package returns, Method holds "not available: " and the reason, and the
// JSON form is null. The zero Interval is not known either.
type Interval struct {
	Known  bool
	Low    float64
	High   float64
	Level  float64 // nominal coverage, between 0 and 1
	Method string  // how the interval was made, or why it could not be
}

// MarshalJSON writes {"low":..,"high":..,"level":..,"method":".."}, or null for
// an interval that is not known. It is for output only: the form does not carry
// Known, so decoding it into an Interval gives one that is not known.
func (iv Interval) MarshalJSON() ([]byte, error) {
	if !iv.Known {
		return []byte("null"), nil
	}
	return json.Marshal(struct {
		Low    float64 `json:"low"`
		High   float64 `json:"high"`
		Level  float64 `json:"level"`
		Method string  `json:"method"`
	}{iv.Low, iv.High, iv.Level, iv.Method})
}

// known returns the interval [low, high], or an unavailable one if either end is
// not a finite number.
func known(low, high, level float64, method string) Interval {
	if !finite(low) || !finite(high) {
		return unavailable(level, "not a finite number")
	}
	return Interval{Known: true, Low: low, High: high, Level: level, Method: method}
}

// unavailable returns an interval without numbers. NaN ends make sure that
// arithmetic which forgets to look at Known does not come out plausible.
func unavailable(level float64, reason string) Interval {
	return Interval{
		Low:    math.NaN(),
		High:   math.NaN(),
		Level:  level,
		Method: "not available: " + reason,
	}
}

func finite(x float64) bool {
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}

// validLevel reports whether level is strictly between 0 and 1; NaN is not.
func validLevel(level float64) bool {
	return level > 0 && level < 1
}
