package encoder

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/metric/neural/isa"
)

// small has sizes that fill no panel and no vector, and room for a sentence
// that is longer than one stretch of queries.
func small(family Family) Config {
	c := Config{Family: family, Vocab: 60, Hidden: 42, Layers: 3, Heads: 3, Inner: 70, Positions: 230, Types: 2, Eps: 1e-12}
	if family != BERT {
		c.Pad, c.Eps = 1, 1e-5
	}
	return c
}

// made is a sentence of so many ids, with one of padding in its midst.
func made(c Config, length, seed int) []int32 {
	ids := make([]int32, length)
	for i := range ids {
		ids[i] = int32((seed*17 + i*i*7 + i*3) % c.Vocab)
	}
	ids[length/2] = int32(c.Pad)
	return ids
}

func open(t testing.TB, c Config, src Source, o Options) *Encoder {
	t.Helper()
	e, err := New(c, src, o)
	fixture.OK(t, err)
	return e
}

// bits makes numbers comparable, NaN and zeros of either sign included.
func bits(layers [][][]float32, sentence int) (all []uint32) {
	for _, states := range layers {
		for _, x := range states[sentence] {
			all = append(all, math.Float32bits(x))
		}
	}
	return all
}

func TestCPUMatchesReference(t *testing.T) {
	for _, family := range []Family{BERT, RoBERTa, XLMR} {
		c := small(family)
		src := invent(c)
		sentences := [][]int32{made(c, 2, 1), made(c, 1, 2), made(c, 33, 3), made(c, 200, 4), made(c, 16, 5)}
		ref := &reference{cfg: c, src: src}
		fixture.OK(t, ref.in.Set(c, sentences))
		var want []rows
		err := transform(t.Context(), c.Layers, ref, func(_ int, h rows) error {
			want = append(want, h)
			return nil
		})
		fixture.OK(t, err)
		for _, set := range isa.Available() {
			layers := 0
			err := open(t, c, src, Options{Set: set, Threads: 3}).Forward(t.Context(), sentences, func(layer int, h Hidden) error {
				layers++
				for token, row := range want[layer] {
					for i, x := range row {
						if got := h.Token(token)[i]; !(math.Abs(float64(got)-x) <= 2e-5) {
							return fmt.Errorf("layer %d, token %d: got %v, want %v", layer, token, got, x)
						}
					}
				}
				return nil
			})
			if err != nil || layers != c.Layers+1 {
				t.Errorf("%s, %s: %d layers, %v", family, set, layers, err)
			}
		}
	}
}

// The numbers are from a program of forty lines of Python that knows the papers'
// formulas and hashed, in float64.
func TestAnotherProgramComputesTheSame(t *testing.T) {
	for _, test := range []struct {
		family Family
		want   map[[2]int][4]float64 // layer and token: what its row begins with
	}{
		{BERT, map[[2]int][4]float64{
			{0, 0}: {1.6607521, 0.0958344, -0.1887175, -0.4245212},
			{0, 2}: {-0.6515119, 0.4048441, -1.7240870, 0.9500612},
			{0, 5}: {-0.6839678, 0.0765306, -0.7005734, 1.4648676},
			{3, 0}: {0.3417314, -2.1901721, -0.6023468, -1.3096344},
			{3, 2}: {0.3878217, -1.9212893, -0.3967560, -1.4972248},
			{3, 5}: {0.3930696, -1.7263226, -0.1802213, -1.5986167},
		}},
		{XLMR, map[[2]int][4]float64{
			{0, 0}: {1.8323683, 0.1250679, -0.8316059, -0.3836814},
			{0, 2}: {-0.1302868, -0.9534634, 0.6199163, 0.1919192},
			{0, 5}: {-2.5102585, -0.4966518, -0.2051852, 1.3217382},
			{3, 0}: {0.6825960, -1.8721276, -0.6200569, -1.3833956},
			{3, 2}: {0.7233551, -1.7089520, -0.3359220, -1.6605429},
			{3, 5}: {0.5770655, -2.0787222, -0.5760179, -1.4407446},
		}},
	} {
		c := small(test.family)
		e := open(t, c, invent(c), Options{Set: isa.Best()})
		states := hiddenStates(t, e, [][]int32{{2, 9, int32(c.Pad), 33, 7, 59}})
		for at, want := range test.want {
			got := states[at[0]][0][at[1]*c.Hidden:]
			for i, x := range want {
				if !(math.Abs(float64(got[i])-x) <= 1e-5) {
					t.Errorf("%s, layer %d, token %d: got %v, want %v", test.family, at[0], at[1], got[:4], want)
					break
				}
			}
		}
	}
}

// What a sentence's neighbours are, who computes it and by which fused
// instructions must not be seen in its numbers: they are kept.
func TestBitsIndependentOfBatch(t *testing.T) {
	narrow := Config{XLMR, 60, 96, 3, 3, 200, 230, 1, 1, 1e-5}
	wide := Config{XLMR, 60, 1024, 1, 16, 4096, 230, 1, 1, 1e-5}
	for c, lengths := range map[Config][]int{narrow: {5, 1, 64, 2, 100, 17, 97, 16, 3, 200}, wide: {5, 100, 17}} {
		src := invent(c)
		var sentences [][]int32
		for i, length := range lengths {
			sentences = append(sentences, made(c, length, i))
		}
		var fused [][]uint32 // by the first set that has fused multiply-adds
		for _, set := range isa.Available() {
			if set == isa.Scalar && c.Hidden > 100 {
				continue // takes long, and the sizes mean nothing to it
			}
			want := bitsAlone(t, open(t, c, src, Options{Set: set, Threads: 1}), sentences)
			sameBits(t, open(t, c, src, Options{Set: set, Threads: 4}), sentences, want)
			slices.Reverse(sentences)
			slices.Reverse(want)
			sameBits(t, open(t, c, src, Options{Set: set, Threads: 2}), sentences, want)
			slices.Reverse(sentences)
			slices.Reverse(want)
			if set != isa.Scalar && fused == nil {
				fused = want
			}
			if set != isa.Scalar && !slices.EqualFunc(fused, want, slices.Equal) {
				t.Errorf("width %d: %s gives other bits than %s", c.Hidden, set, isa.Best())
			}
		}
	}
}

// bitsAlone computes one sentence after the other.
func bitsAlone(t *testing.T, e *Encoder, sentences [][]int32) (all [][]uint32) {
	for _, ids := range sentences {
		all = append(all, bits(hiddenStates(t, e, [][]int32{ids}), 0))
	}
	return all
}

// sameBits computes all sentences together.
func sameBits(t *testing.T, e *Encoder, sentences [][]int32, want [][]uint32) {
	t.Helper()
	together := hiddenStates(t, e, sentences)
	for s, ids := range sentences {
		if !slices.Equal(bits(together, s), want[s]) {
			t.Errorf("width %d, %d threads: %d tokens have other bits in a batch", e.cfg.Hidden, e.cpu.threads, len(ids))
		}
	}
}

func TestLoadFirstLayers(t *testing.T) {
	c := small(BERT)
	src := invent(c)
	all := open(t, c, src, Options{})
	for name := range src {
		if strings.HasPrefix(name, "encoder.layer.2.") {
			delete(src, name)
		}
	}
	first := open(t, c, src, Options{Layers: 2})
	if first.Config().Layers != 2 {
		t.Errorf("it says to have %d layers", first.Config().Layers)
	}
	sentences := [][]int32{made(c, 7, 0)}
	want, got := hiddenStates(t, all, sentences), hiddenStates(t, first, sentences)
	if len(want) != 4 || len(got) != 3 || !slices.Equal(bits(got, 0), bits(want[:3], 0)) {
		t.Errorf("%d layers, want the first 3 of %d", len(got), len(want))
	}
	if _, err := New(c, src, Options{}); err == nil || !strings.Contains(err.Error(), "encoder.layer.2.") {
		t.Errorf("weights that are not there: %v", err)
	}
	for _, layers := range []int{-1, 4} {
		if _, err := New(c, src, Options{Layers: layers}); omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%d of 3 layers: %v", layers, err)
		}
	}
}

func TestPositions(t *testing.T) {
	for _, test := range []struct {
		family Family
		ids    []int32
		want   []int32
	}{
		{BERT, []int32{5, 6, 7}, []int32{0, 1, 2}},
		{BERT, []int32{5, 0, 7}, []int32{0, 1, 2}}, // the id of padding counts
		{RoBERTa, []int32{0, 6, 2}, []int32{2, 3, 4}},
		{RoBERTa, []int32{0, 1, 1, 6, 2}, []int32{2, 1, 1, 3, 4}},
		{XLMR, []int32{1, 0, 1}, []int32{1, 2, 1}},
	} {
		var in tokens
		if err := in.Set(small(test.family), [][]int32{test.ids}); err != nil || !slices.Equal(in.Positions, test.want) {
			t.Errorf("%s: ids %v are at %v, %v; want %v", test.family, test.ids, in.Positions, err, test.want)
		}
	}
}

func TestInvalidSentences(t *testing.T) {
	c := small(RoBERTa)
	e := open(t, c, invent(c), Options{})
	good := made(c, 4, 0)
	long := slices.Repeat([]int32{7}, c.MaxTokens())
	for _, test := range []struct {
		ids  []int32
		want string
	}{
		{nil, "sentence 1: it has no ids"},
		{[]int32{0, 60, 2}, "sentence 1: id 60 at 1 is outside of the vocabulary of 60"},
		{[]int32{0, -1, 2}, "sentence 1: id -1 at 1 is outside"},
		{append(slices.Clone(long), 7), "sentence 1: it has 229 tokens, which is more than the model's 228"},
	} {
		err := e.Forward(t.Context(), [][]int32{good, test.ids}, func(int, Hidden) error { return nil })
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	hiddenStates(t, e, [][]int32{long})
	hiddenStates(t, e, [][]int32{append(slices.Clone(long), 1)}) // padding takes no further position
	if got := len(hiddenStates(t, e, nil)); got != c.Layers+1 {
		t.Errorf("of no sentences there are %d layers", got)
	}
}

func TestForwardCancelled(t *testing.T) {
	c := small(BERT)
	e := open(t, c, invent(c), Options{})
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	err := e.Forward(ctx, [][]int32{made(c, 4, 0)}, func(layer int, _ Hidden) error {
		if seen++; layer == 1 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || seen != 2 {
		t.Errorf("%d layers seen, %v", seen, err)
	}
	enough := errors.New("enough")
	err = e.Forward(t.Context(), [][]int32{made(c, 4, 0)}, func(int, Hidden) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("got %v", err)
	}
	want := hiddenStates(t, open(t, c, invent(c), Options{}), [][]int32{made(c, 9, 0)})
	if got := hiddenStates(t, e, [][]int32{made(c, 9, 0)}); !slices.Equal(bits(got, 0), bits(want, 0)) {
		t.Error("a run that ended early is seen in the next")
	}
}

func TestMemoryReuse(t *testing.T) {
	c := small(BERT)
	e := open(t, c, invent(c), Options{Threads: 1})
	sentences := [][]int32{made(c, 40, 0), made(c, 30, 1)}
	run := func() {
		fixture.OK(t, e.Forward(t.Context(), sentences, func(int, Hidden) error { return nil }))
	}
	run()
	const most = 400 // under the race detector pools forget at random; without it, below 100
	if n := testing.AllocsPerRun(10, run); n > most {
		t.Errorf("%v allocations in a second run", n)
	}
}

func TestBatchesGroupByLength(t *testing.T) {
	for _, test := range []struct {
		lengths []int
		tokens  int
		want    [][]int
	}{
		{nil, 10, nil},
		{[]int{3, 9, 4, 5}, 10, [][]int{{1}, {3, 2}, {0}}},
		{[]int{5, 5, 5}, 10, [][]int{{0, 1}, {2}}},
		{[]int{99, 1}, 10, [][]int{{0}, {1}}}, // longer than a batch: alone
		{[]int{1, 2}, 0, [][]int{{1}, {0}}},
		{[]int{0, 4, -1, 6}, 10, [][]int{{3, 1, 0, 2}}},
	} {
		if got := Batches(test.lengths, test.tokens); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%v to %d tokens: got %v, want %v", test.lengths, test.tokens, got, test.want)
		}
	}
}
