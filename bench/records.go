package bench

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
)

// Records gathers the units' lines in a file as they come and hands them out
// in input order, so that memory does not grow with the run. Its file is made
// anew by each run: it holds nothing that the journal does not.
type Records struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
	at   int64
	rows []recordRow
}

type recordRow struct {
	seq, size int32
	at        int64
}

// NewRecords makes an empty gathering file at path.
func NewRecords(path string) (*Records, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &Records{file: f, out: bufio.NewWriterSize(f, 256<<10)}, nil
}

// expect makes room for n units.
func (r *Records) expect(n int) { r.rows = make([]recordRow, 0, n) }

// Add adds the lines of unit seq. It is safe for concurrent use.
func (r *Records) Add(seq int, lines []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, err := r.out.Write(lines)
	r.rows = append(r.rows, recordRow{seq: int32(seq), size: int32(n), at: r.at})
	r.at += int64(n)
	return err
}

// WriteTo writes all lines to w in input order.
func (r *Records) WriteTo(w io.Writer) (int64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.out.Flush(); err != nil {
		return 0, err
	}
	slices.SortFunc(r.rows, func(a, b recordRow) int { return int(a.seq - b.seq) })
	out := bufio.NewWriterSize(w, 256<<10)
	blocks := blocks{file: r.file}
	var total int64
	for _, row := range r.rows {
		n, err := blocks.copyTo(out, row.at, int(row.size))
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, out.Flush()
}

// blocks reads a file in blocks, and keeps some of them: units that were at work together are near each other in the
// file, and a read for each would cost more than all else that a line takes.
type blocks struct {
	file *os.File
	kept [16]struct {
		from int64
		text []byte // shorter than a block at the end of the file
	}
}

const blockSize = 64 << 10

// copyTo copies size bytes of the file to w.
func (b *blocks) copyTo(w io.Writer, at int64, size int) (n int, err error) {
	for n < size {
		text, err := b.at(at + int64(n))
		if err != nil {
			return n, err
		}
		written, err := w.Write(text[:min(len(text), size-n)])
		if n += written; err != nil {
			return n, err
		}
	}
	return n, nil
}

// at returns the text from a place to the end of its block.
func (b *blocks) at(place int64) ([]byte, error) {
	from := place / blockSize * blockSize
	k := &b.kept[from/blockSize%int64(len(b.kept))]
	if k.text == nil || k.from != from {
		k.from, k.text = from, slices.Grow(k.text[:0], blockSize)[:blockSize]
		n, err := b.file.ReadAt(k.text, from)
		if err != nil && !errors.Is(err, io.EOF) {
			k.text = nil
			return nil, err
		}
		k.text = k.text[:n]
	}
	if int(place-from) >= len(k.text) {
		return nil, io.ErrUnexpectedEOF
	}
	return k.text[place-from:], nil
}

// Close removes the gathering file.
func (r *Records) Close() error {
	r.file.Close()
	return os.Remove(r.file.Name())
}
