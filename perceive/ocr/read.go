package ocr

import (
	"context"
	"errors"
	"image"
	"sync"
	"time"

	"omniscope/media"
)

// A reading is what was read in one frame.
type reading struct {
	at    time.Duration
	fresh bool // a picture of its own; else it looks like the frame before
	lines []line
}

// A session is the reading of one clip.
type session struct {
	tool     *Tool
	readings []reading
	jobs     [][passes]*job // of each frame; frames that look alike share them
	broken   int            // frames that could not be opened

	picture *image.Gray // the last that was read
	masks   [passes]*mask
	height  int // of a frame, in pixels
}

// The passes over a frame.
const (
	plainPass = iota
	whitePass
	darkPass
	passes
)

// A job is one run of the program.
type job struct {
	words []word
	err   error
}

// read reads frames, those that look like the one before only once.
func (t *Tool) read(ctx context.Context, frames []media.Frame) (*session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{tool: t}
	var running sync.WaitGroup
	defer running.Wait()
	for i := range frames {
		if ctx.Err() != nil {
			break
		}
		data, err := frames[i].Bytes()
		if err != nil {
			return nil, err
		}
		picture, err := luma(data)
		if err != nil {
			s.broken++
			continue
		}
		s.add(frames[i].Time, picture, func(j *job, file func() []byte, layout string) {
			// The turn comes first: a picture that waits takes memory.
			select {
			case t.turns <- struct{}{}:
			case <-ctx.Done():
				j.err = ctx.Err()
				return
			}
			picture := file()
			running.Go(func() {
				defer func() { <-t.turns }()
				if j.words, j.err = t.words(ctx, picture, layout); j.err != nil {
					cancel(j.err)
				}
			})
		}, data)
	}
	running.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if len(frames) > 0 && s.broken == len(frames) {
		return nil, errors.New("read text: none of the frames can be opened as JPEG")
	}
	for i := range s.readings {
		s.readings[i].lines = merged(s.jobs[i], s.height)
	}
	return s, nil
}

// add starts what has to be read of a frame.
func (s *session) add(at time.Duration, picture *image.Gray, start func(j *job, file func() []byte, layout string), data []byte) {
	s.height = picture.Rect.Dy()
	var before [passes]*job
	if n := len(s.jobs); n > 0 {
		before = s.jobs[n-1]
		if looksLike(s.picture, picture) {
			s.readings, s.jobs = append(s.readings, reading{at: at}), append(s.jobs, before)
			return
		}
	}
	jobs := [passes]*job{plainPass: {}}
	start(jobs[plainPass], func() []byte { return data }, asPage)
	for pass, m := range [passes]*mask{whitePass: whites(picture), darkPass: darks(picture)} {
		if m == nil || !m.mayHoldText() {
			s.masks[pass] = nil
			continue
		}
		if last := s.masks[pass]; last != nil && m.like(last) {
			jobs[pass] = before[pass]
			continue
		}
		jobs[pass], s.masks[pass] = &job{}, m
		start(jobs[pass], m.file, asSparse)
	}
	s.picture = picture
	s.readings, s.jobs = append(s.readings, reading{at: at, fresh: true}), append(s.jobs, jobs)
}
