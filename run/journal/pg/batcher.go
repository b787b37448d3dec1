package pg

import (
	"context"
	"sync"
)

// mostTogether bounds how many questions go to the server at a time. While some are on
// their way, the next ones gather and then go together: that makes a server on another
// machine fast enough.
const mostTogether = 256

// A batcher asks the questions of many goroutines together.
type batcher[Q, A any] struct {
	ask   func(ctx context.Context, asked []Q) ([]A, error) // an answer for each
	queue chan *question[Q, A]
	done  sync.WaitGroup
}

type question[Q, A any] struct {
	asked  Q
	answer A
	err    error
	done   chan struct{} // closed when answered
}

// start asks with as many connections at a time as atOnce until ctx ends.
func (b *batcher[Q, A]) start(ctx context.Context, atOnce int, ask func(context.Context, []Q) ([]A, error)) {
	b.ask, b.queue = ask, make(chan *question[Q, A], 4*mostTogether)
	for range atOnce {
		b.done.Go(func() { b.work(ctx) })
	}
}

func (b *batcher[Q, A]) work(ctx context.Context) {
	for first := range b.queue {
		batch := b.gather(first)
		asked := make([]Q, len(batch))
		for i, q := range batch {
			asked[i] = q.asked
		}
		answers, err := b.ask(ctx, asked)
		for i, q := range batch {
			if q.err = err; err == nil {
				q.answer = answers[i]
			}
			close(q.done)
		}
	}
}

// gather returns a question and those that wait behind it. It does not wait for more:
// another worker may take them, and whoever asked this one may ask nothing else before it
// is answered.
func (b *batcher[Q, A]) gather(first *question[Q, A]) []*question[Q, A] {
	batch := []*question[Q, A]{first}
	for len(batch) < mostTogether {
		select {
		case q, open := <-b.queue:
			if !open {
				return batch
			}
			batch = append(batch, q)
		default:
			return batch
		}
	}
	return batch
}

// put asks a question. Its answer may be read once done is closed.
func (b *batcher[Q, A]) put(asked Q) *question[Q, A] {
	q := &question[Q, A]{asked: asked, done: make(chan struct{})}
	b.queue <- q
	return q
}

// close waits for the questions that were put. None may be put any more.
func (b *batcher[Q, A]) close() {
	close(b.queue)
	b.done.Wait()
}
