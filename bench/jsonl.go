package bench

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/jsonfast"
)

// Lines is a JSON Lines file that is read a line at a time, by number, so that
// a file of any size costs a few bytes of memory a line. It is safe for
// concurrent use.
type Lines struct {
	Path   string
	Digest string // SHA-256 of the file, hex
	file   *os.File
	rows   []lineRow
	broken atomic.Int64
}

type lineRow struct {
	at   int64
	size int32
	line int32 // from 1
}

// OpenLines opens the file at path and notes where its lines are.
func OpenLines(path string) (*Lines, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		f.Close()
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s is not a file", path)}
	}
	l := &Lines{Path: path, file: f}
	if err := l.index(); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

// NotUTF8 counts the lines that Check found to hold bytes that are not UTF-8.
// They are read as U+FFFD.
func (l *Lines) NotUTF8() int { return int(l.broken.Load()) }

// Check calls check for every line, several at a time, and returns the error
// of the earliest line that has one.
func (l *Lines) Check(check func(i int, text []byte) error) error {
	const workers = 4
	var group sync.WaitGroup
	errs := make([]error, workers)
	bad := make([]int, workers)
	for w := range workers {
		group.Go(func() {
			var text []byte
			for i := w; i < len(l.rows); i += workers {
				var err error
				if text, err = l.AppendTo(text[:0], i); err == nil {
					if !utf8.Valid(text) {
						l.broken.Add(1)
					}
					err = check(i, text)
				}
				if err != nil {
					errs[w], bad[w] = err, i
					return
				}
			}
		})
	}
	group.Wait()
	first := -1
	for w, err := range errs {
		if err != nil && (first < 0 || bad[w] < bad[first]) {
			first = w
		}
	}
	if first < 0 {
		return nil
	}
	return errs[first]
}

func (l *Lines) index() error {
	hash := sha256.New()
	r := bufio.NewReaderSize(io.TeeReader(l.file, hash), 1<<20)
	var at int64
	for line := int32(1); ; line++ {
		size, blank, err := measureLine(r, at == 0)
		if size > 0 && !blank {
			mark := int64(0)
			if at == 0 && hasMark(l.file) {
				mark = int64(len(byteOrderMark))
			}
			l.rows = append(l.rows, lineRow{at: at + mark, size: int32(size - mark), line: line})
		}
		at += size
		if errors.Is(err, io.EOF) {
			l.Digest = hex.EncodeToString(hash.Sum(nil))
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", l.Path, err)
		}
		if size > 1<<30 {
			return l.Bad(len(l.rows)-1, nil, errors.New("the line is longer than 1 GB"))
		}
	}
}

// byteOrderMark stands at the start of files that some editors write.
const byteOrderMark = "\ufeff"

func hasMark(f *os.File) bool {
	start := make([]byte, len(byteOrderMark))
	_, err := f.ReadAt(start, 0)
	return err == nil && string(start) == byteOrderMark
}

// measureLine reads one line of any length without keeping it.
func measureLine(r *bufio.Reader, first bool) (size int64, blank bool, err error) {
	blank = true
	for {
		part, err := r.ReadSlice('\n')
		size += int64(len(part))
		if first {
			part = bytes.TrimPrefix(part, []byte(byteOrderMark))
		}
		if len(bytes.TrimSpace(part)) > 0 {
			blank = false
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return size, blank, err
		}
	}
}

// Len returns the number of lines that are not blank.
func (l *Lines) Len() int { return len(l.rows) }

// At returns the i-th line that is not blank, from 0.
func (l *Lines) At(i int) ([]byte, error) { return l.AppendTo(nil, i) }

// AppendTo appends the i-th line that is not blank, from 0, to buf, so that a
// caller may use the same memory for many lines.
func (l *Lines) AppendTo(buf []byte, i int) ([]byte, error) {
	row, start := l.rows[i], len(buf)
	buf = slices.Grow(buf, int(row.size))[:start+int(row.size)]
	if _, err := l.file.ReadAt(buf[start:], row.at); err != nil && !errors.Is(err, io.EOF) {
		return buf[:start], fmt.Errorf("read %s: %w", l.Path, err)
	}
	return buf, nil
}

// Number returns the line number of the i-th line, as an editor shows it.
func (l *Lines) Number(i int) int { return int(l.rows[i].line) }

// Bad makes the error for line i: file, line, what is wrong, and the start of
// the offending text.
func (l *Lines) Bad(i int, text []byte, why error) error {
	err := fmt.Errorf("%s:%d: %w", l.Path, l.Number(i), why)
	if len(text) > 0 {
		err = fmt.Errorf("%w: %s", err, Quote(text))
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Err: err}
}

// Quote shortens offending text to what fits a terminal line.
func Quote(text []byte) string {
	const most = 120
	text = bytes.TrimSpace(text)
	if len(text) > most {
		return string(bytes.ToValidUTF8(text[:most], nil)) + "…"
	}
	return string(text)
}

// Close closes the file.
func (l *Lines) Close() error { return l.file.Close() }

// SystemName makes a system's name from the name of its predictions file.
func SystemName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".gz")
	return base[:len(base)-len(filepath.Ext(base))]
}

// CheckJSON returns nil if text is JSON, else what is wrong and at which
// character.
func CheckJSON(text []byte) error {
	if jsonfast.Valid(string(text)) {
		return nil
	}
	var v any
	err := json.Unmarshal(text, &v)
	if err == nil {
		return nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at character %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("not JSON: %v", err)
}
