package crash

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
)

// A judge is a server that answers each question always the same, and tells
// when it has been asked so many.
type judge struct {
	*fake.Server
	alarm atomic.Pointer[alarm]
}

type alarm struct {
	of   func(*fake.Request) bool // which questions count; nil = all
	left atomic.Int64
	rung chan struct{}
}

// startJudge starts a judge at the address, or anywhere if it is "". A question
// is always the same text, and so has one identity.
func startJudge(t *testing.T, address string, answer fake.Responder) *judge {
	t.Helper()
	j := &judge{}
	config := fake.Config{Latency: latency, Reply: func(r *fake.Request) fake.Reply {
		if a := j.alarm.Load(); a != nil && (a.of == nil || a.of(r)) && a.left.Add(-1) == 0 {
			close(a.rung)
		}
		return answer(r)
	}}
	config.Addr = strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/v1")
	j.Server = fake.Start(t, config)
	return j
}

// drain waits until the server has seen that nobody waits for its answers any
// more: they take one latency at most.
func (j *judge) drain() {
	for j.Stats().InFlight > 0 {
		time.Sleep(time.Millisecond)
	}
}

// A moment is when to kill a run. set is called before the run starts; what it
// returns waits for the moment, or the end of the run.
type moment struct {
	name string
	set  func(s *site, j *judge) (ready func(ctx context.Context))
}

func afterStart(d time.Duration) moment {
	return moment{d.String() + " after the start", func(*site, *judge) func(context.Context) {
		return func(ctx context.Context) { pause(ctx, d) }
	}}
}

func afterQuestions(n int, d time.Duration) moment {
	return afterQuestionsOf("some", nil, n, d)
}

func afterQuestionsOf(name string, of func(*fake.Request) bool, n int, d time.Duration) moment {
	return moment{"after " + name + " questions", func(_ *site, j *judge) func(context.Context) {
		a := &alarm{of: of, rung: make(chan struct{})}
		a.left.Store(int64(n))
		j.alarm.Store(a)
		return func(ctx context.Context) {
			select {
			case <-a.rung:
				pause(ctx, d)
			case <-ctx.Done():
			}
		}
	}}
}

// whileWriting is when the results folder has a new version of a file.
func whileWriting(name string) moment {
	return moment{"while writing " + name, func(s *site, _ *judge) func(context.Context) {
		path := filepath.Join(s.work, "out", name)
		before := modified(path)
		return func(ctx context.Context) {
			for ctx.Err() == nil && modified(path).Equal(before) {
				pause(ctx, 100*time.Microsecond)
			}
		}
	}}
}

// modified returns when a file was written to, the zero time if it is not there.
func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
