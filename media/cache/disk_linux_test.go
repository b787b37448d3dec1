package cache

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/smalldisk"
)

func TestFullDiskLosesNothing(t *testing.T) {
	path := talkie(t)
	sound, _ := opened(t, t.TempDir(), Options{})
	want, err := sumOf(t.Context(), sound, path)
	fixture.OK(t, err)
	dir := smalldisk.Mount(t, "64k").Dir
	c, w := opened(t, filepath.Join(dir, "cache"), Options{})
	c.leastFree = -1 << 40 // as if the disk said that it has room
	for range 2 {
		got, err := sumOf(t.Context(), c, path)
		if err != nil || got != want {
			t.Errorf("on a full disk %s, want %s (%v)", got, want, err)
		}
	}
	w.are(t, "no space left")
	if list := files(t, c, partFolder); len(list) > 0 {
		t.Errorf("left on the full disk: %v", list)
	}
	// What was kept before the disk was full is whole.
	c, w = opened(t, c.dir, Options{})
	clipOf(t, c, path)
	w.are(t)
}

func TestDiskWithoutRoomEvictsOrKeepsNothing(t *testing.T) {
	c, w := opened(t, smalldisk.Mount(t, "400k").Dir, Options{})
	for i := range 10 {
		put(t, c, i, 100_000, i)
	}
	if got := there(c, 20); len(got) < 2 || got[len(got)-1] != 9 {
		t.Errorf("there are %v, want the last ones", got)
	}
	w.are(t)
	put(t, c, 10, 600_000, 10)
	w.are(t, "not kept")
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	path := talkie(t)
	disk := smalldisk.Mount(t, "8m")
	dir := filepath.Join(disk.Dir, "cache")
	full, _ := opened(t, dir, Options{})
	want, err := sumOf(t.Context(), full, path)
	fixture.OK(t, err)
	disk.Resize(t, "")
	t.Run("with entries", func(t *testing.T) {
		c, w := opened(t, dir, Options{})
		k := clipOf(t, c, path)
		if _, err := k.Frames(t.Context(), fewFrames, someSpan); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Frames(t.Context(), fewFrames, someSpan); err != nil {
			t.Fatal(err)
		}
		w.are(t, "read-only")
		withoutPrograms(t)
		if got, err := sumOf(t.Context(), c, path); err != nil || got != want {
			t.Errorf("from the cache %s, want %s (%v)", got, want, err)
		}
	})
	for name, dir := range map[string]string{
		"not there":    filepath.Join(disk.Dir, "other"),
		"below a file": filepath.Join(path, "cache"),
	} {
		t.Run(name, func(t *testing.T) {
			c, w := opened(t, dir, Options{})
			if got, err := sumOf(t.Context(), c, path); err != nil || got != want {
				t.Errorf("%s, want %s (%v)", got, want, err)
			}
			w.are(t, "nothing more is kept")
		})
	}
}

func TestFolderThatVanishes(t *testing.T) {
	path := talkie(t)
	dir := filepath.Join(t.TempDir(), "cache")
	c, w := opened(t, dir, Options{})
	if _, err := sumOf(t.Context(), c, path); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, os.RemoveAll(dir))
	for range 2 {
		if _, err := sumOf(t.Context(), c, path); err != nil {
			t.Fatal(err)
		}
	}
	w.are(t, "nothing more is kept")
}
