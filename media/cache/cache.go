// Package cache keeps what was extracted from clips, so that each clip is
// decoded once for each sampling policy, however many models and runs ask for
// it. It is a folder of entries: facts, plans, frames and sound.
//
// An entry's key is a digest of the clip's bytes, the ending of its name (which
// ffmpeg heeds), the policy, the span, and the version of the rules of sampling.
// The version of ffmpeg is no part of it: another one may write other bytes for
// the same frame. To have all made anew, delete the folder.
//
// A hit starts no process: it reads the clip, for its digest, and the entry.
// Failures are never kept, nor are results that lack frames, because what
// stopped ffmpeg may have been the machine.
//
// # Several processes
//
// Any number of processes may use one folder. In one process equal requests at
// the same time are made once. Between processes a lock on one of 256 files, by
// the first byte of the key, does the same. The system gives the locks of a
// killed process back.
//
// # Trouble
//
// No trouble with the folder fails a request: what cannot be kept is returned
// all the same, with a warning to Options.Warn. A checksum shows entries that
// are torn or damaged; they are made again.
package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"omniscope"
)

// defaultMaxBytes is how large a cache may become if nothing else is said.
const defaultMaxBytes = 20_000_000_000

// leastFree is how many bytes of the disk a cache leaves free: journals and
// results are written there as well.
const leastFree = 1_000_000_000

// Options say how a cache works. The zero value is ready to use.
type Options struct {
	// MaxBytes is the most that all entries together may take on the disk; 0 =
	// defaultMaxBytes. A cache takes less where the disk has less than 1 GB
	// left.
	MaxBytes int64

	// Warn, if set, is called with each warning, such as that nothing more can
	// be kept. It may be called from several goroutines at the same time.
	Warn func(message string)
}

// A Cache keeps what was extracted from clips in a folder. It is safe for
// concurrent use, and for several processes. It needs no closing.
type Cache struct {
	dir       string
	most      int64
	leastFree int64
	warn      func(string)

	slots   chan struct{} // one for each extraction that may run
	gather  chan struct{} // one for each take that may wait for a program
	takes   takeQueue
	flights flights

	keeping chan struct{} // holds a value while an entry is written; guards what follows
	frozen  bool          // nothing more is kept
	crowded bool          // the warning that an entry is too large was given
}

// Open opens the cache in a folder, which it makes if need be. A folder that
// cannot be written is no error but a warning; a path to something else than a
// folder is an error of kind Usage.
func Open(dir string, o Options) (*Cache, error) {
	if info, err := os.Stat(dir); dir == "" || err == nil && !info.IsDir() {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "media cache", Err: fmt.Errorf("%q is no folder: name another one", dir)}
	}
	if o.MaxBytes < 0 {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "media cache", Err: fmt.Errorf("at most %d bytes: name a size above zero", o.MaxBytes)}
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultMaxBytes
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	c := &Cache{dir: dir, most: o.MaxBytes, leastFree: leastFree, warn: o.Warn,
		slots: make(chan struct{}, runtime.GOMAXPROCS(0)), keeping: make(chan struct{}, 1)}
	c.gather = make(chan struct{}, mostTakes*cap(c.slots))
	c.takes.programs = cap(c.slots)
	for _, folder := range []string{entryFolder, lockFolder, partFolder} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			c.freeze(err)
			return c, nil
		}
	}
	c.removeParts()
	return c, nil
}

// The folders in a cache.
const (
	entryFolder = "entries" // entries/FIRST BYTE OF KEY/KEY
	lockFolder  = "locks"   // locks/FIRST BYTE OF KEY
	partFolder  = "partial" // entries that are being written
)

// extracted is what an extraction gives.
type extracted struct {
	parts [][]byte // of the entry; the first describes the others
	keep  bool
}

// get returns the parts of the entry with key k. On a miss extract makes them.
// The parts must not be changed: others may have the same ones.
func (c *Cache) get(ctx context.Context, k key, extract func(context.Context) (extracted, error)) ([][]byte, error) {
	return c.getIn(ctx, c.slots, k, extract)
}

// getIn is get with slots of its own: some extractions share a program.
func (c *Cache) getIn(ctx context.Context, slots chan struct{}, k key, extract func(context.Context) (extracted, error)) ([][]byte, error) {
	return c.flights.do(ctx, k, func() ([][]byte, error) {
		if parts, err := c.read(k, allParts); err == nil {
			return parts, nil
		}
		return c.makeEntry(ctx, slots, k, extract)
	})
}

// makeEntry makes an entry, unless another process is making it.
func (c *Cache) makeEntry(ctx context.Context, slots chan struct{}, k key, extract func(context.Context) (extracted, error)) ([][]byte, error) {
	release, err := takeSlot(ctx, slots)
	if err != nil {
		return nil, err
	}
	defer func() { release() }()
	unlock, free := c.tryLockKey(k)
	if !free {
		release() // for other clips, while the other process works on this one
		if unlock, err = c.lockKey(ctx, k); err != nil {
			return nil, err
		}
	}
	defer unlock()
	parts, err := c.read(k, allParts)
	if err == nil {
		return parts, nil
	}
	c.removeDamaged(k, err)
	if !free {
		if release, err = takeSlot(ctx, slots); err != nil {
			return nil, err
		}
	}
	made, err := extract(ctx)
	if err != nil {
		return nil, err
	}
	if made.keep {
		c.keep(ctx, k, made.parts)
	}
	return made.parts, nil
}

// takeSlot waits until one more extraction may run. It may be released more
// than once.
func takeSlot(ctx context.Context, slots chan struct{}) (release func(), err error) {
	select {
	case slots <- struct{}{}:
		return sync.OnceFunc(func() { <-slots }), nil
	case <-ctx.Done():
		return func() {}, ctx.Err()
	}
}

// read reads the first parts of an entry, and notes that it was used.
func (c *Cache) read(k key, first int) ([][]byte, error) {
	path := c.path(k)
	parts, err := readEntry(path, k, first)
	if err == nil {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // eviction goes by this; a folder that cannot be written evicts nothing
	}
	return parts, err
}

// path is where the entry with key k is kept.
func (c *Cache) path(k key) string {
	name := k.String()
	return filepath.Join(c.dir, entryFolder, name[:2], name)
}

// removeDamaged removes an entry that could not be read. Its key is locked, so
// that no other process is replacing it.
func (c *Cache) removeDamaged(k key, err error) {
	if !errors.Is(err, errDamaged) {
		return
	}
	path := c.path(k)
	c.warn(fmt.Sprintf("media cache: %s cannot be used and is made again: %v", path, err))
	_ = os.Remove(path) // else the new entry replaces it
}
