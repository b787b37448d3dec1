package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
)

// A checker looks at every byte of files before they leave.
type checker struct {
	leave    []string
	needles  []needle
	home     string
	personal []string // documents with tables of single people
}

func newChecker(o Options) *checker {
	return &checker{leave: o.LeaveOut, needles: needles(o.Secrets), home: strings.TrimSuffix(o.Home, "/")}
}

// leftOut says why a file or folder of a source is not pushed; "" = it is.
func (c *checker) leftOut(name string) string {
	switch {
	case strings.HasPrefix(path.Base(name), "."):
		return "hidden files are not pushed"
	case c.leavesOut(name):
		return "--leave-out"
	}
	return ""
}

// leavesOut reports whether a pattern is that of a name, or of the name's last part.
func (c *checker) leavesOut(name string) bool {
	for _, pattern := range c.leave {
		whole, _ := path.Match(strings.Trim(pattern, "/"), name) // patterns are checked by CheckPatterns
		last, _ := path.Match(pattern, path.Base(name))
		if whole || last {
			return true
		}
	}
	return false
}

// CheckPatterns refuses patterns that are none.
func CheckPatterns(patterns []string) error {
	for _, pattern := range patterns {
		if _, err := path.Match(pattern, "x"); err != nil {
			return omniscope.Usagef("--leave-out %q is no pattern such as *.html or media", pattern)
		}
	}
	return nil
}

// found is what a check found.
type found struct {
	size    int64
	sha256  string
	refused []refusal // File is not set
	home    int       // first line that names the home folder; 0 = none
}

// mostRefusals is how many lines of one file are named.
const mostRefusals = 5

func (c *checker) check(ctx context.Context, r io.Reader, shown string) (found, error) {
	var f found
	sum := sha256.New()
	head := make([]byte, 512)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return f, err
	}
	head = head[:n]
	kind := kindOf(head)
	s := &scan{checker: c, out: &f, sum: sum, text: kind == ""}
	if strings.EqualFold(filepath.Ext(shown), ".json") {
		s.more = []needle{personal}
	}
	whole := io.MultiReader(bytes.NewReader(head), r)
	if err := s.all(ctx, whole); err != nil {
		return f, err
	}
	f.sha256 = hex.EncodeToString(sum.Sum(nil))
	if n := len(f.refused); n > 0 {
		if f.refused = slices.DeleteFunc(f.refused, func(r refusal) bool { return r.Why == personal.what }); len(f.refused) < n {
			c.personal = append(c.personal, shown)
		}
	}
	switch {
	case kind == parquetKind:
		if err := c.checkParquet(ctx, shown, &f); err != nil {
			return f, err
		}
	case kind != "":
		f.refused = append(f.refused, refusal{Why: "it is " + kind})
	case s.binary:
		f.refused = append(f.refused, refusal{Why: "it is no text: only texts and Parquet tables are pushed"})
	}
	return f, nil
}

// inName says what a name holds that must not leave; "" = nothing.
func (c *checker) inName(name string) string {
	one := found{}
	s := &scan{checker: c, out: &one}
	if s.search([]byte(name), true); len(one.refused) > 0 {
		return one.refused[0].Why
	}
	return ""
}

// personal is the mark of a table of single people (omniscope.Table.Personal), in a
// document of tables.
var personal = pattern(`"personal":`, "tables of single people", `\s*true`)

// scan reads a file in windows that overlap, so that what is looked for is whole in one.
type scan struct {
	*checker
	out    *found
	sum    hash.Hash
	text   bool
	binary bool // there are bytes that no text has
	more   []needle
	line   int // lines before the window
}

const (
	window  = 256 << 10
	overlap = 8 << 10
)

func (s *scan) all(ctx context.Context, r io.Reader) error {
	buffer := make([]byte, 0, window+overlap)
	for {
		n, err := io.ReadFull(r, buffer[len(buffer):cap(buffer)])
		fresh := buffer[len(buffer) : len(buffer)+n]
		s.sum.Write(fresh)
		s.out.size += int64(n)
		s.binary = s.binary || bytes.IndexByte(fresh, 0) >= 0
		buffer = buffer[:len(buffer)+n]
		last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !last {
			return err
		}
		if s.text {
			s.search(buffer, last)
		}
		if last {
			return ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s.line += bytes.Count(buffer[:len(buffer)-overlap], []byte{'\n'})
		buffer = append(buffer[:0], buffer[len(buffer)-overlap:]...)
	}
}

// search looks through a window. What begins in its last part is found in the next. What is written with escapes of JSON
// is looked at once more without them; there the last part is not left to the next window, which may begin within an escape.
func (s *scan) search(text []byte, last bool) {
	end := len(text)
	if !last {
		end -= overlap
	}
	s.find(text, end)
	for range mostEscaped {
		plain := unescape(text)
		if len(plain) == len(text) {
			return
		}
		text = plain
		s.find(text, len(text))
	}
}

// find looks for what begins before end.
func (s *scan) find(text []byte, end int) {
	for _, n := range slices.Concat(s.needles, s.more) {
		for from := 0; from < end && len(s.out.refused) < mostRefusals; {
			i := bytes.Index(text[from:], n.prefix)
			if i < 0 || from+i >= end {
				break
			}
			at := from + i
			from = at + 1
			if n.is(text, at) {
				s.refuse(s.line+1+bytes.Count(text[:at], []byte{'\n'}), n.what)
			}
		}
	}
	if s.home != "" && s.out.home == 0 {
		if i := bytes.Index(text, []byte(s.home+"/")); i >= 0 {
			s.out.home = s.line + 1 + bytes.Count(text[:i], []byte{'\n'})
		}
	}
}

// refuse names a line, each thing once a line.
func (s *scan) refuse(line int, what string) {
	for _, r := range s.out.refused {
		if r.Line == line && r.Why == what {
			return
		}
	}
	s.out.refused = append(s.out.refused, refusal{Line: line, Why: what})
}
