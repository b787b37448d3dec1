package wrap_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// A wire takes a second for each call and then ends it as fate says.
type wire struct {
	concurrent
	fate func(step string) error
}

func (w *wire) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	w.enter(req.Step)
	defer w.leave()
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if w.fate != nil {
		if err := w.fate(req.Step); err != nil {
			return nil, err
		}
	}
	return answer("a"), nil
}

func limited(m model.Model, l *wrap.Limiter) model.Model {
	return wrap.Stack(m, wrap.Options{Limiter: l})
}

func TestLimitGrowth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(1000), &wire{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			crowd(t.Context(), limited(w, l), 5000)
		}()
		time.Sleep(500 * time.Millisecond)
		for _, want := range []int{250, 1000, 1000} {
			if s := l.State(); s.InUse != want || s.Limit != want || w.inside() != want {
				t.Errorf("%+v with %d calls on the wire, want %d", s, w.inside(), want)
			}
			time.Sleep(time.Second)
		}
		<-done
		if s := l.State(); s.Peak != 1000 || s.InUse != 0 || w.top != 1000 {
			t.Errorf("%+v with a peak of %d on the wire", s, w.top)
		}
	})
}

func TestLimitMaximum(t *testing.T) {
	for _, most := range []int{-1, 0, 1, 3, 64, 65} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, w := wrap.NewLimiter(most), &wire{}
				crowd(t.Context(), limited(w, l), 500)
				if want := max(most, 1); w.top != want {
					t.Errorf("%d calls were on the wire, want %d", w.top, want)
				}
			})
		})
	}
}

func TestLimitCutOncePerBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(256), &wire{fate: func(string) error { return rateLimit(0) }}
		m := limited(w, l)
		for _, want := range []int{38, 23, 13} { // 64 times 0.6, 0.36, 0.216
			time.Sleep(time.Millisecond) // the next flight starts after the cut
			crowd(t.Context(), m, l.State().Limit)
			if got := l.State().Limit; got != want {
				t.Errorf("the limit is %d, want %d", got, want)
			}
		}
		w.fate = func(string) error { return failure(omniscope.Invalid, "too long") }
		crowd(t.Context(), m, 10)
		if got := l.State().Limit; got != 13 {
			t.Errorf("errors that are not the endpoint's trouble set the limit to %d", got)
		}
		w.fate = func(string) error { return rateLimit(0) }
		for range 20 {
			time.Sleep(time.Millisecond)
			crowd(t.Context(), m, 1)
		}
		if got := l.State().Limit; got != 1 {
			t.Errorf("the lowest limit is %d", got)
		}
	})
}

func TestAfterACutTheLimitGrowsSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(256), &wire{fate: func(string) error { return rateLimit(0) }}
		m := limited(w, l)
		crowd(t.Context(), m, 64)
		w.fate = nil
		crowd(t.Context(), m, 38)
		if got := l.State().Limit; got != 39 {
			t.Errorf("after a cut to 38 and a round of answers the limit is %d, want 39", got)
		}
	})
}

func TestAfterAnOutageTheLimitGrowsQuicklyToWhereItWas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(256), &wire{fate: func(string) error { return failure(omniscope.Transient, "refused") }}
		m := limited(w, l)
		for range 20 {
			time.Sleep(time.Millisecond)
			crowd(t.Context(), m, 1)
		}
		w.fate = nil
		if got := l.State().Limit; got != 1 {
			t.Fatalf("the outage cut the limit to %d, want 1", got)
		}
		for _, want := range []int{4, 16, 40} { // the first complaint came at 64; 38.4 is where caution begins
			crowd(t.Context(), m, l.State().Limit)
			if got := l.State().Limit; got != want {
				t.Errorf("the limit is %d, want %d", got, want)
			}
		}
	})
}

func TestRetryAfterPausesEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(1), &wire{fate: func(step string) error {
			if step == "first" {
				return rateLimit(10 * time.Second)
			}
			return nil
		}}
		m := limited(w, l)
		started := time.Now()
		var all sync.WaitGroup
		begin := func(step string) {
			all.Go(func() { m.Generate(t.Context(), request(step)) })
			synctest.Wait()
		}
		begin("first")
		begin("queued 1")
		begin("queued 2")
		time.Sleep(2 * time.Second)
		if p := l.State().Paused; p != 9*time.Second {
			t.Errorf("paused for %s more, want 9 s", p)
		}
		begin("during the pause")
		if n := len(w.came()); n != 1 {
			t.Errorf("%d calls were sent before the pause was over", n)
		}
		all.Wait()
		if want := []string{"first", "queued 1", "queued 2", "during the pause"}; !slices.Equal(w.came(), want) {
			t.Errorf("sent in the order %q, want %q", w.came(), want)
		}
		if took := time.Since(started); took != 14*time.Second {
			t.Errorf("took %s, want 1 s, a pause of 10 s and three times 1 s", took)
		}
	})
}

func TestLongerPauseWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(10), &wire{fate: func(step string) error {
			return map[string]error{"0": rateLimit(5 * time.Second), "1": rateLimit(20 * time.Second), "2": rateLimit(time.Second)}[step]
		}}
		m := limited(w, l)
		crowd(t.Context(), m, 3)
		started := time.Now()
		ask(t, m, "next")
		if took := time.Since(started); took != 21*time.Second {
			t.Errorf("the next answer came after %s, want 20 s and 1 s", took)
		}
	})
}

func TestLimiterOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(1), &wire{}
		m := limited(w, l)
		var want []string
		var all sync.WaitGroup
		for i := range 20 {
			step := fmt.Sprint(i)
			want = append(want, step)
			all.Go(func() { m.Generate(t.Context(), request(step)) })
			synctest.Wait()
		}
		all.Wait()
		if !slices.Equal(w.came(), want) {
			t.Errorf("sent in the order %q", w.came())
		}
	})
}

func TestCancelledCallFreesPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(2), &wire{}
		m := limited(w, l)
		random := rand.New(rand.NewPCG(3, 4))
		var all sync.WaitGroup
		for i := range 300 {
			// Whole seconds, so that many leave in the moment their turn comes.
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(100))*time.Second)
			if i%2 == 0 {
				ctx = run.WithStop(ctx)
			}
			all.Go(func() {
				defer cancel()
				m.Generate(ctx, request("x"))
			})
		}
		all.Wait()
		if s := l.State(); s.InUse != 0 || w.inside() != 0 {
			t.Errorf("%+v when all is done", s)
		}
		started := time.Now()
		crowd(t.Context(), m, 2)
		if took := time.Since(started); took != time.Second {
			t.Errorf("two calls took %s with two places free", took)
		}
	})
}

func TestNothingSentWhileStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soft, stop := context.WithCancel(t.Context())
		l, w := wrap.NewLimiter(2), &wire{}
		time.AfterFunc(500*time.Millisecond, stop)
		answered := 0
		for _, err := range crowd(run.WithStop(soft), limited(w, l), 10) {
			switch {
			case err == nil:
				answered++
			case !errors.Is(err, context.Canceled):
				t.Error(err)
			}
		}
		if answered != 2 || len(w.came()) != 2 {
			t.Errorf("%d calls were sent, %d answered; want the two on the wire to arrive", len(w.came()), answered)
		}
	})
}
