package onnx

import (
	"runtime"
	"sync"
)

// parallel divides n pieces of work among the processors, at least `least` for
// each, and waits for all.
func parallel(n, least int, work func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n/max(1, least))
	if parts <= 1 {
		work(0, n)
		return
	}
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { work(n*i/parts, n*(i+1)/parts) })
	}
	all.Wait()
}
