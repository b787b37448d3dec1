// Package ocr reads words in the picture, with the program tesseract. It says
// which words stand there, letter by letter, from when to when, and how sure
// that is; which language they are in, what they mean, and what else is to be
// seen is not its business.
//
// Reading film frames yields junk: foliage and machines look like letters. A
// line is therefore kept only if it was read with confidence, and again in
// another frame or with more confidence still. What stays doubtful, such as a
// logo, is reported with a reservation or not at all.
package ocr

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// rules is raised when the same pictures would be reported differently.
const rules = "5"

// Options say how to read. The zero value reads English on all cores.
type Options struct {
	Languages string // as tesseract names them, joined by "+", such as "eng+deu"; "" = eng
	Parallel  int    // programs at the same time, over all clips; 0 = as many as there are cores
}

// A Tool reads text in pictures. It is safe for concurrent use.
type Tool struct {
	languages string
	turns     chan struct{} // held while a program runs
	clips     chan struct{} // held while a clip is read

	once    sync.Once
	version string // of the program, "" if it does not say
}

// New makes a tool. Whether it can work here is for Check to say.
func New(o Options) *Tool {
	if o.Languages == "" {
		o.Languages = "eng"
	}
	if o.Parallel <= 0 {
		o.Parallel = runtime.NumCPU()
	}
	return &Tool{languages: o.Languages, turns: make(chan struct{}, o.Parallel), clips: make(chan struct{}, o.Parallel)}
}

// Info describes the tool. Its version names the program's.
func (t *Tool) Info() perceive.Info {
	t.once.Do(func() { t.version, _ = version(context.Background()) })
	return perceive.Info{
		Name:     "ocr",
		Looks:    true,
		Version:  strings.TrimSpace(rules + " " + t.languages + " tesseract " + t.version),
		About:    "Reads words, numbers and time codes that stand in the picture, letter by letter, with the time they can be seen. Says nothing of what is not text.",
		Needs:    "tesseract with the data of its languages (" + t.languages + ")",
		Modality: omniscope.Visual,
	}
}

// Observe reads the frames of a clip. The question is without effect. A clip
// in which nothing can be read has an answer without observations.
func (t *Tool) Observe(ctx context.Context, c *perceive.Clip, _ string) (*perceive.Answer, error) {
	look, err := c.Look(ctx)
	if err != nil {
		return nil, err
	}
	if look.Video == nil || len(look.Video.Moments) == 0 {
		return perceive.NewAnswer(false, perceive.Observation{Kind: perceive.Absence, What: "The clip has no picture.", Sure: 1}), nil
	}
	a := &perceive.Answer{Frames: look.Plan}
	frames := look.Frames
	if !c.Focus.Whole() {
		frames = thinned(frames)
	}
	if times := unseen(look.Video, frames); len(times) > 0 && c.Focus.Whole() { // a closer look is of frames enough
		more, err := media.FramesAt(ctx, c.File, between, times, "")
		if err != nil {
			return nil, err
		}
		a.Warnings = more.Warnings
		frames = slices.SortedFunc(slices.Values(slices.Concat(frames, more.Frames)), func(a, b media.Frame) int { return cmp.Compare(a.Time, b.Time) })
		a.Frames = planOf(look.Plan, frames)
	}
	s, err := t.read(ctx, frames, c.Focus, image.Pt(c.File.Video.Width, c.File.Video.Height))
	if err != nil {
		return nil, err
	}
	cards := s.cards(follow(s.readings, s.height))
	s.markUnread(cards, frames)
	for _, card := range cards {
		a.Observations = append(a.Observations, card.observation(s, look.Video))
	}
	if s.broken > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%d of %d frames could not be opened and were not read", s.broken, len(frames)))
	}
	a.Closer = s.unsure(a.Observations, look.Video)
	a.Text = "No text can be read with confidence."
	if len(a.Observations) > 0 {
		a.Text = perceive.NewAnswer(false, a.Observations...).Text + fmt.Sprintf("\nThe words were read with the language data %s.", t.languages)
	}
	return a, nil
}

// Frames of shots that sampling skipped, as in clips of many minutes: how large
// they are, how long a shot is worth it, and how many.
var between = media.Policy{MaxPixels: 1280 * 720}

const (
	shotLeast = 400 * time.Millisecond
	shotsMost = 60
)

// mostCloser is how many frames of a closer look are read: each may be many tiles.
const mostCloser = 16

// thinned are so many frames, evenly spread.
func thinned(frames []media.Frame) (some []media.Frame) {
	if len(frames) <= mostCloser {
		return frames
	}
	for _, i := range media.Linspace(0, len(frames)-1, mostCloser) {
		some = append(some, frames[i])
	}
	return some
}

// unseen returns the middle of each shot between two cuts of which there is no
// frame.
func unseen(sight *media.VideoSurvey, frames []media.Frame) (times []time.Duration) {
	for i := 1; i < len(sight.Cuts); i++ {
		from, to := sight.Cuts[i-1].Time, sight.Cuts[i].Time
		sampled := slices.ContainsFunc(frames, func(f media.Frame) bool { return f.Time >= from && f.Time < to })
		if !sampled && to-from >= shotLeast && len(times) < shotsMost {
			times = append(times, (from+to)/2)
		}
	}
	return times
}

// planOf is a plan with the frames that were taken besides.
func planOf(plan *media.Plan, frames []media.Frame) *media.Plan {
	var whole media.Plan
	if plan != nil {
		whole = *plan
	}
	whole.Indices, whole.PTS = nil, nil
	for _, f := range frames {
		whole.Indices, whole.PTS = append(whole.Indices, f.Index), append(whole.PTS, f.PTS)
	}
	return &whole
}
