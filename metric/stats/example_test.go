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

// Agreement of two raters on 100 captions: good, fair and bad.
func ExampleCohenKappa() {
	kappa, ok := stats.CohenKappa([][]int{
		{40, 5, 0}, // of the captions that the first rater calls good
		{4, 25, 3},
		{1, 2, 20},
	})
	fmt.Printf("%.3f %t\n", kappa, ok)
	// Output: 0.766 true
}

// Two systems on the same eight sources: intervals of the accuracies overlap, the interval
// of their difference is above zero.
func ExamplePairedBootstrap() {
	a := stats.Clusters{Width: 2, Rows: []float64{9, 10, 4, 5, 2, 8, 7, 7, 1, 6, 5, 9, 6, 6, 3, 4}}
	b := stats.Clusters{Width: 2, Rows: []float64{10, 10, 4, 5, 3, 8, 7, 7, 2, 6, 7, 9, 6, 6, 4, 4}}
	accuracy := func(sum []float64) (float64, bool) { return sum[0] / sum[1], sum[1] > 0 }
	iv := stats.PairedBootstrap(a, b, []stats.Statistic{accuracy}, stats.Options{Seed: 1})[0]
	fmt.Printf("%.3f to %.3f, %s\n", iv.Low, iv.High, iv.Method)
	// Output: 0.053 to 0.167, paired cluster bootstrap percentile
}

// Ten questions that only the first system answers, and two that only the second one does.
func ExampleMcNemar() {
	test := stats.McNemar(10, 2)
	fmt.Printf("P = %.4f, %s\n", test.P, test.Method)
	// Output: P = 0.0386, McNemar, exact binomial
}

// The error of an accuracy over five clips with several questions each.
func ExampleClusteredError() {
	c := stats.Clusters{
		Width: 2, // correct, total
		Rows:  []float64{3, 4, 1, 2, 4, 4, 2, 5, 0, 1},
	}
	se, ok := stats.ClusteredError(c, 0, 1)
	fmt.Printf("%.4f %t\n", se, ok)
	// Output: 0.1284 true
}

// Three raters give four captions 1 to 5; the scale decides how far apart two ratings are.
func ExampleAlpha() {
	values := []float64{1, 2, 3, 4, 5}
	rows := make([]float64, len(values)*len(values))
	for _, ratings := range [][]int{{4, 4, 3}, {1, 1, 1}, {2, 3, 2}, {0, 1, 0}} { // indices into values
		for i, n := range stats.AlphaRow(len(values), ratings) {
			rows[i] += n
		}
	}
	for _, scale := range []stats.Scale{stats.Nominal, stats.Ordinal, stats.IntervalData} {
		alpha, _ := stats.Alpha(values, scale)(rows)
		fmt.Printf("%.3f\n", alpha)
	}
	// Output:
	// 0.411
	// 0.885
	// 0.873
}

// Two systems in six battles, with ties as an outcome of their own and as half wins.
func ExampleRankBattles() {
	battles := []stats.Battle{{0, 1, stats.WonByA}, {0, 1, stats.WonByA}, {0, 1, stats.Tied}, {1, 0, stats.WonByA}, {1, 0, stats.Tied}, {0, 1, stats.WonByA}}
	for _, ties := range []stats.Ties{stats.Davidson, stats.HalfWins} {
		ranked, _, err := stats.RankBattles(2, battles, nil, ties, stats.Options{Seed: 1})
		if err != nil {
			panic(err)
		}
		for _, r := range ranked {
			fmt.Printf("rating %.0f, rank %d of %d to %d\n", r.Rating, r.Rank, r.BestRank, r.LastRank)
		}
	}
	// Output:
	// rating 1095, rank 1 of 1 to 2
	// rating 905, rank 2 of 1 to 2
	// rating 1060, rank 1 of 1 to 2
	// rating 940, rank 2 of 1 to 2
}
