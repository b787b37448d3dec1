package compare

import (
	"fmt"
	"testing"
)

// TestClearDifferenceIsShown has twelve clips of which each tells the same: of the 4096
// ways to swap sides, two give so large a difference.
func TestClearDifferenceIsShown(t *testing.T) {
	base, run := made{system: "wild", judge: "openai/big"}, made{system: "tame", judge: "openai/big"}
	for i := range 12 {
		base.lines = append(base.lines, fmt.Sprintf("u%d k%d wwc", i, i))
		run.lines = append(run.lines, fmt.Sprintf("u%d k%d ccc", i, i))
	}
	c := mustCompare(t, Options{}, base, run)
	for i, row := range c.table("tests").Rows {
		want := []string{"0.0005", "0.001", "tame is better"} // for three scores: the fourth cannot vary
		if i == 1 {                                           // not given: nowhere
			want = []string{"1.000", "1.000", "no difference shown"}
		}
		if got := row[3:6]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q, want %q", row[2], got, want)
		}
	}
}
