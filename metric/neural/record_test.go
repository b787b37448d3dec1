package neural

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

// Each byte of a store is damaged in turn: only the record it is in is lost.
func TestDamagedRecord(t *testing.T) {
	folder := t.TempDir()
	whole := filepath.Join(folder, "whole")
	s, _ := openTest(t, whole)
	ends := []int64{s.end}
	for n := 1; n <= 5; n++ {
		s.put([]record{numbered(n)})
		ends = append(ends, s.end)
	}
	text, err := os.ReadFile(whole)
	fixture.OK(t, err)
	path := filepath.Join(folder, "damaged")
	for at := ends[0]; at < ends[5]; at++ {
		damaged := bytes.Clone(text)
		damaged[at] ^= 1 << (at % 8)
		fixture.OK(t, os.WriteFile(path, damaged, 0o644))
		hit := 1
		for at >= ends[hit] {
			hit++
		}
		inHead := at < ends[hit-1]+recordHead
		want := "checksum"
		if inHead {
			want = fmt.Sprintf("%d bytes in %s are damaged and left out", ends[hit]-ends[hit-1], path)
		}
		if inHead && hit == 5 {
			want = "cut off" // nothing follows
		}
		s, w := openTest(t, path)
		for n := 1; n <= 5; n++ {
			if has(s, n) != (n != hit) {
				t.Fatalf("byte %d in record %d: record %d is there: %v", at, hit, n, has(s, n))
			}
		}
		if len(w.said) != 1 || !w.about(want) {
			t.Fatalf("byte %d in record %d: warnings %q, want %q", at, hit, w.said, want)
		}
		s.put([]record{numbered(hit), numbered(6)})
		s.close()
		if got, _ := os.ReadFile(path); want != "cut off" && !bytes.HasPrefix(got, damaged) {
			t.Fatalf("byte %d in record %d: what was there has changed", at, hit)
		}
		again, w := openTest(t, path)
		for n := 1; n <= 6; n++ {
			if !has(again, n) {
				t.Fatalf("byte %d in record %d: written again, record %d is not there; warnings %q", at, hit, n, w.said)
			}
		}
		again.close()
	}
}

func TestDamageAndTornTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s, _ := openTest(t, path)
	reader, readerWarned := openTest(t, path) // has it open meanwhile
	var starts []int64
	for n := range 900 { // more than a window
		starts = append(starts, s.end)
		s.put([]record{numbered(n)})
	}
	s.close()
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	lost := func(n int) bool { return n%7 == 0 || n >= 300 && n < 700 || n == 899 }
	bytesLost := int64(0)
	for n := range 899 {
		if lost(n) {
			text[starts[n]+int64(n%recordHead)] ^= 0x10
			bytesLost += starts[n+1] - starts[n]
		}
	}
	fixture.OK(t, os.WriteFile(path, text[:len(text)-1], 0o644))
	opened, openedWarned := openTest(t, path)
	damage := fmt.Sprintf("%d bytes in %s are damaged and left out", bytesLost, path)
	if len(openedWarned.said) != 2 || !openedWarned.about(damage) || !openedWarned.about("cut off") {
		t.Errorf("warnings %q, want %q", openedWarned.said, damage)
	}
	reader.put([]record{numbered(1000)})
	if len(readerWarned.said) != 1 || !readerWarned.about(damage) {
		t.Errorf("warnings %q, want %q", readerWarned.said, damage)
	}
	for n := range 900 {
		if has(opened, n) == lost(n) || has(reader, n) == lost(n) {
			t.Fatalf("record %d: %v, in the one that was open %v", n, has(opened, n), has(reader, n))
		}
	}
	if info, _ := os.Stat(path); info.Size() != starts[899]+recordHead+int64(len(numbered(1000).value)) {
		t.Errorf("%d bytes: what is new does not stand behind the last whole record", info.Size())
	}
}

func TestRecordAcrossWindows(t *testing.T) {
	for before := 1<<16 - 2*recordHead; before <= 1<<16+8; before++ {
		file, _ := appendRecord(make([]byte, before), numbered(1))
		h := heads{file: bytes.NewReader(file), size: int64(len(file))}
		if _, at, ok, err := h.next(0); !ok || err != nil || at.offset != int64(before+recordHead) {
			t.Errorf("behind %d bytes: found %v at %d, %v", before, ok, at.offset, err)
		}
	}
}

// A file of nothing but marks, or of heads that promise more than there is, is
// searched once.
func TestLinearSearch(t *testing.T) {
	head, _ := appendRecord(nil, record{value: make([]byte, 8<<20)})
	for _, part := range [][]byte{[]byte(recordMark), head[:recordHead]} {
		rubbish := bytes.Repeat(part, 4<<20/len(part))
		end, _ := appendRecord(rubbish, numbered(1))
		counted := &countedReads{ReaderAt: bytes.NewReader(end)}
		h := heads{file: counted, size: int64(len(end))}
		k, at, ok, err := h.next(0)
		if !ok || err != nil || k != numbered(1).key || at.offset != int64(len(rubbish)+recordHead) {
			t.Errorf("%q: found %v at %d, %v", part[:4], ok, at.offset, err)
		}
		if counted.bytes > len(end)*101/100 {
			t.Errorf("%q: %d bytes were read, of %d", part[:4], counted.bytes, len(end))
		}
	}
}

type countedReads struct {
	io.ReaderAt
	bytes int
}

func (c *countedReads) ReadAt(p []byte, at int64) (int, error) {
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, at)
}
