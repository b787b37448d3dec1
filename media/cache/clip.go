package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/visible"
	"omniscope/media"
)

// A Clip is a media file that was identified by its content. It is safe for
// concurrent use. What its methods return must not be changed: others may have
// been given the same.
type Clip struct {
	Path   string
	Digest string // SHA-256 of the file's bytes, in hex

	// File is what media.Probe says of it. All functions of package media can
	// be called with it, but are not served from the cache. It remembers the
	// digest.
	File *media.File

	cache  *Cache
	info   os.FileInfo // from before the digest was computed
	ending string      // of the file's name
}

// Clip reads a file for its digest and its facts: from the cache, else by
// media.Probe, with the errors and warnings of that.
func (c *Cache) Clip(ctx context.Context, path string) (*Clip, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		if _, err = media.Probe(ctx, path); err == nil {
			err = errChanged(path)
		}
		return nil, err
	}
	f := &media.File{Path: path}
	k := &Clip{Path: path, File: f, cache: c, info: info, ending: strings.ToLower(filepath.Ext(path))}
	if k.Digest, err = f.Digest(ctx); err != nil {
		return nil, err
	}
	if f.ReadDirect() { // faster than to look into the folder
		return k, k.unchanged(ctx)
	}
	parts, err := c.get(ctx, k.key(factsVersion, "", omniscope.Span{}), k.probe)
	if err != nil {
		return nil, err
	}
	if len(f.Streams) > 0 { // just probed
		return k, nil
	}
	return k, facts{File: f}.read(parts)
}

// facts are what media.Probe found, as they are stored.
type facts struct {
	File  *media.File `json:"file"`
	Video int         `json:"video"` // which of File.Streams was chosen; -1 = none
	Audio int         `json:"audio"`
}

func (k *Clip) probe(ctx context.Context) (extracted, error) {
	f, err := media.Probe(ctx, k.Path)
	if err != nil {
		return extracted{}, err
	}
	if err := k.unchanged(ctx); err != nil {
		return extracted{}, err
	}
	known := facts{File: f, Video: -1, Audio: -1}
	for i := range f.Streams {
		if f.Video == &f.Streams[i] {
			known.Video = i
		}
		if f.Audio == &f.Streams[i] {
			known.Audio = i
		}
	}
	text, err := json.Marshal(known)
	k.File.Adopt(f) // with its packets, which the entry does not hold
	return extracted{parts: [][]byte{text}, keep: true}, err
}

// read fills known.File.
func (known facts) read(parts [][]byte) error {
	f := known.File
	if err := unmarshal(parts, &known); err != nil {
		return err
	}
	if max(known.Video, known.Audio) >= len(f.Streams) || min(known.Video, known.Audio) < -1 {
		return errContent
	}
	if known.Video >= 0 {
		f.Video = &f.Streams[known.Video]
	}
	if known.Audio >= 0 {
		f.Audio = &f.Streams[known.Audio]
	}
	return nil
}

// errContent: checksums show damage, so this is a fault of ours.
var errContent = errors.New("media cache: an entry does not hold what it should")

// unmarshal reads the description of an entry.
func unmarshal(parts [][]byte, into any) error {
	if err := json.Unmarshal(parts[0], into); err != nil {
		return fmt.Errorf("%w: %w", errContent, err)
	}
	return nil
}

// unchanged is an error if the file is another one than when its digest was
// computed: then what was extracted may be of either.
func (k *Clip) unchanged(ctx context.Context) error {
	now, err := os.Stat(k.Path)
	if err == nil && os.SameFile(now, k.info) && now.Size() == k.info.Size() && now.ModTime().Equal(k.info.ModTime()) {
		return nil
	}
	again := media.File{Path: k.Path}
	digest, err := again.Digest(ctx)
	if err == nil && digest != k.Digest {
		err = errChanged(k.Path)
	}
	return err
}

func errChanged(path string) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "read " + visible.Blank(path),
		Err: errors.New("the file changed while it was read: run again when it is complete")}
}
