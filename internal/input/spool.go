package input

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"omniscope"
)

// spool copies a stream to a temporary file. It does not wait for a stream that
// brings nothing once ctx ends: the goroutine that waits is left behind, as the
// program is about to end.
func (f *File) spool(ctx context.Context, open func() (io.Reader, error)) (*os.File, error) {
	to, err := Temporary()
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() {
		from, err := open()
		if err != nil {
			done <- omniscope.Invalidf("%w", err)
			return
		}
		_, err = io.CopyBuffer(&spooler{f: f, ctx: ctx, to: to}, onlyReader{from}, make([]byte, 256<<10))
		if c, ok := from.(*os.File); ok && c != os.Stdin {
			c.Close()
		}
		done <- err
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err != nil {
		to.Close()
		return nil, err
	}
	return to, nil
}

type onlyReader struct{ io.Reader }

// Temporary makes a temporary file that is gone once it is closed or the program
// ends, however it ends.
func Temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "omniscope-input-*")
	if err != nil {
		return nil, fmt.Errorf("keep an input that can be read only once: %w", err)
	}
	os.Remove(f.Name()) // systems that refuse it keep it in their folder of temporary files
	return f, nil
}

// A spooler writes a stream to disk as long as it can be an input at all: a
// device gives zeros or noise without an end.
type spooler struct {
	f    *File
	ctx  context.Context
	to   *os.File
	size int64
	head []byte

	line   int   // ends of lines so far
	length int64 // of the line since the last
}

func (s *spooler) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if room := headSize - len(s.head); room > 0 {
		s.head = append(s.head, p[:min(room, len(p))]...)
		if err := s.f.recognise(s.head); err != nil && len(s.head) == headSize {
			return 0, err
		}
	}
	if s.size += int64(len(p)); s.size > int64(s.f.limits.Size) {
		return 0, s.f.limits.tooLarge(s.f.Path)
	}
	if s.hasLines() {
		if end := bytes.LastIndexByte(p, '\n'); end < 0 {
			s.length += int64(len(p))
		} else {
			s.line += bytes.Count(p, []byte("\n"))
			s.length = int64(len(p) - end - 1)
		}
		if s.length > int64(s.f.limits.Row) {
			return 0, s.f.limits.TooLongRow(s.f.Path, s.line+1)
		}
	}
	if _, err := s.to.Write(p); err != nil {
		return 0, fmt.Errorf("keep %s on disk: %w", s.f.Path, err)
	}
	return len(p), nil
}

// hasLines reports whether the stream is text by lines, none of which may be
// too long. A JSON list may stand on one.
func (s *spooler) hasLines() bool {
	start := bytes.TrimSpace(s.head)
	return s.f.want != XML && s.f.want != zipFile && packing(s.head) == "" && !isParquet(s.head) && wideOrder(s.head) == nil && !bytes.HasPrefix(start, []byte("["))
}

// Stream reads standard input of a filter as it comes: unpacked and in UTF-8,
// nothing kept. It waits for the first bytes, and for more only where these may
// be the beginning of a mark.
func Stream(ctx context.Context, name string, in io.Reader) (io.Reader, error) {
	f := &File{Path: name, ctx: ctx, want: Texts}
	head := make([]byte, headSize)
	n, err := in.Read(head)
	for err == nil && n < 3 && (n == 0 || bytes.IndexByte([]byte{0xef, 0xfe, 0xff, 0x1f}, head[0]) >= 0) {
		var more int
		more, err = in.Read(head[n:])
		n += more
	}
	head = head[:n]
	var rest io.Reader = in
	if err != nil {
		rest = failed{err} // once what came before is read
	}
	if err := f.recognise(head); err != nil {
		return nil, err
	}
	all := io.MultiReader(bytes.NewReader(bytes.TrimPrefix(head, byteOrderMark)), rest)
	switch how := packing(head); {
	case how != "":
		unpacked, err := unpack(how, all)
		if err != nil {
			return nil, f.damaged(err)
		}
		return decoded(unpacked), nil
	case wideOrder(head) != nil:
		return decoded(all), nil
	}
	return all, nil
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }
