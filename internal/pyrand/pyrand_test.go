package pyrand

import (
	"bufio"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// A vector is what Python drew from a seed.
type vector struct {
	ID, Kind string
	Seed     uint64
	Params   struct{ N, K, Count int }
	Out      json.RawMessage
}

func TestDrawsEqualPythons(t *testing.T) {
	f, err := os.Open(golden.Path(t, "mcif", "python_random.jsonl"))
	fixture.OK(t, err)
	defer f.Close()
	tested := 0
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var v vector
		fixture.OK(t, json.Unmarshal(in.Bytes(), &v))
		got, err := json.Marshal(draw(t, &v))
		fixture.OK(t, err)
		if !sameJSON(t, got, v.Out) {
			t.Errorf("%s, %s of seed %d:\ngot  %.200s\nwant %.200s", v.ID, v.Kind, v.Seed, got, v.Out)
		}
		tested++
	}
	if err := in.Err(); err != nil || tested < 119 {
		t.Errorf("%d vectors were tested: %v", tested, err)
	}
}

// draw draws what a vector holds.
func draw(t *testing.T, v *vector) any {
	r := New(v.Seed)
	n := v.Params.N
	switch v.Kind {
	case "getrandbits32":
		return times(n, r.Uint32)
	case "random":
		return times(n, r.Float64)
	case "shuffle":
		return shuffled(r, n)
	case "choice_index":
		return times(v.Params.Count, func() int { return r.IntN(n) })
	case "alias":
		return times(v.Params.Count, func() string { return r.Letters(letters, v.Params.K) })
	case "mcif_shuffle_then_alias":
		order := shuffled(r, n)
		return map[string]any{"shuffle": order, "alias": times(v.Params.Count, func() string { return r.Letters(letters, 10) })}
	}
	t.Fatalf("no kind %q is known", v.Kind)
	return nil
}

func times[T any](n int, draw func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = draw()
	}
	return out
}

func shuffled(r *Rand, n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

func sameJSON(t *testing.T, a, b []byte) bool {
	var x, y any
	fixture.OK(t, json.Unmarshal(a, &x))
	fixture.OK(t, json.Unmarshal(b, &y))
	return reflect.DeepEqual(x, y)
}

// The first draws of the generator's authors for the key that they publish, which takes the way of a
// longer key.
func TestSeedKey(t *testing.T) {
	r := &Rand{}
	r.seedKey([]uint32{0x123, 0x234, 0x345, 0x456})
	for i, want := range []uint32{1067595299, 955945823, 477289528, 4107218783, 4228976476} {
		if got := r.Uint32(); got != want {
			t.Errorf("draw %d is %d, want %d", i, got, want)
		}
	}
}

func TestSeedAgainDrawsTheSame(t *testing.T) {
	r := New(3)
	first := times(700, r.Uint32) // beyond a refill
	r.Seed(3)
	if again := times(700, r.Uint32); !reflect.DeepEqual(first, again) {
		t.Error("the same seed draws other numbers")
	}
}

func TestIntNOutOfRange(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("IntN(0) draws a number")
		}
	}()
	New(1).IntN(0)
}
