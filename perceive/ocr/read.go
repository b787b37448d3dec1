package ocr

import (
	"context"
	"errors"
	"image"
	"math"
	"sync"
	"time"

	"omniscope/media"
	"omniscope/perceive"
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
	closer  bool         // the frames are of a closer look, and so enlarged
	region  media.Region // of the picture, that the frames show
	height  int          // of the whole picture at the scale of the frames, in pixels
	width   int
}

// The passes over a frame.
const (
	plainPass = iota
	whitePass
	darkPass
	passes
)

// A job is one run of the program, or one for each tile of a picture.
type job struct {
	words []word
	err   error
	tiles []*job
	join  func(tiles []*job) []word // the words of all tiles
}

// read are the words of the job, once it has ended.
func (j *job) read() []word {
	if j.join != nil {
		return j.join(j.tiles)
	}
	return j.words
}

// read reads the frames of a focus, those that look like the one before only once.
func (t *Tool) read(ctx context.Context, frames []media.Frame, focus perceive.Focus) (*session, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &session{tool: t, closer: !focus.Whole(), region: focus.Region}
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

// wholeSize is the size that the whole picture has where its region has a size.
func (s *session) wholeSize(part image.Point) (width, height int) {
	if s.region == (media.Region{}) {
		return part.X, part.Y
	}
	scaled := func(n int, share float64) int { return int(math.Round(float64(n) / share)) }
	return scaled(part.X, s.region[2]-s.region[0]), scaled(part.Y, s.region[3]-s.region[1])
}

// place is where a box of a frame is in the whole picture.
func (s *session) place(b box) media.Region {
	share := func(n, of int) float64 { return float64(n) / float64(of) }
	left, top := s.region[0], s.region[1]
	return media.Region{left + share(b.x, s.width), top + share(b.y, s.height), left + share(b.x+b.width, s.width), top + share(b.y+b.height, s.height)}
}

// A starter runs a job on a picture.
type starter = func(j *job, file func() []byte, layout string)

// add starts what has to be read of a frame.
func (s *session) add(at time.Duration, picture *image.Gray, start starter, data []byte) {
	s.width, s.height = s.wholeSize(picture.Rect.Size())
	var before [passes]*job
	if n := len(s.jobs); n > 0 {
		before = s.jobs[n-1]
		if looksLike(s.picture, picture) {
			s.readings, s.jobs = append(s.readings, reading{at: at}), append(s.jobs, before)
			return
		}
	}
	jobs := [passes]*job{plainPass: {}}
	if s.closer {
		s.startTiles(jobs[plainPass], picture, start)
	} else {
		start(jobs[plainPass], func() []byte { return data }, asPage)
		s.startMasks(&jobs, before, picture, start)
	}
	s.picture = picture
	s.readings, s.jobs = append(s.readings, reading{at: at, fresh: true}), append(s.jobs, jobs)
}

// startMasks starts the passes over the bright and the dark of a picture, where they may hold text and are not those
// of the picture before.
func (s *session) startMasks(jobs *[passes]*job, before [passes]*job, picture *image.Gray, start starter) {
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
}

// startTiles starts the reading of an enlarged picture. There is one pass: those over bright and dark spots
// find letters in noise when it is enlarged.
func (s *session) startTiles(whole *job, picture *image.Gray, start starter) {
	size, goesOn := picture.Rect, edgesOf(s.region)
	tiles := tilesOf(size)
	whole.join = func(parts []*job) []word { return together(size, goesOn, tiles, parts) }
	for _, tile := range tiles {
		part := &job{}
		whole.tiles = append(whole.tiles, part)
		start(part, func() []byte { return greyMap(picture, tile) }, asPage)
	}
}
