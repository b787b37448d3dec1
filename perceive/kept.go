package perceive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"omniscope/internal/once"
	"omniscope/media"
)

// What is made of a clip by decoding it is made once, and kept until the clip is closed: as files, since
// many clips may be open at a time.

// decoding is held while a clip is decoded. More clips at a time than there are cores would all be done late, and
// each takes the memory of an ffmpeg.
var decoding = make(chan struct{}, runtime.GOMAXPROCS(0))

// decode has something made by decoding the clip, when it is its turn.
func decode[T any](ctx context.Context, create func() (T, error)) (made T, err error) {
	select {
	case decoding <- struct{}{}:
		defer func() { <-decoding }()
	case <-ctx.Done():
		return made, ctx.Err()
	}
	return create()
}

// kept returns what there is, or will be, under a key.
func kept[T any](c *Clip, all *map[string]*once.Value[T], key string) *once.Value[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *all == nil {
		*all = make(map[string]*once.Value[T])
	}
	v := (*all)[key]
	if v == nil {
		v = &once.Value[T]{}
		(*all)[key] = v
	}
	return v
}

// Expect tells the clip which tools will be asked: the first look then takes their frames, too, so that the clip is decoded once.
// It does nothing where no tool takes a look, since seeking a few frames is faster, nor after the first look.
func (c *Clip) Expect(tools []Tool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	looks := slices.ContainsFunc(tools, func(t Tool) bool { return t.Info().Looks })
	for _, t := range tools {
		if frames := t.Info().Frames; frames != nil && looks {
			if p := c.Finely(*frames); !among(c.expected, p) {
				c.expected = append(c.expected, p)
			}
		}
	}
}

func among(list []media.Policy, p media.Policy) bool {
	return slices.ContainsFunc(list, func(q media.Policy) bool { return q.Hash() == p.Hash() })
}

// expects reports whether a tool will ask for the frames of a policy.
func (c *Clip) expects(p media.Policy) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return among(c.expected, p)
}

// Frames are those that a policy chooses, as media.Frames takes them.
func (c *Clip) Frames(ctx context.Context, p media.Policy) (*media.SampledFrames, error) {
	return kept(c, &c.frames, p.Hash()).Do(ctx, func() (*media.SampledFrames, error) {
		if c.expects(p) {
			if look, err := c.Look(ctx); err == nil {
				if taken := look.taken(p); taken != nil {
					return taken, nil
				}
			}
		}
		folder := filepath.Join(c.files.Path, "frames-"+p.Hash())
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("folder for frames: %w", err)
		}
		return decode(ctx, func() (*media.SampledFrames, error) { return media.Frames(ctx, c.File, p, c.Span, folder) })
	})
}

// taken returns the frames of a policy that the look took; nil if it took none. Of a damaged file it returns nil, too: media.Frames
// then takes what can be decoded, and its warnings are of these frames alone.
func (l *Look) taken(p media.Policy) *media.SampledFrames {
	if len(l.Warnings) > 0 {
		return nil
	}
	for _, s := range l.Samples {
		if s.Plan.Policy == p.Hash() {
			return s
		}
	}
	return nil
}

// Made returns what write puts into a file, such as a sound that is cut out of the clip.
func (c *Clip) Made(ctx context.Context, name string, write func(path string) error) ([]byte, error) {
	path := filepath.Join(c.files.Path, name)
	_, err := kept(c, &c.made, name).Do(ctx, func() (struct{}, error) {
		return decode(ctx, func() (struct{}, error) { return struct{}{}, write(path) })
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
