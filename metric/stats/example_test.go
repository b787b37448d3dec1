package stats_test

import (
	"encoding/json"
	"fmt"

	"omniscope/metric/stats"
)

func ExampleWilson() {
	iv := stats.Wilson(81, 263, 0.95)
	fmt.Printf("%.4f to %.4f, %s\n", iv.Low, iv.High, iv.Method)
	// Output: 0.2553 to 0.3662, Wilson score
}

// Accuracy over eight sources with several items each.
func ExampleClustered() {
	c := stats.Clusters{
		Width: 2, // correct, total
		Rows:  []float64{9, 10, 4, 5, 2, 8, 7, 7, 1, 6, 5, 9, 6, 6, 3, 4},
	}
	accuracy := func(sum []float64) (float64, bool) {
		return sum[0] / sum[1], sum[1] > 0
	}
	score, _ := accuracy(c.Total())
	iv := stats.Clustered(c, []stats.Statistic{accuracy}, stats.Options{Seed: 1})[0]
	fmt.Printf("%.2f, %.2f to %.2f, %s\n", score, iv.Low, iv.High, iv.Method)

	one := stats.Clusters{Width: 2, Rows: c.Rows[:2]}
	iv = stats.Clustered(one, []stats.Statistic{accuracy}, stats.Options{})[0]
	text, _ := json.Marshal(iv)
	fmt.Printf("%s, %s\n", text, iv.Method)
	// Output:
	// 0.67, 0.46 to 0.88, cluster bootstrap percentile
	// null, not available: fewer than 2 clusters
}
