package sqlite_test

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/smalldisk"
	"omniscope/run"
	"omniscope/run/journal/sqlite"
)

func TestFullDisk(t *testing.T) {
	disk := smalldisk.Mount(t, "2m")
	dir := disk.Dir
	j := openRun(t, dir, "run")
	large := func(n int) *run.Entry {
		e := numbered(n)
		e.Result = []byte(`"` + strings.Repeat("r", 5000) + `"`)
		e.Request = []byte(`"` + strings.Repeat("q", 5000) + `"`)
		return e
	}
	var full error
	kept := 0
	for full == nil {
		if full = j.Append(t.Context(), large(kept)); full == nil {
			kept++
		}
		if kept > 1000 {
			t.Fatal("the disk does not fill up")
		}
	}
	fixture.WantError(t, full, omniscope.Internal, dir, "make room", "run the same command again")
	fixture.WantError(t, j.Append(t.Context(), large(kept)), omniscope.Internal, "make room")

	disk.Resize(t, "64m")
	for n := kept; n < kept+20; n++ {
		if err := j.Append(t.Context(), large(n)); err != nil {
			t.Fatalf("after room was made: %v", err)
		}
	}
	fixture.OK(t, j.Close())
	j = openRun(t, dir, "run")
	found := calls(t, j.store, "run", "")
	if len(found) != kept+20 {
		t.Errorf("%d answers are kept, want %d", len(found), kept+20)
	}
	for n, e := range found {
		want := large(n)
		if e.Request == nil {
			want.Request = nil // the answer found room, its request did not
		}
		if diff := cmp.Diff(want, e); diff != "" {
			t.Fatalf("entry %d differs (-want +got):\n%s", n, diff)
		}
	}
	j.Close()
}

func TestReadOnlyFolder(t *testing.T) {
	for _, c := range []struct {
		name string
		made bool
	}{{"with a journal", true}, {"without one", false}} {
		t.Run(c.name, func(t *testing.T) {
			disk := smalldisk.Mount(t, "8m")
			dir := disk.Dir
			if c.made {
				j := openRun(t, dir, "run")
				appendNumbers(t, j, 1)
				j.Close()
			}
			disk.Resize(t, "")
			s, err := sqlite.Open(dir)
			fixture.WantError(t, err, omniscope.Usage, dir, "name a folder that can be written")
			if err == nil {
				s.Close()
			}
			_, err = sqlite.LockRun(dir, "run")
			if err == nil || !errors.Is(err, syscall.EROFS) {
				t.Errorf("the lock says %v", err)
			}
			disk.Resize(t, "8m")
		})
	}
}

func TestFolderOfOtherUser(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir := t.TempDir()
	fixture.OK(t, os.Chmod(dir, 0o555))
	_, err := sqlite.Open(dir)
	fixture.WantError(t, err, omniscope.Usage, dir, "name a folder that can be written")
}
