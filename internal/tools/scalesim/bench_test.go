package scalesim

import (
	"testing"
	"time"
)

// measured is what a journal costs its server, as `go test ./run/journal/pg -bench .` measured it
// with batches of 64 and more, and what a row takes on its disk.
var measured = Server{Claim: 10 * time.Microsecond, Append: 30 * time.Microsecond, Request: 90 * time.Microsecond, Lookup: 3 * time.Microsecond,
	RowBytes: 3300, RequestBytes: 8400, CPUs: 8}

// BenchmarkFleet simulates 1,000,000 clips that a fleet investigates, and reports the effect on journal, server, endpoint
// and money. It is seeded: it reports the same each time.
func BenchmarkFleet(b *testing.B) {
	base := Fleet{Clips: 1_000_000, Workers: 100, Slots: 16, Calls: 10, Tools: 4, ToolSeconds: 8, CallSeconds: 3, Spread: 0.6, BackAfter: 90, Lease: 60,
		Server: measured, Price: 0.002, Seed: 1}
	preempted, narrow, failing, wide := base, base, base, base
	preempted.PreemptEvery = 600
	narrow.Endpoint = 400
	failing.PreemptEvery, failing.FailShare = 600, 0.01
	wide.Workers = 2000
	for _, c := range []struct {
		name string
		Fleet
	}{
		{"fleet=100-workers", base},
		{"fleet=preempted-every-10-minutes", preempted},
		{"fleet=preempted,fails=1%", failing},
		{"fleet=100-workers,endpoint=400", narrow},
		{"fleet=2000-workers", wide},
	} {
		b.Run(c.name, func(b *testing.B) {
			var r Report
			for b.Loop() {
				r = c.Run()
			}
			b.ReportMetric(r.Seconds/3600, "hours")
			b.ReportMetric(float64(r.Rows)/1e6, "Mrows")
			b.ReportMetric(r.Bytes/1e9, "GB")
			b.ReportMetric(r.CallsPerS, "calls/s")
			b.ReportMetric(r.ClaimsPerS, "most-claims/s")
			b.ReportMetric(100*r.ServerLoad, "load-%")
			b.ReportMetric(100*r.ServerPeak, "peak-load-%")
			b.ReportMetric(float64(r.OnTheWire), "calls-on-the-wire")
			b.ReportMetric(100*r.Waited, "waited-%")
			b.ReportMetric(float64(r.Doubled), "made-twice")
			b.ReportMetric(r.Lost/3600, "tool-hours-lost")
			b.ReportMetric(r.DoubleMoney+c.FailShare*float64(c.Clips*c.Calls)*c.Price, "extra-USD")
		})
	}
}
