package encoder

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// checkpoint is tensors with shapes, as a file has them.
type checkpoint struct {
	tensors  map[string]tensor
	mu       sync.Mutex
	released map[string]int
}

type tensor struct {
	shape   []int
	numbers []float32
}

func (c *checkpoint) Has(name string) bool {
	_, found := c.tensors[name]
	return found
}

func (c *checkpoint) Floats(name string, shape ...int) ([]float32, error) {
	t, found := c.tensors[name]
	switch {
	case !found:
		return nil, omniscope.Invalidf("m: no tensor %s", name)
	case !slices.Equal(t.shape, shape):
		return nil, omniscope.Invalidf("m: tensor %s has shape %v, want %v", name, t.shape, shape)
	}
	return t.numbers, nil
}

func (c *checkpoint) Release(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released[name]++
}

// saved gives invented weights their shapes, and names as old and new files do.
func saved(c Config, prefix string, old bool) *checkpoint {
	file := &checkpoint{tensors: make(map[string]tensor), released: make(map[string]int)}
	for name, numbers := range invent(c) {
		shape := []int{len(numbers)}
		switch {
		case strings.HasSuffix(name, "LayerNorm.weight"), strings.HasSuffix(name, ".bias"):
		case strings.HasSuffix(name, ".output.dense.weight") && !strings.Contains(name, "attention"):
			shape = []int{len(numbers) / c.Inner, c.Inner}
		default:
			shape = []int{len(numbers) / c.Hidden, c.Hidden}
		}
		if old {
			name = strings.NewReplacer(".LayerNorm.weight", ".LayerNorm.gamma", ".LayerNorm.bias", ".LayerNorm.beta").Replace(name)
		}
		file.tensors[prefix+name] = tensor{shape, numbers}
	}
	return file
}

func TestTensorPrefixes(t *testing.T) {
	c := small(BERT)
	want := bits(hiddenStates(t, open(t, c, invent(c), Options{}), [][]int32{made(c, 5, 0)}), 0)
	for _, prefix := range prefixes {
		for _, old := range []bool{false, true} {
			src, err := Prefixed(saved(c, prefix, old))
			fixture.OK(t, err)
			got := bits(hiddenStates(t, open(t, c, src, Options{}), [][]int32{made(c, 5, 0)}), 0)
			if len(got) != len(want) || got[len(got)-1] != want[len(want)-1] {
				t.Errorf("%q, old names %v: other numbers", prefix, old)
			}
		}
	}
	_, err := Prefixed(&checkpoint{tensors: map[string]tensor{"wte.weight": {}}})
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "m: no tensor embeddings.word_embeddings.weight") {
		t.Errorf("weights of something else: %v", err)
	}
}

func TestInvalidWeights(t *testing.T) {
	const (
		key   = "bert.encoder.layer.1.attention.self.key.weight"
		gamma = "bert.encoder.layer.2.output.LayerNorm.weight"
		types = "bert." + TypeTable
		down  = "bert.encoder.layer.0.output.dense.weight"
	)
	for _, test := range []struct {
		name string
		do   func(file map[string]tensor)
		want string
	}{
		{"a tensor is missing", func(f map[string]tensor) { delete(f, key) }, "m: no tensor " + key},
		{"a norm is missing", func(f map[string]tensor) { delete(f, gamma) }, "m: no tensor " + gamma},
		{"a table is missing", func(f map[string]tensor) { delete(f, types) }, "m: no tensor " + types},
		{"a matrix is transposed", func(f map[string]tensor) { f[down] = tensor{[]int{70, 42}, f[down].numbers} }, "m: tensor " + down + " has shape [70 42], want [42 70]"},
		{"a weight is NaN", func(f map[string]tensor) { f[key].numbers[5] = float32(math.NaN()) }, "tensor encoder.layer.1.attention.self.key.weight: number 5 is NaN"},
		{"a factor is infinite", func(f map[string]tensor) { f[gamma].numbers[0] = float32(math.Inf(-1)) }, "tensor encoder.layer.2.output.LayerNorm.weight: number 0 is -Inf"},
		{"a type is infinite", func(f map[string]tensor) { f[types].numbers[1] = float32(math.Inf(1)) }, "number 1 is +Inf"},
		{"two are bad and the first is named", func(f map[string]tensor) { delete(f, gamma); delete(f, down) }, "m: no tensor " + down},
	} {
		file := saved(small(BERT), "bert.", false)
		test.do(file.tensors)
		src, err := Prefixed(file)
		if err == nil {
			_, err = New(small(BERT), src, Options{Threads: 3})
		}
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

func TestNonFiniteEmbedding(t *testing.T) {
	c := small(BERT)
	src := invent(c)
	src[WordTable][9*c.Hidden+3] = float32(math.NaN())
	e := open(t, c, src, Options{})
	visits := 0
	err := e.Forward(t.Context(), [][]int32{{2, 9, 3}}, func(int, Hidden) error { visits++; return nil })
	if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), WordTable+": row 9") || visits != 0 {
		t.Errorf("got %v after %d layers", err, visits)
	}
	hiddenStates(t, e, [][]int32{{2, 8, 3}})
}

func TestCopiedTensorsReleased(t *testing.T) {
	c := small(XLMR)
	file := saved(c, "encoder.model.", true)
	src, err := Prefixed(file)
	fixture.OK(t, err)
	open(t, c, src, Options{Threads: 2})
	for name := range file.tensors {
		want := 1
		if strings.HasSuffix(name, "_embeddings.weight") {
			want = 0 // a table stays where it is
		}
		if file.released[name] != want {
			t.Errorf("%s is released %d times, want %d", name, file.released[name], want)
		}
	}
}

func TestShortSource(t *testing.T) {
	c := small(BERT)
	src := short{invent(c)}
	if _, err := New(c, src, Options{}); err == nil || !strings.Contains(err.Error(), "the source gave") {
		t.Errorf("got %v", err)
	}
}

// short is a Source with a fault.
type short struct{ memory }

func (s short) Floats(name string, _ ...int) ([]float32, error) { return s.memory[name][1:], nil }
