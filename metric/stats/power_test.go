package stats

import (
	"math"
	"testing"
)

// TestClusteredErrorByHand: five clips of 4, 2, 4, 5 and 1 questions, of which 3, 1, 4, 2
// and 0 are answered rightly; m = 10/16, and the deviations are 0.5, -0.25, 1.5, -1.125, -0.625.
func TestClusteredErrorByHand(t *testing.T) {
	c := Clusters{Width: 2, Rows: []float64{3, 4, 1, 2, 4, 4, 2, 5, 0, 1}}
	want := math.Sqrt(0.25+0.0625+2.25+1.265625+0.390625) / 16
	got, ok := ClusteredError(c, 0, 1)
	near(t, "clustered", got, want, 1e-15)
	if !ok {
		t.Error("not ok")
	}
	// One question a clip: the error of a mean.
	single := Clusters{Width: 2, Rows: []float64{1, 1, 0, 1, 1, 1, 1, 1}}
	got, _ = ClusteredError(single, 0, 1)
	near(t, "of independent questions", got, math.Sqrt(0.75*0.25/4), 1e-15)
	// With the correction for few clusters it is what linearising gives.
	se, ok := clusterError(c, ratio(0, 1))
	near(t, "linearised", se, want*math.Sqrt(5.0/4), 1e-8)
	if !ok {
		t.Error("not ok")
	}
	for name, bad := range map[string]Clusters{"one cluster": {2, []float64{1, 2}}, "no items": {2, []float64{0, 0, 0, 0}}, "other fields": {1, []float64{1, 2, 3}}} {
		if _, ok := ClusteredError(bad, 0, 1); ok {
			t.Errorf("%s: ok", name)
		}
	}
}

// TestDetectableEffect: z is 1.959964 for 0.95 two-sided and 0.841621 for a power of 0.8.
func TestDetectableEffect(t *testing.T) {
	near(t, "effect", DetectableEffect(0.01, 0.95, 0.8), 0.01*(1.959963984540054+0.8416212335729143), 1e-12)
	if !math.IsNaN(DetectableEffect(1, 1, 0.8)) || !math.IsNaN(DetectableEffect(1, 0.95, 0)) {
		t.Error("a level of 1 or a power of 0 has an effect")
	}
	// 100 clips with an error of 1 point; half of the detectable 2.8 takes four times as many.
	effect := DetectableEffect(1, 0.95, 0.8)
	if n, ok := ClustersToShow(effect/2, 1, 100, 0.95, 0.8); n < 400 || n > 401 || !ok {
		t.Errorf("%d clips, %v", n, ok)
	}
	if n, ok := ClustersToShow(-effect, 1, 100, 0.95, 0.8); n < 100 || n > 101 || !ok {
		t.Errorf("%d clips, %v", n, ok)
	}
	if _, ok := ClustersToShow(0, 1, 100, 0.95, 0.8); ok {
		t.Error("some number shows a difference of 0")
	}
}
