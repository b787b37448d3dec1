// Package parallel does many small pieces of work that are numbered, several at a
// time: too small for a goroutine each, or with memory that each goroutine uses
// again. Of larger pieces, golang.org/x/sync/errgroup is simpler.
package parallel

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n-1 from at most so many goroutines, of which worker says
// the number, and waits for all. Who does what is not fixed, so do must give the
// same result from any worker.
func Do(threads, n int, do func(worker, i int)) {
	threads = min(threads, n)
	if threads <= 1 {
		for i := range n {
			do(0, i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	work := func(worker int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(worker, i)
		}
	}
	for worker := 1; worker < threads; worker++ {
		wait.Go(func() { work(worker) })
	}
	work(0)
	wait.Wait()
}

// Each is Do for pieces that may fail. It begins none once one before it has
// failed, or ctx has ended, and returns the error of the lowest number, as a loop
// would.
func Each(ctx context.Context, threads, n int, do func(worker, i int) error) error {
	share := max(1, min(64, n/(4*max(1, threads)))) // what one goroutine takes at a time, in order
	var mutex sync.Mutex
	var failed error
	var bad atomic.Int64 // where
	bad.Store(math.MaxInt64)
	Do(threads, (n+share-1)/share, func(worker, s int) {
		for i := s * share; i < min((s+1)*share, n) && int64(i) < bad.Load(); i++ {
			err := ctx.Err()
			if err == nil {
				err = do(worker, i)
			}
			if err != nil {
				mutex.Lock()
				if int64(i) < bad.Load() {
					bad.Store(int64(i))
					failed = err
				}
				mutex.Unlock()
			}
		}
	})
	return failed
}
