package session

import (
	"strings"
	"testing"

	"omniscope/model/judge"
	"omniscope/model/wrap"
)

func TestState(t *testing.T) {
	m := &Model{Judge: &judge.Judge{}, Meter: &wrap.Meter{}, Limiter: wrap.NewLimiter(8)}
	e := &Models{Shared: &Shared{}, All: []*Model{m}}
	if got := strings.Join(e.state(), ", "); got != "0 of 8 calls" {
		t.Errorf("before any call: %s", got)
	}
	m.Meter.Remembered.Store(7)
	m.Meter.Retries.Store(3)
	m.Meter.RateLimited.Store(2)
	m.Meter.Failed.Store(1)
	if got, want := strings.Join(e.state(), ", "), "7 remembered, 3 retries, 2 429s, 1 failed, 0 of 8 calls"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := (&Models{Shared: &Shared{}}).state(); got != nil {
		t.Errorf("of a run that asks no model: %q", got)
	}
}
