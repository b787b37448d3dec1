package cache

import (
	"context"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// How long another process is waited for, and how often its lock is tried. A
// process that is stopped holds its locks: then the work is done a second time,
// which harms nothing.
const (
	lockPatience = 10 * time.Minute
	lockInterval = 10 * time.Millisecond
)

// lockKey keeps other processes from making the entry with key k. Where there
// are no locks, or another process holds this one too long, it goes on without;
// the only error is that of ctx.
func (c *Cache) lockKey(ctx context.Context, k key) (unlock func(), err error) {
	limited, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	lock := c.newLock(k.String()[:2])
	if _, err := lock.TryLockContext(limited, lockInterval); err != nil && ctx.Err() != nil {
		lock.Close()
		return nil, ctx.Err()
	}
	return func() { lock.Close() }, nil
}

// tryLockKey is lockKey without waiting. It is not free if another process, or
// work on another key with the same first byte, holds the lock.
func (c *Cache) tryLockKey(k key) (unlock func(), free bool) {
	lock := c.newLock(k.String()[:2])
	locked, err := lock.TryLock()
	if !locked && err == nil {
		lock.Close()
		return nil, false
	}
	return func() { lock.Close() }, true
}

func (c *Cache) newLock(name string) *flock.Flock {
	return flock.New(filepath.Join(c.dir, lockFolder, name), flock.SetPermissions(0o666))
}
