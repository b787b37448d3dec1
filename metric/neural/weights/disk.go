package weights

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// A disk is a file that is read here and there, mapped into memory where the
// system can.
type disk struct {
	path   string
	file   *os.File
	size   int64
	mapped []byte // nil: not mapped
	closed atomic.Bool
}

var errClosed = errors.New("cannot be read: the file was closed")

func openDisk(path string) (*disk, error) {
	// Opening a pipe would wait for a writer.
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("it is a folder: name the file in it")
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file: copy it into one")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, err
	}
	d := &disk{path: path, file: file, size: info.Size()}
	if d.size > 0 && int64(int(d.size)) == d.size {
		d.mapped = mapFile(file, int(d.size)) // what cannot be mapped is read
	}
	return d, nil
}

// at returns bytes of the file: the mapped ones, or a copy.
func (d *disk) at(from, n int64) ([]byte, error) {
	switch {
	case d.closed.Load():
		return nil, errClosed
	case from < 0 || n < 0 || from > d.size-n:
		return nil, fmt.Errorf("lies beyond the %d bytes of the file", d.size)
	case d.mapped != nil:
		return d.mapped[from : from+n : from+n], nil
	}
	b := make([]byte, n)
	_, err := io.ReadFull(io.NewSectionReader(d.file, from, n), b)
	return b, err
}

// ReadAt reads bytes, as io.ReaderAt says.
func (d *disk) ReadAt(b []byte, from int64) (int, error) {
	switch {
	case d.closed.Load():
		return 0, errClosed
	case d.mapped == nil:
		return d.file.ReadAt(b, from)
	case from < 0 || from > d.size:
		return 0, io.EOF
	}
	n := copy(b, d.mapped[from:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// head returns the first n bytes, or fewer if there are no more.
func (d *disk) head(n int64) ([]byte, error) { return d.at(0, min(n, d.size)) }

// forget gives a range of the mapped file back to the system.
func (d *disk) forget(from, n int64) {
	if d.mapped != nil && n > 0 {
		page := int64(os.Getpagesize())
		start := from / page * page
		forgetPages(d.mapped[start : from+n])
	}
}

func (d *disk) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	var err error
	if d.mapped != nil {
		err = unmap(d.mapped)
	}
	return errors.Join(err, d.file.Close())
}
