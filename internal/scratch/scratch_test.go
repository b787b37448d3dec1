package scratch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

// left makes a folder as a killed process leaves it.
func left(t *testing.T, parent string) string {
	t.Helper()
	f, err := newIn(parent)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(filepath.Join(f.Path, "speech.s16"), []byte("sound"), 0o600))
	fixture.OK(t, f.lock.Close())
	return f.Path
}

func TestSweepRemovesWhatKilledProcessesLeft(t *testing.T) {
	parent := t.TempDir()
	live, err := newIn(parent)
	fixture.OK(t, err)
	old := time.Now().Add(-1000 * time.Hour)
	fixture.OK(t, os.Chtimes(live.Path, old, old))
	dead := left(t, parent)
	sweep(parent)
	if ondisk.IsTaken(dead) {
		t.Error("the folder of a process that has ended is still there")
	}
	if !ondisk.IsTaken(live.Path) {
		t.Fatal("a folder in use was removed")
	}
	if err := live.Close(); err != nil || ondisk.IsTaken(live.Path) {
		t.Errorf("closed, the folder is still there: %v", err)
	}
}

func TestSweepKeepsForeignFolders(t *testing.T) {
	parent := t.TempDir()
	kept := map[string]string{"another machine's": left(t, parent), "one without a lock": left(t, parent), "one with a link for a lock": left(t, parent)}
	fixture.OK(t, os.WriteFile(filepath.Join(kept["another machine's"], lockName), []byte("boot\nid\nhost\n"), 0o600))
	fixture.OK(t, os.Remove(filepath.Join(kept["one without a lock"], lockName)))
	lock := filepath.Join(kept["one with a link for a lock"], lockName)
	fixture.OK(t, os.Rename(lock, filepath.Join(parent, "lock")))
	if err := os.Symlink(filepath.Join(parent, "lock"), lock); err != nil {
		t.Skip(err)
	}
	if os.Geteuid() == 0 {
		kept["another user's"] = left(t, parent)
		fixture.OK(t, os.Chown(kept["another user's"], 12345, 12345))
	}
	target := t.TempDir()
	for _, name := range []string{prefix + "link", "omniscope-clip-1", "unrelated"} {
		path := filepath.Join(parent, name)
		kept[name] = path
		if strings.HasSuffix(name, "link") {
			fixture.OK(t, os.Symlink(target, path))
		} else if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sweep(parent)
	for what, path := range kept {
		if !ondisk.IsTaken(path) {
			t.Errorf("%s was removed", what)
		}
	}
}

func TestSameMachine(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"boot\nid\nhost\n", "boot\nid\nhost\n", true},
		{"boot\n\ncontainer\n", "boot\n\nanother\n", true},
		{"boot\nid\nhost\n", "later\nid\nhost\n", true},
		{"boot\nid\nhost\n", "later\nid\nother\n", false},
		{"boot\n\nhost\n", "later\n\nhost\n", false},
		{"\n\nmac\n", "\n\nmac\n", true},
		{"\n\nmac\n", "\n\nother\n", false},
		{"", "", false},
	} {
		if got := sameMachine(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %t, want %t", c.a, c.b, got, c.want)
		}
	}
}
