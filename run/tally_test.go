package run_test

import (
	"context"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
)

// TestTally shows what a tally says of calls that are made, remembered within the command, and
// remembered from before it.
func TestTally(t *testing.T) {
	journal := runtest.NewMemory()
	call := func(ctx context.Context, name string, started time.Time) {
		t.Helper()
		once := &run.Once{Journal: journal}
		e := &run.Entry{Key: run.Key{name[0]}, Step: name, Source: "s", Started: started}
		if _, _, err := once.Do(ctx, e, func(_ context.Context, e *run.Entry) error {
			e.Outcome = omniscope.OK
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	call(t.Context(), "a", now.Add(-time.Hour))
	for name, c := range map[string]struct {
		calls []string
		older bool
	}{"made": {[]string{"b"}, false}, "made for another clip": {[]string{"b", "b"}, false}, "remembered from before": {[]string{"b", "a"}, true}} {
		tally := run.NewTally(now)
		for _, n := range c.calls {
			call(run.WithTally(t.Context(), tally), n, now.Add(time.Second))
		}
		if got := tally.Sum().Older; got != c.older {
			t.Errorf("%s: %t", name, got)
		}
	}
	run.TallyOf(t.Context()).AddModel(run.Cost{TokensIn: 1}) // no tally adds nothing up
	tally := run.NewTally(now)
	tally.AddModel(run.Cost{TokensIn: 2, TokensOut: 3, USD: 0.5})
	tally.AddModel(run.Cost{TokensIn: 1})
	if s := tally.Sum(); s.Models != 2 || s.Cost.TokensIn != 3 || s.Cost.TokensOut != 3 || s.Cost.USD != 0.5 {
		t.Errorf("%+v", s)
	}
}
