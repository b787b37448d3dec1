package run

import (
	"context"
	"time"
)

type (
	askFailedKey struct{}
	againKey     struct{}
)

// WithAskFailed returns a context of a command that asks again what failed: see Again.
func WithAskFailed(ctx context.Context, began time.Time) context.Context {
	return context.WithValue(ctx, askFailedKey{}, began)
}

// WithoutAskFailed returns a context in which remembered answers count, even if they cannot be used.
func WithoutAskFailed(ctx context.Context) context.Context {
	return context.WithValue(ctx, askFailedKey{}, nil)
}

// Again returns a context in which Once ignores answers from before the command began. It reports
// false where the command does not ask again what failed, or ctx is such a context already.
func Again(ctx context.Context) (context.Context, bool) {
	began, ok := ctx.Value(askFailedKey{}).(time.Time)
	if !ok || ctx.Value(againKey{}) != nil {
		return ctx, false
	}
	return context.WithValue(ctx, againKey{}, began), true
}

// ignores reports whether a remembered entry is to be asked for again.
func ignores(ctx context.Context, e *Entry) bool {
	began, ok := ctx.Value(againKey{}).(time.Time)
	return ok && e.Started.Before(began)
}
