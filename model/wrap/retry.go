package wrap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/run"
)

// A Policy bounds retries. The zero value of a field takes the default given.
type Policy struct {
	Tries     int           // tries of one call, the first included; default 10
	Base      time.Duration // wait before the second try, doubled for each further; default 500 ms
	Most      time.Duration // the longest wait between tries that we choose; default 20 s
	MostAfter time.Duration // the longest Retry-After that is obeyed; default 10 min
	Identical int           // fewest equal errors in a row that mark a call as hopeless while others succeed; default 3
}

func (p Policy) withDefaults() Policy {
	set := func(v *time.Duration, d time.Duration) {
		if *v == 0 {
			*v = d
		}
	}
	set(&p.Base, 500*time.Millisecond)
	set(&p.Most, 20*time.Second)
	set(&p.MostAfter, 10*time.Minute)
	if p.Tries == 0 {
		p.Tries = 10
	}
	if p.Identical == 0 {
		p.Identical = 3
	}
	return p
}

// retried tries again what may succeed later. It gives a call up when its
// tries are used up, when it fails the same way again and again while other
// calls succeed (a deterministic error that the server calls temporary), or
// after one try when the endpoint has been dead for several calls in a row. An
// endpoint that has never answered is waited for, however many tries that
// takes, until its Reach gives it up.
type retried struct {
	inner  model.Model
	policy Policy
	meter  *Meter
	reach  *model.Reach // nil = the endpoint is taken to be there

	answers atomic.Int64 // answers so far: the endpoint's pulse

	mu     sync.Mutex
	gaveUp int     // calls given up since the last answer
	at     int64   // answers when that counting began
	good   float64 // tries of the last calls that were answered: those that brought the answer
	bad    float64 // and those that failed before it
}

// deadAfter is how many calls in a row must use up their tries before further
// calls are tried only once.
const deadAfter = 3

// byChance bounds the probability of giving up a call that would succeed: an
// overloaded server, too, fails some calls several times with the same message.
// The failure rate is estimated from the last lately tries.
const (
	byChance = 1e-6
	lately   = 256
)

func (m *retried) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	var made tried
	resp, err := m.tryAgain(ctx, req, &made)
	if err != nil {
		return nil, made.in(err)
	}
	resp.Tries, resp.RateLimited, resp.Lost = made.tries, made.limited, made.lost
	return resp, nil
}

// tried counts the tries of a call and what was lost on them.
type tried struct {
	tries   int
	limited int // refused with 429
	lost    model.Lost
}

// in returns err with what it took to come to it.
func (t tried) in(err error) error {
	if t.tries > 0 {
		err = &model.TriedError{Tries: t.tries, RateLimited: t.limited, Err: err}
	}
	return model.WithLost(t.lost, err)
}

// tryAgain tries until there is an answer or the call is given up, and counts
// the tries in made.
func (m *retried) tryAgain(ctx context.Context, req *model.Request, made *tried) (*model.Response, error) {
	p := m.policyNow()
	var seen failures
	for n := 1; ; n++ {
		try, err := m.reach.Begin(ctx)
		if err != nil {
			return nil, err
		}
		resp, err := m.inner.Generate(try.Context, req)
		if omniscope.KindOf(err) == omniscope.Budget || errors.Is(err, run.ErrTaken) {
			try.Unsent()
			return nil, err // held back: nothing was sent
		}
		made.tries = n
		made.lost = made.lost.Plus(model.LostIn(err))
		patience, away := try.Ended(err)
		if away != nil {
			return nil, away
		}
		if err == nil {
			m.answered(n)
			return resp, nil
		}
		if model.RateLimited(err) {
			m.meter.RateLimited.Add(1)
			made.limited++
		}
		if omniscope.KindOf(err) != omniscope.Transient {
			return nil, err
		}
		seen.add(err, m.answers.Load())
		wait, obeyed := p.wait(n, err)
		if patience > 0 { // how often is for calls that fail; this endpoint had not answered any
			wait = min(wait, patience)
		} else {
			seen.count++
			if why := m.hopeless(p, &seen, n, err); why != "" {
				return nil, exhausted(req, why, err)
			}
			if !obeyed {
				return nil, exhausted(req, fmt.Sprintf("the endpoint asks to wait %s", wait), err)
			}
		}
		if stop := sleep(ctx, wait); stop != nil {
			return nil, fmt.Errorf("call %s: %w before try %d, after: %v", req.Step, stop, n+1, err)
		}
		m.meter.Retries.Add(1)
	}
}

// policyNow is the policy of a call that begins: at a dead endpoint it is tried once.
func (m *retried) policyNow() Policy {
	p := m.policy.withDefaults()
	if m.isDead() {
		p.Tries = 1
	}
	return p
}

// failures are the failed tries of a call.
type failures struct {
	count     int    // at an endpoint that was there
	last      string // the last error's words
	pulse     int64  // answers when it came
	identical int    // errors like it in a row, other calls succeeding in between
}

func (f *failures) add(err error, answers int64) {
	switch {
	case err.Error() != f.last:
		f.identical, f.last = 1, err.Error()
	case answers > f.pulse:
		f.identical++
	}
	f.pulse = answers
}

// hopeless returns why a call is given up after its n-th try, "" if it is not.
func (m *retried) hopeless(p Policy, seen *failures, n int, err error) string {
	switch {
	case seen.identical >= p.Identical && !model.RateLimited(err) && m.chance(seen.identical) < byChance:
		return fmt.Sprintf("failed the same way %d times while other calls succeeded", seen.identical)
	case seen.count >= p.Tries:
		m.giveUp()
		return "gave up after " + quantity.Of(n, "try", "tries")
	}
	return ""
}

// answered notes that a call got its answer at the given try.
func (m *retried) answered(try int) {
	m.answers.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.good++
	m.bad += float64(try - 1)
	if m.good+m.bad > lately {
		m.good, m.bad = m.good/2, m.bad/2
	}
}

// chance is how likely so many failures in a row are for a call that would be
// answered in the end, going by the last calls that were (rule of succession).
func (m *retried) chance(failures int) float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return math.Pow((m.bad+1)/(m.bad+m.good+2), float64(failures))
}

func exhausted(req *model.Request, why string, err error) error {
	return &omniscope.Error{Kind: omniscope.Exhausted, Op: fmt.Sprintf("call %s: %s", req.Step, why), Err: err}
}

// wait returns how long to wait after the given try failed: what the endpoint
// asked for, at least our own doubling wait with half of it random, so that
// calls that failed together do not come back together. obeyed is false when
// the endpoint asks for more than the policy allows.
func (p Policy) wait(try int, err error) (wait time.Duration, obeyed bool) {
	wait = p.Most
	if shift := try - 1; shift < 16 && p.Base<<shift < p.Most {
		wait = p.Base << shift
	}
	wait = wait/2 + rand.N(wait/2+1)
	var e *omniscope.Error
	if errors.As(err, &e) && e.RetryAfter > 0 {
		if e.RetryAfter > p.MostAfter {
			return e.RetryAfter, false
		}
		wait = max(wait, e.RetryAfter+rand.N(p.Base))
	}
	return wait, true
}

// isDead reports whether several calls in a row have used up their tries with
// no answer in between.
func (m *retried) isDead() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.gaveUp >= deadAfter && m.answers.Load() == m.at
}

func (m *retried) giveUp() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := m.answers.Load(); now != m.at {
		m.at, m.gaveUp = now, 0
	}
	m.gaveUp++
}

// sleep waits for d, or until the run winds down, and then says why.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-run.Stopping(ctx).Done():
	case <-ctx.Done():
	}
	return ended(ctx)
}
