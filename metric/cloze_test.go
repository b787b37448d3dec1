package metric_test

import (
	"math"
	"testing"

	"omniscope"
	"omniscope/metric"
)

// counted counts verdicts, and forced ones that are "not given".
func counted(correct, notGiven, wrong, unjudged, forced int) metric.Counts {
	c := make(metric.Counts, len(metric.Cloze.Fields))
	for v, n := range map[omniscope.Verdict]int{omniscope.Correct: correct, omniscope.NotGiven: notGiven, omniscope.Wrong: wrong, omniscope.Unjudged: unjudged} {
		for range n {
			metric.CountCloze(c, v, false)
		}
	}
	for range forced {
		metric.CountCloze(c, omniscope.NotGiven, true)
	}
	return c
}

func clozeScore(t *testing.T, name string) metric.Score {
	t.Helper()
	for _, s := range metric.Cloze.Scores {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no score %s", name)
	return metric.Score{}
}

func TestClozeScores(t *testing.T) {
	c := counted(4, 3, 1, 2, 0)
	for name, want := range map[string]float64{"accuracy": 4. / 8, "not_given": 3. / 8, "hallucination": 1. / 8, "score": 3. / 8} {
		s := clozeScore(t, name)
		if got, ok := s.Value(c); !ok || got != want {
			t.Errorf("%s is %v, %v, want %v", name, got, ok, want)
		}
		if s.N(c) != 8 || s.Unscored(c) != 2 {
			t.Errorf("%s: %d scored, %d not", name, s.N(c), s.Unscored(c))
		}
	}
	if len(metric.Cloze.Scores) != 4 {
		t.Errorf("%d scores", len(metric.Cloze.Scores))
	}
}

// Forced blanks score as "not given", and are known for what they are.
func TestForcedBlanks(t *testing.T) {
	c := counted(2, 1, 0, 0, 5)
	if got, ok := clozeScore(t, "accuracy").Value(c); !ok || got != 2./8 {
		t.Errorf("accuracy %v, %v", got, ok)
	}
	if got, ok := clozeScore(t, "not_given").Value(c); !ok || got != 6./8 {
		t.Errorf("not given %v, %v", got, ok)
	}
	if n := clozeScore(t, "accuracy").Unscored(c); n != 5 {
		t.Errorf("%d unscored", n)
	}
}

func TestNoScoreWithoutJudgements(t *testing.T) {
	for _, s := range metric.Cloze.Scores {
		if _, ok := s.Value(counted(0, 0, 0, 3, 0)); ok {
			t.Errorf("%s has a value", s.Name)
		}
		if low, high, ok := s.Bounds(counted(0, 0, 0, 3, 0)); !ok || high != 1 || low > 0 {
			t.Errorf("%s is bounded by %v and %v, %v", s.Name, low, high, ok)
		}
		if _, _, ok := s.Bounds(counted(0, 0, 0, 0, 0)); ok {
			t.Errorf("%s of nothing is bounded", s.Name)
		}
	}
}

func TestOtherVerdictsUnjudged(t *testing.T) {
	c := make(metric.Counts, len(metric.Cloze.Fields))
	metric.CountCloze(c, omniscope.Partial, false)
	if c[metric.ClozeUnjudged] != 1 {
		t.Errorf("got %v", c)
	}
}

// The bounds are the lowest and the highest value over everything that the
// unknown blanks, unjudged and forced ones, could have been.
func TestBoundsMatchAllCompletions(t *testing.T) {
	const most = 3
	for correct := range most {
		for notGiven := range most {
			for wrong := range most {
				for unjudged := range most {
					for forced := range most {
						mustBound(t, correct, notGiven, wrong, unjudged, forced)
					}
				}
			}
		}
	}
}

func mustBound(t *testing.T, correct, notGiven, wrong, unjudged, forced int) {
	t.Helper()
	c, unknown := counted(correct, notGiven, wrong, unjudged, forced), unjudged+forced
	for _, s := range metric.Cloze.Scores {
		low, high := math.Inf(1), math.Inf(-1)
		for right := range unknown + 1 {
			for none := range unknown - right + 1 {
				v, ok := s.Value(counted(correct+right, notGiven+none, wrong+unknown-right-none, 0, 0))
				if ok {
					low, high = min(low, v), max(high, v)
				}
			}
		}
		gotLow, gotHigh, ok := s.Bounds(c)
		if ok != (low <= high) || ok && (math.Abs(gotLow-low) > 1e-12 || math.Abs(gotHigh-high) > 1e-12) {
			t.Errorf("%s of %v: bounds %v to %v, %v; want %v to %v", s.Name, c, gotLow, gotHigh, ok, low, high)
		}
	}
}

func TestCountsAdd(t *testing.T) {
	c := metric.Counts{1, 2.5}
	c.Add(metric.Counts{0.5, -2})
	if c[0] != 1.5 || c[1] != 0.5 {
		t.Errorf("got %v", c)
	}
}
