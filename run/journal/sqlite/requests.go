package sqlite

import (
	"io"
	"os"
	"path/filepath"
)

// chunk is how much text one write takes: enough to make the system calls few,
// and little enough to stay in the processor's cache.
const chunk = 256 << 10

// requests is the file of a run's request texts, one line each.
type requests struct {
	file *os.File
	text []byte // reused
	torn bool   // the last line of the file has no end
}

func (s *Store) requestsPath(runName string) string {
	return filepath.Join(s.dir, "requests", runName+".jsonl")
}

// openRequests opens the file for appending. A crash may have cut its last
// line; the next write ends it, so that the lines that follow stay readable.
func openRequests(path string) (*requests, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	r := &requests{file: f}
	if r.torn, err = isTorn(f); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func isTorn(f *os.File) (bool, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return false, err
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, size-1)
	return last[0] != '\n', err
}

// append writes the texts whose place in at is -1 and sets where each lies; it
// stays -1 for those that could not be written.
func (r *requests) append(texts [][]byte, at []int64) error {
	for first := 0; first < len(texts); {
		r.text = r.text[:0]
		if r.torn {
			r.text = append(r.text, '\n')
		}
		ended := int64(len(r.text))
		next := first
		for next < len(texts) && (next == first || len(r.text)+len(texts[next]) < chunk) {
			if at[next] < 0 {
				r.text = append(append(r.text, texts[next]...), '\n')
			}
			next++
		}
		if len(r.text) > 0 {
			start, err := r.write()
			if err != nil {
				return err
			}
			place(texts[first:next], at[first:next], start+ended)
		}
		first = next
	}
	return nil
}

// place notes where the texts lie that were written from start on.
func place(texts [][]byte, at []int64, start int64) {
	for i := range texts {
		if at[i] < 0 {
			at[i] = start
			start += int64(len(texts[i])) + 1
		}
	}
}

// write appends r.text and returns where it begins. The file is asked, not
// counted, so that the answer is right whatever was written before.
func (r *requests) write() (start int64, err error) {
	n, err := r.file.Write(r.text)
	if n > 0 {
		r.torn = r.text[n-1] != '\n'
	}
	if cap(r.text) > 4*chunk {
		r.text = nil
	}
	if err != nil {
		return 0, err
	}
	end, err := r.file.Seek(0, io.SeekCurrent)
	return end - int64(n), err
}

func (r *requests) close() error { return r.file.Close() }

// readRequest returns nil if a power cut lost the text or it was never written.
func readRequest(f *os.File, at, size int64) []byte {
	if f == nil || size <= 0 || at < 0 {
		return nil
	}
	if info, err := f.Stat(); err != nil || at > info.Size()-size {
		return nil
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(f, at, size), text); err != nil {
		return nil
	}
	return text
}
