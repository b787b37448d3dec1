// Package scratch makes folders for temporary files, and removes those that
// killed processes left.
//
// Each folder holds a lock file that its process keeps locked. The system gives
// the lock back when the process ends, whatever ends it, so a folder whose lock
// can be had has no owner. That holds across containers and process namespaces
// on one machine, where process ids say nothing, and needs no clock.
package scratch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	prefix   = "omniscope-tmp-"
	unlocked = ".omniscope-new-" // folders that have no lock yet
	lockName = ".lock"
)

// A Folder is a temporary folder of this process.
type Folder struct {
	Path string
	lock *flock.Flock
}

var swept sync.Once

// New makes a folder below os.TempDir that only this user may read. The first
// call of a process removes the folders that killed processes left.
func New() (*Folder, error) {
	swept.Do(func() { sweep(os.TempDir()) })
	return newIn(os.TempDir())
}

// newIn makes a folder that has no name that sweep knows until it is locked.
func newIn(parent string) (*Folder, error) {
	dir, err := os.MkdirTemp(parent, unlocked)
	if err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, lockName), flock.SetPermissions(0o600))
	if err := os.WriteFile(lock.Path(), []byte(machine()), 0o600); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	// Without file locks no lock is ever got, so no folder looks stale.
	_, _ = lock.TryLock()
	final := filepath.Join(parent, prefix+strings.TrimPrefix(filepath.Base(dir), unlocked))
	if err := os.Rename(dir, final); err != nil {
		return nil, errors.Join(err, lock.Close(), os.RemoveAll(dir))
	}
	return &Folder{Path: final, lock: lock}, nil
}

// Close removes the folder with all that is in it.
func (f *Folder) Close() error {
	if f == nil {
		return nil
	}
	return remove(f.Path, f.lock)
}

// remove removes a folder whose lock this process holds. What some systems do
// not remove while it is open is removed after that.
func remove(dir string, lock *flock.Flock) error {
	first := os.RemoveAll(dir)
	if closed := lock.Close(); first == nil {
		return closed
	}
	return os.RemoveAll(dir)
}

// sweep removes the folders below parent whose process has ended. What cannot
// be removed is left for the next time: it keeps nothing from working.
func sweep(parent string) {
	entries, _ := os.ReadDir(parent)
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), prefix):
			removeStale(dir)
		case strings.HasPrefix(e.Name(), unlocked):
			removeUnlocked(dir)
		}
	}
}

// removeStale removes a folder of this user and this machine whose lock can be
// had. On network file systems locks may hold on one machine only.
func removeStale(dir string) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !owned(info) {
		return
	}
	path := filepath.Join(dir, lockName)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil || !sameMachine(string(text), machine()) {
		return
	}
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	if locked, err := lock.TryLock(); !locked || err != nil {
		lock.Close()
		return
	}
	there, err1 := os.Lstat(path)
	ours, err2 := lock.Stat()
	if err1 != nil || err2 != nil || !os.SameFile(there, ours) { // another process removed it meanwhile
		lock.Close()
		return
	}
	_ = remove(dir, lock)
}

// removeUnlocked removes a folder whose process was killed before it had locked
// it, which takes no hour. There is nothing in it but the lock file.
func removeUnlocked(dir string) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !owned(info) || time.Since(info.ModTime()) < time.Hour {
		return
	}
	os.Remove(filepath.Join(dir, lockName))
	os.Remove(dir)
}

// machine tells this machine, and this start of it, from others.
func machine() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	id, _ := os.ReadFile("/etc/machine-id")
	host, _ := os.Hostname()
	return strings.TrimSpace(string(boot)) + "\n" + strings.TrimSpace(string(id)) + "\n" + host + "\n"
}

// sameMachine reports whether two machines are surely one: the same start of
// it, as in containers side by side, or the same id and name.
func sameMachine(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	if len(x) != 4 || len(y) != 4 {
		return false
	}
	if x[0] != "" && x[0] == y[0] {
		return true
	}
	noID := x[0] == "" && y[0] == "" // a system that has none
	return x[1] == y[1] && (x[1] != "" || noID) && x[2] == y[2]
}
