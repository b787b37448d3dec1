package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"omniscope"
)

// LockRun locks the run called name in the journal folder dir for this process,
// so that no two processes pay for the same run at once. unlock releases the
// lock, and so does the end of the process. If another process holds the lock,
// LockRun does not wait: it returns an error of kind Usage.
//
// The lock is advisory: Store.Run does not look at it.
func LockRun(dir, name string) (unlock func() error, err error) {
	s := &Store{dir: dir}
	op := "lock run " + name
	if err := checkName(name); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "locks", name+".lock")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, s.fail(op, err)
	}
	lock := flock.New(path)
	locked, err := lock.TryLock()
	if err != nil {
		return nil, s.fail(op, err)
	}
	if !locked {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: op, Err: fmt.Errorf(
			"another process%s is working on this run in %s: wait for it or stop it, then run the same command again to go on; "+
				"to work beside it, name another folder", holder(path), dir)}
	}
	// For the message above only: the lock holds without it.
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())), 0o644); err != nil {
		lock.Close()
		return nil, s.fail(op, err)
	}
	return lock.Close, nil
}

// holder names the process that wrote the lock file, where it got as far.
func holder(path string) string {
	text, err := os.ReadFile(path)
	if pid := strings.TrimSpace(string(text)); err == nil && pid != "" {
		return " (" + pid + ")"
	}
	return ""
}
