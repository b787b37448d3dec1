//go:build unix

package sqlite_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"crypto/sha256"

	"omniscope"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
)

// cpu returns the processor time this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// keyOf spreads numbers over the key space as digests are.
func keyOf(n int) run.Key {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	sum := sha256.Sum256(b[:])
	return run.Key(sum[:16])
}

func entryOf(n int, request, result []byte) *run.Entry {
	return &run.Entry{
		Key: keyOf(n), Step: fmt.Sprintf("judge/sample-%06d/question-%02d", n/20, n%20), Attempt: 1, Kind: "model",
		Source: "http://127.0.0.1:8000/v1", Outcome: omniscope.OK, Request: request, Result: result,
		Started: time.UnixMicro(1_700_000_000_000_000 + int64(n)),
	}
}

// BenchmarkAppend has appenders at work that wait for each commit, as many as a run
// has calls on the wire.
func BenchmarkAppend(b *testing.B) {
	request := bytes.Repeat([]byte("q"), 10_000)
	for _, c := range []struct{ appenders, size int }{{1000, 300}, {1000, 3000}, {64, 3000}, {8, 3000}} {
		b.Run(fmt.Sprintf("appenders=%d/result=%d", c.appenders, c.size), func(b *testing.B) {
			result := bytes.Repeat([]byte("r"), c.size)
			s, err := sqlite.Open(b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			j, err := s.Run(b.Context(), journal.Description{Name: "bench", Manifest: "{}"})
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()

			var next atomic.Int64
			var appenders sync.WaitGroup
			before := cpu()
			b.ResetTimer()
			for range c.appenders {
				appenders.Go(func() {
					for {
						n := int(next.Add(1))
						if n > b.N {
							return
						}
						if err := j.Append(b.Context(), entryOf(n, request, result)); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			appenders.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
			b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-us/append")
		})
	}
}

// BenchmarkResume opens a journal of 200,000 answers as a restarted run does.
func BenchmarkResume(b *testing.B) {
	const answers = 200_000
	dir := b.TempDir()
	fill(b, dir, answers, 3000)
	for b.Loop() {
		s, err := sqlite.Open(dir)
		if err != nil {
			b.Fatal(err)
		}
		j, err := s.Run(b.Context(), journal.Description{Name: "bench", Manifest: "{}"})
		if err != nil {
			b.Fatal(err)
		}
		steps, err := j.Steps(b.Context())
		if err != nil || len(steps) != answers {
			b.Fatalf("%d steps, %v", len(steps), err)
		}
		b.StopTimer()
		steps = nil
		b.ReportMetric(heap(s, j)/1e6, "heap-MB")
		j.Close()
		s.Close()
		b.StartTimer()
	}
}

// BenchmarkUsage adds up what a run of 200,000 answers took.
func BenchmarkUsage(b *testing.B) {
	const answers = 200_000
	dir := b.TempDir()
	fill(b, dir, answers, 3000)
	s, err := sqlite.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if u, err := s.Usage(b.Context(), "bench", nil); err != nil || u.Calls != answers {
			b.Fatal(u, err)
		}
	}
}

func heap(keep ...any) float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(keep)
	return float64(m.HeapAlloc)
}

// BenchmarkLookup finds answers in a journal of 100,000, and does not find others.
func BenchmarkLookup(b *testing.B) {
	const answers = 100_000
	dir := b.TempDir()
	fill(b, dir, answers, 3000)
	s, err := sqlite.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	j, err := s.Run(b.Context(), journal.Description{Name: "bench", Manifest: "{}"})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	for name, first := range map[string]int{"hit": 0, "miss": answers} {
		b.Run(name, func(b *testing.B) {
			before := cpu()
			for n := range b.N {
				e, err := j.Lookup(b.Context(), keyOf(first+n*7919%answers), "")
				if err != nil || (e != nil) != (name == "hit") {
					b.Fatal(e, err)
				}
			}
			b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-us/lookup")
		})
	}
}

func fill(b *testing.B, dir string, answers, size int) {
	b.Helper()
	s, err := sqlite.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	j, err := s.Run(context.Background(), journal.Description{Name: "bench", Manifest: "{}"})
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	result := bytes.Repeat([]byte("r"), size)
	var appenders sync.WaitGroup
	for a := range 1000 {
		appenders.Go(func() {
			for n := a; n < answers; n += 1000 {
				if err := j.Append(context.Background(), entryOf(n, nil, result)); err != nil {
					b.Error(err)
				}
			}
		})
	}
	appenders.Wait()
}
