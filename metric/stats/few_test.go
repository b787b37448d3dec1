package stats

import (
	"strings"
	"testing"
)

// Right answers and questions of 12 clips, by two systems.
var (
	first  = Clusters{Width: 2, Rows: []float64{9, 10, 4, 5, 2, 8, 7, 7, 1, 6, 5, 9, 6, 6, 3, 4, 5, 10, 2, 4, 3, 9, 8, 12}}
	second = Clusters{Width: 2, Rows: []float64{10, 10, 4, 5, 3, 8, 7, 7, 2, 6, 7, 9, 6, 6, 4, 4, 6, 10, 2, 4, 5, 9, 8, 12}}
)

func clipsOf(c Clusters, n int) Clusters { return Clusters{Width: c.Width, Rows: c.Rows[:n*c.Width]} }

// TestIntervalsOfFewClips compares with numbers that a program in Python computed from the formulas.
func TestIntervalsOfFewClips(t *testing.T) {
	accuracy := []Statistic{ratio(0, 1)}
	for _, c := range []struct {
		name      string
		iv        Interval
		low, high float64
		method    string
	}{
		{"share, 8 clips", Scores(clipsOf(first, 8), accuracy, []bool{true}, Options{})[0], 0.3814924518857318, 0.8726183554063544, "Wilson with design effect, Student t"},
		{"share, 12 clips", Scores(first, accuracy, []bool{true}, Options{})[0], 0.4338184133729893, 0.7631918378508923, "Wilson with design effect, Student t"},
		{"no share", Scores(first, accuracy, nil, Options{})[0], 0.4367169884350165, 0.7855052337872058, "cluster jackknife, Student t"},
		{"difference", Paired(first, second, accuracy, Options{})[0], 0.03815866812258356, 0.1618413318774164, "paired cluster jackknife, Student t"},
	} {
		near(t, c.name+", low", c.iv.Low, c.low, 1e-9)
		near(t, c.name+", high", c.iv.High, c.high, 1e-9)
		if c.iv.Method != c.method {
			t.Errorf("%s: method %q, want %q", c.name, c.iv.Method, c.method)
		}
	}
}

// TestTooFewClips: too few clips or errors give no interval but a reason.
func TestTooFewClips(t *testing.T) {
	accuracy := []Statistic{ratio(0, 1)}
	rare := Clusters{Width: 2}
	for i := range 30 {
		wrong := 0.0
		if i < 3 {
			wrong = 1
		}
		rare.Rows = append(rare.Rows, 4-wrong, 4)
	}
	right := Clusters{Width: 2, Rows: []float64{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}}
	for _, c := range []struct {
		name string
		iv   Interval
		why  string
	}{
		{"5 clips", Scores(clipsOf(first, 5), accuracy, []bool{true}, Options{})[0], reasonFew},
		{"5 clips, no share", Scores(clipsOf(first, 5), accuracy, nil, Options{})[0], reasonFew},
		{"3 errors in 30 clips", Scores(rare, accuracy, []bool{true}, Options{})[0], reasonFew},
		{"all right", Scores(right, accuracy, []bool{true}, Options{})[0], reasonNoVariation},
		{"sides that differ in 5 clips", Paired(clipsOf(first, 8), clipsOf(second, 8), accuracy, Options{})[0], reasonFew},
	} {
		if c.iv.Known || !strings.HasSuffix(c.iv.Method, c.why) {
			t.Errorf("%s: %+v, want %q", c.name, c.iv, c.why)
		}
	}
	if iv := Paired(clipsOf(first, 8), clipsOf(first, 8), accuracy, Options{})[0]; !iv.Known || iv.Low != 0 || iv.High != 0 {
		t.Errorf("equal sides: %+v, want [0, 0]", iv)
	}
}

// TestManyClipsAreResampled: intervals of more than 50 clips equal Clustered's.
func TestManyClipsAreResampled(t *testing.T) {
	many := Clusters{Width: 2}
	for range 5 {
		many.Rows = append(many.Rows, first.Rows...)
	}
	stat := []Statistic{ratio(0, 1)}
	got, want := Scores(many, stat, []bool{true}, Options{Seed: 3})[0], Clustered(many, stat, Options{Seed: 3})[0]
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
