package main

import (
	"math"
	"testing"

	"omniscope"
)

func TestFirstBrokenRuleIsTheError(t *testing.T) {
	err := checkRules([]rule{{false, "kept"}, {true, "--draw is a share: 50 % is 0.5"}, {true, "broken, too"}})
	if err == nil || err.Error() != "--draw is a share: 50 % is 0.5" || omniscope.KindOf(err) != omniscope.Usage {
		t.Error(err)
	}
	if err := checkRules([]rule{{false, "kept"}}); err != nil {
		t.Error(err)
	}
}

func TestShares(t *testing.T) {
	for x, want := range map[float64]bool{0: true, 1: true, 0.05: true, -0.01: false, 1.01: false, math.Inf(1): false, math.NaN(): false} {
		if isShare(x) != want {
			t.Errorf("%g is a share: %t", x, !want)
		}
	}
}
