package caption

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal"
)

// summary joins the errors of clips; nil where there are none.
func summary(failed []error) error {
	all := len(failed)
	failed = slices.DeleteFunc(failed, func(err error) bool { return err == nil })
	if len(failed) == 0 || all == 1 {
		return errors.Join(failed...)
	}
	return fmt.Errorf("%d of %d clips failed:\n%w", len(failed), all, errors.Join(failed...))
}

// An openError says that a file cannot be opened. stopsAll tests for it first: a
// file without read permission must not stop the run, as a wrong key does.
type openError struct{ error }

func (u openError) Unwrap() error { return u.error }

// stopsAll reports whether an error concerns more than its own clip.
func stopsAll(ctx context.Context, err error) bool {
	if err == nil {
		return false
	}
	if errors.As(err, new(*journal.Error)) {
		return true
	}
	if errors.As(err, new(openError)) || errors.As(err, new(busyClip)) {
		return run.Stopping(ctx).Err() != nil
	}
	kind := omniscope.KindOf(err)
	return kind.EndsRun() || kind == omniscope.Usage || run.Stopping(ctx).Err() != nil
}
