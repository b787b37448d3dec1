package wrap

import (
	"context"
	"sync"
	"time"

	"omniscope/model"
	"omniscope/run"
)

// A Pace holds the tries at one endpoint to so many a minute, evenly spaced. It is safe for
// concurrent use.
type Pace struct {
	Endpoint  string
	PerMinute int

	mu    sync.Mutex
	pacer run.Pacer // of several processes; nil = this one alone
	next  time.Time // turn
	taken int       // turns that are left of those that were taken
}

// ahead is for how long turns are taken at a time: so the pacer is asked seldom, and
// few turns are lost with a process that has nothing to send.
const ahead = 250 * time.Millisecond

func (p *Pace) interval() time.Duration { return time.Minute / time.Duration(p.PerMinute) }

// Share has the pace kept together with other processes.
func (p *Pace) Share(pacer run.Pacer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pacer, p.taken = pacer, 0
}

// turn waits for the next turn.
func (p *Pace) turn(ctx context.Context) error {
	at, err := p.take(ctx)
	if err != nil {
		return err
	}
	wait := time.NewTimer(time.Until(at))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-run.Stopping(ctx).Done():
	case <-ctx.Done():
	}
	return ended(ctx)
}

func (p *Pace) take(ctx context.Context) (time.Time, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case p.pacer == nil:
		if p.next.Before(now) {
			p.next = now
		}
	case p.taken == 0 || p.next.Before(now.Add(-ahead)): // turns long past would come all at once
		n := max(1, int(ahead/p.interval()))
		wait, err := p.pacer.Turns(ctx, p.Endpoint, n, p.interval())
		if err != nil {
			return now, err
		}
		p.next, p.taken = time.Now().Add(wait), n
	}
	at := p.next
	p.next = at.Add(p.interval())
	p.taken--
	return at, nil
}

type paced struct {
	inner model.Model
	pace  *Pace
}

func (m *paced) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := m.pace.turn(ctx); err != nil {
		return nil, err
	}
	return m.inner.Generate(ctx, req)
}
