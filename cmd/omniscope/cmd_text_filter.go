package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/record"
)

const (
	batchSize  = 64 << 10 // bytes of lines that are worked on in one go
	roomUnit   = 1 << 20  // bytes of lines in flight that take one place
	roomPlaces = 64
)

// lineWork appends what becomes of a line, line end included, to dst.
type lineWork func(dst []byte, line string) ([]byte, error)

// A batch is lines that follow each other, and what becomes of them.
type batch struct {
	name   string // of what is read
	first  int    // number of the first line, from 1
	lines  []string
	places int   // of the room that it takes
	read   error // why nothing follows

	done chan struct{} // closed once the fields below are made
	out  []byte
	err  error
}

// filterLines writes what work makes of each line of in, in order. Several
// lines are worked on at a time, and memory is bounded however many there are.
// A line is written as soon as there are no more to be had at once, so that the
// filter follows a log. An error ends it after the lines before have been
// written; name is what in is called in it.
func filterLines(ctx context.Context, name string, in io.Reader, out io.Writer, work lineWork) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	room := make(chan struct{}, max(roomPlaces, 2*runtime.GOMAXPROCS(0)))
	todo, ordered := make(chan *batch), make(chan *batch, cap(room))
	go func() {
		defer close(ordered)
		defer close(todo)
		readBatches(ctx, name, in, func(b *batch) bool {
			b.places = min(1+b.size()/roomUnit, cap(room))
			for range b.places {
				if !send(ctx, room, struct{}{}) {
					return false
				}
			}
			return send(ctx, todo, b) && send(ctx, ordered, b)
		})
	}()
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for b := range todo {
				b.do(work)
			}
		}()
	}
	return writeBatches(ctx, out, ordered, room)
}

// send reports false once ctx is done.
func send[T any](ctx context.Context, to chan<- T, v T) bool {
	select {
	case to <- v:
		return true
	case <-ctx.Done():
		return false
	}
}

// writeBatches does not wait for a reader that is stuck in its input once ctx
// is done.
func writeBatches(ctx context.Context, out io.Writer, ordered <-chan *batch, room <-chan struct{}) error {
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
			for range b.places {
				<-room
			}
		}
	}
}

// readBatches hands out the lines of in until there are no more, one cannot be
// read, or take reports false.
func readBatches(ctx context.Context, name string, in io.Reader, take func(*batch) bool) {
	limits := input.LimitsOf(ctx, input.Rows)
	in, err := input.Stream(ctx, name, in)
	if err != nil {
		take(&batch{name: name, first: 1, read: err, done: make(chan struct{})})
		return
	}
	r := bufio.NewReaderSize(in, batchSize)
	for next := 1; ; {
		b := &batch{name: name, first: next, done: make(chan struct{})}
		for size := 0; size < batchSize && b.read == nil; {
			var line string
			if line, b.read = readLine(r, name, next, limits); b.read != nil && line == "" {
				break
			}
			b.lines = append(b.lines, line)
			size += len(line)
			next++
			if waiting, _ := r.Peek(r.Buffered()); bytes.IndexByte(waiting, '\n') < 0 {
				break
			}
		}
		if !take(b) || b.read != nil {
			return
		}
	}
}

// readLine returns a line without its end. A last line may have none; it comes
// with io.EOF, as does the end of all lines, which is an empty one.
func readLine(r *bufio.Reader, name string, number int, limits input.Limits) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > int(limits.Row):
			return "", limits.TooLongRow(name, number)
		case err == nil, errors.Is(err, io.EOF):
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
			return string(line), err
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}

func (b *batch) size() (n int) {
	for _, line := range b.lines {
		n += len(line)
	}
	return n
}

func (b *batch) do(work lineWork) {
	defer close(b.done)
	for i, line := range b.lines {
		// What is lost with an error is the line's own.
		out, err := work(b.out, line)
		if err != nil {
			b.err = record.BadLine(b.name, b.first+i, err)
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

// onRecords is the work on JSON Lines: it adds to each line the result that
// answer gives, of the fields named own.
func onRecords(answer func(*record.Record) ([]record.Field, error), own ...string) lineWork {
	return func(dst []byte, line string) ([]byte, error) {
		line = strings.Trim(line, " \t\r\n") // the blanks of JSON
		if line == "" {
			return dst, nil
		}
		r, err := record.Read(line)
		if err != nil {
			return dst, err
		}
		result, err := answer(r)
		if refused, ok := errors.AsType[raised](err); ok {
			result, err = refused.fields(), nil
		}
		if err != nil {
			return dst, err
		}
		dst, err = r.AppendWith(dst, result, own)
		return append(dst, '\n'), err
	}
}
