// Package memory says how much garbage the program may hold before it is
// collected. Users who set GOGC or GOMEMLIMIT are left alone.
package memory

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// KeepHeadroom makes the collector leave about the same room whatever is in use,
// until ctx ends: a little, and what each of so many calls on the wire leaves
// behind. Go's default doubles what is in use instead: little room, and much
// collecting, when little is in use, and a lot of memory when much is.
func KeepHeadroom(ctx context.Context, calls int) {
	if setByUser() {
		return
	}
	headroom := 12<<20 + uint64(calls)*18<<10
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}} // Go counts both
		for set := 0; ; {
			metrics.Read(live)
			if percent := roomFor(live[0].Value.Uint64()+live[1].Value.Uint64(), headroom); percent != set {
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

// CollectEarlier has the collector work more once the heap comes near a bound,
// where it would let it double. The bound is soft: what is in use may be more.
func CollectEarlier() {
	const bound = 700 << 20
	if !setByUser() {
		debug.SetMemoryLimit(bound)
	}
}

func setByUser() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }
