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

func (c *Cache) newLock(name string) *flock.Flock {
	return flock.New(filepath.Join(c.dir, lockFolder, name), flock.SetPermissions(0o666))
}
