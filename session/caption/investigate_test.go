package caption

import (
	"context"
	"fmt"
	"os"
	"testing"

	"omniscope"
)

func TestStopsAll(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	denied := &omniscope.Error{Kind: omniscope.Denied, Err: os.ErrPermission}
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want bool
	}{
		{"nothing", t.Context(), nil, false},
		{"a wrong key", t.Context(), fmt.Errorf("clip: %w", denied), true},
		{"a file that may not be read", t.Context(), openError{denied}, false},
		{"a budget", t.Context(), &omniscope.Error{Kind: omniscope.Budget, Err: os.ErrInvalid}, true},
		{"no media", t.Context(), &omniscope.Error{Kind: omniscope.Invalid, Err: os.ErrInvalid}, false},
		{"an interruption", stopped, openError{context.Canceled}, true},
	} {
		if got := stopsAll(c.ctx, c.err); got != c.want {
			t.Errorf("%s: stops all is %t, want %t", c.name, got, c.want)
		}
	}
}
