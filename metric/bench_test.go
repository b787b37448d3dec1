package metric

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// reportPeak reports how much memory one call needs at most. No garbage is
// collected meanwhile, so that the true peak is lower.
func reportPeak(b *testing.B, call func()) {
	b.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "peak-MB")
}

// speech is n words as common as ranks in natural language: the k-th of 3,000
// words about 1/k of the time.
func speech(src *rand.Rand, n int, word func(rank int) string) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = word(int(math.Exp(src.Float64() * math.Log(3000))))
	}
	return words
}

func latin(rank int) string {
	letters := []byte{'w'}
	for ; rank > 0; rank /= 26 {
		letters = append(letters, 'a'+byte(rank%26))
	}
	return string(letters)
}

func chinese(rank int) string { return string(rune('一' + rank)) }

// misheard changes a share of the words: half are replaced, a quarter lost and
// a quarter added.
func misheard(src *rand.Rand, words []string, share float64, word func(rank int) string) []string {
	var heard []string
	for _, w := range words {
		if src.Float64() >= share {
			heard = append(heard, w)
			continue
		}
		other := speech(src, 1, word)[0]
		switch src.IntN(4) {
		case 0:
		case 1:
			heard = append(heard, w, other)
		default:
			heard = append(heard, other)
		}
	}
	return heard
}

// BenchmarkAlign483Talks is the size of MCIF's English speech recognition: 21
// talks of 739 words, 23 systems with from 4 to 70 % of the words wrong.
func BenchmarkAlign483Talks(b *testing.B) {
	src := rand.New(rand.NewPCG(1, 2))
	refs := make([]string, 21)
	hyps := make([][]string, 23)
	for r := range refs {
		words := speech(src, 739, latin)
		refs[r] = strings.Join(words, " ")
		for s := range hyps {
			hyps[s] = append(hyps[s], strings.Join(misheard(src, words, 0.04+0.03*float64(s), latin), " "))
		}
	}
	all := func() {
		for _, h := range hyps {
			if _, err := WER(refs, h); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		all()
	}
	reportPeak(b, all)
}

// BenchmarkAlignLong divides tables after Hirschberg.
func BenchmarkAlignLong(b *testing.B) {
	src := rand.New(rand.NewPCG(3, 4))
	ref := speech(src, 60_000, latin)
	hyp := misheard(src, ref, 0.2, latin)
	one := func() { Align(ref, hyp) }
	b.ReportAllocs()
	for b.Loop() {
		one()
	}
	reportPeak(b, one)
}

func BenchmarkResegmentWords(b *testing.B) {
	src := rand.New(rand.NewPCG(5, 6))
	ref := speech(src, 8_220, latin)
	hyp := append(misheard(src, ref, 0.3, latin), speech(src, 2_000, latin)...)[:10_000]
	benchmarkResegment(b, hyp, ref, 500, " ", Resegmenting{})
}

// BenchmarkResegmentCharacters has the sizes of the longest published Chinese
// output: against a reference in proportion, and against that of one talk.
func BenchmarkResegmentCharacters(b *testing.B) {
	for _, c := range []struct {
		name            string
		hyp, ref, lines int
	}{
		{"119376x31000in1746", 119_376, 31_000, 1_746},
		{"119376x5566in84", 119_376, 5_566, 84},
	} {
		b.Run(c.name, func(b *testing.B) {
			src := rand.New(rand.NewPCG(7, 8))
			ref := speech(src, c.ref, chinese)
			hyp := append(misheard(src, ref, 0.3, chinese), speech(src, c.hyp, chinese)...)[:c.hyp]
			benchmarkResegment(b, hyp, ref, c.lines, "", Resegmenting{Characters: true})
		})
	}
}

func benchmarkResegment(b *testing.B, hyp, ref []string, lines int, between string, o Resegmenting) {
	text := strings.Join(hyp, between)
	cut := make([]string, lines)
	for i := range cut {
		cut[i] = strings.Join(ref[len(ref)*i/lines:len(ref)*(i+1)/lines], between)
	}
	one := func() {
		if _, err := Resegment(text, cut, o); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		one()
	}
	reportPeak(b, one)
}
