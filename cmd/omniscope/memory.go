package main

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// headroomFor is how much the heap may grow beyond what is in use before
// garbage is collected: a little, and what each call on the wire leaves behind.
func headroomFor(concurrency int) uint64 { return 14<<20 + uint64(concurrency)*24<<10 }

// keepHeadroom makes the collector leave about the same room whatever is in
// use, until ctx ends. Go's default doubles it instead: little room, and much
// collecting, when little is in use, and a lot of memory when much is. Users
// who set GOGC or GOMEMLIMIT are left alone.
func keepHeadroom(ctx context.Context, headroom uint64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for set := 0; ; {
			metrics.Read(live)
			if percent := roomFor(live[0].Value.Uint64(), headroom); percent != set {
				debug.SetGCPercent(percent)
				set = percent
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
}

// roomFor is the growth in percent that leaves headroom beyond live bytes, in
// steps of ten, since each change of it stops the program for a moment.
func roomFor(live, headroom uint64) int {
	percent := int(100 * headroom / max(live, 1<<20))
	return min(max(percent, 50), 400) / 10 * 10
}

// collectEarlier has the collector work more once the heap comes near a bound,
// where it would let it double. The bound is soft: what is in use may be more.
// Users who set GOGC or GOMEMLIMIT are left alone.
func collectEarlier() {
	const bound = 700 << 20
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(bound)
	}
}
