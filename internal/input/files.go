package input

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"

	"omniscope"
)

// Files are the inputs of one command. What can be read only once, a pipe or
// standard input, is kept on disk from the first opening, so that every further
// one finds the same bytes; that lasts as long as the program. The zero value is
// ready to use.
type Files struct {
	Limits Limits
	Stdin  io.Reader    // nil = os.Stdin
	Warn   func(string) // what of a file is not read, once each; nil = nobody is told

	mu     sync.Mutex
	kept   map[string]*os.File
	warned map[string]bool

	under    *Files // opens what is not replaced; nil = nothing is
	replaced map[string]replacement
}

type filesKey struct{}

// With returns a context in which files are opened by f.
func With(ctx context.Context, f *Files) context.Context {
	return context.WithValue(ctx, filesKey{}, f)
}

// from returns the Files of a context. Without any, nothing is kept.
func from(ctx context.Context) *Files {
	f, _ := ctx.Value(filesKey{}).(*Files)
	if f == nil {
		return &Files{}
	}
	return f
}

// warn passes a warning on, unless it was before: a command may open a file twice.
func (s *Files) warn(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Warn == nil || s.warned[text] {
		return
	}
	if s.warned == nil {
		s.warned = make(map[string]bool)
	}
	s.warned[text] = true
	s.Warn(text)
}

// LimitsOf returns the limits that a context sets for a kind of input.
func LimitsOf(ctx context.Context, want Want) Limits { return from(ctx).Limits.withDefaults(want) }

// open opens the stored bytes of a file. kept reports whether they belong to
// Files, and are not the caller's to close.
func (s *Files) open(ctx context.Context, path string, f *File) (stored *os.File, kept bool, err error) {
	if r, ok := s.replaced[path]; ok {
		f.replaced = &r
		return r.text, true, nil
	}
	if s.under != nil {
		return s.under.open(ctx, path, f)
	}
	if path != Stdin {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, false, &omniscope.Error{Kind: omniscope.NotFound, Err: &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}}
		case err != nil:
			return nil, false, omniscope.Invalidf("%w", err)
		case info.IsDir():
			return nil, false, &omniscope.Error{Kind: omniscope.Invalid, Err: folder(path)}
		case info.Mode()&fs.ModeSocket != 0:
			return nil, false, omniscope.Invalidf("%s is a socket: name a file", path)
		case info.Mode().IsRegular():
			if stored, err = os.Open(path); err != nil {
				return nil, false, omniscope.Invalidf("%w", err)
			}
			return stored, false, nil
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stored := s.kept[path]; stored != nil {
		return stored, true, nil
	}
	if stored, err = f.spool(ctx, func() (io.Reader, error) { return s.stream(path) }); err != nil {
		return nil, false, err
	}
	if s.kept == nil {
		s.kept = make(map[string]*os.File)
	}
	s.kept[path] = stored
	return stored, true, nil
}

// folder is the error for a folder in place of a file.
type folder string

func (path folder) Error() string { return string(path) + " is a folder: name a file" }

// Unwrap is what reading it would have brought.
func (path folder) Unwrap() error {
	return &fs.PathError{Op: "read", Path: string(path), Err: syscall.EISDIR}
}

// stream opens what can be read once.
func (s *Files) stream(path string) (io.Reader, error) {
	switch {
	case path != Stdin:
		return os.Open(path)
	case s.Stdin != nil:
		return s.Stdin, nil
	}
	return os.Stdin, nil
}
