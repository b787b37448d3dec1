package check

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/train/clip"
)

// What trainers bear without harm.
const (
	mostOff      = 0.1 // seconds that a track begins late, or that tracks differ in length
	leastSeconds = 1
)

// overhead is about how many tokens stand around a row: the system prompt, the names of turns, the marks around media.
const overhead = 40

// media measures the media of all rows, several at a time.
func (c *checking) media(ctx context.Context, s *set) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(c.Workers, 1))
	for _, r := range s.rows {
		group.Go(func() error { return c.row(ctx, s, r) })
	}
	return group.Wait()
}

// row checks the media of a row, and what it takes.
func (c *checking) row(ctx context.Context, s *set, r *row) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := r.example
	total, whole := overhead, true
	var videos, sounds []float64 // lengths in seconds
	for _, m := range e.Messages {
		total += c.Count(m.Content)
	}
	for i, path := range slices.Concat(e.Videos, e.Audios) {
		m, err := c.measure(ctx, s, r, path)
		if err != nil {
			return err
		}
		if m == nil {
			whole = false
			continue
		}
		isVideo := i < len(e.Videos)
		n, err := c.one(r, path, m, isVideo)
		if err != nil {
			c.find(r, "file", "%s: %v", path, err)
		}
		total += n
		r.seconds = max(r.seconds, m.Seconds())
		r.digests = append(r.digests, m.SHA256)
		if isVideo && m.Picture != nil {
			videos = append(videos, m.Picture.Seconds)
		} else if !isVideo && m.Sound != nil {
			sounds = append(sounds, m.Sound.Seconds)
		}
	}
	c.drift(r, videos, sounds)
	r.tokens, r.measured = total, whole
	if whole && total > c.Options.Tokens {
		c.find(r, "tokens", "it takes about %d tokens, and %d are kept", total, c.Options.Tokens)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done++; c.Progress != nil {
		c.Progress(c.done, c.total)
	}
	return nil
}

// drift compares the lengths of a picture and a sound that are in files of their own.
func (c *checking) drift(r *row, videos, sounds []float64) {
	if len(videos) == 1 && len(sounds) == 1 && math.Abs(videos[0]-sounds[0]) > mostOff {
		c.find(r, "drift", "%s is %.2f s long and the picture of %s %.2f s", r.example.Audios[0], sounds[0], r.example.Videos[0], videos[0])
	}
}

// measure measures a file; nil = it cannot be, which is found.
func (c *checking) measure(ctx context.Context, s *set, r *row, path string) (*clip.Measured, error) {
	full := filepath.FromSlash(path)
	if !filepath.IsAbs(full) {
		full = filepath.Join(s.root, full)
	}
	m, err := c.Memory.Measure(ctx, full)
	switch kind := omniscope.KindOf(err); {
	case err == nil && m.Broken == "":
		return m, nil
	case err == nil:
		c.find(r, "file", "%s does not decode whole: %s", path, m.Broken)
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case kind == omniscope.NotFound || errors.Is(err, os.ErrNotExist):
		c.find(r, "file", "%s is not there: looked for in %s", path, s.root)
		return nil, nil
	case kind == omniscope.Invalid:
		c.find(r, "file", "%s: %v", path, err)
		return nil, nil
	}
	return nil, err
}

// one checks a file, and returns how many tokens it takes.
func (c *checking) one(r *row, path string, m *clip.Measured, isVideo bool) (total int, err error) {
	p, s := m.Picture, m.Sound
	sound := !isVideo || c.Sound && !c.Form.SoundApart
	switch {
	case isVideo && p == nil:
		c.find(r, "file", "%s has no video", path)
		return 0, nil
	case sound && s == nil:
		c.find(r, "sound", "%s has no sound", path)
	case sound && s.Silent:
		c.find(r, "sound", "%s has nothing but digital silence", path)
	}
	if m.Seconds() < leastSeconds {
		c.find(r, "short", "%s is %.2f s long", path, m.Seconds())
	}
	if isVideo {
		c.picture(r, path, m)
		if total, err = c.Model.Video(c.Sampling, p.Seconds, p.Rate, p.Frames, p.Width, p.Height); err != nil {
			return 0, err
		}
	}
	if sound && s != nil {
		c.sound(r, path, m)
		total += c.Model.Audio(min(s.Seconds, c.Model.LongestSound))
	}
	return total, nil
}

// sound checks the sound of a file that a model hears.
func (c *checking) sound(r *row, path string, m *clip.Measured) {
	s := m.Sound
	if s.Start > mostOff {
		c.find(r, "start", "the sound of %s begins at %.2f s", path, s.Start)
	}
	if s.Missing > mostOff {
		c.find(r, "gap", "the sound of %s lacks %.2f s between packets", path, s.Missing)
	} else if s.Uneven {
		c.find(r, "gap", "packets of the sound of %s do not follow each other in time", path)
	}
	if s.Seconds > c.Model.LongestSound {
		c.find(r, "long", "the sound of %s is %.0f s long, and %s takes %.0f s", path, s.Seconds, c.Model.Name, c.Model.LongestSound)
	}
}

// picture checks what a video alone can have.
func (c *checking) picture(r *row, path string, m *clip.Measured) {
	p, s := m.Picture, m.Sound
	if p.Start > mostOff {
		c.find(r, "start", "the picture of %s begins at %.2f s", path, p.Start)
	}
	if p.Tracks > 1 {
		c.find(r, "tracks", "%s has %d video tracks", path, p.Tracks)
	}
	if p.Variable {
		c.find(r, "rate", "the frames of %s are not equally far apart", path)
	}
	if s != nil && math.Abs(s.Seconds-p.Seconds) > mostOff {
		c.find(r, "drift", "in %s the sound is %.2f s long and the picture %.2f s", path, s.Seconds, p.Seconds)
	}
}
