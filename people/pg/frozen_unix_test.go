//go:build unix

package pg

import (
	"syscall"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/people"
)

// TestLongAServerThatSaysNothing freezes the server's process for the connection that writes.
func TestLongAServerThatSaysNothing(t *testing.T) {
	before := patience
	patience = 300 * time.Millisecond
	defer func() { patience = before }()
	l := opened(t, pgtest.New(t), "p")
	fixture.OK(t, l.Append(t.Context(), []*people.Event{item(1)}))
	pid := int(l.pid)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Skip(err) // the server is another user's
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	if err := l.Append(t.Context(), []*people.Event{item(2)}); omniscope.KindOf(err) != omniscope.Transient {
		t.Fatalf("%v", err)
	}
	if _, err := l.Known(t.Context(), []string{"x"}); omniscope.KindOf(err) != omniscope.Transient {
		t.Errorf("it reads before it is certain what became of event 2: %v", err)
	}
	fixture.OK(t, syscall.Kill(pid, syscall.SIGCONT))
	patience = before
	n := count(t, l)
	if err := l.Append(t.Context(), []*people.Event{item(n + 1)}); err != nil {
		t.Error(err)
	}
}
