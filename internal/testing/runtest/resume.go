package runtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run"
)

// workload is a run in miniature: every job makes a chain of calls, each of
// which asks with the answer before it, and all jobs share their last question
// with some others.
type workload struct {
	once run.Once

	mu      sync.Mutex
	asked   map[run.Key]int // how often a call was really made
	results map[string]string
}

const workloadJobs = 60

func newWorkload(journal run.Journal) *workload {
	return &workload{
		once: run.Once{Journal: journal}, asked: make(map[run.Key]int), results: make(map[string]string),
	}
}

func (w *workload) do(ctx context.Context, job run.Job) error {
	answer := job.ID
	for step, question := range []string{answer, "next", "last"} {
		if step == 2 {
			question = fmt.Sprint("shared ", job.Seq%7)
		} else {
			question += " after " + answer
		}
		var err error
		if answer, err = w.ask(ctx, fmt.Sprintf("%s/%d", job.ID, step), question, answer); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.results[job.ID] = answer
	return nil
}

func (w *workload) ask(ctx context.Context, step, question, before string) (string, error) {
	e := &run.Entry{Key: keyOf(question), Step: step, Attempt: 1, Kind: "model", Source: "workload", Request: []byte(`"` + question + `"`)}
	entry, _, err := w.once.Do(ctx, e, func(_ context.Context, e *run.Entry) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.asked[e.Key]++
		e.Outcome, e.Result = omniscope.OK, fmt.Appendf(nil, "%x", keyOf("answer to "+question))
		return nil
	})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", keyOf(before+string(entry.Result))), nil
}

// oneAfterAnother returns the results of the workload without any engine.
func oneAfterAnother(t *testing.T) map[string]string {
	t.Helper()
	w := newWorkload(NewMemory())
	for job := range first(workloadJobs) {
		fixture.OK(t, w.do(t.Context(), job))
	}
	return w.results
}

func sameResults(t *testing.T, open func(*testing.T, int) run.Engine) {
	w := newWorkload(NewMemory())
	fixture.OK(t, open(t, 8).Run(t.Context(), first(workloadJobs), w.do))
	if diff := cmp.Diff(oneAfterAnother(t), w.results); diff != "" {
		t.Errorf("the results differ (-one after another +engine):\n%s", diff)
	}
	for key, n := range w.asked {
		if n != 1 {
			t.Errorf("call %s was made %d times", key, n)
		}
	}
}

func killAndResume(t *testing.T, open func(*testing.T, int) run.Engine) {
	want := oneAfterAnother(t)
	all := len(journalOf(t, open).Entries())
	for round := range 20 {
		cut := rand.New(rand.NewPCG(uint64(round), 7)).IntN(all)
		t.Run(fmt.Sprintf("after %d calls", cut), func(t *testing.T) {
			journal := NewMemory()
			ctx, kill := context.WithCancel(t.Context())
			defer kill()
			killed := newWorkload(&mortal{Journal: journal, left: cut, kill: kill})
			if err := open(t, 5).Run(ctx, first(workloadJobs), killed.do); err == nil {
				t.Fatal("the run ended well, want it killed")
			}
			remembered := journal.Entries()
			if len(remembered) != cut {
				t.Fatalf("%d calls are remembered, want %d", len(remembered), cut)
			}

			resumed := newWorkload(journal)
			fixture.OK(t, open(t, 5).Run(t.Context(), first(workloadJobs), resumed.do))
			if diff := cmp.Diff(want, resumed.results); diff != "" {
				t.Errorf("the results differ (-never killed +resumed):\n%s", diff)
			}
			for _, e := range remembered {
				if n := resumed.asked[e.Key]; n > 0 {
					t.Errorf("call %s was remembered and made again %d times", e.Step, n)
				}
			}
			if n := len(resumed.asked); n != all-cut {
				t.Errorf("%d calls were made after the resumption, want the %d missing ones", n, all-cut)
			}
		})
	}
}

// journalOf returns the journal of a run that was not disturbed.
func journalOf(t *testing.T, open func(*testing.T, int) run.Engine) *Memory {
	t.Helper()
	journal := NewMemory()
	fixture.OK(t, open(t, 5).Run(t.Context(), first(workloadJobs), newWorkload(journal).do))
	return journal
}

// mortal is a journal whose machine dies after some appends: what is appended
// later is lost.
type mortal struct {
	run.Journal
	kill func()

	mu   sync.Mutex
	left int
}

var errKilled = errors.New("killed")

func (m *mortal) Append(ctx context.Context, e *run.Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left == 0 {
		m.kill()
		return errKilled
	}
	m.left--
	return m.Journal.Append(ctx, e)
}
