// Package dotenv reads files of NAME=value lines. It finds out who set what and
// where, so that a setting can be traced to its line; it sets no variable.
package dotenv

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// mostBytes is more than any file of settings has.
const mostBytes = 1 << 20

// A File is what one file says.
type File struct {
	Path     string
	Settings []setting // in their order; of a name that stands twice, the last counts
	Problems []problem // in their order
}

// A setting is one variable with its value.
type setting struct {
	Name, Value string
	Line        int
}

// A problem is something that could not be read. It never quotes the file, which
// may hold keys.
type problem struct {
	Line int // 0 = the whole file
	What string
}

// Nearest reads the file called name in folder or, if there is none, in the
// nearest folder above. It returns nil where there is none at all. Folders of
// that name are skipped.
func Nearest(folder, name string) *File {
	for {
		path := filepath.Join(folder, name)
		if f := read(path); f != nil {
			return f
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return nil
		}
		folder = parent
	}
}

// read returns nil if there is no file.
func read(path string) *File {
	f := &File{Path: path}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), err == nil && info.IsDir():
		return nil
	case err == nil && !info.Mode().IsRegular(): // opening a pipe would wait for a writer
		err = errors.New("it is no regular file")
	case err == nil && info.Size() > mostBytes:
		err = fmt.Errorf("it has more than %d MiB", mostBytes>>20)
	}
	var text []byte
	if err == nil {
		text, err = readStart(path)
	}
	if err != nil {
		f.Problems = append(f.Problems, problem{What: reason(err)})
		return f
	}
	f.Settings, f.Problems = parse(string(text))
	return f
}

func readStart(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostBytes))
}

// reason is an error without the path, which stands before it.
func reason(err error) string {
	var about *fs.PathError
	if errors.As(err, &about) {
		err = about.Err
	}
	return strings.TrimSpace(err.Error())
}
