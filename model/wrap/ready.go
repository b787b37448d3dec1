package wrap

import (
	"context"
	"sync"
	"time"
)

// readyBytes is how many bytes of media may be prepared for calls that wait for
// their turn at the endpoint.
const readyBytes = 256 << 20

// rateOf is over how many preparations their rate is taken.
const rateOf = 64

// A Ready bounds the media that are prepared ahead of the calls to an endpoint, and
// counts them. It is safe for concurrent use.
type Ready struct {
	most int64 // bytes

	mu       sync.Mutex
	bytes    int64         // prepared and not yet on the wire
	waiting  int           // requests with these bytes
	freed    chan struct{} // closed when there are fewer; nil = no request waits for that
	prepared [rateOf]time.Time
	n        int // requests prepared so far
}

// NewReady returns a Ready without prepared media.
func NewReady() *Ready { return &Ready{most: readyBytes} }

// readiness is the condition of a Ready.
type readiness struct {
	Waiting int     // requests with media that wait for their turn
	Rate    float64 // requests prepared in a second, lately; 0 = not known
}

// State returns the present condition; ok = false: no media were prepared.
func (r *Ready) State() (s readiness, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Waiting = r.waiting
	if kept := min(r.n, rateOf); kept > 1 {
		oldest := r.prepared[(r.n-kept)%rateOf]
		s.Rate = float64(kept) / time.Since(oldest).Seconds()
	}
	return s, r.n > 0
}

// room waits until another request may be prepared: its size is known only
// afterwards, so that the bound may be passed by what is being prepared.
func (r *Ready) room(ctx context.Context) error {
	for {
		r.mu.Lock()
		if r.bytes < r.most {
			r.mu.Unlock()
			return nil
		}
		if r.freed == nil {
			r.freed = make(chan struct{})
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// add notes that a request was prepared. leave is to be called when it goes on the
// wire or is given up; further calls do nothing.
func (r *Ready) add(bytes int64) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes, r.waiting = r.bytes+bytes, r.waiting+1
	r.prepared[r.n%rateOf] = time.Now()
	r.n++
	return sync.OnceFunc(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bytes, r.waiting = r.bytes-bytes, r.waiting-1
		if r.freed != nil {
			close(r.freed)
			r.freed = nil
		}
	})
}

// turnKey is the key of the function that is called when a call has its turn.
type turnKey struct{}

// atTurn has a function called when a call of ctx has its turn at the endpoint.
func atTurn(ctx context.Context, do func()) context.Context {
	return context.WithValue(ctx, turnKey{}, do)
}

// hasTurn calls that function.
func hasTurn(ctx context.Context) {
	if do, ok := ctx.Value(turnKey{}).(func()); ok {
		do()
	}
}
