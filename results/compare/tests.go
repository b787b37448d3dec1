package compare

import (
	"fmt"
	"math"
	"strconv"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/stats"
)

// A difference counts as shown when its corrected p is below alpha. What could have
// been shown is said for this power.
const (
	alpha = 0.05
	power = 0.8
	swaps = 10_000 // of sides, for a p-value
)

// tested is the test of one score's difference between two runs.
type tested struct {
	stats.Test
	pair       *pair
	score      metric.Score
	difference float64 // run less base
	interval   stats.Interval
	base, run  float64 // values over the shared units
	clusters   int     // that contribute to the score
	constant   bool    // no exchange of sides changes the score
	se         float64 // of the difference
	seKnown    bool
}

// testsTable has the tests that are read together.
func testsTable(found []tested) omniscope.Table {
	out := omniscope.Table{Name: "tests", Title: "Is there a difference?", Numbers: []int{3, 4, 6, 7},
		Columns: []string{"base", "run", "score", "p", "p, corrected", "finding", "could be shown", "clusters for it"}}
	var made methods
	for _, test := range found {
		made.addMethod(test.Method)
	}
	corrected, counted := correct(found)
	for i, p := range corrected {
		out.Rows = append(out.Rows, found[i].cells(p))
	}
	out.Note = made.noteOf("test", fmt.Sprintf("p: chance of so large a difference if there is no true one; corrected (Holm) for the %d tests of this table%s, "+
		"and below %s where a difference is shown; could be shown: the smallest true difference that so many clusters show four times in five; "+
		"clusters for it: how many like these would show the difference found four times in five, if it is true", counted, thatVary(counted, len(found)), fixed(alpha, 2)))
	return out
}

// correct returns the p-values of tests, corrected by Holm for the counted tests. A test is not counted if no exchange of sides
// changes its score: its P is always 1.
func correct(tests []tested) (corrected []float64, counted int) {
	p := make([]float64, len(tests))
	for i, t := range tests {
		if p[i] = t.P; !t.constant {
			counted++
		} else {
			p[i] = math.NaN()
		}
	}
	corrected = stats.Holm(p)
	for i, t := range tests {
		if t.constant {
			corrected[i] = t.P
		}
	}
	return corrected, counted
}

func (t *tested) cells(corrected float64) []string {
	row := []string{t.pair.base.label, t.pair.run.label, Heading(t.score), chance(t.P), chance(corrected), t.finding(corrected), notAvailable, notAvailable}
	if t.seKnown {
		factor, digits := scale(t.score, true)
		row[6] = fixed(stats.DetectableEffect(t.se, 1-alpha, power)*factor, digits)
		if n, ok := stats.ClustersToShow(t.difference, t.se, t.clusters, 1-alpha, power); ok {
			row[7] = quantity.Grouped(n)
		}
	}
	return row
}

// finding names the better side, where there is one.
func (t *tested) finding(corrected float64) string {
	switch {
	case !t.Known:
		return notAvailable
	case corrected >= alpha:
		return "no difference shown"
	case t.difference > 0 == t.score.Lower:
		return t.pair.base.label + " is better"
	}
	return t.pair.run.label + " is better"
}

// chance writes a p-value.
func chance(p float64) string {
	switch {
	case math.IsNaN(p):
		return notAvailable
	case p < 0.001:
		return strconv.FormatFloat(p, 'g', 1, 64)
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}
