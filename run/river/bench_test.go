package river_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/run/river"
)

// BenchmarkParts puts parts of one unit into the queue, and has one worker do nothing
// with each.
func BenchmarkParts(b *testing.B) {
	q, err := river.Open(b.Context(), pgtest.New(b))
	fixture.OK(b, err)
	defer q.Close()
	started := time.Now()
	fixture.OK(b, q.Add(b.Context(), "calls", river.Parts("run", "order", b.N, 1)))
	added := time.Since(started)
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	var done atomic.Int64
	started = time.Now()
	err = q.Serve(ctx, river.Serving{Name: "one", Queues: map[string]int{"calls": 500}}, func(context.Context, river.Part) error {
		if done.Add(1) == int64(b.N) {
			cancel()
		}
		return nil
	})
	fixture.OK(b, err)
	b.ReportMetric(float64(b.N)/added.Seconds(), "added/s")
	b.ReportMetric(float64(b.N)/time.Since(started).Seconds(), "done/s")
}
