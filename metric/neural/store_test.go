package neural

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
)

var testHeader = identity{what: "test", layer: 1, maxTokens: 2, model: "m", tokenizer: "t", arithmetic: "a"}.header()

// warned collects warnings.
type warned struct {
	mu   sync.Mutex
	said []string
}

func (w *warned) warn(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, fmt.Sprintf(format, args...))
}

func (w *warned) about(part string) bool { return strings.Contains(strings.Join(w.said, "\n"), part) }

func openTest(t *testing.T, path string) (*store, *warned) {
	t.Helper()
	w := &warned{}
	s := openStore(path, testHeader, 10*time.Second, w.warn)
	t.Cleanup(func() { s.close() })
	return s, w
}

// numbered is a record whose value follows from its number.
func numbered(n int) record {
	value := make([]byte, 5+n*37%400)
	binary.LittleEndian.PutUint32(value, uint32(n))
	for i := 4; i < len(value); i++ {
		value[i] = byte(n + i)
	}
	return record{sha256.Sum256(strconv.AppendInt(nil, int64(n), 10)), value}
}

func has(s *store, n int) bool {
	r := numbered(n)
	value, ok := s.get(r.key)
	return ok && bytes.Equal(value, r.value)
}

func TestStoreRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s, w := openTest(t, path)
	s.put([]record{numbered(1), numbered(2), numbered(1)})
	s.put([]record{numbered(2), numbered(3)})
	s.put([]record{{key: key{9}}})
	check := func(s *store) {
		t.Helper()
		for n := range 5 {
			if has(s, n) != (n >= 1 && n <= 3) || s.knows(numbered(n).key) != has(s, n) {
				t.Errorf("record %d: there is %v", n, has(s, n))
			}
		}
		if value, ok := s.get(key{9}); !ok || len(value) != 0 {
			t.Errorf("the empty value is %v, %v", value, ok)
		}
	}
	check(s)
	again, _ := openTest(t, path)
	check(again)
	info, _ := os.Stat(path)
	want := int64(len(testHeader) + 4*recordHead)
	for n := 1; n <= 3; n++ {
		want += int64(len(numbered(n).value))
	}
	if info.Size() != want {
		t.Errorf("%d bytes, want %d: a record is there twice", info.Size(), want)
	}
	if len(w.said) > 0 {
		t.Errorf("warnings %q", w.said)
	}
}

func TestTornTail(t *testing.T) {
	folder := t.TempDir()
	whole := filepath.Join(folder, "whole")
	s, _ := openTest(t, whole)
	ends := []int64{s.end}
	for n := 1; n <= 3; n++ {
		s.put([]record{numbered(n)})
		ends = append(ends, s.end)
	}
	text, err := os.ReadFile(whole)
	fixture.OK(t, err)
	path := filepath.Join(folder, "cut")
	for length := range len(text) + 1 {
		for _, tail := range []string{"", "\x00\x00\x00\x00", strings.Repeat("\x00", 100), "rubbish"} {
			if tail != "" && (length < len(testHeader) || length%9 > 0) {
				continue // behind half a header it is another file, and not each byte needs each tail
			}
			fixture.OK(t, os.WriteFile(path, append(bytes.Clone(text[:length]), tail...), 0o644))
			s, w := openTest(t, path)
			for n := 1; n <= 3; n++ {
				if has(s, n) != (int64(length) >= ends[n]) {
					t.Fatalf("cut to %d bytes, then %q: record %d is there: %v", length, tail, n, has(s, n))
				}
			}
			atEnd := length <= len(testHeader)
			for _, end := range ends {
				atEnd = atEnd || int64(length) == end
			}
			if (len(w.said) == 0) != (atEnd && tail == "") {
				t.Fatalf("cut to %d bytes, then %q: warnings %q", length, tail, w.said)
			}
			s.put([]record{numbered(1), numbered(2), numbered(3)})
			s.close()
			if got, _ := os.ReadFile(path); tail == "" && !bytes.Equal(got, text) {
				t.Fatalf("cut to %d bytes: written again it is another file", length)
			}
			again, w := openTest(t, path)
			if !has(again, 1) || !has(again, 2) || !has(again, 3) || len(w.said) > 0 {
				t.Fatalf("cut to %d bytes, then %q: written again it does not have all; warnings %q", length, tail, w.said)
			}
			again.close()
		}
	}
}

func TestForeignFileUnchanged(t *testing.T) {
	other := identity{what: "test", layer: 2}.header()
	for _, content := range []string{"something else", string(other), "omniscope embeddings 2\n", strings.Repeat("\x00", 500)} {
		path := filepath.Join(t.TempDir(), "s")
		fixture.OK(t, os.WriteFile(path, []byte(content), 0o644))
		s, w := openTest(t, path)
		s.put([]record{numbered(1)})
		if has(s, 1) {
			t.Errorf("%.20q: a record was kept", content)
		}
		if got, _ := os.ReadFile(path); string(got) != content {
			t.Errorf("%.20q became %.60q", content, got)
		}
		if !w.about("delete it") {
			t.Errorf("%.20q: warnings %q", content, w.said)
		}
	}
}

func TestDamagedValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s, _ := openTest(t, path)
	s.put([]record{numbered(1), numbered(2)})
	s.close()
	text, _ := os.ReadFile(path)
	text[len(testHeader)+recordHead] ^= 1
	fixture.OK(t, os.WriteFile(path, text, 0o644))
	s, w := openTest(t, path)
	if has(s, 1) || !has(s, 2) || !w.about("checksum") {
		t.Errorf("record 1: %v, record 2: %v, warnings %q", has(s, 1), has(s, 2), w.said)
	}
	s.put([]record{numbered(1)})
	again, _ := openTest(t, path)
	if !has(s, 1) || !has(again, 1) || !has(again, 2) {
		t.Error("what was computed again is not kept")
	}
}

func TestShortenedStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	s, _ := openTest(t, path)
	s.put([]record{numbered(1), numbered(2)})
	fixture.OK(t, os.Truncate(path, 0))
	if has(s, 1) {
		t.Error("a value that is gone is there")
	}
	s.put([]record{numbered(3)})
	again, w := openTest(t, path)
	if has(again, 1) || has(again, 2) || !has(again, 3) || len(w.said) > 0 {
		t.Errorf("warnings %q", w.said)
	}
}

func TestReadOnlyStore(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "s")
	s, _ := openTest(t, path)
	s.put([]record{numbered(1)})
	s.close()

	t.Run("no lock", func(t *testing.T) {
		os.Remove(path + ".lock")
		fixture.OK(t, os.Mkdir(path+".lock", 0o755))
		defer os.Remove(path + ".lock")
		readsOnly(t, path)
	})
	t.Run("somebody holds the lock", func(t *testing.T) {
		holder, _ := openTest(t, path)
		unlock, ok := holder.lock()
		if !ok {
			t.Fatal("no lock")
		}
		defer unlock()
		w := &warned{}
		s := openStore(path, testHeader, 20*time.Millisecond, w.warn)
		defer s.close()
		if !has(s, 1) || !w.about("another process") {
			t.Errorf("record 1: %v, warnings %q", has(s, 1), w.said)
		}
	})
	t.Run("a folder without rights", func(t *testing.T) {
		if os.Geteuid() == 0 {
			t.Skip("root may write everywhere")
		}
		for _, p := range []string{path, folder} {
			fixture.OK(t, os.Chmod(p, 0o555))
		}
		defer os.Chmod(folder, 0o755)
		readsOnly(t, path)
		s, w := openTest(t, filepath.Join(folder, "new"))
		s.put([]record{numbered(1)})
		if has(s, 1) || !w.about("nothing more is kept") {
			t.Errorf("warnings %q", w.said)
		}
	})
}

func readsOnly(t *testing.T, path string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	s, w := openTest(t, path)
	s.put([]record{numbered(2)})
	if !has(s, 1) || has(s, 2) || !w.about("nothing more is kept") {
		t.Errorf("record 1: %v, record 2: %v, warnings %q", has(s, 1), has(s, 2), w.said)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("it was written")
	}
}

// A fullDisk has room for some bytes more.
type fullDisk struct {
	storeFile
	room int
}

func (f *fullDisk) WriteAt(p []byte, at int64) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	wrote, err := f.storeFile.WriteAt(p[:n], at)
	if err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return wrote, err
}

func TestFullDisk(t *testing.T) {
	for room := 0; room < 600; room += 7 {
		path := filepath.Join(t.TempDir(), "s")
		s, w := openTest(t, path)
		s.put([]record{numbered(1)})
		s.file = &fullDisk{s.file, room}
		s.put([]record{numbered(2), numbered(3)})
		s.put([]record{numbered(4)})
		fits := 2*recordHead + len(numbered(2).value) + len(numbered(3).value)
		if has(s, 2) != (room >= fits) || has(s, 3) != (room >= fits) || !has(s, 1) {
			t.Fatalf("room for %d bytes: records are there: 1 %v, 2 %v, 3 %v", room, has(s, 1), has(s, 2), has(s, 3))
		}
		if !has(s, 4) && !w.about("no space left") {
			t.Fatalf("room for %d bytes: warnings %q", room, w.said)
		}
		again, w := openTest(t, path)
		if !has(again, 1) || len(w.said) > 0 {
			t.Fatalf("room for %d bytes: afterwards record 1 is there: %v, warnings %q", room, has(again, 1), w.said)
		}
		again.close()
	}
}

func FuzzStore(f *testing.F) {
	var good []byte
	for n := range 3 {
		good, _ = appendRecord(good, numbered(n))
	}
	f.Add(good)
	f.Add(good[:len(good)-3])
	f.Add(append([]byte{good[0] ^ 1}, good[1:]...))
	f.Add([]byte("OMr1 and more that is no record at all, for 48 bytes"))
	f.Fuzz(func(t *testing.T, records []byte) {
		path := filepath.Join(t.TempDir(), "s")
		fixture.OK(t, os.WriteFile(path, append(bytes.Clone(testHeader), records...), 0o644))
		s, _ := openTest(t, path)
		for k := range s.index {
			s.get(k)
		}
		s.put([]record{numbered(7)})
		again, w := openTest(t, path)
		for _, said := range w.said { // what is damaged in the middle stays there
			if !strings.Contains(said, "are damaged and left out") {
				t.Fatal(said)
			}
		}
		if !has(again, 7) {
			t.Fatalf("the store cannot be used; warnings %q", w.said)
		}
		s.close()
		again.close()
	})
}
