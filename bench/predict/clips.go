package predict

import (
	"context"
	"slices"
	"sync"

	"omniscope/media/cache"
)

// keptClips is how many clips stay open for further samples: a dataset may ask many
// questions about one clip, mostly one after the other.
const keptClips = 64

// Clips opens the clips of samples, each once for questions that follow one another.
// It is safe for concurrent use.
type Clips struct {
	cache *cache.Cache

	mu   sync.Mutex
	kept []*openClip // the last used at the end
}

// NewClips opens clips by way of a cache of what is extracted from them.
func NewClips(c *cache.Cache) *Clips { return &Clips{cache: c} }

type openClip struct {
	path string
	mu   sync.Mutex // held while it is opened
	clip *cache.Clip
}

// open opens a clip. A failure is not kept.
func (c *Clips) open(ctx context.Context, path string) (*cache.Clip, error) {
	o := c.slot(path)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.clip != nil {
		return o.clip, nil
	}
	clip, err := c.cache.Clip(ctx, path)
	o.clip = clip
	return clip, err
}

// slot is the place of a path among the clips that are kept.
func (c *Clips) slot(path string) *openClip {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.kept, func(o *openClip) bool { return o.path == path })
	o := &openClip{path: path}
	if i >= 0 {
		o = c.kept[i]
		c.kept = slices.Delete(c.kept, i, i+1)
	} else if len(c.kept) >= keptClips {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	c.kept = append(c.kept, o)
	return o
}
