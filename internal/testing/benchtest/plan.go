package benchtest

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
	"omniscope/model"
)

var errFails = errors.New("the suite lets this call fail")

func (s *suite) info(t *testing.T) {
	info := s.b.Info()
	for what, text := range map[string]string{"name": info.Name, "title": info.Title, "paper": info.Paper, "licence": info.Licence} {
		if text == "" {
			t.Errorf("it does not say its %s", what)
		}
	}
	if s.good.Judge != nil && (info.Judge == "" || info.StepKeys == "") {
		t.Errorf("it asks a model, but says its published judge as %q and its step keys as %q", info.Judge, info.StepKeys)
	}
	if info.Metric == nil || info.Metric.Name == "" || len(info.Metric.Fields) == 0 || len(info.Metric.Scores) == 0 {
		t.Fatalf("it has the metric %+v", info.Metric)
	}
	unique(t, "count", info.Metric.Fields)
	checkScores(t, info.Metric.Scores)
}

func checkScores(t *testing.T, scores []metric.Score) {
	t.Helper()
	var names []string
	for _, score := range scores {
		names = append(names, score.Name)
		if score.Title == "" || score.Value == nil || score.Bounds == nil || score.N == nil || score.Unscored == nil {
			t.Errorf("score %s lacks a title or a function", score.Name)
		}
	}
	unique(t, "score", names)
}

func unique(t *testing.T, what string, names []string) {
	t.Helper()
	seen := make(map[string]bool)
	for _, name := range names {
		if name == "" || seen[name] {
			t.Errorf("the %s %q has no name, or the name of another", what, name)
		}
		seen[name] = true
	}
}

func (s *suite) plan(t *testing.T) {
	plan := s.open(t, nil).Plan()
	if plan.Units < 2 {
		t.Fatalf("it has %d units: the suite needs two", plan.Units)
	}
	var steps []string
	for i := range plan.Units {
		steps = append(steps, plan.Steps(i))
	}
	unique(t, "step", steps)
	if plan.System == "" || plan.Protocol == "" || len(plan.Inputs) == 0 {
		t.Errorf("the system is %q, the protocol %q, inputs %v", plan.System, plan.Protocol, plan.Inputs)
	}
	for path, digest := range plan.Inputs {
		if len(digest) != 64 {
			t.Errorf("%s has the SHA-256 %q", path, digest)
		}
	}
	s.checkPrompts(t, plan)
}

// checkPrompts wants the plan to name the prompts of a benchmark that asks a model, and
// to be a baseline where a published judge is replaced.
func (s *suite) checkPrompts(t *testing.T, plan *bench.Plan) {
	t.Helper()
	asks := s.good.Judge != nil
	if baseline := !asks && s.b.Info().Judge != "" && !s.b.Info().JudgeOptional; plan.Baseline != baseline { // nothing replaces a judge that is not published
		t.Errorf("a model is asked: %v, and the published judge is %q, but baseline is %v", asks, s.b.Info().Judge, plan.Baseline)
	}
	if asks != (len(plan.Prompts) > 0) {
		t.Errorf("a model is asked: %v, but there are %d prompts", asks, len(plan.Prompts))
	}
	for _, p := range plan.Prompts {
		if p.Name == "" || p.Digest == "" || p.From == "" {
			t.Errorf("prompt %+v", p)
		}
	}
}

func (s *suite) limit(t *testing.T) {
	in := s.good
	in.Limit = 1
	ev, err := s.b.Open(t.Context(), in)
	fixture.OK(t, err)
	defer ev.Close()
	if n := ev.Plan().Units; n != 1 {
		t.Errorf("%d units with a limit of 1", n)
	}
}

func (s *suite) noFile(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.jsonl")
	ins := []bench.Inputs{s.good}
	ins[0].Predictions = none
	if s.b.Info().Files.Data != "" {
		ins = append(ins, s.good)
		ins[1].Data = none
	}
	for _, in := range ins {
		ev, err := s.b.Open(t.Context(), in)
		if err == nil {
			ev.Close()
		}
		if kind := omniscope.KindOf(err); kind != omniscope.NotFound && kind != omniscope.Invalid {
			t.Errorf("opened %s and %s: %v, of kind %v", in.Predictions, in.Data, err, kind)
		}
	}
}

func (s *suite) asksNothing(t *testing.T) {
	m, heard := s.listens()
	ev := s.open(t, m)
	for i := range ev.Plan().Units {
		if _, err := ev.Requests(i); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(heard()); n > 0 {
		t.Errorf("%d calls were made", n)
	}
}

// foretells checks that a unit makes the requests that it foretells, the first
// of them under the planned step, and that foretelling changes nothing. A unit
// may ask several at a time, and more where the answers call for it.
func (s *suite) foretells(t *testing.T) {
	m, heard := s.listens()
	ev := s.open(t, m)
	for i := range ev.Plan().Units {
		requests, err := ev.Requests(i)
		again, err2 := ev.Requests(i)
		fixture.OK(t, errors.Join(err, err2))
		if !reflect.DeepEqual(requests, again) {
			t.Errorf("unit %d: the second foretelling differs", i)
		}
		before := len(heard())
		if _, err := ev.Evaluate(t.Context(), i); err != nil {
			t.Fatal(err)
		}
		asked := heard()[before:]
		for _, r := range requests {
			if !slices.ContainsFunc(asked, func(a *model.Request) bool { return reflect.DeepEqual(a, r) }) {
				t.Errorf("unit %d: foretold %s, which was not asked", i, r.Step)
			}
		}
		if len(requests) > 0 && requests[0].Step != ev.Plan().Steps(i) {
			t.Errorf("unit %d: step %q was planned, %q is foretold", i, ev.Plan().Steps(i), requests[0].Step)
		}
		for _, r := range requests {
			if r.Step == "" || r.Attempt != 1 || r.Model != s.good.Judge.Request || len(r.Messages) == 0 {
				t.Errorf("unit %d: foretold %+v", i, r)
			}
		}
	}
}
