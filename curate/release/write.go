package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"omniscope"
	"omniscope/internal/outfile"
)

// A folder is a release on its way. It knows the digests of its files.
type folder struct {
	dir   string
	files []file
}

type file struct {
	name   string // with slashes
	size   int64
	sha256 string
}

func (f *folder) write(name string, do func(io.Writer) error) error {
	path := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	sum, n := sha256.New(), new(counter)
	if err := errors.Join(do(io.MultiWriter(out, sum, n)), out.Close()); err != nil {
		return err
	}
	f.files = append(f.files, file{name, int64(*n), hex.EncodeToString(sum.Sum(nil))})
	return nil
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// file is one that was written.
func (f *folder) file(name string) file {
	return f.files[slices.IndexFunc(f.files, func(one file) bool { return one.name == name })]
}

// checkOut refuses a folder that holds something. An earlier release may be replaced by force.
func (s *set) checkOut() error {
	names, err := outfile.Entries(s.o.Out)
	if err != nil {
		return omniscope.Usagef("--out %s: %w", s.o.Out, err)
	}
	if len(names) == 0 {
		return nil
	}
	_, err = readVersion(s.o.Out)
	switch {
	case err != nil:
		return omniscope.Usagef("%s holds something else than a release: name another folder with --out", s.o.Out)
	case !s.o.Force:
		return omniscope.Usagef("%s holds a release already: %s", s.o.Out, outfile.OrForce)
	}
	return nil
}

// write makes the release beside its place, and moves it there when all is written. It returns the number of files.
func (s *set) write(ctx context.Context) (n int, err error) {
	out, err := filepath.Abs(s.o.Out)
	if err != nil {
		return 0, err
	}
	f := &folder{dir: filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+".unfinished")}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return 0, err
	}
	unlock, err := outfile.LockFolder(f.dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, unlock(), os.RemoveAll(f.dir)) }()
	if err := empty(f.dir); err != nil { // of what a killed command left
		return 0, err
	}
	if err := s.writeFiles(ctx, f); err != nil {
		return 0, err
	}
	return len(f.files), replace(out, f.dir)
}

func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if e.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// lockName is the file by which outfile locks a folder.
const lockName = ".lock"

// replace moves a finished folder to its place.
func replace(out, finished string) error {
	old := finished + ".old"
	if err := errors.Join(os.Remove(filepath.Join(finished, lockName)), os.RemoveAll(old)); err != nil {
		return err
	}
	err := os.Rename(out, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(finished, out); err != nil {
		return errors.Join(err, os.Rename(old, out))
	}
	return os.RemoveAll(old)
}

// writeFiles writes all files. Those that tell of others come after them.
func (s *set) writeFiles(ctx context.Context, f *folder) error {
	if err := s.addMedia(ctx, f); err != nil {
		return err
	}
	s.version = newVersion(s.o.Settings.Name, s.o.Settings.Version, s.items)
	if err := s.checkVersion(); err != nil {
		return err
	}
	for _, name := range s.usedSplits() {
		items := s.ofSplit(name)
		err := f.write("data/"+name+".jsonl", func(w io.Writer) error { return s.writeRows(ctx, w, items) })
		if err == nil {
			err = f.write("data/"+name+".parquet", func(w io.Writer) error { return s.writeParquet(ctx, w, items) })
		}
		if err != nil {
			return err
		}
	}
	for _, one := range []struct {
		name  string
		write func(io.Writer) error
		leave bool
	}{
		{"metadata.jsonl", s.writeMetadata, s.o.Media == ""},
		{"licences.csv", s.writeLicences, false},
		{"provenance.jsonl", s.writeProvenance, false},
		{versionFile, func(w io.Writer) error { return outfile.JSON(w, s.version) }, false},
		{changesFile, func(w io.Writer) error { return s.changes.write(w, s.o.Previous) }, s.changes == nil},
		{"README.md", s.writeCard, false},
		{"croissant.json", func(w io.Writer) error { return s.writeCroissant(w, f.files) }, false},
	} {
		if one.leave {
			continue
		}
		if err := f.write(one.name, one.write); err != nil {
			return err
		}
	}
	return nil
}

// writeRows writes rows as they are: their bytes, one a line.
func (s *set) writeRows(ctx context.Context, w io.Writer, items []*item) (err error) {
	var line []byte
	for _, it := range items {
		if line, err = s.rows.AppendTo(line[:0], it.row); err != nil {
			return err
		}
		if _, err := w.Write(append(bytes.TrimSpace(line), '\n')); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func isNotFound(err error) bool { return omniscope.KindOf(err) == omniscope.NotFound }
