package bench

import (
	"bufio"
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
	var total int64
	var lines []byte
	for _, row := range r.rows {
		lines = slices.Grow(lines[:0], int(row.size))[:row.size]
		if _, err := r.file.ReadAt(lines, row.at); err != nil {
			return total, err
		}
		n, err := out.Write(lines)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, out.Flush()
}

// Close removes the gathering file.
func (r *Records) Close() error {
	r.file.Close()
	return os.Remove(r.file.Name())
}
