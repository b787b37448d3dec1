//go:build unix

package encoder

import (
	"math"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/gemm"
	"omniscope/metric/neural/isa"
)

// noise is a Source of random weights of any shape. All tensors are stretches
// of the same numbers, as only the packed copies are of interest.
type noise []float32

func newNoise(c Config) noise {
	n := make(noise, 2*max(c.Hidden*c.Inner, c.Vocab*c.Hidden, c.Positions*c.Hidden))
	for i := range n {
		n[i] = float32(0.03 * math.Sqrt(3) * hashed(0, i))
	}
	return n
}

func (n noise) Floats(name string, shape ...int) ([]float32, error) {
	size, start := 1, 0
	for _, d := range shape {
		size *= d
	}
	for _, b := range []byte(name) {
		start = (start*31 + int(b)) % (len(n) - size)
	}
	return n[start:][:size:size], nil
}

// The encoders of COMET and of BERTScore, as deep as they are used. There are
// few words, as looking them up costs nothing.
var benchmarked = []struct {
	name string
	cfg  Config
}{
	{"xlm-r-large-24", Config{XLMR, 1000, 1024, 24, 16, 4096, 514, 1, 1, 1e-5}},
	{"roberta-large-17", Config{RoBERTa, 1000, 1024, 17, 16, 4096, 514, 1, 1, 1e-5}},
	{"mbert-9", Config{BERT, 1000, 768, 9, 12, 3072, 512, 2, 0, 1e-12}},
	{"bert-base-chinese-8", Config{BERT, 1000, 768, 8, 12, 3072, 512, 2, 0, 1e-12}},
}

// operations counts additions and multiplications of the products.
func operations(c Config, lengths []int) (total float64) {
	for _, length := range lengths {
		weights := 4*c.Hidden*c.Hidden + 2*c.Hidden*c.Inner
		attention := 2 * length * c.Hidden
		total += 2 * float64(length) * float64(weights+attention) * float64(c.Layers)
	}
	return total
}

// cpuTime is what this program used of all processors.
func cpuTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		panic(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// BenchmarkForward reports two speeds: by the clock, and what the time on
// processors would give with all threads on a machine that does nothing else.
func BenchmarkForward(b *testing.B) {
	for _, model := range benchmarked {
		src := newNoise(model.cfg)
		for _, set := range isa.Available() {
			if set == isa.Scalar && model.name != "bert-base-chinese-8" {
				continue // takes minutes
			}
			for _, shape := range [][2]int{{8, 64}, {1, 512}, {64, 16}, {1, 24}} {
				lengths := make([]int, shape[0])
				for i := range lengths {
					lengths[i] = shape[1]
				}
				name := strings.Join([]string{model.name, set.String(), strconv.Itoa(shape[0]) + "x" + strconv.Itoa(shape[1])}, "/")
				b.Run(name, func(b *testing.B) {
					benchmarkForward(b, open(b, model.cfg, src, Options{Set: set}), lengths)
				})
			}
		}
	}
}

func benchmarkForward(b *testing.B, e *Encoder, lengths []int) {
	sentences, tokens := make([][]int32, len(lengths)), 0
	for i, length := range lengths {
		sentences[i] = made(e.Config(), length, i)
		tokens += length
	}
	nothing := func(int, Hidden) error { return nil }
	fixture.OK(b, e.Forward(b.Context(), sentences, nothing))
	used := cpuTime()
	for b.Loop() {
		fixture.OK(b, e.Forward(b.Context(), sentences, nothing))
	}
	used = cpuTime() - used
	n, threads := float64(b.N), float64(e.cpu.threads)
	giga := operations(e.Config(), lengths) / 1e9
	b.ReportMetric(n*float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
	b.ReportMetric(n*giga/b.Elapsed().Seconds(), "GFLOP/s")
	b.ReportMetric(n*float64(tokens)/used.Seconds()*threads, "cpu-tokens/s")
	b.ReportMetric(n*giga/used.Seconds(), "GFLOP/cpu-s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkPeak is what one thread could do at best, to compare with.
func BenchmarkPeak(b *testing.B) {
	for _, set := range isa.Available() {
		b.Run(set.String(), func(b *testing.B) {
			var best float64
			for b.Loop() {
				best = gemm.New(set).Peak(200 * time.Millisecond)
			}
			b.ReportMetric(best, "GFLOP/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	c := benchmarked[0].cfg
	src := newNoise(c)
	for b.Loop() {
		open(b, c, src, Options{Set: isa.Best()})
	}
}
