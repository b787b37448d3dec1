// Command scalesim simulates a large fleet on one journal, and says what becomes of the
// journal, its server, the endpoint and the money; docs/design/scale.md has its table. It is
// seeded: the same command prints the same.
package main

import (
	"flag"
	"fmt"
	"time"
)

// measured is what a journal costs its server, as `go test ./run/journal/pg -bench .` measured it
// with batches of 64 and more, and what a row takes on its disk.
var measured = Server{Claim: 10 * time.Microsecond, Append: 30 * time.Microsecond, Request: 90 * time.Microsecond, Lookup: 3 * time.Microsecond,
	RowBytes: 3300, RequestBytes: 8400, CPUs: 8}

func main() {
	clips := flag.Int("clips", 1_000_000, "clips to investigate")
	seed := flag.Uint64("seed", 1, "seed")
	flag.Parse()
	base := Fleet{Clips: *clips, Workers: 100, Slots: 16, Calls: 10, Tools: 4, ToolSeconds: 8, CallSeconds: 3, Spread: 0.6, BackAfter: 90, Lease: 60,
		Server: measured, Price: 0.002, Seed: *seed}
	preempted, narrow, failing, wide := base, base, base, base
	preempted.PreemptEvery = 600
	narrow.Endpoint = 400
	failing.PreemptEvery, failing.FailShare = 600, 0.01
	wide.Workers = 2000
	fmt.Printf("%d clips, %d slots a worker, %d calls and %d tools a clip\n", base.Clips, base.Slots, base.Calls, base.Tools)
	fmt.Printf("%-34s %8s %10s %8s %8s %9s %7s %7s %7s %8s %9s %9s %9s\n", "", "hours", "rows", "GB", "calls/s", "claims/s", "load", "peak", "wire", "waited", "doubled", "tools h", "extra $")
	for _, c := range []struct {
		name string
		Fleet
	}{
		{"100 workers", base},
		{"preempted every 10 minutes", preempted},
		{"and 1 % of calls fail for good", failing},
		{"endpoint bears 400 calls", narrow},
		{"2,000 workers", wide},
	} {
		r := c.Run()
		fmt.Printf("%-34s %8.1f %10d %8.0f %8.0f %9.0f %6.1f%% %6.1f%% %7d %7.0f%% %9d %9.1f %9.2f\n", c.name, r.Seconds/3600, r.Rows, r.Bytes/1e9, r.CallsPerS, r.ClaimsPerS,
			100*r.ServerLoad, 100*r.ServerPeak, r.OnTheWire, 100*r.Waited, r.Doubled, r.Lost/3600, r.DoubleMoney+c.FailShare*float64(c.Clips*c.Calls)*c.Price)
	}
}
