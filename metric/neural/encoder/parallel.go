package encoder

import (
	"sync"
	"sync/atomic"
)

// parallel calls do for 0 to n-1 from at most so many goroutines, of which
// worker says the number. Who does what is not fixed, so do must give the same
// result whoever calls it.
func parallel(threads, n int, do func(worker, i int)) {
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

// parallelRows calls do for stretches that make up 0 to n-1. They are short, as
// a machine that does other things too can be slow on any of its cores.
func parallelRows(threads, n int, do func(from, to int)) {
	const stretch = 16
	parallel(threads, (n+stretch-1)/stretch, func(_, i int) {
		do(i*stretch, min(n, (i+1)*stretch))
	})
}
