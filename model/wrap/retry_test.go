package wrap_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

func retrying(m model.Model, meter *wrap.Meter) model.Model {
	return wrap.Stack(m, wrap.Options{Retry: &wrap.Policy{}, Meter: meter})
}

func TestTriesAndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var meter wrap.Meter
		s := &script{replies: []error{failure(omniscope.Transient, "down")}}
		_, err := retrying(s, &meter).Generate(t.Context(), request("7"))
		fixture.WantError(t, err, omniscope.Exhausted)
		if want := "call 7: gave up after 10 tries: down"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
		longest := []time.Duration{500, 1000, 2000, 4000, 8000, 16000, 20000, 20000, 20000} // ms
		if len(s.tries) != len(longest)+1 || meter.Retries.Load() != 9 || meter.Failed.Load() != 1 {
			t.Fatalf("%d tries, %d retries and %d failures counted", len(s.tries), meter.Retries.Load(), meter.Failed.Load())
		}
		for i, most := range longest {
			most *= time.Millisecond
			if wait := s.tries[i+1].Sub(s.tries[i]); wait < most/2 || wait > most {
				t.Errorf("waited %s before try %d, want %s to %s", wait, i+2, most/2, most)
			}
		}
	})
}

func TestAnswerTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := failure(omniscope.Transient, "down")
		m := retrying(&script{replies: []error{down, down, nil}}, nil)
		if resp := ask(t, m, "7"); resp.Tries != 3 {
			t.Errorf("%d tries", resp.Tries)
		}
		if resp := ask(t, m, "8"); resp.Tries != 1 {
			t.Errorf("%d tries", resp.Tries)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var meter wrap.Meter
		s := &script{replies: []error{rateLimit(30 * time.Second), nil}}
		ask(t, retrying(s, &meter), "7")
		if wait := s.tries[1].Sub(s.tries[0]); wait < 30*time.Second || wait > 31*time.Second {
			t.Errorf("waited %s", wait)
		}
		if n := meter.RateLimited.Load(); n != 1 {
			t.Errorf("%d tries counted as refused with 429", n)
		}
	})
}

func TestRetryAfterTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{replies: []error{rateLimit(11 * time.Minute)}}
		started := time.Now()
		_, err := retrying(s, nil).Generate(t.Context(), request("7"))
		fixture.WantError(t, err, omniscope.Exhausted)
		if len(s.tries) != 1 || time.Since(started) != 0 || !strings.Contains(err.Error(), "asks to wait 11m0s") {
			t.Errorf("%d tries in %s: %v", len(s.tries), time.Since(started), err)
		}
	})
}

func TestOnlyTransientErrorsRetried(t *testing.T) {
	kinds := []omniscope.Kind{omniscope.Internal, omniscope.Invalid, omniscope.Denied, omniscope.Declined, omniscope.Malformed}
	for _, kind := range kinds {
		t.Run(kind.String(), func(t *testing.T) {
			want := failure(kind, "no")
			s := &script{replies: []error{want}}
			if _, err := retrying(s, nil).Generate(t.Context(), request("7")); !errors.Is(err, want) || len(s.tries) != 1 {
				t.Errorf("%d tries, error %v", len(s.tries), err)
			}
		})
	}
}

// neighbours fails the calls that broken names and answers all others, at
// once. The tries of each step are counted.
type neighbours struct {
	mu     sync.Mutex
	tries  map[string]int
	broken func(step string) error
}

func (n *neighbours) Generate(_ context.Context, req *model.Request) (*model.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tries == nil {
		n.tries = make(map[string]int)
	}
	n.tries[req.Step]++
	if err := n.broken(req.Step); err != nil {
		return nil, err
	}
	return answer("a"), nil
}

// keepAsking has calls that succeed come and go until the test ends.
func keepAsking(ctx context.Context, m model.Model) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() {
		for ctx.Err() == nil {
			m.Generate(ctx, request("good"))
			time.Sleep(50 * time.Millisecond) // of fake time
		}
	})
	return func() { cancel(); done.Wait() }
}

func TestQuarantine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &neighbours{broken: func(step string) error {
			if step == "bad" {
				return failure(omniscope.Transient, "the engine died on this input")
			}
			return nil
		}}
		m := retrying(n, nil)
		for range 200 {
			ask(t, m, "good")
		}
		defer keepAsking(t.Context(), m)()
		_, err := m.Generate(t.Context(), request("bad"))
		fixture.WantError(t, err, omniscope.Exhausted)
		if n.tries["bad"] != 3 || !strings.Contains(err.Error(), "failed the same way 3 times while other calls succeeded") {
			t.Errorf("%d tries: %v", n.tries["bad"], err)
		}
	})
}

func TestNoQuarantineForDifferentErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		try := 0
		n := &neighbours{broken: func(step string) error {
			if step == "bad" {
				try++
				return failure(omniscope.Transient, fmt.Sprint("trouble ", try))
			}
			return nil
		}}
		m := retrying(n, nil)
		for range 200 {
			ask(t, m, "good")
		}
		defer keepAsking(t.Context(), m)()
		m.Generate(t.Context(), request("bad"))
		if n.tries["bad"] != 10 {
			t.Errorf("%d tries", n.tries["bad"])
		}
	})
}

func TestNoQuarantineInOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var outage bool
		n := &neighbours{broken: func(string) error {
			if outage {
				return failure(omniscope.Transient, "connection refused")
			}
			return nil
		}}
		m := retrying(n, nil)
		for range 1000 {
			ask(t, m, "good")
		}
		n.mu.Lock()
		outage = true
		n.mu.Unlock()
		time.AfterFunc(30*time.Second, func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			outage = false
		})
		for _, err := range crowd(t.Context(), m, 100) {
			fixture.OK(t, err)
		}
	})
}

// An overloaded server says the same words to everyone it turns away.
func TestNoQuarantineInOverload(t *testing.T) {
	for name, c := range map[string]struct {
		share float64 // of the tries that fail
		after int     // answers before it begins
	}{
		"from the start": {0.2, 0},
		"light":          {0.02, 1000},
		"sudden":         {0.4, 10_000},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, 2))
				before := c.after
				n := &neighbours{broken: func(string) error {
					if before--; before < 0 && random.Float64() < c.share {
						return failure(omniscope.Transient, "the model is overloaded")
					}
					return nil
				}}
				m := retrying(n, nil)
				for range c.after {
					ask(t, m, "good")
				}
				quarantined := 0
				for range 50 {
					for _, err := range crowd(t.Context(), m, 200) {
						if err != nil && !strings.Contains(err.Error(), "gave up after 10 tries") {
							quarantined++
						}
					}
				}
				if quarantined > 0 {
					t.Errorf("%d of 10,000 calls were held to be hopeless", quarantined)
				}
			})
		})
	}
}

func TestDeadEndpointTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := failure(omniscope.Transient, "down")
		s := &script{replies: []error{down}}
		m := retrying(s, nil)
		tries := func() int {
			before := len(s.tries)
			m.Generate(t.Context(), request("7"))
			return len(s.tries) - before
		}
		for range 3 {
			if n := tries(); n != 10 {
				t.Fatalf("%d tries of a first call", n)
			}
		}
		for range 3 {
			if n := tries(); n != 1 {
				t.Fatalf("%d tries of a call to a dead endpoint", n)
			}
		}
		s.replies = []error{nil}
		if n := tries(); n != 1 {
			t.Fatalf("%d tries of a call to an endpoint that is back", n)
		}
		s.replies = []error{down}
		if n := tries(); n != 10 {
			t.Fatalf("%d tries after an answer came", n)
		}
	})
}

func TestStopEndsWait(t *testing.T) {
	for name, contextOf := range map[string]func(context.Context) context.Context{
		"wind down": run.WithStop,
		"cancel":    func(ctx context.Context) context.Context { return ctx },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var meter wrap.Meter
				soft, stop := context.WithCancel(t.Context())
				s := &script{replies: []error{rateLimit(time.Minute)}}
				m := retrying(s, &meter)
				time.AfterFunc(time.Second, stop)
				started := time.Now()
				_, err := m.Generate(contextOf(soft), request("7"))
				if !errors.Is(err, context.Canceled) || omniscope.KindOf(err) != omniscope.Internal {
					t.Errorf("got %v", err)
				}
				if took := time.Since(started); took != time.Second || len(s.tries) != 1 {
					t.Errorf("%d tries in %s", len(s.tries), took)
				}
				m.Generate(contextOf(soft), request("8"))
				if len(s.tries) != 1 || meter.Failed.Load() != 0 {
					t.Errorf("%d tries, %d calls counted as given up", len(s.tries), meter.Failed.Load())
				}
			})
		})
	}
}

// TestTriesWhileLoading shows that tries at a server that is still loading do not count against --max-retries. The call
// may fail once. Six tries fail while the server loads, one fails after it answered another call, and the eighth succeeds.
func TestTriesWhileLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loading := &omniscope.Error{Kind: omniscope.Transient, Err: &model.StatusError{Status: 503, Message: "loading"}}
		reach := model.NewReach("http://there/v1", time.Hour)
		s := &script{replies: []error{loading, loading, loading, loading, loading, loading, nil}}
		m := wrap.Stack(provider(func(ctx context.Context, req *model.Request) (*model.Response, error) {
			if len(s.tries) == 5 {
				other, err := reach.Begin(ctx)
				fixture.OK(t, err)
				other.Ended(nil) // somebody has an answer
				s.tries = append(s.tries, time.Now())
				return nil, loading // and this try began before
			}
			return s.Generate(ctx, req)
		}), wrap.Options{Name: "x", Reach: reach, Retry: &wrap.Policy{Tries: 2, Base: time.Second}})
		s.replies = append(s.replies[:6:6], loading, nil)
		resp, err := m.Generate(t.Context(), request("a"))
		if err != nil || resp.Tries != 8 {
			t.Errorf("%+v, %v after %d tries", resp, err, len(s.tries))
		}
	})
}

// TestCallsThatWaitTheirTurn shows that a call which waits for a free place is no try at a loading server. Three calls with
// two tries each are made, one at a time: the first is answered, the others fail after two tries.
func TestCallsThatWaitTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int32
		m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
			time.Sleep(time.Second)
			if sent.Add(1) == 1 {
				return &model.Response{Text: "yes"}, nil
			}
			return nil, &omniscope.Error{Kind: omniscope.Transient, Err: &model.StatusError{Status: 503, Message: "away"}}
		}), wrap.Options{Name: "x", Reach: model.NewReach("http://there/v1", time.Hour), Limiter: wrap.NewLimiter(1),
			Retry: &wrap.Policy{Tries: 2, Base: time.Second}})
		var calls sync.WaitGroup
		for range 3 {
			calls.Go(func() { m.Generate(t.Context(), request("a")) })
		}
		calls.Wait()
		if n := sent.Load(); n != 5 {
			t.Errorf("%d tries, want 1 and 2 and 2", n)
		}
	})
}
