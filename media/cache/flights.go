package cache

import (
	"context"
	"sync"
)

// flights do equal work at the same time once in this process.
type flights struct {
	mu    sync.Mutex
	going map[key]*flight
}

type flight struct {
	done     chan struct{}
	parts    [][]byte
	err      error
	canceled bool // the context of the one who did the work ended
}

// do returns what work returns, or what it returned to another caller with the
// same key who was first. If that caller gave up, one of those who wait begins
// again.
func (f *flights) do(ctx context.Context, k key, work func() ([][]byte, error)) ([][]byte, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mine, first := f.join(k)
		if first {
			return f.lead(ctx, k, mine, work)
		}
		select {
		case <-mine.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !mine.canceled {
			return mine.parts, mine.err
		}
	}
}

// join returns the flight of a key, and whether the caller has to do the work.
func (f *flights) join(k key) (going *flight, first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if going := f.going[k]; going != nil {
		return going, false
	}
	if f.going == nil {
		f.going = map[key]*flight{}
	}
	going = &flight{done: make(chan struct{}), canceled: true} // until the work ends, even by a panic
	f.going[k] = going
	return going, true
}

func (f *flights) lead(ctx context.Context, k key, mine *flight, work func() ([][]byte, error)) ([][]byte, error) {
	defer func() {
		f.mu.Lock()
		delete(f.going, k)
		f.mu.Unlock()
		close(mine.done)
	}()
	mine.parts, mine.err = work()
	mine.canceled = mine.err != nil && ctx.Err() != nil
	return mine.parts, mine.err
}
