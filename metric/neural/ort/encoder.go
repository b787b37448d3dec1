//go:build ort

package ort

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"omniscope/metric/neural/encoder"
)

// An Encoder is a graph that is ready to run. Goroutines may share it; their
// calls of Forward wait for each other, as each uses all threads.
type Encoder struct {
	runtime *Runtime
	cfg     encoder.Config
	layers  []int
	outputs []string

	mu      sync.Mutex
	session handle
	memory  handle // the kind of memory that inputs lie in
	in      encoder.Tokens
}

// inputNames are the graph's inputs as Forward makes them.
var inputNames = []string{idsInput, positionsInput, filledInput, placesInput, maskInput}

var errClosed = errors.New("the encoder was closed")

// Forward is that of encoder.Encoder, but that visit sees the layers only that
// were asked for, and all of them behind the whole computation, which the end of
// ctx ends at any time.
func (e *Encoder) Forward(ctx context.Context, ids [][]int32, visit func(layer int, h encoder.Hidden) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.session == nil {
		return errClosed
	}
	if err := e.in.Set(e.cfg, ids); err != nil {
		return err
	}
	if len(ids) == 0 {
		return e.show(nil, visit)
	}
	var pins runtime.Pinner
	defer pins.Unpin()
	inputs, err := e.inputs(&pins)
	defer e.release(inputs)
	if err != nil {
		return fail("compute by ONNX Runtime", err)
	}
	outputs, err := e.run(ctx, inputs)
	defer e.release(outputs)
	switch {
	case err == nil:
		return e.show(outputs, visit)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return fail("compute by ONNX Runtime", err)
}

// inputs makes values of the sentences. Those made before an error are returned
// too.
func (e *Encoder) inputs(pins *runtime.Pinner) (values []handle, err error) {
	f := fill(e.in.Start)
	tokens := int64(len(e.in.IDs))
	add := func(data, size, kind uintptr, shape ...int64) {
		if err != nil {
			return
		}
		var value handle
		if value, err = e.tensor(pins, data, size, kind, shape...); err == nil {
			values = append(values, value)
		}
	}
	addInts := func(numbers []int64, shape ...int64) {
		add(list(pins, numbers), 8*uintptr(len(numbers)), int64Type, shape...)
	}
	sentences, longest := int64(f.sentences), int64(f.longest)
	addInts(wide(e.in.IDs), tokens)
	addInts(wide(e.in.Positions), tokens)
	addInts(f.tokens, sentences, longest)
	addInts(f.places, tokens)
	add(list(pins, f.mask), 4*uintptr(len(f.mask)), float32Type, sentences, 1, 1, longest)
	return values, err
}

func wide(numbers []int32) []int64 {
	out := make([]int64, len(numbers))
	for i, v := range numbers {
		out[i] = int64(v)
	}
	return out
}

// show calls visit for each layer. Without values there are no tokens.
func (e *Encoder) show(values []handle, visit func(layer int, h encoder.Hidden) error) error {
	for i, layer := range e.layers {
		h := encoder.Hidden{Width: e.cfg.Hidden, Start: e.in.Start}
		if values != nil {
			var err error
			if h.Rows, err = e.floats(values[i], len(e.in.IDs)*e.cfg.Hidden); err != nil {
				return fail("compute by ONNX Runtime", err)
			}
		}
		if err := visit(layer, h); err != nil {
			return err
		}
	}
	return nil
}

func (e *Encoder) release(values []handle) {
	for _, v := range values {
		e.runtime.api.release(releaseValue, v)
	}
}

// Close gives the session's memory back, when no call of Forward is left.
func (e *Encoder) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runtime.api.release(releaseSession, e.session)
	e.runtime.api.release(releaseMemoryInfo, e.memory)
	e.session, e.memory = nil, nil
	return nil
}
