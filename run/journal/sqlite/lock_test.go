package sqlite_test

import (
	"bufio"
	"fmt"
	"os"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/run/journal/sqlite"
)

func TestRunLock(t *testing.T) {
	dir := t.TempDir()
	unlock, err := sqlite.LockRun(dir, "run")
	fixture.OK(t, err)
	_, err = sqlite.LockRun(dir, "run")
	fixture.WantError(t, err, omniscope.Usage, "another process", "run", dir, "run the same command again", fmt.Sprint(os.Getpid()))

	other, err := sqlite.LockRun(dir, "another run")
	if err != nil {
		t.Errorf("a lock on one run keeps another from starting: %v", err)
	} else {
		other()
	}
	fixture.OK(t, unlock())
	again, err := sqlite.LockRun(dir, "run")
	if err != nil {
		t.Fatalf("a run that was given back is still taken: %v", err)
	}
	again()
}

func TestLockEndsWithProcess(t *testing.T) {
	dir := t.TempDir()
	child := startChild(t, "lock", dir, "run", 0, 0)
	locked := bufio.NewScanner(child.out)
	if !locked.Scan() || locked.Text() != "locked" {
		t.Fatalf("the child said %q", locked.Text())
	}
	_, err := sqlite.LockRun(dir, "run")
	fixture.WantError(t, err, omniscope.Usage, "another process", fmt.Sprint(child.Process.Pid))

	child.kill(t)
	unlock, err := sqlite.LockRun(dir, "run")
	if err != nil {
		t.Fatalf("a killed process keeps its run: %v", err)
	}
	unlock()
}
