// Package input opens the files that a user names: regular ones, pipes and
// standard input, packed by gzip or bzip2, in UTF-8 or UTF-16. It bounds how much
// of them is read, and stops when the context ends, even while it waits for a
// pipe. It knows what files are, but not what benchmarks want of them; files
// that the program wrote for itself need none of this.
package input

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
)

// A Want is what a file is opened for. It decides what is refused as another
// kind of file, and how much is read.
type Want uint8

const (
	Rows     Want = iota // records that are read one at a time: JSON Lines, a JSON list, a table
	Texts                // text that is held in memory as a whole
	HeldRows             // records that are all held in memory
	XML                  // held in memory, and in its own encoding, which its parser finds out
	zipFile              // an archive; its members are read one at a time: see OpenArchive
)

// Stdin is the name of standard input on the command line.
const Stdin = "-"

// A File is an opened input. It is for one goroutine, except for ReadAt.
type File struct {
	Path string // for messages

	ctx    context.Context
	want   Want
	limits Limits
	stored *os.File
	kept   bool // the stored file belongs to Files
	head   []byte
	hash   hash.Hash
	digest string

	replaced *replacement // what stored is, if not the file itself
}

// Open opens the file at path. One that is not there is an error of kind
// NotFound; a folder, and what is plainly a file of another kind, are of kind
// Invalid. A pipe is read to its end first.
func Open(ctx context.Context, path string, want Want) (*File, error) {
	files := from(ctx)
	f := &File{Path: Name(path), ctx: ctx, want: want, limits: files.Limits.withDefaults(want)}
	var err error
	if f.stored, f.kept, err = files.open(ctx, path, f); err != nil {
		return nil, err
	}
	if f.head, err = headOf(f.stored); err == nil {
		err = f.recognise(f.head)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Name is what messages call a path.
func Name(path string) string {
	if path == Stdin {
		return "stdin"
	}
	return path
}

// headSize is how many bytes show what a file is.
const headSize = 4 << 10

func headOf(f io.ReaderAt) ([]byte, error) {
	head := make([]byte, headSize)
	n, err := f.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], err
}

// Limits are those that hold for the file.
func (f *File) Limits() Limits { return f.limits }

// Plain reports whether the stored bytes are the text: neither packed nor in
// another encoding than UTF-8, but for a byte order mark.
func (f *File) Plain() bool { return packing(f.head) == "" && wideOrder(f.head) == nil }

// ReadAt reads stored bytes.
func (f *File) ReadAt(p []byte, at int64) (int, error) { return f.stored.ReadAt(p, at) }

// Close closes the file.
func (f *File) Close() error {
	if f.kept {
		return nil
	}
	return f.stored.Close()
}

// Digest is the SHA-256 of the stored bytes, hex, once a reader of the file has
// come to its end.
func (f *File) Digest() string { return f.digest }

// Context is the context that the file was opened with, which ends its reading.
func (f *File) Context() context.Context { return f.ctx }

// Replaced reports whether another text, in JSON Lines, is read instead of the file: see
// Instead.
func (f *File) Replaced() bool { return f.replaced != nil }

// Size is the number of stored bytes.
func (f *File) Size() (int64, error) {
	info, err := f.stored.Stat()
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return info.Size(), nil
}

// Warn passes on what of the file is not read, unless that was passed on before.
func (f *File) Warn(text string) { from(f.ctx).warn(text) }

// Start returns the first bytes of the text: unpacked, and in UTF-8 without a byte order mark.
func (f *File) Start() ([]byte, error) {
	if f.Plain() {
		return bytes.TrimPrefix(f.head, byteOrderMark), nil
	}
	r, err := f.Reader()
	if err != nil {
		return nil, err
	}
	start := make([]byte, headSize)
	n, err := io.ReadFull(r, start)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return start[:n], f.recognise(start[:n])
}

// Stored returns a reader of the stored bytes as they are.
func (f *File) Stored() io.Reader {
	f.hash = sha256.New()
	return &storedReader{f: f, from: io.NewSectionReader(f.stored, 0, 1<<62)}
}

// Reader returns the whole file from its start: unpacked, and, but for XML, in
// UTF-8 without a byte order mark. Its errors name the file.
func (f *File) Reader() (io.Reader, error) {
	if f.IsParquet() {
		return nil, omniscope.Invalidf("%s is a Parquet file, and lines of text are wanted: write it as text", f.Path)
	}
	stored := f.Stored()
	var text io.Reader = stored
	if how := packing(f.head); how != "" {
		unpacked, err := unpack(how, stored)
		if err != nil {
			return nil, f.damaged(err)
		}
		buffered := bufio.NewReader(&unpackedReader{f: f, from: unpacked, stored: stored})
		if start, _ := buffered.Peek(16); packing(start) != "" { // Read returns the error
			return nil, omniscope.Invalidf("%s is packed twice: unpack it once", f.Path)
		}
		text = buffered
	}
	text = &boundedReader{f: f, from: text, left: int64(f.limits.Size)}
	if f.want == XML {
		return text, nil
	}
	return decoded(text), nil
}

// ReadAll returns what Reader reads.
func (f *File) ReadAll() ([]byte, error) {
	r, err := f.Reader()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if info, err := f.stored.Stat(); err == nil {
		text.Grow(int(min(info.Size(), int64(f.limits.Size))) + bytes.MinRead)
	}
	_, err = text.ReadFrom(r)
	return text.Bytes(), err
}

// ReadFile opens a file, reads all of it, and returns its digest as well.
func ReadFile(ctx context.Context, path string, want Want) (text []byte, digest string, err error) {
	f, err := Open(ctx, path, want)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	text, err = f.ReadAll()
	return text, f.Digest(), err
}

// Ext is the ending of a file's name that says what it holds, in lower case:
// ".jsonl" of "rows.jsonl.gz".
func Ext(path string) string {
	return strings.ToLower(filepath.Ext(WithoutPacking(path)))
}

// WithoutPacking takes the ending off that says how a file is packed.
func WithoutPacking(path string) string {
	for _, ending := range []string{".gz", ".bz2"} {
		if strings.HasSuffix(strings.ToLower(path), ending) {
			return path[:len(path)-len(ending)]
		}
	}
	return path
}

func (f *File) damaged(err error) error {
	return omniscope.Invalidf("%s cannot be unpacked (%w): get the file again", f.Path, err)
}

// A storedReader reads the stored bytes, until the context ends, and hashes
// them.
type storedReader struct {
	f    *File
	from io.Reader
}

func (r *storedReader) Read(p []byte) (int, error) {
	if err := r.f.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.from.Read(p)
	r.f.hash.Write(p[:n])
	switch {
	case errors.Is(err, io.EOF) && r.f.replaced != nil:
		r.f.digest = r.f.replaced.digest
	case errors.Is(err, io.EOF):
		r.f.digest = hex.EncodeToString(r.f.hash.Sum(nil))
	case err != nil:
		err = fmt.Errorf("read %s: %w", r.f.Path, err)
	}
	return n, err
}

// An unpackedReader reads what a packed file holds. At the end it reads what may
// follow, for the digest.
type unpackedReader struct {
	f      *File
	from   io.Reader
	stored io.Reader
}

func (r *unpackedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	switch {
	case err == nil:
		return n, nil
	case r.f.ctx.Err() != nil:
		return n, r.f.ctx.Err()
	case !errors.Is(err, io.EOF):
		return n, r.f.damaged(err)
	}
	if _, err := io.Copy(io.Discard, r.stored); err != nil {
		return n, err
	}
	return n, io.EOF
}

// A boundedReader reads so many bytes and no more.
type boundedReader struct {
	f    *File
	from io.Reader
	left int64
}

func (r *boundedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p[:min(int64(len(p)), r.left+1)])
	if int64(n) > r.left {
		return int(r.left), r.f.limits.tooLarge(r.f.Path)
	}
	r.left -= int64(n)
	return n, err
}
