package progress

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"omniscope/internal/bytesize"
	"omniscope/internal/visible"
)

// byteCounter shows what is done with large files, one after another, and how many bytes of
// each that has done: a bar on a terminal, a line every ten seconds elsewhere.
type byteCounter struct {
	mu   sync.Mutex
	now  stage
	quit chan struct{}
	over sync.WaitGroup
}

// A stage is one thing done with one file.
type stage struct {
	what        string
	done, total int64
	first       int64 // that were there when it began
	started     time.Time
}

// StartBytes shows on w the numbers that Set gets; with quiet, it shows nothing.
func StartBytes(w io.Writer, quiet bool) *byteCounter {
	p := &byteCounter{quit: make(chan struct{})}
	switch {
	case quiet:
	case visible.HasWidth(w):
		p.over.Go(func() { p.bars(w) })
	default:
		p.over.Go(func() { p.lines(w) })
	}
	return p
}

// Set says what is being done, and how many bytes of how many that has done.
func (p *byteCounter) Set(what string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.what != what {
		p.now = stage{what: what, first: done, started: time.Now()}
	}
	p.now.done, p.now.total = done, total
}

func (p *byteCounter) stage() stage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// Stop ends the display. It may be called once.
func (p *byteCounter) Stop() {
	close(p.quit)
	p.over.Wait()
}

// bars shows a bar for the stage, in the place of the one before it.
func (p *byteCounter) bars(w io.Writer) {
	all := newBars(w)
	var bar *mpb.Bar
	shown := ""
	until(p.quit, refresh, func() {
		s := p.stage()
		if s.total == 0 {
			return
		}
		if s.what != shown {
			if bar != nil {
				bar.Abort(true)
			}
			bar, shown = all.AddBar(s.total, mpb.PrependDecorators(decor.Name(visible.Line(s.what)+" ")),
				mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.stateOf(s.what) }))), s.what
		}
		bar.SetCurrent(min(s.done, s.total-1)) // a bar that is complete cannot be taken away
	})
	if bar != nil {
		bar.Abort(true)
	}
	all.Wait()
}

// stateOf says how far a stage is, nothing once it is over.
func (p *byteCounter) stateOf(what string) string {
	if s := p.stage(); s.what == what {
		return s.String()
	}
	return ""
}

func (p *byteCounter) lines(w io.Writer) {
	until(p.quit, every, func() {
		if s := p.stage(); s.what != "" {
			fmt.Fprintln(w, s.what+":", s)
		}
	})
}

// String says how far a stage is, how fast, and how long it still takes.
func (s stage) String() string {
	if s.total == 0 {
		return "..."
	}
	text := fmt.Sprintf("%s of %s (%d%%)", bytesize.Format(s.done), bytesize.Format(s.total), 100*s.done/s.total)
	rate := float64(s.done-s.first) / time.Since(s.started).Seconds()
	if rate < 1 {
		return text
	}
	left := time.Duration(float64(s.total-s.done) / rate * float64(time.Second))
	return fmt.Sprintf("%s, %s/s, ETA %s", text, bytesize.Format(int64(rate)), left.Round(time.Second))
}
