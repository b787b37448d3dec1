// Package filter does the work of the filters of `omniscope score`: it normalises texts,
// counts word errors, cuts texts by their references, reads choices and plants false claims, line by
// line, in order and in bounded memory. Package score scores complete files, with intervals.
package filter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/rows"
)

const (
	batchSize  = 64 << 10 // bytes of lines that are worked on in one go
	roomUnit   = 1 << 20  // bytes of lines in flight that take one place
	roomPlaces = 64
)

// A Work appends the result of a line, line end included, to dst.
type Work func(dst []byte, line string) ([]byte, error)

// A batch is lines that follow each other, and their results.
type batch struct {
	name   string // of what is read
	first  int    // number of the first line, from 1
	lines  []string
	size   int   // of the lines
	places int64 // of the room that it takes
	read   error // why nothing follows

	done chan struct{} // closed once the fields below are made
	out  []byte
	err  error
}

// Lines writes the results of each line of in, in order. Several lines are worked
// on at a time, and memory is bounded however many there are. A line is written
// as soon as there are no more to be had at once, so that the filter follows a
// log. An error ends it after the lines before have been written; name is what in
// is called in it.
func Lines(ctx context.Context, name string, in io.Reader, out io.Writer, work Work) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	places := int64(max(roomPlaces, 2*runtime.GOMAXPROCS(0)))
	room := semaphore.NewWeighted(places)
	ordered := make(chan *batch, places) // has room for every batch in flight
	go func() {
		defer close(ordered)
		var workers errgroup.Group
		workers.SetLimit(runtime.GOMAXPROCS(0))
		readBatches(ctx, name, in, func(b *batch) bool {
			b.places = min(1+int64(b.size/roomUnit), places)
			if room.Acquire(ctx, b.places) != nil {
				return false
			}
			ordered <- b
			workers.Go(func() error { b.do(work); return nil })
			return true
		})
	}()
	return writeBatches(ctx, out, ordered, room)
}

// writeBatches does not wait for a reader that is stuck in its input once ctx
// is done.
func writeBatches(ctx context.Context, out io.Writer, ordered <-chan *batch, room *semaphore.Weighted) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b, more := <-ordered:
			if !more {
				return nil
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-b.done:
			}
			if _, err := out.Write(b.out); err != nil {
				return fmt.Errorf("write the results: %w", err)
			}
			if b.err != nil {
				return b.err
			}
			room.Release(b.places)
		}
	}
}

// readBatches hands out the lines of in until there are no more, one cannot be
// read, or take reports false.
func readBatches(ctx context.Context, name string, in io.Reader, take func(*batch) bool) {
	in, err := input.Stream(ctx, name, in)
	if err != nil {
		take(&batch{name: name, first: 1, read: err, done: make(chan struct{})})
		return
	}
	r := rows.NewReader(in, batchSize, name, input.LimitsOf(ctx, input.Rows))
	for next := 1; ; {
		b := &batch{name: name, first: next, done: make(chan struct{})}
		for b.size < batchSize && b.read == nil {
			var line []byte
			if line, b.read = r.Next(); b.read != nil && len(line) == 0 {
				break
			}
			b.lines = append(b.lines, string(line))
			b.size += len(line)
			next++
			if !r.Ready() {
				break
			}
		}
		if !take(b) || b.read != nil {
			return
		}
	}
}

func (b *batch) do(work Work) {
	defer close(b.done)
	for i, line := range b.lines {
		// What is lost with an error is the line's own.
		out, err := work(b.out, line)
		if err != nil {
			b.err = rows.BadLine(b.name, b.first+i, err)
			return
		}
		b.out = out
	}
	switch {
	case omniscope.KindOf(b.read) == omniscope.Invalid:
		b.err = b.read
	case b.read != nil && !errors.Is(b.read, io.EOF):
		b.err = fmt.Errorf("read %s: %w", b.name, b.read)
	}
}
