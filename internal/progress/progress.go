// Package progress shows how far long work is: a bar on a terminal, a line every
// ten seconds elsewhere, such as in a log.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"omniscope/internal/visible"
)

// A Display shows how far one piece of work is, until it is stopped.
type Display struct {
	total    int64
	finished atomic.Int64
	noted    atomic.Pointer[string]
	started  time.Time
	state    func() []string
	quit     chan struct{}
	over     sync.WaitGroup
}

// How often a bar is drawn on a terminal, or a line is written elsewhere.
const (
	refresh = 150 * time.Millisecond
	every   = 10 * time.Second
)

// Start shows on w that nothing of total is done yet. state returns further parts
// of the line, such as money; nil = there are none.
func Start(w io.Writer, total int, state func() []string) *Display {
	d := newDisplay(total, state)
	if visible.HasWidth(w) {
		d.over.Go(func() { d.bar(w) })
	} else {
		d.over.Go(func() { d.lines(w) })
	}
	return d
}

// Silent is a Display that shows nothing.
func Silent(total int) *Display { return newDisplay(total, nil) }

func newDisplay(total int, state func() []string) *Display {
	return &Display{total: int64(total), started: time.Now(), state: state, quit: make(chan struct{})}
}

// Total is how much there is to do.
func (d *Display) Total() int { return int(d.total) }

// Done sets how much is done.
func (d *Display) Done(n int) { d.finished.Store(int64(n)) }

// Note says what was done last, in place of the rate, where single things take
// long; "" = the rate again.
func (d *Display) Note(what string) { d.noted.Store(&what) }

// Stop ends the display. It may be called once.
func (d *Display) Stop() {
	close(d.quit)
	d.over.Wait()
}

func (d *Display) bar(w io.Writer) {
	bars := newBars(w)
	bar := bars.AddBar(d.total,
		mpb.PrependDecorators(decor.CountersNoUnit("%d/%d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return visible.Line(d.line()) })))
	show := func() { bar.SetCurrent(d.finished.Load()) }
	until(d.quit, refresh, show)
	show()
	if !bar.Completed() {
		bar.Abort(false)
	}
	bars.Wait()
}

func newBars(w io.Writer) *mpb.Progress {
	return mpb.New(mpb.WithOutput(visible.Unwrapped(w)), mpb.WithWidth(40), mpb.WithAutoRefresh())
}

// until calls do again and again until quit is closed.
func until(quit <-chan struct{}, interval time.Duration, do func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			do()
		case <-quit:
			return
		}
	}
}

func (d *Display) lines(w io.Writer) {
	until(d.quit, every, func() {
		n := d.finished.Load()
		fmt.Fprintf(w, "%d/%d (%d%%) %s\n", n, d.total, 100*n/max(d.total, 1), d.line())
	})
}

// perSecond writes a rate. Calls of models are slow: a rate below one must not read as none.
func perSecond(rate float64) string {
	switch {
	case rate > 0 && rate < 0.095:
		return fmt.Sprintf("%.2f/s", rate)
	case rate > 0 && rate < 0.95:
		return fmt.Sprintf("%.1f/s", rate)
	}
	return fmt.Sprintf("%.0f/s", rate)
}

// line is the rate or the note, the time left, and the further parts.
func (d *Display) line() string {
	n, elapsed := d.finished.Load(), time.Since(d.started)
	rate := float64(n) / elapsed.Seconds()
	parts := []string{perSecond(rate)}
	if what := d.noted.Load(); what != nil && *what != "" {
		parts[0] = *what
	}
	if n > 0 && n < d.total {
		left := time.Duration(float64(d.total-n) / rate * float64(time.Second))
		parts = append(parts, "ETA "+left.Round(time.Second).String())
	}
	if d.state != nil {
		parts = append(parts, d.state()...)
	}
	return strings.Join(parts, ", ")
}
