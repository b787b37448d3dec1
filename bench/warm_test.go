package bench_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/run/local"
)

// warmable is a list of results that notes which units were warmed, and whether
// one was evaluated cold.
type warmable struct {
	listed
	fails error // of the second part

	mu    sync.Mutex
	parts [][]int
	warm  map[int]bool
	cold  []int
}

func (w *warmable) Open(context.Context, bench.Inputs) (bench.Evaluation, error) { return w, nil }

func (w *warmable) Requests(int) ([]*model.Request, error) { return nil, nil }

func (w *warmable) Warm(_ context.Context, units []int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.parts) == 1 && w.fails != nil {
		return w.fails
	}
	w.parts = append(w.parts, units)
	for _, i := range units {
		w.warm[i] = true
	}
	return nil
}

func (w *warmable) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.warm[i] {
		w.cold = append(w.cold, i)
	}
	return w.listed.Evaluate(ctx, i)
}

func TestUnitsWarmedFirst(t *testing.T) {
	const units = 600
	w := &warmable{listed: many(units), warm: make(map[int]bool)}
	got, err := bench.Score(t.Context(), w, w, bench.Strict, bench.Options{Engine: &local.Engine{Workers: 3}, Known: map[string]bool{"u0": true}})
	fixture.OK(t, err)
	if len(w.parts) != 3 || len(w.warm) != units || len(w.cold) > 0 || w.parts[0][0] != 1 {
		t.Errorf("%d of %d units were warmed in %d parts, %v were not", len(w.warm), units, len(w.parts), w.cold)
	}
	for _, part := range w.parts {
		if len(part) > 256 {
			t.Errorf("a part has %d units", len(part))
		}
	}
	want := scored(t, many(units), bench.Options{Engine: &local.Engine{Workers: 3}})
	if got.Usage = want.Usage; !reflect.DeepEqual(got, want) {
		t.Error("the results differ from those without warming")
	}
}

func TestWarmFails(t *testing.T) {
	w := &warmable{listed: many(600), warm: make(map[int]bool), fails: errors.New("out of memory")}
	if _, err := bench.Score(t.Context(), w, w, bench.Strict, bench.Options{Engine: &local.Engine{Workers: 3}}); !errors.Is(err, w.fails) {
		t.Errorf("the run ends with %v", err)
	}
	if len(w.cold) > 0 {
		t.Errorf("%v were evaluated cold", w.cold)
	}
}
