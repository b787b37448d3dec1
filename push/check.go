package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/parquetfile"
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
			return usage("--leave-out %q is no pattern such as *.html or media", pattern)
		}
	}
	return nil
}

// found is what a check found.
type found struct {
	size    int64
	sha256  string
	refused []Refusal // File is not set
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
		if f.refused = slices.DeleteFunc(f.refused, func(r Refusal) bool { return r.Why == personal.what }); len(f.refused) < n {
			c.personal = append(c.personal, shown)
		}
	}
	switch {
	case kind == parquetKind:
		if err := c.checkParquet(ctx, shown, &f); err != nil {
			return f, err
		}
	case kind != "":
		f.refused = append(f.refused, Refusal{Why: "it is " + kind})
	case s.binary:
		f.refused = append(f.refused, Refusal{Why: "it is no text: only texts and Parquet tables are pushed"})
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

// tableLimits bound what is unpacked of a table: what goes beyond is refused, since it was not looked at.
var tableLimits = parquetfile.Limits{
	Row: 64 << 20, Values: 1 << 21, Held: 1 << 30, Size: 1 << 40,
	Long:  func(row int) error { return fmt.Errorf("row %d has more than 64 MiB", row) },
	Many:  func(row int) error { return fmt.Errorf("row %d has more than %d values", row, 1<<21) },
	Pages: errors.New("its pages take more than 1 GiB of memory"),
	Large: errors.New("it has more than 1 TiB"),
}

// checkParquet looks at the values of a table: they are packed in the file.
func (c *checker) checkParquet(ctx context.Context, shown string, f *found) error {
	file, err := os.Open(shown)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	leftOut, err := parquetfile.Rows(ctx, shown, file, info.Size(), tableLimits, func(number int, row []byte) error {
		one := found{}
		s := &scan{checker: c, out: &one, text: true, sum: sha256.New()}
		if err := s.all(ctx, bytes.NewReader(row)); err != nil {
			return err
		}
		for _, r := range one.refused {
			if len(f.refused) < mostRefusals {
				f.refused = append(f.refused, Refusal{Line: number, Why: r.Why + " (row of the table)"})
			}
		}
		if one.home > 0 && f.home == 0 {
			f.home = number
		}
		if hasNUL(row) && len(f.refused) < mostRefusals {
			f.refused = append(f.refused, Refusal{Line: number, Why: "it holds bytes that are no text, such as media within a table (row of the table)"})
		}
		return nil
	})
	if len(leftOut) > 0 {
		f.refused = append(f.refused, Refusal{Why: "it has columns of bytes, such as media within a table: " + strings.Join(leftOut, ", ")})
	}
	if err != nil && ctx.Err() == nil {
		f.refused = append(f.refused, Refusal{Why: "it cannot be read as the Parquet table that it says it is: " + err.Error()})
		return nil
	}
	return err
}

// hasNUL reports whether a text of a JSON document has a zero byte.
func hasNUL(row []byte) bool {
	for {
		i := bytes.Index(row, []byte(`\u0000`))
		if i < 0 {
			return false
		}
		slashes := 0
		for i-slashes > 0 && row[i-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 { // else the backslash is one of the text
			return true
		}
		row = row[i+1:]
	}
}

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

// search looks through a window. What begins in its last part is found in the next.
func (s *scan) search(text []byte, last bool) {
	end := len(text)
	if !last {
		end -= overlap
	}
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
	s.out.refused = append(s.out.refused, Refusal{Line: line, Why: what})
}
