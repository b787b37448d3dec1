package benchtest

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/run"
)

// An Opener opens a benchmark's inputs as a process of its own would, with all
// that costs something remembered in journal. calls counts what is computed or
// asked anew.
type Opener func(t *testing.T, journal run.Journal, calls *atomic.Int64) (bench.Benchmark, bench.Inputs)

// Isolated checks that a unit can be evaluated anywhere by itself, and leaves
// nothing but entries of the journal: each unit is evaluated by an evaluation of
// its own, the last first, and its result is thrown away. Then all are scored,
// which makes no call and gives what an undisturbed run gives. Calls that fail are
// not remembered: there must be none. newJournal returns an empty journal.
func Isolated(t *testing.T, open Opener, newJournal func() run.Journal, options func(workers int) bench.Options) {
	s := &isolated{open: open, options: options}
	undisturbed, calls := s.score(t, newJournal())
	if calls == 0 {
		t.Fatal("an undisturbed run makes no call, so that this shows nothing")
	}
	journal := newJournal()
	if alone := s.evaluateEach(t, journal); alone != calls {
		t.Errorf("the units make %d calls one by one, and %d in one run", alone, calls)
	}
	remembered, again := s.score(t, journal)
	if again != 0 {
		t.Errorf("scoring makes %d calls although every unit was evaluated", again)
	}
	if remembered != undisturbed {
		t.Errorf("an undisturbed run:\n%s\nwith everything remembered:\n%s", undisturbed, remembered)
	}
}

type isolated struct {
	open    Opener
	options func(workers int) bench.Options
}

// score returns the results document, without what the run used, and how many
// calls it took.
func (s *isolated) score(t *testing.T, journal run.Journal) (results string, calls int64) {
	t.Helper()
	var made atomic.Int64
	b, in := s.open(t, journal, &made)
	ev := opened(t, b, in)
	r, err := bench.Score(t.Context(), b, ev, in.Scoring, s.options(4))
	fixture.OK(t, err)
	r.Usage = document.UsageInfo{}
	text, err := json.MarshalIndent(r, "", "\t")
	fixture.OK(t, err)
	return string(text), made.Load()
}

// evaluateEach evaluates each unit by itself and returns how many calls all
// made.
func (s *isolated) evaluateEach(t *testing.T, journal run.Journal) int64 {
	t.Helper()
	var made atomic.Int64
	b, in := s.open(t, journal, &made)
	for i := opened(t, b, in).Plan().Units - 1; i >= 0; i-- {
		b, in := s.open(t, journal, &made)
		ev := opened(t, b, in)
		if _, err := ev.Evaluate(t.Context(), i); err != nil {
			t.Fatalf("unit %d: %v", i, err)
		}
	}
	return made.Load()
}

func opened(t *testing.T, b bench.Benchmark, in bench.Inputs) bench.Evaluation {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	fixture.OK(t, err)
	t.Cleanup(func() {
		if err := ev.Close(); err != nil {
			t.Error(err)
		}
	})
	return ev
}

// Counting counts a model's calls.
type Counting struct {
	model.Model
	Calls *atomic.Int64
}

// Generate implements model.Model.
func (c Counting) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	c.Calls.Add(1)
	return c.Model.Generate(ctx, req)
}
