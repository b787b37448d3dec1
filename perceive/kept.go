package perceive

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"omniscope/media"
)

// What is made of a clip by decoding it is made once, and kept until the clip is closed: as files, since
// many clips may be open at a time.

// decoding is held while a clip is decoded. More clips at a time than there are cores would all be done late, and
// each takes the memory of an ffmpeg.
var decoding = make(chan struct{}, runtime.GOMAXPROCS(0))

// A once is something that is made once; who asks meanwhile waits. A failure is not kept.
type once[T any] struct {
	mu   sync.Mutex
	done bool
	made T
}

func (o *once[T]) get(ctx context.Context, make func() (T, error)) (made T, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done {
		return o.made, nil
	}
	select {
	case decoding <- struct{}{}:
		defer func() { <-decoding }()
	case <-ctx.Done():
		return made, ctx.Err()
	}
	if made, err = make(); err == nil {
		o.made, o.done = made, true
	}
	return made, err
}

// kept returns what there is, or will be, under a key.
func kept[T any](c *Clip, all *map[string]*once[T], key string) *once[T] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *all == nil {
		*all = make(map[string]*once[T])
	}
	o := (*all)[key]
	if o == nil {
		o = &once[T]{}
		(*all)[key] = o
	}
	return o
}

// Frames are those that a policy chooses, as media.Frames takes them.
func (c *Clip) Frames(ctx context.Context, p media.Policy) (*media.SampledFrames, error) {
	return kept(c, &c.frames, p.Hash()).get(ctx, func() (*media.SampledFrames, error) {
		folder := filepath.Join(c.files.Path, "frames-"+p.Hash())
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, fmt.Errorf("folder for frames: %w", err)
		}
		return media.Frames(ctx, c.File, p, c.Span, folder)
	})
}

// Made returns what is written to a file by make, such as a sound that is cut out of the clip.
func (c *Clip) Made(ctx context.Context, name string, make func(path string) error) ([]byte, error) {
	path, err := kept(c, &c.made, name).get(ctx, func() (string, error) {
		path := filepath.Join(c.files.Path, name)
		return path, make(path)
	})
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
