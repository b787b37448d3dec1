package cache

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

var someKey = key{1, 2, 3}

func someParts() [][]byte {
	return [][]byte{[]byte(`{"a":1}`), bytes.Repeat([]byte("picture"), 5), {}, []byte("x")}
}

func entryBytes(t *testing.T, k key, parts [][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	fixture.OK(t, writeEntry(&b, k, parts))
	if int64(b.Len()) != entrySize(parts) {
		t.Errorf("an entry of %d bytes, entrySize says %d", b.Len(), entrySize(parts))
	}
	return b.Bytes()
}

func TestEntryIsReadAsItWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "entry")
	fixture.OK(t, os.WriteFile(path, entryBytes(t, someKey, someParts()), 0o644))
	for first, want := range map[int]int{1: 1, 2: 2, allParts: 4} {
		parts, err := readEntry(path, someKey, first)
		if err != nil || !reflect.DeepEqual(parts, someParts()[:want]) {
			t.Errorf("first %d parts: %q (%v)", first, parts, err)
		}
	}
	if _, err := readEntry(path, key{9}, allParts); !errors.Is(err, errDamaged) {
		t.Errorf("an entry with another key: %v", err)
	}
}

func TestEveryChangedByteAndEveryCutIsFound(t *testing.T) {
	whole := entryBytes(t, someKey, someParts())
	path := filepath.Join(t.TempDir(), "entry")
	check := func(what string, at int, content []byte) {
		t.Helper()
		fixture.OK(t, os.WriteFile(path, content, 0o644))
		if _, err := readEntry(path, someKey, allParts); !errors.Is(err, errDamaged) {
			t.Errorf("%s at byte %d is not found: %v", what, at, err)
		}
	}
	for i := range whole {
		for _, flip := range []byte{1, 0x80, 0xff} {
			content := bytes.Clone(whole)
			content[i] ^= flip
			check("a change", i, content)
		}
		check("a cut", i, whole[:i])
		zeros := bytes.Clone(whole)
		clear(zeros[i:])
		if !bytes.Equal(zeros, whole) {
			check("zeros", i, zeros)
		}
	}
	check("more", len(whole), append(bytes.Clone(whole), 0))
}

func TestDamagedEntryIsMadeAgainWithOneWarning(t *testing.T) {
	path := talkie(t)
	c, w := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	want, err := k.Frames(t.Context(), fewFrames, omniscope.Span{})
	fixture.OK(t, err)
	entry := c.path(k.key(framesVersion, fewFrames.Hash(), omniscope.Span{}))
	for name, damage := range map[string]func(content []byte) []byte{
		"torn":           func(b []byte) []byte { return b[:len(b)/2] },
		"empty":          func([]byte) []byte { return nil },
		"changed":        func(b []byte) []byte { b[len(b)-10] ^= 1; return b },
		"changed length": func(b []byte) []byte { b[entryStart+7] = 0x7f; return b },
		"changed count":  func(b []byte) []byte { b[entryStart-1] = 0x7f; return b },
		"another file":   func(b []byte) []byte { return bytes.Repeat([]byte("x"), len(b)) },
	} {
		content, err := os.ReadFile(entry)
		if err == nil {
			err = os.WriteFile(entry, damage(content), 0o644)
		}
		fixture.OK(t, err)
		w.list = nil
		for range 2 {
			got, err := k.Frames(t.Context(), fewFrames, omniscope.Span{})
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: frames differ (%v)", name, err)
			}
		}
		w.are(t, "damaged")
	}
}

func TestDamagedFactsAreMadeAgain(t *testing.T) {
	path := talkie(t)
	c, w := opened(t, t.TempDir(), Options{})
	clipOf(t, c, path)
	for _, entry := range files(t, c, entryFolder) {
		fixture.OK(t, os.Truncate(entry, 20))
	}
	if k := clipOf(t, c, path); k.File.Video == nil || k.File.Audio == nil {
		t.Errorf("facts %+v", k.File)
	}
	w.are(t, "damaged")
}
