// Package outfile writes what a user asked for to files and folders: whole or not
// at all, by one process at a time, and not over somebody's work.
package outfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"omniscope"
)

// OrForce ends the errors of files and folders that hold something else.
const OrForce = "name another one with --out, or replace it with --force"

// LockFolder keeps two processes from writing results to one folder at once.
func LockFolder(dir string) (unlock func() error, err error) {
	lock := flock.New(filepath.Join(dir, ".lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if !locked {
		return nil, omniscope.Usagef("another process is writing to %s: wait for it or stop it, then run the same command again; or name another folder with --out", dir)
	}
	return lock.Close, nil
}

// Write writes to where the user points: a file as a whole, anything else,
// such as a pipe or a device, as it comes.
func Write(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
		return WriteIn(filepath.Dir(path), filepath.Base(path), write)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// WriteIn writes a whole file or, on any error, leaves what was there. What
// a killed process leaves beside it, the next one writes over.
func WriteIn(dir, name string, write func(io.Writer) error) error {
	f, err := os.Create(filepath.Join(dir, "."+name+".partial"))
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(dir, name))
}

// Copy writes what the file from holds, as Write does.
func Copy(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return Write(to, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
}

// Entries are the names in a folder, which may not be there, but those
// that start with a point: locks, files on their way, and what systems put into
// every folder.
func Entries(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Check refuses a file that holds something, unless it is ours. What is
// no file, such as a pipe, is written to in any case.
func Check(path string, ours func(f io.Reader) bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && (!info.Mode().IsRegular() && !info.IsDir() || info.Mode().IsRegular() && info.Size() == 0):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return omniscope.Usagef("%s is a folder: name a file with --out", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if ours(f) {
		return nil
	}
	return omniscope.Usagef("%s is there already and was not written by the same command: %s", path, OrForce)
}

// WriteSame writes a file unless it is there with other content.
func WriteSame(path string, force bool, write func(io.Writer) error) error {
	if force {
		return Write(path, write)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	err := Check(path, func(f io.Reader) bool {
		there, err := io.ReadAll(io.LimitReader(f, int64(text.Len())+1))
		return err == nil && bytes.Equal(there, text.Bytes())
	})
	if err != nil {
		return err
	}
	return Write(path, func(w io.Writer) error { _, err := w.Write(text.Bytes()); return err })
}

// RemoveStale removes the files of earlier results that the new ones have no
// more. The names come from a file, so that only plain ones count.
func RemoveStale(dir string, earlier, now []string) error {
	for _, name := range earlier {
		if slices.Contains(now, name) || name != filepath.Base(name) || strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// SamePath reports whether two paths lead to one place. It follows no links.
func SamePath(a, b string) bool {
	x, err1 := filepath.Abs(a)
	y, err2 := filepath.Abs(b)
	return a == b || err1 == nil && err2 == nil && x == y
}

// Lines writes each value as a line of JSON.
func Lines[T any](w io.Writer, list ...T) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for i := range list {
		if err := out.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes v as indented JSON, for people to read as well.
func JSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(v)
}
