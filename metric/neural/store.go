package neural

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A store is one file of a cache: a header that says whose numbers these are,
// and records behind it that are only ever added to.
//
// Whoever writes holds the lock file beside it, and first reads what others have
// added, so any number of processes can use one store. A process that dies while
// it writes leaves a record that is not whole at the end, and nothing else: the
// next one to hold the lock cuts it off. Nothing is forced to the disk: after a
// power cut records can be missing or damaged, which their checksums show, and
// are computed again. Damage in front of a whole record stays in the file and is
// skipped, so that it costs no more than what it hit.
type store struct {
	path   string
	header []byte
	warn   func(format string, args ...any)
	wait   time.Duration // for the lock

	mu     sync.Mutex
	file   storeFile
	closed bool
	frozen bool          // nothing is written any more
	end    int64         // of the records that are known
	index  map[key]place // of the values
}

// A storeFile is an *os.File, or one with faults.
type storeFile interface {
	io.ReaderAt
	io.WriterAt
	Stat() (os.FileInfo, error)
	Truncate(size int64) error
	Close() error
}

// openStore opens the store at path, which it makes if need be. It never
// fails: where the file cannot be used it warns, and the store is empty, or
// keeps nothing new.
func openStore(path string, header []byte, wait time.Duration, warn func(string, ...any)) *store {
	s := &store{path: path, header: header, warn: warn, wait: wait, index: map[key]place{}}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		s.freeze(err)
		if file, err = os.Open(path); err != nil {
			return s
		}
	}
	s.file = file
	s.load()
	return s
}

// load reads what is there. Without a lock the end may be a record that
// another process is writing just now: what is not whole is passed over.
func (s *store) load() {
	if !s.frozen {
		if unlock, ok := s.lock(); ok {
			defer unlock()
			s.refresh()
			return
		}
	}
	size, err := s.size()
	if err != nil {
		s.foreign(err)
		return
	}
	if ok, err := s.begins(); !ok || err != nil {
		s.foreign(err)
		return
	}
	if s.end = int64(len(s.header)); size > s.end {
		if err := s.scan(); err != nil {
			s.freeze(err)
		}
	}
}

// lock waits for the store's turn to write. Where there is no lock the store
// is frozen.
func (s *store) lock() (unlock func(), ok bool) {
	ctx, cancel := context.WithTimeout(context.Background(), s.wait)
	defer cancel()
	lock := flock.New(s.path+".lock", flock.SetPermissions(0o644))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("another process has held its lock for %v", s.wait)
		}
		s.freeze(err)
		return nil, false
	}
	return func() { lock.Close() }, true
}

// freeze goes on without writing.
func (s *store) freeze(err error) {
	if !s.frozen {
		s.frozen = true
		s.warn("%s: nothing more is kept there: %v", s.path, err)
	}
}

// foreign gives up a file that is not this store's.
func (s *store) foreign(err error) {
	s.frozen = true
	if err != nil {
		s.warn("%s cannot be read: nothing is remembered: %v", s.path, err)
		return
	}
	s.warn("%s was written by another version or for another model: it is left as it is and not used; delete it to have it made anew", s.path)
}

// refresh takes in what was added since, and cuts off an end that is not whole.
// The lock is held.
func (s *store) refresh() {
	size, err := s.size()
	if err != nil {
		s.freeze(err)
		return
	}
	if s.end == 0 || size < s.end { // not yet looked at, or somebody has cut it
		if !s.start(size) {
			return
		}
	}
	if err := s.scan(); err != nil {
		s.freeze(err)
		return
	}
	if size, err = s.size(); err == nil && size > s.end {
		s.warn("%s: its last %d bytes are not whole, as when a process is stopped while it writes: they are cut off, and what they held is computed again", s.path, size-s.end)
		err = s.file.Truncate(s.end)
	}
	if err != nil {
		s.freeze(err)
	}
}

// start checks the header, and writes it where it is not there or not whole.
func (s *store) start(size int64) bool {
	clear(s.index)
	ok, err := s.begins()
	if !ok || err != nil {
		s.foreign(err)
		return false
	}
	s.end = int64(len(s.header))
	if size >= s.end {
		return true
	}
	if _, err := s.file.WriteAt(s.header, 0); err != nil {
		s.freeze(err)
		return false
	}
	return true
}

// begins reports whether the file begins with the header, as far as it goes.
func (s *store) begins() (bool, error) {
	have := make([]byte, len(s.header))
	n, err := s.file.ReadAt(have, 0)
	if err != nil && err != io.EOF {
		return false, err
	}
	return bytes.HasPrefix(s.header, have[:n]), nil
}

func (s *store) size() (int64, error) {
	info, err := s.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// scan reads the heads of the whole records from s.end on, and skips what is
// damaged between them. Behind the last of them s.end stays. Values are checked
// when they are asked for.
func (s *store) scan() error {
	size, err := s.size()
	if err != nil {
		return err
	}
	records, damaged := heads{file: s.file, size: size}, int64(0)
	for {
		k, at, ok, err := records.next(s.end)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		damaged += at.offset - recordHead - s.end
		s.index[k] = at
		s.end = at.offset + int64(at.size)
	}
	if damaged > 0 {
		s.warn("%d bytes in %s are damaged and left out; what was in them is computed again", damaged, s.path)
	}
	return nil
}

// get returns the value of k. A value that cannot be read, or not as it was
// written, is none, and will be kept anew.
func (s *store) get(k key) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.index[k]
	if !ok || s.closed {
		return nil, false
	}
	value := make([]byte, at.size)
	_, err := s.file.ReadAt(value, at.offset)
	if err == nil && crc32.Checksum(value, castagnoli) != at.sum {
		err = errors.New("its checksum is wrong")
	}
	if err != nil {
		s.warn("%s: a value at byte %d cannot be used and is computed again: %v", s.path, at.offset, err)
		delete(s.index, k)
		return nil, false
	}
	return value, true
}

// knows reports whether there is a value of k. A nil store has none.
func (s *store) knows(k key) bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.index[k]
	return ok
}

// put keeps values, as far as that is possible. A nil store keeps none.
func (s *store) put(records []record) {
	if s == nil || len(records) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen || s.closed {
		return
	}
	unlock, ok := s.lock()
	if !ok {
		return
	}
	defer unlock()
	if s.refresh(); s.frozen {
		return
	}
	if err := s.write(records); err != nil {
		s.freeze(err)
		_ = s.file.Truncate(s.end) // else the next to write cuts it off
	}
}

// write adds what is not there yet behind s.end, which moves when all of it is
// written.
func (s *store) write(records []record) error {
	const room = 1 << 20
	var pending []byte
	added := map[key]place{}
	at := s.end
	flush := func() error {
		n, err := s.file.WriteAt(pending, at)
		at += int64(n)
		pending = pending[:0]
		return err
	}
	for _, r := range records {
		if _, ok := s.index[r.key]; ok {
			continue
		}
		if _, ok := added[r.key]; ok {
			continue
		}
		var p place
		pending, p = appendRecord(pending, r)
		p.offset += at
		added[r.key] = p
		if len(pending) >= room {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	s.end = at
	for k, p := range added {
		s.index[k] = p
	}
	return nil
}

func (s *store) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.file == nil {
		return nil
	}
	s.closed = true
	return s.file.Close()
}
