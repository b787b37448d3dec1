package model

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"omniscope"
)

// A Reach knows whether an endpoint has ever answered, and ends the calls of
// one that has not within a bounded time. An endpoint that answered once may
// be away for as long as retries last. One Reach serves all calls to an
// endpoint; it is safe for concurrent use, and a nil Reach never waits.
type Reach struct {
	address string
	wait    time.Duration
	over    context.Context // ends when the endpoint is given up
	giveUp  context.CancelCauseFunc

	mu          sync.Mutex
	answered    bool
	silentSince time.Time // when the first try without an answer began
	silent      int       // tries without an answer
	connected   bool      // one of them reached a server
	last        string    // the last error
	lastAt      time.Time
	answeredAt  time.Time
}

// How long an endpoint that has never answered is waited for, unless the user
// says how long: a server that takes no connections is seldom about to answer.
const (
	waitUnconnected = 15 * time.Second
	waitConnected   = 2 * time.Minute
	fewestTries     = 3 // that must have failed, however long they took
)

// NewReach returns what is known of the endpoint at an address: nothing yet.
// wait is how long it may leave all calls unanswered; 0 = 15 seconds where no
// connection can be made, else two minutes.
func NewReach(address string, wait time.Duration) *Reach {
	r := &Reach{address: address, wait: wait}
	r.over, r.giveUp = context.WithCancelCause(context.Background())
	return r
}

// A Try is one try at an endpoint.
type Try struct {
	Context context.Context // ends when the endpoint is given up

	reach *Reach
	early bool // it was sent before the endpoint had ever answered
	end   func()
}

// tryKey finds the try in its context.
type tryKey struct{}

// Sent notes that the try with this context goes on the wire now: until then it waited for its turn.
func Sent(ctx context.Context) {
	t, _ := ctx.Value(tryKey{}).(*Try)
	if t == nil || t.reach == nil {
		return
	}
	t.reach.mu.Lock()
	defer t.reach.mu.Unlock()
	t.early = !t.reach.answered
}

// Came notes that the endpoint answered the try with this context, with an answer (err is nil) or a refusal. It is called
// while the try still holds its place, so that the call which gets the place next knows.
func Came(ctx context.Context, err error) {
	t, _ := ctx.Value(tryKey{}).(*Try)
	if t == nil || t.reach == nil {
		return
	}
	if err != nil {
		if heard, _ := heardFrom(err); !heard || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return
		}
	}
	t.reach.mu.Lock()
	defer t.reach.mu.Unlock()
	t.reach.answered = true
}

// Begin is called before a try, with its context. It returns the try, or why the endpoint was
// given up.
func (r *Reach) Begin(ctx context.Context) (*Try, error) {
	t := &Try{Context: ctx, reach: r, end: func() {}}
	if r == nil {
		return t, nil
	}
	if r.over.Err() != nil {
		return nil, context.Cause(r.over)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.answered {
		return t, nil
	}
	if r.silentSince.IsZero() {
		r.silentSince = time.Now()
	}
	var cancel context.CancelFunc
	t.Context, cancel = context.WithCancel(context.WithValue(ctx, tryKey{}, t))
	unlink := context.AfterFunc(r.over, cancel)
	t.early, t.end = true, func() { unlink(); cancel() }
	return t, nil
}

// Unsent ends a try that was held back before anything was sent.
func (t *Try) Unsent() { t.end() }

// Ended records how the try ended. patience is above 0 where it failed because the endpoint had
// not answered anybody when it was sent, even if it has answered others since: the try should be
// made again, after no longer than that, however often it has failed. A non-nil away says that
// the endpoint is given up.
func (t *Try) Ended(err error) (patience time.Duration, away error) {
	t.end()
	r := t.reach
	if r == nil {
		return 0, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if err == nil {
		r.answered, r.answeredAt = true, now
		return 0, nil
	}
	if r.over.Err() != nil {
		return 0, context.Cause(r.over)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, nil
	}
	r.last, r.lastAt = err.Error(), now
	heard, connected := heardFrom(err)
	switch {
	case heard:
		r.answered = true
		return 0, nil
	case r.answered && t.early: // the next try is sent after the answer, so this is said once for a call
		return time.Second, nil
	case r.answered:
		return 0, nil
	}
	r.silent++
	r.connected = r.connected || connected
	left := r.bound() - now.Sub(r.silentSince)
	if left > 0 || r.silent < fewestTries {
		return max(left, time.Second), nil
	}
	r.giveUp(r.unreachable(now))
	return 0, context.Cause(r.over)
}

func (r *Reach) bound() time.Duration {
	switch {
	case r.wait > 0:
		return r.wait
	case r.connected:
		return waitConnected
	}
	return waitUnconnected
}

func (r *Reach) unreachable(now time.Time) error {
	slow := ""
	if r.connected {
		slow = "; if it needs longer for one answer, raise --timeout"
	}
	return &omniscope.Error{Kind: omniscope.Unreachable, Op: "endpoint away", Err: fmt.Errorf(
		"nothing has answered at %s in %s and %d tries (last error: %s): start it or correct its address, and run the same command again; "+
			"while it is loading, --endpoint-wait 10m waits longer%s",
		r.address, now.Sub(r.silentSince).Round(100*time.Millisecond), r.silent, r.last, slow)}
}

// LastError returns the last error of a try and how long ago it was, as long as
// it matters: nothing has answered since, or it is less than a minute old.
func (r *Reach) LastError() (text string, age time.Duration) {
	if r == nil {
		return "", 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == "" {
		return "", 0
	}
	age = time.Since(r.lastAt)
	if r.answeredAt.After(r.lastAt) && age >= time.Minute {
		return "", 0
	}
	return r.last, age
}

// An Unanswered is the failure of a try to which no server said anything.
type Unanswered struct {
	Err       error
	Connected bool // a server took the connection
}

func (e *Unanswered) Error() string { return e.Err.Error() }

func (e *Unanswered) Unwrap() error { return e.Err }

// NewUnanswered finds out of an error of net/http whether there was a
// connection. The failure has the words that are given in place of the error's.
func NewUnanswered(err, words error) *Unanswered {
	var (
		dial      *net.OpError
		name      *net.DNSError
		untrusted *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
	)
	unconnected := errors.As(err, &dial) && (dial.Op == "dial" || dial.Op == "proxyconnect") ||
		errors.As(err, &name) || errors.As(err, &untrusted) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.Is(err, http.ErrSchemeMismatch)
	return &Unanswered{Err: words, Connected: !unconnected}
}

// heardFrom reports whether an error is an endpoint's own word. Gateways answer
// 502 to 504 for a server that is away, and servers 503 while they load.
func heardFrom(err error) (heard, connected bool) {
	var none *Unanswered
	if errors.As(err, &none) {
		return false, none.Connected
	}
	var status *StatusError
	if errors.As(err, &status) {
		away := !status.Inside && (status.Status == http.StatusBadGateway || status.Status == http.StatusServiceUnavailable || status.Status == http.StatusGatewayTimeout)
		return !away, true
	}
	return true, true
}
