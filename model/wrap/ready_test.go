package wrap

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"omniscope/model"
	"omniscope/run"
)

// held answers once its gate opens, and reports each call.
type held struct {
	calls chan struct{}
	gate  chan struct{}
}

func (m *held) Generate(context.Context, *model.Request) (*model.Response, error) {
	m.calls <- struct{}{}
	<-m.gate
	return &model.Response{Text: "yes"}, nil
}

// With one call on the wire and a bound of 10 bytes, media of 6 bytes are prepared for
// two calls more, and for the others only as calls get their turn.
func TestMediaArePreparedAhead(t *testing.T) {
	const calls = 6
	provider := &held{make(chan struct{}, calls), make(chan struct{})}
	ready := &Ready{most: 10}
	m := Stack(provider, Options{Limiter: NewLimiter(1), Ready: ready})
	var prepared atomic.Int64
	loaded := make(chan int64, calls)
	request := func(i int) *model.Request {
		return &model.Request{Messages: []model.Message{{Role: model.User, Parts: []model.Part{{
			Kind: model.AudioPart, MIME: "audio/wav", Digest: string(rune('a' + i)),
			Load: func(context.Context) ([]byte, error) {
				loaded <- prepared.Add(1)
				return make([]byte, 6), nil
			},
		}}}}}
	}
	var all sync.WaitGroup
	start := func(i int) {
		all.Go(func() {
			if _, err := m.Generate(t.Context(), request(i)); err != nil {
				t.Error(err)
			}
		})
	}
	start(0)
	<-provider.calls // on the wire: its bytes do not count
	for i := 1; i <= 2; i++ {
		start(i)
		<-loaded
	}
	<-loaded
	for { // both wait for their turn
		if s, _ := ready.State(); s.Waiting == 2 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ready.room(ctx); err == nil {
		t.Error("12 bytes of 10 are prepared, and there is room")
	}
	for i := 3; i < calls; i++ {
		start(i)
	}
	for range calls - 1 {
		provider.gate <- struct{}{}
		<-provider.calls
		if n := prepared.Load(); n > calls {
			t.Errorf("%d were prepared", n)
		}
	}
	provider.gate <- struct{}{}
	all.Wait()
	if s, ok := ready.State(); s.Waiting != 0 || !ok || s.Rate <= 0 || ready.bytes != 0 {
		t.Errorf("%+v, %v, %d bytes", s, ok, ready.bytes)
	}
}

// A run that ends does not wait for room.
func TestNoRoomWhenTheRunEnds(t *testing.T) {
	ready := &Ready{most: 1}
	defer ready.add(2)()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	m := Stack(&held{}, Options{Ready: ready})
	_, err := m.Generate(run.WithStop(ctx), &model.Request{Messages: []model.Message{{Parts: []model.Part{{Kind: model.AudioPart, Digest: "a",
		Load: func(context.Context) ([]byte, error) { t.Error("loaded"); return nil, nil }}}}}})
	if err == nil {
		t.Error("no error")
	}
}
