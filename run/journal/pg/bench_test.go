package pg_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/run"
	"omniscope/run/journal"
	"omniscope/run/journal/pg"
)

// spread makes entries whose keys are spread as digests are.
func spread(n int, request, result []byte) *run.Entry {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	sum := sha256.Sum256(b[:])
	return &run.Entry{
		Key: run.Key(sum[:16]), Step: fmt.Sprintf("judge/sample-%06d/question-%02d", n/20, n%20), Attempt: 1, Kind: "model",
		Source: "http://127.0.0.1:8000/v1", Outcome: omniscope.OK, Request: request, Result: result,
		Started: time.UnixMicro(1_700_000_000_000_000 + int64(n)),
	}
}

// words are so many bytes of text that can be packed as well as prose.
func words(size int) []byte {
	random := rand.New(rand.NewPCG(1, 2))
	var text []byte
	for len(text) < size {
		text = append(strconv.AppendInt(text, 1<<20+random.Int64N(1<<14), 36), " and "[:1+random.IntN(5)]...)
	}
	return text[:size]
}

// at has workers do something b.N times in all, and reports how often a second and how
// much of the server's processor time each took.
func at(b *testing.B, workers int, do func(j *pg.Journal, n int) error) {
	server := pgtest.Own(b)
	address, err := server.Database(b.Context())
	fixture.OK(b, err)
	s, err := pg.Open(b.Context(), address, pg.Options{})
	fixture.OK(b, err)
	defer s.Close()
	opened, err := s.Run(b.Context(), journal.Description{Name: "bench", Manifest: "{}"})
	fixture.OK(b, err)
	defer opened.Close()
	j := opened.(*pg.Journal)
	var next atomic.Int64
	var all sync.WaitGroup
	before := server.CPU()
	b.ResetTimer()
	for range workers {
		all.Go(func() {
			for n := int(next.Add(1)); n <= b.N; n = int(next.Add(1)) {
				if err := do(j, n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(float64((server.CPU()-before).Microseconds())/float64(b.N), "server-us/row")
}

// BenchmarkAppend has appenders at work that wait for each commit.
func BenchmarkAppend(b *testing.B) {
	result := words(3000)
	for _, size := range []int{0, 10_000} {
		request := words(size)
		for _, workers := range []int{8, 64, 1000} {
			b.Run(fmt.Sprintf("writers=%d/request=%d", workers, size), func(b *testing.B) {
				at(b, workers, func(j *pg.Journal, n int) error { return j.Append(b.Context(), spread(n, request, result)) })
			})
		}
	}
}

// BenchmarkClaim claims calls and gives them up again.
func BenchmarkClaim(b *testing.B) {
	for _, workers := range []int{64, 1000} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			at(b, workers, func(j *pg.Journal, n int) error {
				e := spread(n, nil, nil)
				_, err := j.Claim(b.Context(), e.Key, e.Source)
				return err
			})
		})
	}
}

// BenchmarkLookup asks for calls that are not there, as a new run does.
func BenchmarkLookup(b *testing.B) {
	for _, workers := range []int{1, 64, 1000} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			at(b, workers, func(j *pg.Journal, n int) error {
				_, err := j.Lookup(b.Context(), spread(n, nil, nil).Key, "")
				return err
			})
		})
	}
}
