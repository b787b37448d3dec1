package people_test

import (
	"slices"
	"testing"
	"time"

	"omniscope/metric/stats"
	"omniscope/people"
)

// TestFigureRow judges things of two clips: too few, the same in both clips, different, and without a value.
func TestFigureRow(t *testing.T) {
	for name, c := range map[string]struct {
		things   int
		first    []float64 // sums of each thing of the first clip
		second   []float64
		expected []string
	}{
		"too few":             {4, []float64{1, 1}, []float64{1, 1}, []string{"what", "not known", "", "8 answers; at least 10 are needed"}},
		"the same everywhere": {5, []float64{1, 2}, []float64{1, 2}, []string{"what", "0.500", "", "10 answers"}},
		"nothing to share":    {5, []float64{0, 0}, []float64{0, 0}, []string{"what", "not known", "", "10 answers"}},
	} {
		f := people.NewFigure(2)
		for range c.things {
			f.Add("one", 1, c.first...)
			f.Add("two", 1, c.second...)
		}
		got := f.Row("what", people.Share, "answers", 0)
		if f.Rows.Len() != 2 {
			t.Errorf("%s: %d rows of two clips", name, f.Rows.Len())
		}
		if got[0] != c.expected[0] || got[1] != c.expected[1] || got[3] != c.expected[3] || c.expected[1] == "not known" && got[2] != "" {
			t.Errorf("%s: %q, want %q", name, got, c.expected)
		}
	}
}

func TestPairWithoutAnAnswerIsNotAdded(t *testing.T) {
	f := people.NewFigure(4)
	for _, pair := range [][2]int{{0, 0}, {1, 0}, {-1, 0}, {1, -1}} {
		f.Pair("clip", 2, pair[0], pair[1])
	}
	if f.N != 2 || !slices.Equal(f.Rows.Total(), []float64{1, 0, 1, 0}) {
		t.Errorf("%d things, %v", f.N, f.Rows.Total())
	}
}

func TestPrintedLeavesOutUnknownValues(t *testing.T) {
	known := stats.Interval{Known: true, Low: 0.25, High: 0.75}
	for _, c := range []struct {
		known         bool
		interval      stats.Interval
		text, between string
	}{{true, known, "0.50", "0.25 to 0.75"}, {true, stats.Interval{}, "0.50", ""}, {false, known, "", ""}} {
		if text, between := people.Printed("%.2f", 0.5, c.known, c.interval); text != c.text || between != c.between {
			t.Errorf("%q %q, want %q %q", text, between, c.text, c.between)
		}
	}
}

func TestSamePairsAndMiddleTime(t *testing.T) {
	if same, all := people.SamePairs([]int{1, 2, 1, 1}); same != 3 || all != 6 {
		t.Errorf("%v of %v pairs", same, all)
	}
	times := []time.Duration{9 * time.Second, time.Second, 4 * time.Second, 5400 * time.Millisecond}
	if got := people.MiddleTime(times); got != "5s" || times[0] != 9*time.Second {
		t.Errorf("%s of %v", got, times)
	}
}
