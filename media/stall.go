package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"omniscope/internal/child"
)

// patience is how long a program may go without any progress: nothing but its
// log comes through its pipes, and it reads nothing from the disk.
const patience = 60 * time.Second

// unknownPatience is how many times longer it may go where the system does not
// count what it reads: to cut a long film takes minutes without output.
const unknownPatience = 10

// A stallWatch ends a program that makes no progress.
type stallWatch struct {
	patience time.Duration
	waited   time.Duration // without progress, once it was ended
	bytes    atomic.Int64  // that came through the program's pipes, in both directions
	busy     atomic.Int32  // of our own readers and writers that work on what came
}

// reader counts what is read from a pipe of the program.
func (w *stallWatch) reader(r io.Reader) io.Reader { return &watchedReader{watch: w, r: r, ours: true} }

// input counts what the program is given. While it is waited for, the program
// has nothing to do.
func (w *stallWatch) input(r io.Reader) io.Reader { return &watchedReader{watch: w, r: r} }

type watchedReader struct {
	watch *stallWatch
	r     io.Reader
	ours  bool // outside Read, we work on what was read
}

func (r *watchedReader) Read(p []byte) (int, error) {
	before, after := int32(1), int32(-1)
	if r.ours {
		before, after = -1, 1
	}
	r.watch.busy.Add(before)
	n, err := r.r.Read(p)
	r.watch.busy.Add(after)
	r.watch.bytes.Add(int64(n))
	return n, err
}

// idle calls a function that waits for the program without reading.
func (r *watchedReader) idle(wait func()) {
	r.watch.busy.Add(-1)
	defer r.watch.busy.Add(1)
	wait()
}

// run returns once ctx is done, or with an error once the program with a
// process number has made no progress for as long as the patience.
func (w *stallWatch) run(ctx context.Context, pid int) error {
	tick := time.NewTicker(max(w.patience/12, time.Millisecond))
	defer tick.Stop()
	last, since := int64(-1), time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			read, known := child.BytesRead(pid)
			made, allowed := w.bytes.Load()+read, w.patience
			if !known {
				allowed *= unknownPatience
			}
			if made != last || w.busy.Load() > 0 {
				last, since = made, now
			}
			if now.Sub(since) >= allowed {
				w.waited = allowed
				return errStalled
			}
		}
	}
}

var errStalled = errors.New("no progress")

// stalled explains that a program was ended because it made no progress.
func (p *program) stalled(log *runLog, waited time.Duration) error {
	last := append(log.first, log.last...)
	words := "it had said nothing"
	if n := len(last); n > 0 {
		words = "its last words: " + strings.Join(last[max(0, n-3):], "; ")
	}
	return p.wrong(fmt.Errorf("%s made %w for %v and was ended; %s", p.name, errStalled, waited, words))
}
