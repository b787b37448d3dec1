package session

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

// folders are the journals in folders. Package journals, which has them for programs, imports this one.
type folders struct{}

func (folders) Open(_ context.Context, at string, _ time.Duration, _ io.Writer) (journal.Store, error) {
	return sqlite.Open(at)
}

func (folders) OpenExisting(_ context.Context, at string, _ io.Writer) (journal.Store, error) {
	return sqlite.OpenExisting(at)
}

func (folders) MayExist(at string) bool { return sqlite.Exists(at) }

func (folders) LockRun(at, name string) (func() error, error) { return sqlite.LockRun(at, name) }

func (folders) LockCalls(at string) (CallLocks, error) { return sqlite.OpenCallLocks(at) }

func (folders) OpenPeople(string) (model.Model, string, error) {
	return nil, "", errors.New("nobody is asked")
}

// TestTwoRunsOnOneFolderAskOnce: two runs that ask the same at the same time on one folder make one call; a call that fails, or that its
// run gives up, is the other's to make.
func TestTwoRunsOnOneFolderAskOnce(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("calls are locked on Linux alone")
	}
	c := &Calls{WorkDir: t.TempDir(), Journals: folders{}}
	open := func(name string) *Journal {
		j, err := openRun(t.Context(), c, 1, journal.Description{Name: name, Manifest: "{}"}, io.Discard)
		fixture.OK(t, err)
		t.Cleanup(func() { j.Close() })
		return j
	}
	first, second := open("predict-1"), open("predict-2")
	made := 0
	for _, j := range []*Journal{first, second} { // the second was opened before the first had its answer
		_, _, err := j.Once(false).Do(t.Context(), &run.Entry{Step: "earlier", Attempt: 1, Kind: "model", Source: "s", Result: []byte("{}")}, func(_ context.Context, e *run.Entry) error {
			made++
			e.Outcome = omniscope.OK
			return nil
		})
		fixture.OK(t, err)
	}
	if made != 1 {
		t.Errorf("one after the other they make %d calls, want 1", made)
	}
	for _, test := range []struct {
		name    string
		outcome omniscope.Outcome
		err     error
		made    int // calls of the second run
	}{
		{"answer", omniscope.OK, nil, 0},
		{"failure", omniscope.Failed, &omniscope.Error{Kind: omniscope.Exhausted, Err: errors.New("no answer")}, 1},
		{"given up", omniscope.Failed, &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("used up")}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			entry := func() *run.Entry {
				e := &run.Entry{Step: test.name, Attempt: 1, Kind: "model", Source: "s", Result: []byte("{}")}
				copy(e.Key[:], test.name+"                ")
				return e
			}
			begun, over := make(chan struct{}), make(chan struct{})
			made := 0
			var group sync.WaitGroup
			group.Go(func() {
				_, _, err := first.Once(false).Do(t.Context(), entry(), func(_ context.Context, e *run.Entry) error {
					close(begun)
					<-over
					e.Outcome = test.outcome
					return test.err
				})
				if !errors.Is(err, test.err) {
					t.Errorf("the first run: %v, want %v", err, test.err)
				}
			})
			<-begun
			if claim, err := (folderClaims{second}).Claim(t.Context(), entry().Key, "s"); claim.Mine || claim.Entry != nil || err != nil {
				t.Errorf("a call under way can be claimed: %+v, %v", claim, err)
			}
			group.Go(func() {
				e, remembered, err := second.Once(false).Do(t.Context(), entry(), func(_ context.Context, e *run.Entry) error {
					made++
					e.Outcome = omniscope.OK
					return nil
				})
				if err != nil || e == nil || remembered != (test.made == 0) {
					t.Errorf("the second run: %v, remembered %v, %v", e, remembered, err)
				}
			})
			close(over)
			group.Wait()
			if made != test.made {
				t.Errorf("the second run makes %d calls, want %d", made, test.made)
			}
		})
	}
}
