package run_test

import (
	"context"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
)

// With --ask-failed an answer from before the command began is ignored if it is of no use, and the new one
// is taken.
func TestAskAgain(t *testing.T) {
	once := &run.Once{Journal: runtest.NewMemory()}
	began := time.Now()
	ask := func(ctx context.Context, started time.Time, answer string) string {
		e, _, err := once.Do(ctx, &run.Entry{Key: run.Key{1}, Step: "a", Started: started}, func(_ context.Context, e *run.Entry) error {
			e.Outcome, e.Result = omniscope.OK, []byte(answer)
			return nil
		})
		fixture.OK(t, err)
		return string(e.Result)
	}
	ask(t.Context(), began.Add(-time.Hour), "old")
	ctx := run.WithAskFailed(t.Context(), began)
	if got := ask(ctx, time.Now(), "new"); got != "old" {
		t.Errorf("a usable answer is asked for again: %q", got)
	}
	again, ok := run.Again(ctx)
	if !ok {
		t.Fatal("the command asks nothing again")
	}
	for range 2 {
		if got := ask(again, time.Now(), "new"); got != "new" {
			t.Errorf("got %q", got)
		}
	}
	if got := ask(ctx, time.Now(), "newer"); got != "new" {
		t.Errorf("afterwards the answer is %q", got)
	}
	for name, ctx := range map[string]context.Context{"another command": t.Context(), "twice": again} {
		if _, ok := run.Again(ctx); ok {
			t.Errorf("%s asks again", name)
		}
	}
}
