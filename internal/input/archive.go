package input

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"omniscope"
)

// An Archive is an opened ZIP file. Its members are stored, deflated or packed by Zstandard.
// All that is unpacked counts towards the limit of the file's size. It is for one goroutine.
type Archive struct {
	Path string // for messages

	file    *File
	members map[string]*zip.File
	names   []string
	left    int64
}

// zstandard is the method's number in ZIP files (APPNOTE 6.3.10, 4.4.5).
const zstandard = 93

// mostPacked bounds the window of Zstandard, which its decoder keeps in memory.
const mostPacked = 64 << 20

// OpenArchive opens a ZIP file. What is none, and one that was cut off, is an Invalid error.
func OpenArchive(ctx context.Context, path string) (*Archive, error) {
	f, err := Open(ctx, path, zipFile)
	if err != nil {
		return nil, err
	}
	a := &Archive{Path: f.Path, file: f, members: make(map[string]*zip.File), left: int64(f.limits.Size)}
	if err := a.list(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return a, nil
}

func (a *Archive) list() error {
	if !bytes.HasPrefix(a.file.head, []byte("PK\x03\x04")) {
		return omniscope.Invalidf("%s is no ZIP file", a.Path)
	}
	info, err := a.file.stored.Stat()
	if err != nil {
		return err
	}
	all, err := zip.NewReader(a.file.stored, info.Size())
	if err != nil {
		return omniscope.Invalidf("%s is cut off or damaged (%w): copy it again from where it was written", a.Path, err)
	}
	if len(all.File) > a.file.limits.Rows {
		return a.file.limits.TooManyRows(a.Path, "members")
	}
	all.RegisterDecompressor(zstandard, zstd.ZipDecompressor(zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostPacked)))
	for _, m := range all.File {
		if a.members[m.Name] == nil {
			a.names = append(a.names, m.Name)
		}
		a.members[m.Name] = m // what was written later replaces what is there
	}
	return nil
}

// Names are the members' names, each once, in the archive's order.
func (a *Archive) Names() []string { return slices.Clone(a.names) }

// Has reports whether there is a member of this name.
func (a *Archive) Has(name string) bool { return a.members[name] != nil }

// Limits are those that hold for the file.
func (a *Archive) Limits() Limits { return a.file.limits }

// Open opens a member for reading.
func (a *Archive) Open(name string) (io.ReadCloser, error) {
	m := a.members[name]
	if m == nil {
		return nil, omniscope.Invalidf("%s has no member %q", a.Path, name)
	}
	from, err := m.Open()
	if err != nil {
		return nil, a.damaged(name, err)
	}
	return &member{archive: a, name: name, from: from}, nil
}

// Read reads a member whole, which may be as long as a row.
func (a *Archive) Read(name string) ([]byte, error) {
	from, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	most := int64(a.file.limits.Row)
	text, err := io.ReadAll(io.LimitReader(from, most+1))
	if err == nil && int64(len(text)) > most {
		err = omniscope.Invalidf("%s: the member %.200q is longer than %s: if that is right, raise %s", a.Path, name, a.file.limits.Row, RowFlag)
	}
	return text, err
}

// Digest is the SHA-256 of the file as it is stored, hex.
func (a *Archive) Digest() (string, error) {
	if _, err := io.Copy(io.Discard, a.file.Stored()); err != nil {
		return "", err
	}
	return a.file.Digest(), nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

func (a *Archive) damaged(name string, err error) error {
	if errors.Is(err, zip.ErrAlgorithm) {
		return omniscope.Invalidf("%s: the member %.200q is packed in a way that is not read here: write the archive again with deflate", a.Path, name)
	}
	return omniscope.Invalidf("%s: the member %.200q is damaged (%w): copy the file again from where it was written", a.Path, name, err)
}

// A member reads one member, until the context ends or too much is unpacked.
type member struct {
	archive *Archive
	name    string
	from    io.ReadCloser
}

func (m *member) Read(p []byte) (int, error) {
	a := m.archive
	if err := a.file.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.from.Read(p)
	if a.left -= int64(n); a.left < 0 {
		return n, a.file.limits.tooLarge(a.Path)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = a.damaged(m.name, err)
	}
	return n, err
}

func (m *member) Close() error { return m.from.Close() }

// Head returns the first stored bytes of a file of any kind, unpacked where it is packed as a
// whole.
func Head(ctx context.Context, path string) ([]byte, error) {
	f, err := Open(ctx, path, zipFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Plain() {
		return f.head, nil
	}
	r, err := f.Reader()
	if err != nil {
		return nil, err
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read %s: %w", f.Path, err)
	}
	return head[:n], nil
}
