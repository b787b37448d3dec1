package ocr

import (
	"context"
	"errors"
	"image"
	"math"
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
	grown   float64 // by how much the frames are enlarged, at least 1
}

// The passes over a frame.
const (
	plainPass = iota
	whitePass
	darkPass
	passes
)

// A job is the reading of one picture, or of each of its tiles.
type job struct {
	words []word
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

// read reads the frames of a focus; a frame like the one before is read only once. The focus has a size in
// the file; the zero Point is that of the frames.
func (t *Tool) read(ctx context.Context, frames []media.Frame, focus perceive.Focus, inFile image.Point) (*session, error) {
	// More clips than programs are not read at a time: the first are done sooner, and few pictures wait.
	select {
	case t.clips <- struct{}{}:
		defer func() { <-t.clips }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	q, err := t.newQueue(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{tool: t, closer: !focus.Whole(), region: focus.Region}
	if err := s.readAll(frames, q); err != nil {
		q.cancel(err)
	}
	if err := q.end(); err != nil {
		return nil, err
	}
	if len(frames) > 0 && s.broken == len(frames) {
		return nil, errors.New("read text: none of the frames can be opened as JPEG")
	}
	s.grown = 1
	if s.picture != nil && inFile != (image.Point{}) {
		size := s.picture.Rect.Size()
		s.grown = max(1, math.Sqrt(float64(size.X*size.Y)/float64(inFile.X*inFile.Y))) // areas: a phone's frames are turned
	}
	for i := range s.readings {
		s.readings[i].lines = merged(s.jobs[i], s.height, figureLeast*s.grown)
	}
	return s, nil
}

// readAll has all frames read that can be opened.
func (s *session) readAll(frames []media.Frame, q *queue) error {
	for i := range frames {
		data, err := frames[i].Bytes()
		if err != nil {
			return err
		}
		picture, err := luma(data)
		if err != nil {
			s.broken++
			continue
		}
		if err := s.add(frames[i].Time, picture, data, q); err != nil {
			return err
		}
	}
	return nil
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

// add has that read which is new in a frame.
func (s *session) add(at time.Duration, picture *image.Gray, data []byte, q *queue) error {
	s.width, s.height = s.wholeSize(picture.Rect.Size())
	var before [passes]*job
	if n := len(s.jobs); n > 0 {
		before = s.jobs[n-1]
		if looksLike(s.picture, picture) {
			s.readings, s.jobs = append(s.readings, reading{at: at}), append(s.jobs, before)
			return nil
		}
	}
	jobs := [passes]*job{plainPass: {}}
	s.picture = picture
	s.readings, s.jobs = append(s.readings, reading{at: at, fresh: true}), append(s.jobs, jobs)
	if s.closer {
		return s.addTiles(jobs[plainPass], picture, q)
	}
	if err := q.add(jobs[plainPass], data, asPage); err != nil {
		return err
	}
	return s.addMasks(&s.jobs[len(s.jobs)-1], before, picture, q)
}

// addMasks has the bright and the dark of a picture read, where they may hold text and are not those
// of the picture before.
func (s *session) addMasks(jobs *[passes]*job, before [passes]*job, picture *image.Gray, q *queue) error {
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
		if err := q.add(jobs[pass], m.file(), asSparse); err != nil {
			return err
		}
	}
	return nil
}

// addTiles has an enlarged picture read. There is one pass: those over bright and dark spots
// find letters in noise when it is enlarged.
func (s *session) addTiles(whole *job, picture *image.Gray, q *queue) error {
	size, goesOn := picture.Rect, edgesOf(s.region)
	tiles := tilesOf(size)
	whole.join = func(parts []*job) []word { return together(size, goesOn, tiles, parts) }
	for _, tile := range tiles {
		part := &job{}
		whole.tiles = append(whole.tiles, part)
		if err := q.add(part, greyMap(picture, tile), asPage); err != nil {
			return err
		}
	}
	return nil
}
