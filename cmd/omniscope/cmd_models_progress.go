package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"omniscope/internal/progress"
	"omniscope/internal/visible"
	"omniscope/metric/neural/models"
)

// A byteProgress shows what is done with large files: a bar on a terminal, a
// line every ten seconds elsewhere.
type byteProgress struct {
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

func startByteProgress(w io.Writer, quiet bool) *byteProgress {
	p := &byteProgress{quit: make(chan struct{})}
	switch {
	case quiet:
	case visible.HasWidth(w):
		p.over.Go(func() { p.bars(w) })
	default:
		p.over.Go(func() { p.lines(w) })
	}
	return p
}

// tell says how far the stage is.
func (p *byteProgress) tell(what string, done, total int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now.what != what {
		p.now = stage{what: what, first: done, started: time.Now()}
	}
	p.now.done, p.now.total = done, total
}

func (p *byteProgress) stage() stage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *byteProgress) stop() {
	close(p.quit)
	p.over.Wait()
}

// bars shows a bar for the stage, in the place of the one before it.
func (p *byteProgress) bars(w io.Writer) {
	all := mpb.New(mpb.WithOutput(visible.Unwrapped(w)), mpb.WithWidth(40), mpb.WithAutoRefresh())
	var bar *mpb.Bar
	shown := ""
	tick := time.NewTicker(150 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s := p.stage()
			if s.total == 0 {
				continue
			}
			if s.what != shown {
				if bar != nil {
					bar.Abort(true)
				}
				bar, shown = all.AddBar(s.total, mpb.PrependDecorators(decor.Name(visible.Line(s.what)+" ")),
					mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.stateOf(s.what) }))), s.what
			}
			bar.SetCurrent(min(s.done, s.total-1)) // a bar that is complete cannot be taken away
		case <-p.quit:
			if bar != nil {
				bar.Abort(true)
			}
			all.Wait()
			return
		}
	}
}

// stateOf says how far a stage is, nothing once it is over.
func (p *byteProgress) stateOf(what string) string {
	if s := p.stage(); s.what == what {
		return s.String()
	}
	return ""
}

func (p *byteProgress) lines(w io.Writer) {
	tick := time.NewTicker(progress.Every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if s := p.stage(); s.what != "" {
				fmt.Fprintln(w, s.what+":", s)
			}
		case <-p.quit:
			return
		}
	}
}

// String says how far a stage is, how fast, and how long it still takes.
func (s stage) String() string {
	if s.total == 0 {
		return "..."
	}
	text := fmt.Sprintf("%s of %s (%d%%)", models.Size(s.done), models.Size(s.total), 100*s.done/s.total)
	rate := float64(s.done-s.first) / time.Since(s.started).Seconds()
	if rate < 1 {
		return text
	}
	left := time.Duration(float64(s.total-s.done) / rate * float64(time.Second))
	return fmt.Sprintf("%s, %s/s, ETA %s", text, models.Size(int64(rate)), left.Round(time.Second))
}
