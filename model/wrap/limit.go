package wrap

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"omniscope"
	"omniscope/model"
	"omniscope/run"
)

// A Limiter holds the number of calls on the wire to one endpoint. It starts
// low, grows quickly until the endpoint complains, then backs off and grows
// slowly, as TCP does (slow start, additive increase, multiplicative
// decrease). A Retry-After pauses the whole endpoint. It is safe for
// concurrent use.
type Limiter struct {
	most int

	mu       sync.Mutex
	limit    float64
	calm     float64 // below this the limit grows quickly: a little under where the last complaint came
	inUse    int
	waiting  list.List // of chan struct{}, first come first served
	cutAt    time.Time // when the limit was last cut
	answered bool      // since then
	pausedTo time.Time
	peak     int
}

// First calls in flight: a quarter of the most, but not less than limitStart. The limit grows by limitGrowth for each
// answer until the first complaint, so it is fourfold after each round trip.
const (
	limitStart  = 64
	limitGrowth = 3
)

// NewLimiter returns a limiter that never lets more than most calls fly.
func NewLimiter(most int) *Limiter {
	most = max(most, 1)
	return &Limiter{most: most, limit: float64(min(most, max(limitStart, most/(1+limitGrowth)))), calm: float64(most), answered: true}
}

// state is a limiter's condition, for progress and reports.
type state struct {
	InUse  int // calls on the wire
	Limit  int // calls allowed on the wire now
	Peak   int // most calls that were on the wire
	Paused time.Duration
}

// State returns the present condition.
func (l *Limiter) State() state {
	l.mu.Lock()
	defer l.mu.Unlock()
	return state{InUse: l.inUse, Limit: int(l.limit), Peak: l.peak, Paused: max(0, time.Until(l.pausedTo))}
}

// acquire waits until a call may be sent, or until the run winds down.
func (l *Limiter) acquire(ctx context.Context) error {
	if err := ended(ctx); err != nil {
		return err
	}
	l.mu.Lock()
	turn := make(chan struct{})
	place := l.waiting.PushBack(turn)
	l.wake()
	l.mu.Unlock()
	select {
	case <-turn:
	case <-run.Stopping(ctx).Done():
	case <-ctx.Done():
	}
	if err := ended(ctx); err != nil {
		l.leaveQueue(place, turn)
		return err
	}
	return nil
}

func (l *Limiter) occupy() {
	l.inUse++
	l.peak = max(l.peak, l.inUse)
}

// leaveQueue removes a cancelled call from the queue. If its turn has already
// come, it passes the turn on.
func (l *Limiter) leaveQueue(place *list.Element, turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-turn:
		l.inUse--
		l.wake()
	default:
		l.waiting.Remove(place)
	}
}

// release gives a place back and learns from how the call ended.
func (l *Limiter) release(started time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inUse--
	switch {
	case err == nil:
		l.answered = true
		if l.limit < l.calm {
			l.limit += limitGrowth
		} else {
			l.limit += max(1/l.limit, 0.02)
		}
		l.limit = min(l.limit, float64(l.most))
	case omniscope.KindOf(err) == omniscope.Transient:
		l.cutLimit(started, err)
	}
	l.wake()
}

// cutLimit cuts the limit once for all calls that were on the wire together.
func (l *Limiter) cutLimit(started time.Time, err error) {
	now := time.Now()
	var e *omniscope.Error
	if errors.As(err, &e) && e.RetryAfter > 0 && e.RetryAfter <= time.Minute {
		if until := now.Add(e.RetryAfter); until.After(l.pausedTo) {
			l.pausedTo = until
			time.AfterFunc(e.RetryAfter, l.resume)
		}
	}
	if !started.After(l.cutAt) {
		return
	}
	l.cutAt = now
	l.limit = max(1, l.limit*0.6)
	if l.answered { // an outage says nothing of what the endpoint bears, so cuts in a row leave calm as it is (RFC 5681, 3.1)
		l.calm = l.limit
	}
	l.answered = false
}

func (l *Limiter) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wake()
}

// wake gives free places to those who wait longest.
func (l *Limiter) wake() {
	for l.inUse < int(l.limit) && l.waiting.Len() > 0 && !time.Now().Before(l.pausedTo) {
		turn := l.waiting.Remove(l.waiting.Front()).(chan struct{})
		l.occupy()
		close(turn)
	}
}

type limited struct {
	inner   model.Model
	limiter *Limiter
}

func (m *limited) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := m.limiter.acquire(ctx); err != nil {
		return nil, err
	}
	hasTurn(ctx)
	started := time.Now()
	resp, err := m.inner.Generate(ctx, req)
	m.limiter.release(started, err)
	if resp != nil {
		resp.Latency = time.Since(started)
	}
	return resp, err
}
