package stats

import (
	"math"
	"testing"
)

// The example of Shrout and Fleiss (1979), tables 2 and 4: six targets, four judges.
func TestICCOfShroutAndFleiss(t *testing.T) {
	c := Clusters{Width: 7}
	for _, target := range [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}} {
		c.Rows = append(c.Rows, ICCRow(target)...)
	}
	between, raters, rest, n, ok := meanSquares(4, c.Total())
	if !ok || n != 6 || math.Abs(between-11.24) > 0.005 || math.Abs(raters-32.49) > 0.005 || math.Abs(rest-1.02) > 0.005 {
		t.Errorf("mean squares %.2f, %.2f, %.2f of %v; published 11.24, 32.49, 1.02", between, raters, rest, n)
	}
	for _, one := range []struct {
		name string
		stat Statistic
		want float64
	}{{"ICC(2,1)", ICC(4), 0.29}, {"ICC(2,4)", ICCMean(4), 0.62}} {
		if got, ok := one.stat.at(c.Total()); !ok || math.Abs(got-one.want) > 0.005 {
			t.Errorf("%s is %.3f, published %.2f", one.name, got, one.want)
		}
	}
	if iv := Bootstrap(c, []Statistic{ICCMean(4)}, Options{})[0]; !iv.Known || iv.Low >= 0.62 || iv.High <= 0.62 {
		t.Errorf("interval %+v", iv)
	}
}

func TestICCUndefined(t *testing.T) {
	for name, rows := range map[string][][]float64{
		"no target":       {},
		"one target":      {{1, 2, 3}},
		"all values same": {{4, 4, 4}, {4, 4, 4}},
	} {
		c := Clusters{Width: 6}
		for _, r := range rows {
			c.Rows = append(c.Rows, ICCRow(r)...)
		}
		if v, ok := ICC(3).at(c.Total()); ok {
			t.Errorf("%s: %v", name, v)
		}
	}
	perfect := Clusters{Width: 6, Rows: append(ICCRow([]float64{1, 1, 1}), ICCRow([]float64{5, 5, 5})...)}
	if v, ok := ICC(3).at(perfect.Total()); !ok || v != 1 {
		t.Errorf("raters who agree: %v", v)
	}
}
