package report

import (
	"fmt"

	"omniscope/metric/stats"
)

// Share is the share of all rows' second sums in their first, in percent, and its 95% interval by resampling the rows, as the cells
// of a table; "" = it is not known.
func Share(sums stats.Clusters) (share, interval string) {
	ratio := func(sum []float64) (float64, bool) { return sum[1] / sum[0], sum[0] > 0 }
	value, ok := ratio(sums.Total())
	if !ok {
		return "", ""
	}
	share = fmt.Sprintf("%.1f %%", 100*value)
	if i := stats.Scores(sums, []stats.Statistic{ratio}, []bool{true}, stats.Options{})[0]; i.Known {
		interval = fmt.Sprintf("%.1f to %.1f %%", 100*i.Low, 100*i.High)
	}
	return share, interval
}
