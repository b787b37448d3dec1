package compare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// checked compares two made runs and says what the check found.
func checked(t *testing.T, check Check, runs ...made) *Comparison {
	t.Helper()
	return mustCompare(t, Options{Check: &check}, runs...)
}

// usual is a check of one score.
var usual = Check{Scores: []string{"accuracy"}, Level: 0.05, MaxFailures: 0.05}

// clips are n clips, each a cluster, with the same letters.
func clips(system string, n int, letters string) made {
	m := made{system: system, judge: "openai/big", signature: plain}
	for i := range n {
		m.lines = append(m.lines, fmt.Sprintf("u%02d k%02d %s", i, i, letters))
	}
	return m
}

func finding(c *Comparison, score string) string {
	for _, row := range c.table("worse").Rows {
		if strings.TrimSuffix(row[0], " ↓") == score {
			return row[len(row)-1]
		}
	}
	return ""
}

// TestErrorIsOneLine: a system whose name has a line end writes no line of its own into the log of a build.
func TestErrorIsOneLine(t *testing.T) {
	good, bad := clips("good", 10, "cccc"), clips("bad\n::error::x", 10, "ccnw")
	if err := checked(t, usual, good, bad).Checked.Err(); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

func TestClearDropIsWorse(t *testing.T) {
	good, bad := clips("good", 10, "cccc"), clips("bad", 10, "ccnw")
	c := checked(t, Check{Level: 0.05, MaxFailures: 0.05}, good, bad)
	if err := c.Checked.Err(); !errors.Is(err, ErrWorse) || len(c.Checked.Worse) != 4 {
		t.Fatalf("got %v", err)
	}
	wantError := "accuracy is worse: good 100.00, bad 50.00 (p 0.001, corrected 0.004, level 0.05)"
	if got := c.Checked.Worse[0]; got != wantError {
		t.Errorf("got %q, want %q", got, wantError)
	}
	// Where lower is better, a rise is a drop; a gain is none.
	for _, score := range []string{"accuracy", "not given", "hallucination", "score"} {
		if got := finding(c, score); got != "worse" {
			t.Errorf("%s: %s", score, got)
		}
	}
	if c = checked(t, Check{Level: 0.05, MaxFailures: 0.05}, bad, good); c.Checked.Err() != nil {
		t.Errorf("a gain fails: %v", c.Checked.Err())
	}
}

// TestSameSystemNeverFails: whatever the margin and the number of clips, a run is not worse than itself.
func TestSameSystemNeverFails(t *testing.T) {
	for _, n := range []int{1, 2, 7, 30} {
		for _, margin := range []float64{0, 1} {
			run := clips("one", n, "ccnw")
			if c := checked(t, Check{Level: 0.4, Margin: margin, MaxFailures: 0}, run, run); c.Checked.Err() != nil {
				t.Errorf("%d clips, margin %g: %v", n, margin, c.Checked.Err())
			}
		}
	}
}

// TestMarginOfCheck: a drop of 25 points is found, and is within a margin of 25 or more. With less, all
// clips lie beyond the margin in the same direction.
func TestMarginOfCheck(t *testing.T) {
	for margin, worse := range map[float64]bool{0: true, 1: true, 24: true, 25: false, 40: false} {
		check := usual
		check.Margin = margin
		c := checked(t, check, clips("a", 8, "cccc"), clips("b", 8, "cccw"))
		if got := errors.Is(c.Checked.Err(), ErrWorse); got != worse {
			t.Errorf("margin %g: worse is %t", margin, got)
		}
	}
}

func TestTooFewClustersAreNamed(t *testing.T) {
	c := checked(t, usual, clips("a", 4, "cccc"), clips("b", 4, "wwww"))
	if c.Checked.Err() != nil || finding(c, "accuracy") != "no drop could be found" {
		t.Errorf("%v, %s", c.Checked.Err(), finding(c, "accuracy"))
	}
	want := "a drop of accuracy could not have been found, however large: 4 clusters, and at least 5 are needed at level 0.05; give more data, or allow a higher --level"
	if len(c.Warnings) != 1 || c.Warnings[0] != want {
		t.Errorf("got %q", c.Warnings)
	}
	// With the number that the message names it is found.
	if c = checked(t, usual, clips("a", 5, "cccc"), clips("b", 5, "wwww")); !errors.Is(c.Checked.Err(), ErrWorse) {
		t.Errorf("5 clusters: %v", c.Checked.Err())
	}
	// For three scores it takes a p of 0.0167: 1/32 is not enough, 1/64 is. The fourth, not given, is 0 in all clips.
	all := Check{Level: 0.05, MaxFailures: 0.05}
	if c = checked(t, all, clips("a", 5, "cccc"), clips("b", 5, "wwww")); len(c.Warnings) != 3 || c.Checked.Err() != nil ||
		!strings.Contains(c.Warnings[0], "5 clusters, and at least 6 are needed at level 0.05 for 3 scores; give more data, name fewer scores, or") {
		t.Errorf("5 clusters: warnings %q, %v", c.Warnings, c.Checked.Err())
	}
	if c = checked(t, all, clips("a", 6, "cccc"), clips("b", 6, "wwww")); len(c.Warnings) != 0 || !errors.Is(c.Checked.Err(), ErrWorse) {
		t.Errorf("6 clusters: warnings %q, %v", c.Warnings, c.Checked.Err())
	}
}

// TestScoresThatCannotVaryAreNotCounted: where one blank of some clips gets worse and nothing else varies, p is corrected for the scores
// that it changes, and not for the one that is 0 everywhere.
func TestScoresThatCannotVaryAreNotCounted(t *testing.T) {
	base, run := clips("a", 8, "cccc"), clips("b", 8, "cccc")
	for i := range 4 {
		run.lines[i] = strings.Replace(run.lines[i], "cccc", "cccw", 1)
	}
	c := checked(t, Check{Level: 0.05, MaxFailures: 0.05}, base, run)
	table := c.table("worse")
	for _, row := range table.Rows {
		want := []string{"0.062", "0.188"}
		if strings.HasPrefix(row[0], "not given") {
			want = []string{"1.000", "1.000"}
		}
		if !slices.Equal(row[4:6], want) {
			t.Errorf("%s: p %q, want %q", row[0], row[4:6], want)
		}
	}
	if !strings.Contains(table.Note, "the number of scores that can vary, 3,") {
		t.Errorf("note %q", table.Note)
	}
	if g := oneOfFour(t); g != 0.06 {
		t.Errorf("one score that varies of four: %v", g)
	}
}

// oneOfFour is the corrected p of the one of four tests that counts.
func oneOfFour(t *testing.T) float64 {
	t.Helper()
	tests := make([]tested, 4)
	for i := range tests {
		tests[i].P, tests[i].constant = 1, i > 0
	}
	tests[0].P = 0.06
	corrected, counted := correct(tests)
	if counted != 1 || corrected[1] != 1 {
		t.Errorf("%v, %d counted", corrected, counted)
	}
	return corrected[0]
}

// TestUnscoredIsNotHidden: a run that fails on the clips that are hard for it does not pass by that.
func TestUnscoredIsNotHidden(t *testing.T) {
	base, run := clips("base", 20, "cccc"), clips("run", 20, "cccc")
	run.lines[3] = "u03 k03 ????"
	check := usual
	check.MaxFailures = 0.05
	c := checked(t, check, base, run)
	if c.Checked.Err() != nil {
		t.Fatalf("1 of 20 clips is allowed: %v", c.Checked.Err())
	}
	want := "accuracy: 4 of 80 items that the base scored are unscored in run; the test is of what was scored; with all unscored items at their worst it would be 95.00"
	if len(c.Warnings) != 1 || c.Warnings[0] != want {
		t.Errorf("got %q", c.Warnings)
	}
	run.lines[4] = "u04 k04 ccc?"
	if err := checked(t, check, base, run).Checked.Err(); !errors.Is(err, ErrUnscored) || !strings.Contains(err.Error(), "run leaves 5 of 80 items that the base scored unscored") {
		t.Errorf("got %v", err)
	}
	// What the base could not score either counts for nothing, nor does what only the base left out.
	base.lines[3], base.lines[5] = "u03 k03 ????", "u05 k05 ????"
	if err := checked(t, check, base, run).Checked.Err(); err != nil {
		t.Errorf("got %v", err)
	}
}

// TestUnitsThatAreGone are those that only the base has.
func TestUnitsThatAreGone(t *testing.T) {
	base, run := clips("base", 20, "cccc"), clips("run", 18, "cccc")
	if err := checked(t, usual, base, run).Checked.Err(); !errors.Is(err, ErrUnscored) {
		t.Errorf("got %v", err)
	}
}

func TestWorseAndUnscored(t *testing.T) {
	base, run := clips("base", 20, "cccc"), clips("run", 16, "wwww")
	err := checked(t, usual, base, run).Checked.Err()
	if !errors.Is(err, ErrWorse) || !strings.Contains(err.Error(), "leaves 16 of 80") {
		t.Errorf("got %v", err)
	}
}

func TestOtherJudgeIsWarnedOf(t *testing.T) {
	base, run := clips("one", 8, "cccc"), clips("one", 8, "cccc")
	run.judge = "vllm/small"
	c := checked(t, usual, base, run)
	want := "the judge differs: openai/big (openai/big), vllm/small (vllm/small); a drop may come from that"
	if len(c.Warnings) != 1 || c.Warnings[0] != want {
		t.Errorf("got %q", c.Warnings)
	}
}

func TestRunWithoutScoreFails(t *testing.T) {
	c := checked(t, usual, clips("base", 6, "cccc"), clips("run", 6, "????"))
	if err := c.Checked.Err(); !errors.Is(err, ErrUnscored) || !strings.Contains(err.Error(), "accuracy: run has no score to compare") {
		t.Errorf("got %v", err)
	}
	_, err := compared(t, Options{Check: &usual}, clips("base", 6, "????"), clips("run", 6, "cccc"))
	fixture.WantError(t, err, omniscope.Invalid, "no score accuracy", "nothing to compare")
}

func TestInvalidChecks(t *testing.T) {
	a, b := clips("a", 6, "cc"), clips("b", 6, "cw")
	for words, check := range map[string]Check{
		"--level is":        {Level: 0.5},
		"--level is a":      {Level: 0},
		"--margin is":       {Level: 0.05, Margin: -1},
		"--max-failures is": {Level: 0.05, MaxFailures: 2},
		"accurasy":          {Level: 0.05, Scores: []string{"accurasy"}},
	} {
		_, err := compared(t, Options{Check: &check}, a, b)
		fixture.WantError(t, err, omniscope.Usage, words)
	}
	_, err := compared(t, Options{Check: &usual}, a, b, clips("c", 6, "cc"))
	fixture.WantError(t, err, omniscope.Usage, "two runs are checked")
}

// drawn is a run over 14 clips whose blanks are right with the chance of each clip, less a drop.
func drawn(src *rand.Rand, system string, chances []float64, drop float64) made {
	m := made{system: system, judge: "openai/big", signature: plain}
	for i, chance := range chances {
		letters := make([]byte, 6+i)
		for k := range letters {
			if letters[k] = 'c'; src.Float64() > chance-drop {
				letters[k] = "nw?"[src.IntN(20)/9]
			}
		}
		m.lines = append(m.lines, fmt.Sprintf("u%02d k%02d %s", i, i, letters))
	}
	return m
}

// TestLongChecksOfRunFolders checks 60 pairs of folders without a difference and 60 with a drop of 20 points. Of the first 3 fail by
// chance, and more than 8 with a chance of 1 in 300.
func TestLongChecksOfRunFolders(t *testing.T) {
	src := rand.New(rand.NewPCG(11, 7))
	alarms := func(drop float64) (n int) {
		for range 60 {
			chances := make([]float64, 14)
			for i := range chances {
				chances[i] = 0.3 + 0.6*src.Float64()
			}
			check := Check{Scores: []string{"accuracy"}, Level: 0.05, MaxFailures: 1}
			if errors.Is(checked(t, check, drawn(src, "base", chances, 0), drawn(src, "run", chances, drop)).Checked.Err(), ErrWorse) {
				n++
			}
		}
		return n
	}
	if n := alarms(0); n > 8 {
		t.Errorf("%d of 60 pairs without a difference fail", n)
	}
	if n := alarms(0.2); n < 54 {
		t.Errorf("%d of 60 drops of 20 points are found", n)
	}
}
