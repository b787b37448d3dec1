package collect

import (
	"strings"
	"testing"
)

func TestChooseSegment(t *testing.T) {
	each := func(n, seconds int) (cuts []float64) { // a cut each n seconds
		for at := n; at < seconds; at += n {
			cuts = append(cuts, float64(at))
		}
		return cuts
	}
	for _, c := range []struct {
		name       string
		m          measures
		start, end float64
		why        string
	}{
		{"a file that fits is taken whole", measures{Seconds: 40, Sound: true, Cuts: each(7, 40)}, 0, 40, "whole file"},
		{"from cut to cut, the wanted length", measures{Seconds: 200, Cuts: []float64{25, 41, 55, 120}}, 25, 55, "from a cut to a cut, 30.0 s, 1 cuts inside"},
		{"at a cut in a silence", measures{Seconds: 200, Sound: true, Cuts: each(10, 200), Quiet: [][2]float64{{49.9, 50.4}, {79.6, 80.1}}}, 50, 80, "a cut and a silence to a cut and a silence"},
		{"not amid speech", measures{Seconds: 200, Sound: true, Cuts: []float64{40, 55, 70, 71, 85}, Speech: [][2]float64{{35, 44}, {56, 70}, {71.5, 84.9}}}, 55, 85, "from a cut to a cut"},
		{"not what is silent", measures{Seconds: 120, Sound: true, Cuts: each(15, 120), Quiet: [][2]float64{{0, 58}, {91, 120}}}, 60, 90, "from a cut to a cut"},
	} {
		rules := DefaultRules()
		got, found := chooseSegment(&c.m, &rules)
		if !found || got.Start != c.start || got.End != c.end || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: %+v, %t, want %g to %g because of %q", c.name, got, found, c.start, c.end, c.why)
		}
		again, _ := chooseSegment(&c.m, &rules)
		if again != got {
			t.Errorf("%s: %+v, then %+v", c.name, got, again)
		}
	}
}

func TestNoSegment(t *testing.T) {
	for name, m := range map[string]measures{
		"too short":         {Seconds: 9, Cuts: []float64{4}},
		"no cut":            {Seconds: 40},
		"no cut in reach":   {Seconds: 300},
		"a cut at the edge": {Seconds: 30, Cuts: []float64{29.9}},
	} {
		rules := DefaultRules()
		if got, found := chooseSegment(&m, &rules); found {
			t.Errorf("%s: %+v, want none", name, got)
		}
	}
}

func TestManyPlacesAreThinned(t *testing.T) {
	m := measures{Seconds: 7200}
	for i := range 5000 {
		m.Cuts = append(m.Cuts, 1.44*float64(i))
	}
	if n := len(m.places(30)); n != mostPlaces {
		t.Errorf("%d places of a film, want %d", n, mostPlaces)
	}
}
