package pg

import (
	"context"
	"time"
)

// Names that only the tests outside the package use.

var Shown = shown

// Sleep makes a process believe that it has slept for so long.
func Sleep(j *Journal, d time.Duration) {
	then := time.Now().Add(-d)
	j.holder.last.Store(&then)
}

// RenewLease renews the lease, as a process does by itself in a while.
func RenewLease(ctx context.Context, j *Journal) error { return j.holder.renewNow(ctx) }
