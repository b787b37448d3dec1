package wrap_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

func TestPaceSpacesTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sent []time.Time
		pace := &wrap.Pace{Endpoint: "there", PerMinute: 600}
		m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, time.Now())
			return answer("a"), nil
		}), wrap.Options{Pace: pace, Limiter: wrap.NewLimiter(50)})
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { ask(t, m, "7") })
		}
		all.Wait()
		for i := 1; i < len(sent); i++ {
			if gap := sent[i].Sub(sent[i-1]); gap < 100*time.Millisecond {
				t.Errorf("try %d came %s after the one before, want 100ms", i, gap)
			}
		}
		if took := sent[len(sent)-1].Sub(sent[0]); took > 5*time.Second {
			t.Errorf("50 tries at 600 a minute took %s", took)
		}
	})
}

// turns is a pacer that gives turns as a journal does.
type turns struct {
	mu   sync.Mutex
	next time.Time
	took int
}

func (p *turns) Turns(_ context.Context, _ string, n int, interval time.Duration) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(time.Now()) {
		p.next = time.Now()
	}
	wait := time.Until(p.next)
	p.next = p.next.Add(time.Duration(n) * interval)
	p.took++
	return wait, nil
}

func TestSharedPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pacer := &turns{}
		var mu sync.Mutex
		var sent []time.Time
		var all sync.WaitGroup
		for range 4 { // processes
			pace := &wrap.Pace{Endpoint: "there", PerMinute: 6000}
			pace.Share(pacer)
			m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				sent = append(sent, time.Now())
				return answer("a"), nil
			}), wrap.Options{Pace: pace})
			for range 20 {
				all.Go(func() {
					for range 10 {
						ask(t, m, "7")
					}
				})
			}
		}
		began := time.Now()
		all.Wait()
		if most := int(time.Since(began)/(10*time.Millisecond)) + 1; len(sent) != 800 || len(sent) > most {
			t.Errorf("%d tries in %s, want at most %d", len(sent), time.Since(began), most)
		}
		if pacer.took > 800/10 {
			t.Errorf("the pacer was asked %d times for 800 tries", pacer.took)
		}
	})
}

func TestPaceEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := &wrap.Pace{Endpoint: "there", PerMinute: 1}
		m := wrap.Stack(provider(instant), wrap.Options{Pace: pace})
		ask(t, m, "7")
		soft, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		began := time.Now()
		if _, err := m.Generate(run.WithStop(soft), request("8")); err == nil || time.Since(began) > 2*time.Second {
			t.Errorf("a stopped run waited %s for its turn: %v", time.Since(began), err)
		}
	})
}
