package benchtest

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

func (s *suite) twice(t *testing.T) {
	ev := s.open(t, nil)
	sameResults(t, evaluate(t, ev), evaluate(t, ev))
}

func (s *suite) together(t *testing.T) {
	want := evaluate(t, s.open(t, nil))
	ev := s.open(t, nil)
	const times = 3
	got := make([][]*bench.Result, times)
	var group sync.WaitGroup
	for k := range times {
		got[k] = make([]*bench.Result, len(want))
		for i := range want {
			group.Go(func() {
				r, err := ev.Evaluate(t.Context(), i)
				if err != nil {
					t.Errorf("unit %d: %v", i, err)
				}
				got[k][i] = r
			})
		}
	}
	group.Wait()
	for _, results := range got {
		sameResults(t, want, results)
	}
}

func sameResults(t *testing.T, want, got []*bench.Result) {
	t.Helper()
	for i := range want {
		if !reflect.DeepEqual(want[i], got[i]) {
			t.Errorf("unit %d: first %+v, then %+v", i, want[i], got[i])
		}
	}
}

func (s *suite) records(t *testing.T) {
	for i, r := range evaluate(t, s.open(t, nil)) {
		text := string(slices.Concat(r.Records...))
		if text == "" || !strings.HasSuffix(text, "\n") {
			t.Errorf("unit %d: the records do not end with a line break: %q", i, text)
			continue
		}
		for line := range strings.Lines(text) {
			var members map[string]any
			if err := json.Unmarshal([]byte(line), &members); err != nil || len(members) == 0 {
				t.Errorf("unit %d: %v: %s", i, err, line)
			}
		}
	}
}

func (s *suite) tallies(t *testing.T) {
	if all := evaluate(t, s.open(t, nil)); !slices.ContainsFunc(all, func(r *bench.Result) bool { return r.Outcome == omniscope.OK }) {
		t.Errorf("no unit of %d ends well, though all can be judged: is the outcome set?", len(all))
	}
	width := len(s.b.Info().Metric.Fields)
	for i, r := range evaluate(t, s.open(t, nil)) {
		if r.Unit == "" || r.Cluster == "" {
			t.Errorf("unit %d is named %q, its cluster %q", i, r.Unit, r.Cluster)
		}
		for p, tallies := range r.Tallies {
			overall := 0
			var names []string
			for _, tally := range tallies {
				names = append(names, tally.Dimension+"\x00"+tally.Group)
				if tally.Dimension == "overall" {
					overall++
				} else if tally.Group == "" {
					t.Errorf("unit %d: %s has a group without a name", i, tally.Dimension)
				}
				if len(tally.Counts) != width {
					t.Errorf("unit %d: %s has %d counts, the metric %d", i, tally.Dimension, len(tally.Counts), width)
				}
				for _, v := range tally.Counts {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("unit %d: %s counts %v", i, tally.Dimension, tally.Counts)
					}
				}
			}
			unique(t, "slice", names)
			if overall != 1 {
				t.Errorf("unit %d, %v: it counts the whole %d times", i, bench.Scoring(p), overall)
			}
		}
	}
}

func (s *suite) parts(t *testing.T) {
	width := len(s.b.Info().Metric.Fields)
	for i, r := range evaluate(t, s.open(t, nil)) {
		for p, tallies := range r.Tallies {
			sums := make(map[string]metric.Counts)
			for _, tally := range tallies {
				if sums[tally.Dimension] == nil {
					sums[tally.Dimension] = make(metric.Counts, width)
				}
				sums[tally.Dimension].Add(tally.Counts)
			}
			for _, dimension := range s.whole {
				if !near(sums[dimension], sums["overall"]) {
					t.Errorf("unit %d, %v: %s adds up to %v, the whole is %v", i, bench.Scoring(p), dimension, sums[dimension], sums["overall"])
				}
			}
		}
	}
}

// near reports whether a and b are equal but for rounding.
func near(a, b metric.Counts) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9*max(1, math.Abs(b[i])) {
			return false
		}
	}
	return true
}

func (s *suite) results(t *testing.T) {
	r := s.score(t, s.open(t, nil), 1)
	text, err := json.Marshal(r)
	fixture.OK(t, err)
	var back document.Results
	fixture.OK(t, json.Unmarshal(text, &back))
	outcomes := 0
	for n := range maps.Values(r.Outcomes) {
		outcomes += n
	}
	if r.Status != document.Scored || outcomes != r.Samples || len(r.Scorings) != 2 || r.Schema != document.Schema {
		t.Errorf("%s, %d samples, outcomes %v, %d profiles", r.Status, r.Samples, r.Outcomes, len(r.Scorings))
	}
	for _, p := range r.Scorings {
		for _, slice := range p.Slices {
			if len(slice.Scores) != len(s.b.Info().Metric.Scores) {
				t.Errorf("%s: %s %s has the scores %v", p.Name, slice.Dimension, slice.Group, slice.Scores)
			}
			for name, score := range slice.Scores {
				mustFit(t, p.Name+" "+slice.Dimension+" "+slice.Group+" "+name, score)
			}
		}
	}
}

// mustFit checks that a value lies within its bounds and is not without items.
func mustFit(t *testing.T, where string, score omniscope.Score) {
	t.Helper()
	const slack = 1e-9
	v, b := score.Value, score.Bounds
	if v != nil && b != nil && (*v < b.Low-slack || *v > b.High+slack) && score.Unscored == 0 {
		t.Errorf("%s: the value %v lies outside its bounds %+v", where, *v, *b)
	}
	if v != nil && score.N <= 0 {
		t.Errorf("%s: a value of %d items", where, score.N)
	}
}

func (s *suite) anyOrder(t *testing.T) {
	alone, together := s.score(t, s.open(t, nil), 1), s.score(t, s.open(t, nil), 8)
	alone.Usage, together.Usage = document.UsageInfo{}, document.UsageInfo{}
	if !reflect.DeepEqual(alone, together) {
		t.Errorf("one at a time: %+v\neight at a time: %+v", alone, together)
	}
}

func (s *suite) failures(t *testing.T) {
	for _, kind := range []omniscope.Kind{omniscope.Transient, omniscope.Exhausted, omniscope.Declined, omniscope.Malformed, omniscope.Invalid} {
		ev := s.open(t, fails(kind))
		for i, r := range evaluate(t, ev) {
			if requests, err := ev.Requests(i); err != nil || len(requests) > 0 && r.Outcome == omniscope.OK {
				t.Errorf("%v: unit %d is %v, %v", kind, i, r.Outcome, err)
			}
		}
		s.score(t, ev, 2)
	}
}

func (s *suite) budget(t *testing.T) {
	ev := s.open(t, fails(omniscope.Budget))
	_, err := bench.Score(t.Context(), s.b, ev, s.good.Scoring, s.options(2))
	if omniscope.KindOf(err) != omniscope.Budget || !errors.Is(err, errFails) {
		t.Errorf("the run ended with %v", err)
	}
}

func (s *suite) cancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := bench.Score(ctx, s.b, s.open(t, nil), s.good.Scoring, s.options(1))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v", err)
	}
}
