package fingerprint

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"omniscope/media/pdq"
)

// full is an invented fingerprint with all that a moving film with sound has.
func full(r *rand.Rand, name string, seconds int) *Fingerprint {
	f := invented(r, name, seconds)
	random := func() pdq.Hash { return pdq.Hash{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()} }
	for i := range f.Frames {
		f.Frames[i].Mirrored = random()
		for range margins {
			f.Frames[i].Inner = append(f.Frames[i].Inner, random())
		}
		for n := range 3 {
			f.Between = append(f.Between, moment{f.Frames[i].Time + time.Duration(n+1)*momentStep, random()})
		}
	}
	return f
}

// BenchmarkTrainingSet compares 15,000 clips of a minute, of which each hundredth is a copy, with 2,320 of a benchmark. The clips
// of the training set come one after the other, as from a Memory; heap-MB is what the index and its fingerprints take.
func BenchmarkTrainingSet(b *testing.B) {
	const clips, items = 15000, 2320
	r := rand.New(rand.NewPCG(3, 4))
	var all []*Fingerprint
	for i := range items {
		all = append(all, full(r, fmt.Sprint("item ", i), 60))
	}
	for b.Loop() {
		x := NewIndex(all)
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		b.ReportMetric(float64(stats.HeapAlloc)/1e6, "heap-MB")
		var next, found atomic.Int64
		done := make(chan bool)
		workers := runtime.GOMAXPROCS(0)
		for w := range workers {
			go func() {
				r := rand.New(rand.NewPCG(5, uint64(w)))
				for i := next.Add(1); i <= clips; i = next.Add(1) {
					f := full(r, fmt.Sprint("clip ", i), 60)
					if i%100 == 0 {
						f = noisy(r, all[i%items], f.File, 10, 40, 20, 0.1)
					}
					found.Add(int64(len(x.Find(f))))
				}
				done <- true
			}()
		}
		for range workers {
			<-done
		}
		if found.Load() != clips/100 {
			b.Fatalf("found %d copies, want %d", found.Load(), clips/100)
		}
	}
}
