package runtest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"omniscope/run"
)

func TestApartHandsOnEachJob(t *testing.T) {
	var started []string
	apart := &Apart{Start: func(_ context.Context, id string) error {
		started = append(started, id)
		return nil
	}}
	do := func(context.Context, run.Job) error { t.Error("a job was done where the engine runs"); return nil }
	if err := apart.Run(t.Context(), Units(3), do); err != nil || !slices.Equal(started, []string{"2", "1", "0"}) {
		t.Errorf("%v: started %v, want 2, 1, 0", err, started)
	}
}

func TestApartStopsAtAnError(t *testing.T) {
	broken, starts := errors.New("broken"), 0
	apart := &Apart{Start: func(context.Context, string) error { starts++; return broken }}
	if err := apart.Run(t.Context(), Units(3), nil); !errors.Is(err, broken) || starts != 1 {
		t.Errorf("%v after %d starts", err, starts)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := apart.Run(ctx, Units(3), nil); !errors.Is(err, context.Canceled) || starts != 1 {
		t.Errorf("%v after %d starts", err, starts)
	}
}
