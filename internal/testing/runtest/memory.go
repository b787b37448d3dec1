package runtest

import (
	"context"
	"slices"
	"sync"

	"omniscope"
	"omniscope/run"
)

// Memory is a journal that lives as long as the process. It is safe for
// concurrent use.
type Memory struct {
	mu      sync.Mutex
	entries []run.Entry
	answers map[run.Key][]int // positions of the OK entries
}

var _ run.Journal = (*Memory)(nil)

// NewMemory returns an empty journal.
func NewMemory() *Memory { return &Memory{answers: make(map[run.Key][]int)} }

// Entries returns what was remembered, in that order.
func (m *Memory) Entries() []run.Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	entries := make([]run.Entry, len(m.entries))
	for i := range m.entries {
		entries[i] = clone(&m.entries[i])
	}
	return entries
}

// Lookup implements run.Journal.
func (m *Memory) Lookup(ctx context.Context, key run.Key, source string) (*run.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.find(key, source); i >= 0 {
		e := clone(&m.entries[i])
		return &e, nil
	}
	return nil, nil
}

// Append implements run.Journal.
func (m *Memory) Append(_ context.Context, e *run.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Outcome == omniscope.OK {
		m.answers[e.Key] = append(m.answers[e.Key], len(m.entries))
	}
	m.entries = append(m.entries, clone(e))
	return nil
}

func (m *Memory) find(key run.Key, source string) int {
	for _, i := range slices.Backward(m.answers[key]) {
		if source == "" || m.entries[i].Source == source {
			return i
		}
	}
	return -1
}

func clone(e *run.Entry) run.Entry {
	c := *e
	c.Request, c.Result = slices.Clone(e.Request), slices.Clone(e.Result)
	return c
}
