package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/pgtest"
)

// BenchmarkMachines does a run of 40,000 calls of half a second, 1,000 on the wire, in one
// process and in four of 250 each, and reports how many calls a second came of it. What
// latency alone allows is 2,000 a second.
func BenchmarkMachines(b *testing.B) {
	const calls, latency, processes = 40_000, 500 * time.Millisecond, 4
	tr := newTrial(b, calls)
	llm := serve(b, fake.Config{Model: "mock", Latency: latency})
	f := &fleetRun{inquest: inquest{b, b.TempDir()}, args: []string{"eval", "omni-cloze", "-p", tr.path("rows.jsonl"), "--judge", "openai/mock", "--timeout", "1m"}, server: llm}
	// measure reports what do took, and what the command took that then made the results.
	measure := func(b *testing.B, do func(b *testing.B, name, journal string)) {
		f.t = b
		for range b.N {
			before, journal := f.answered(), pgtest.New(b)
			name := fmt.Sprint("run", time.Now().UnixNano())
			started := time.Now()
			do(b, name, journal)
			work := time.Since(started)
			if n := f.answered() - before; n != calls {
				b.Errorf("%d calls were made, want %d", n, calls)
			}
			started = time.Now()
			f.must(f.in(name+"-final", "--journal", journal)...)
			if n := f.answered() - before; n != calls {
				b.Errorf("the last command made %d calls", n-calls)
			}
			b.ReportMetric(float64(calls)/work.Seconds(), "calls/s")                     // whole commands, with reading the input
			asking := number(b, journal, "SELECT max(started) - min(started) FROM call") // microseconds
			b.ReportMetric(float64(calls)/(float64(asking)/1e6+latency.Seconds()), "asking-calls/s")
			b.ReportMetric(time.Since(started).Seconds(), "final-s")
		}
	}
	b.Run("one process", func(b *testing.B) {
		measure(b, func(b *testing.B, name, journal string) { f.must(f.in(name, "--journal", journal, "-j", "1000")...) })
	})
	b.Run("four parts", func(b *testing.B) {
		measure(b, func(b *testing.B, name, journal string) {
			var waits []func() (string, error)
			for i := range processes {
				wait, _ := f.start(f.in(fmt.Sprint(name, "-", i), "--journal", journal, "-j", "250", "--shard", fmt.Sprintf("%d/%d", i, processes))...)
				waits = append(waits, wait)
			}
			for _, wait := range waits {
				if said, err := wait(); err != nil {
					b.Fatal(err, said)
				}
			}
		})
	})
	b.Run("four workers", func(b *testing.B) {
		measure(b, func(b *testing.B, name, journal string) {
			for i := range processes {
				wait, signal := f.start("worker", "--journal", journal, "--work-dir", f.path(fmt.Sprint(name, "-w", i)), "-j", "250")
				defer func() {
					signal(os.Interrupt)
					if said, err := wait(); err != nil {
						b.Error(err, said)
					}
				}()
			}
			f.must(f.in(name, "--journal", journal, "--engine", "river")...)
		})
	})
}
