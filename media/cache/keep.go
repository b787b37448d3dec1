package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"omniscope/internal/bytesize"
)

// keepLock is the lock of whoever writes or evicts. It is held for as long as
// one entry is written, so the wait is short: the patience is for an eviction
// on a slow disk.
const (
	keepLock     = "keep"
	keepPatience = time.Minute
)

// keep writes an entry, as far as that is possible while ctx lasts. After a
// failure nothing more is kept: to try again and again would only fill the disk.
func (c *Cache) keep(ctx context.Context, k key, parts [][]byte) {
	select {
	case c.keeping <- struct{}{}:
		defer func() { <-c.keeping }()
	case <-ctx.Done():
		return
	}
	if c.frozen {
		return
	}
	if err := c.write(ctx, k, parts); err != nil && ctx.Err() == nil {
		c.freeze(err)
	}
}

func (c *Cache) freeze(err error) {
	c.frozen = true
	c.warn(fmt.Sprintf("media cache: nothing more is kept in %s, which costs time and nothing else: %v", c.dir, err))
}

// write makes room for an entry and writes it.
func (c *Cache) write(ctx context.Context, k key, parts [][]byte) error {
	unlock, err := c.lockKeeping(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	size := entrySize(parts)
	used, err := c.makeRoom(size)
	if err != nil {
		if large := (tooLarge{}); errors.As(err, &large) {
			if !c.crowded {
				c.crowded = true
				c.warn("media cache: " + large.Error())
			}
			return nil
		}
		return err
	}
	// The new sum is noted first: a process that is killed here leaves one
	// that is too large, and the next eviction counts again.
	if err := c.noteUsed(used.bytes+size, used.counted); err != nil {
		return err
	}
	if err := c.place(k, parts); err != nil {
		return errors.Join(err, c.noteUsed(used.bytes, used.counted))
	}
	return nil
}

func (c *Cache) lockKeeping(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, keepPatience)
	defer cancel()
	lock := c.newLock(keepLock)
	if _, err := lock.TryLockContext(ctx, lockInterval); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("another process has held the lock %s for %v", lock.Path(), keepPatience)
		}
		return nil, err
	}
	return func() { lock.Close() }, nil
}

// place writes the file of an entry under another name and renames it, so that
// it is never seen half-written. Nothing is forced to the disk: after a power
// cut its checksum shows what is missing.
func (c *Cache) place(k key, parts [][]byte) error {
	path := c.path(k)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Join(c.dir, partFolder), "*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // there only after a failure
	err = errors.Join(writeEntry(f, k, parts), f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// removeParts removes what killed processes left. Who writes holds the lock, so
// that without it nothing there belongs to anybody.
func (c *Cache) removeParts() {
	lock := c.newLock(keepLock)
	defer lock.Close()
	if locked, err := lock.TryLock(); !locked || err != nil {
		return // next time
	}
	folder := filepath.Join(c.dir, partFolder)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		_ = os.Remove(filepath.Join(folder, e.Name()))
	}
}

// tooLarge says that there is no room for an entry even after all others are
// evicted.
type tooLarge struct{ size, room int64 }

func (t tooLarge) Error() string {
	return fmt.Sprintf("%s of one clip are not kept: there is room for %s; raise the cache's size or free the disk", bytesize.Format(t.size), bytesize.Format(max(t.room, 0)))
}
