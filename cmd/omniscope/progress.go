package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"omniscope/internal/visible"
	"omniscope/model"
	"omniscope/session"
)

// A progress shows how far a run is: a bar on a terminal, a line every ten
// seconds elsewhere.
type progress struct {
	total    int64
	finished atomic.Int64
	noted    atomic.Pointer[string] // what was done last, where units take long
	started  time.Time
	judge    *session.Model // nil = none is asked
	reaches  []*model.Reach // of the endpoints that are asked
	quit     chan struct{}
	over     sync.WaitGroup
}

const plainEvery = 10 * time.Second

func startProgress(w io.Writer, quiet bool, units int, judge *session.Model, reaches ...*model.Reach) *progress {
	if judge != nil {
		reaches = append(reaches, judge.Reach)
	}
	p := &progress{total: int64(units), started: time.Now(), judge: judge, reaches: reaches, quit: make(chan struct{})}
	switch {
	case quiet:
	case isTerminal(w) && hasWidth(w):
		p.over.Go(func() { p.bar(w) })
	default:
		p.over.Go(func() { p.lines(w) })
	}
	return p
}

func (p *progress) done(n int) { p.finished.Store(int64(n)) }

func (p *progress) note(what string) { p.noted.Store(&what) }

func (p *progress) stop() {
	close(p.quit)
	p.over.Wait()
}

func (p *progress) bar(w io.Writer) {
	bars := mpb.New(mpb.WithOutput(visible.Unwrapped(w)), mpb.WithWidth(40), mpb.WithAutoRefresh())
	bar := bars.AddBar(p.total,
		mpb.PrependDecorators(decor.CountersNoUnit("%d/%d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return visible.Line(p.state()) })))
	tick := time.NewTicker(150 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			bar.SetCurrent(p.finished.Load())
		case <-p.quit:
			bar.SetCurrent(p.finished.Load())
			if !bar.Completed() {
				bar.Abort(false)
			}
			bars.Wait()
			return
		}
	}
}

func (p *progress) lines(w io.Writer) {
	tick := time.NewTicker(plainEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			n := p.finished.Load()
			fmt.Fprintf(w, "%d/%d (%d%%) %s\n", n, p.total, 100*n/max(p.total, 1), p.state())
		case <-p.quit:
			return
		}
	}
}

// state says rate, time left, money, and what the endpoint makes of us.
func (p *progress) state() string {
	n, elapsed := p.finished.Load(), time.Since(p.started)
	rate := float64(n) / elapsed.Seconds()
	parts := []string{fmt.Sprintf("%.0f/s", rate)}
	if what := p.noted.Load(); what != nil {
		parts[0] = *what
	}
	if n > 0 && n < p.total {
		left := time.Duration(float64(p.total-n) / rate * float64(time.Second))
		parts = append(parts, "ETA "+left.Round(time.Second).String())
	}
	if p.judge != nil && p.judge.Judge != nil {
		parts = append(parts, p.calls()...)
	}
	for _, r := range p.reaches {
		if last, age := r.LastError(); last != "" {
			parts = append(parts, fmt.Sprintf("last error %s ago: %s", age.Round(time.Second), shortened(last)))
		}
	}
	return strings.Join(parts, ", ")
}

// shortened keeps an error fit for a line that says other things, too.
func shortened(text string) string {
	const most = 160
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// calls says what the judge's calls did.
func (p *progress) calls() (parts []string) {
	t := p.judge.Meter
	if p.judge.Price != nil {
		parts = append(parts, fmt.Sprintf("$%.2f", t.CostUSD()))
	}
	for _, c := range []struct {
		n    int64
		what string
	}{{t.Remembered.Load(), "remembered"}, {t.Retries.Load(), "retries"}, {t.RateLimited.Load(), "429s"}, {t.LostTries.Load(), "unusable"}, {t.Failed.Load(), "failed"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if l := p.judge.Limiter; l != nil {
		s := l.State()
		parts = append(parts, fmt.Sprintf("%d of %d calls", s.InUse, s.Limit))
		if s.Paused > 0 {
			parts = append(parts, "paused "+s.Paused.Round(time.Second).String())
		}
	}
	return parts
}

func isTerminal(w io.Writer) bool {
	f, ok := visible.Unwrapped(w).(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// hasWidth is false for terminals that say they have no columns, as some
// build servers' do: a bar has no place there.
func hasWidth(w io.Writer) bool {
	width, _, err := term.GetSize(int(visible.Unwrapped(w).(*os.File).Fd()))
	return err == nil && width > 0
}

// terminal returns the width to write for and whether colour is welcome.
func terminal(w io.Writer) (width int, color bool) {
	const usual = 110
	if !isTerminal(w) {
		return usual, false
	}
	_, noColor := os.LookupEnv("NO_COLOR")
	if width, _, err := term.GetSize(int(visible.Unwrapped(w).(*os.File).Fd())); err == nil && width > 0 {
		return width, !noColor
	}
	return usual, !noColor
}
