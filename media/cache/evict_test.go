package cache

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
)

// numbered is a key that tells its number.
func numbered(n int) key {
	k := key{byte(n * 37)}
	binary.BigEndian.PutUint32(k[1:], uint32(n))
	return k
}

// put keeps an entry whose file has the given size, last used at a second.
func put(t testing.TB, c *Cache, n int, size int64, second int) {
	t.Helper()
	c.keep(t.Context(), numbered(n), partsOf(size))
	at := time.Unix(int64(1_000_000+second), 0)
	if err := os.Chtimes(c.path(numbered(n)), at, at); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
}

// partsOf are parts of an entry whose file has the given size.
func partsOf(size int64) [][]byte {
	empty := [][]byte{[]byte("{}"), nil}
	empty[1] = bytes.Repeat([]byte("x"), int(size-entrySize(empty)))
	return empty
}

// there lists which of the first n numbered entries are there.
func there(c *Cache, n int) (list []int) {
	for i := range n {
		if ondisk.Exists(c.path(numbered(i))) {
			list = append(list, i)
		}
	}
	return list
}

func TestLeastRecentlyUsedEntriesAreEvicted(t *testing.T) {
	c, w := opened(t, t.TempDir(), Options{MaxBytes: 10_000})
	for i := range 10 {
		put(t, c, i, 1000, i)
	}
	if got := there(c, 20); len(got) != 10 {
		t.Fatalf("there are %v, want all: they fit exactly", got)
	}
	for _, used := range []int{0, 3} { // a hit counts as use
		if _, err := c.read(numbered(used), allParts); err != nil {
			t.Fatal(err)
		}
	}
	put(t, c, 10, 1000, 10)
	if got, want := there(c, 20), []int{0, 3, 4, 5, 6, 7, 8, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v: down to nine tenths, the new one included", got, want)
	}
	put(t, c, 11, 5000, 11)
	if got, want := there(c, 20), []int{0, 3, 9, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	w.are(t)
}

func TestEntryLargerThanTheCacheIsNotKeptAndEvictsNothing(t *testing.T) {
	c, w := opened(t, t.TempDir(), Options{MaxBytes: 10_000})
	put(t, c, 0, 1000, 0)
	put(t, c, 1, 10_001, 1)
	put(t, c, 2, 20_000, 2)
	if got := there(c, 5); !slices.Equal(got, []int{0}) {
		t.Errorf("there are %v, want the first", got)
	}
	w.are(t, "not kept")
	put(t, c, 3, 10_000, 3)
	if got := there(c, 5); !slices.Equal(got, []int{3}) {
		t.Errorf("there are %v, want the one that needs all the room", got)
	}
}

func TestSumIsCountedAgainWhereItIsLostOrOld(t *testing.T) {
	for name, content := range map[string]string{
		"torn": "9", "words": "many", "negative": "-5 99999999999 end\n", "old": "0 1000 end\n", "of the future": "0 99999999999 end\n", "empty": "",
	} {
		c, w := opened(t, t.TempDir(), Options{MaxBytes: 10_000})
		for i := range 10 {
			put(t, c, i, 1000, i)
		}
		fixture.OK(t, os.WriteFile(filepath.Join(c.dir, usedFile), []byte(content), 0o644))
		put(t, c, 10, 1000, 10)
		if got := there(c, 20); len(got) != 9 {
			t.Errorf("%s: there are %v, want 9", name, got)
		}
		w.are(t)
	}
}

func TestEntriesOfOtherProcessesCount(t *testing.T) {
	dir := t.TempDir()
	a, _ := opened(t, dir, Options{MaxBytes: 10_000})
	b, _ := opened(t, dir, Options{MaxBytes: 10_000})
	for i := range 20 {
		put(t, []*Cache{a, b}[i%2], i, 1000, i)
		sum := int64(0)
		for _, e := range a.list() {
			sum += e.size
		}
		if sum > 10_000 {
			t.Fatalf("after %d entries there are %d bytes", i+1, sum)
		}
	}
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	mine := []string{filepath.Join(dir, "mine.txt"), filepath.Join(dir, entryFolder, "mine.txt"), filepath.Join(dir, entryFolder, "00", "mine.txt")}
	c, _ := opened(t, dir, Options{MaxBytes: 3000})
	for _, path := range mine {
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, make([]byte, 9000), 0o644))
	}
	for i := range 10 {
		put(t, c, i, 1000, i)
	}
	for _, path := range mine {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

func TestDiskIsNotFilled(t *testing.T) {
	c, w := opened(t, t.TempDir(), Options{})
	put(t, c, 0, 1000, 0)
	c.leastFree = 1 << 60 // more than any disk has
	put(t, c, 1, 1000, 1)
	if got := there(c, 5); !slices.Equal(got, []int{0}) {
		t.Errorf("there are %v, want the first", got)
	}
	w.are(t, "not kept")
}

// BenchmarkManyEntries measures a cache of 100,000 entries: adding one, reading
// one, and counting them all, as an eviction does once.
func BenchmarkManyEntries(b *testing.B) {
	const entries, size = 100_000, 200
	c, err := Open(b.TempDir(), Options{MaxBytes: 1 << 40})
	fixture.OK(b, err)
	for i := range entries {
		path := c.path(numbered(i))
		fixture.OK(b, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(b, os.WriteFile(path, make([]byte, size), 0o644))
	}
	put(b, c, entries, size, 0) // counts them
	b.Run("add", func(b *testing.B) {
		for n := entries + 1; b.Loop(); n++ {
			put(b, c, n, size, 0)
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.read(numbered(entries), allParts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			if n := len(c.list()); n < entries {
				b.Fatal(n)
			}
		}
	})
}
