package mcifxml

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"omniscope"
)

// maxUnpacked bounds what a packed file may unpack to, in bytes. The largest
// published file has three millions.
const maxUnpacked = 1 << 30

// A file is a document that was read.
type file struct {
	path      string
	sha256    string // as stored
	rawSHA256 string // unpacked
	text      text
	root      *node
	problems  []Problem
	cut       map[*node]bool // the samples that the file breaks off in
	mended    *SyntaxError   // why it had to be mended; nil = it is XML
	lines     lineCounter
}

// load reads and parses a file. fields are the tags that may be within a
// sample, for a lenient reader to tell marks from text.
func load(path string, o Options, fields []string) (*file, error) {
	stored, err := os.ReadFile(path)
	if err != nil {
		kind := omniscope.Internal
		if errors.Is(err, fs.ErrNotExist) {
			kind = omniscope.NotFound
		}
		return nil, &omniscope.Error{Kind: kind, Err: err}
	}
	f, err := read(path, stored, o, fields)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: err}
	}
	return f, nil
}

func read(path string, stored []byte, o Options, fields []string) (*file, error) {
	f := &file{path: path, sha256: sum(stored)}
	raw, err := unpack(path, stored)
	if err != nil {
		return nil, err
	}
	f.rawSHA256 = f.sha256
	if len(raw) != len(stored) {
		f.rawSHA256 = sum(raw)
	}
	src, bad := decode(raw)
	f.text = src.text
	if bad == nil {
		f.root, bad = src.parse()
	}
	f.lines = lineCounter{text: f.text, line: 1}
	if bad != nil {
		refusal := f.refuse(bad)
		if !o.Lenient || !f.mend(src, refusal, fields) {
			return nil, refusal
		}
		f.mended = refusal
	}
	return f, nil
}

// unpack undoes gzip, by what the file is rather than what it is called.
func unpack(path string, stored []byte) ([]byte, error) {
	if !bytes.HasPrefix(stored, []byte{0x1f, 0x8b}) {
		return stored, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(stored))
	var raw []byte
	if err == nil {
		raw, err = io.ReadAll(io.LimitReader(z, maxUnpacked+1))
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be unpacked (%w): get the file again", path, err)
	}
	if len(raw) > maxUnpacked {
		return nil, fmt.Errorf("%s unpacks to more than %d MiB, which no MCIF file does: get the file again", path, maxUnpacked>>20)
	}
	return raw, nil
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// refuse puts a fault in words.
func (f *file) refuse(bad *fault) *SyntaxError {
	e := &SyntaxError{File: f.path, Reason: bad.what, Message: bad.what}
	if bad.at == notAPlace {
		e.Near = "the XML declaration"
		return e
	}
	line, column := position(f.text, bad.at)
	e.Line, e.Column = line, column+1
	e.Message = fmt.Sprintf("%s: line %d, column %d", bad.what, line, column)
	e.Near = near(f.text[bad.at:])
	return e
}

// near is the start of a text as a message shows it.
func near(s text) string {
	const enough = 24
	line, _, _ := strings.Cut(string(s[:min(len(s), enough*utf8.UTFMax)]), "\n")
	if line == "" && len(s) > 0 {
		return "\n"
	}
	if runes := []rune(line); len(runes) > enough {
		return string(runes[:enough]) + "..."
	}
	return line
}

// position returns the line, from 1, and column, from 0, of an offset.
func position(s text, at int) (line, column int) {
	lines := lineCounter{text: s, line: 1}
	line = lines.at(at)
	return line, utf8.RuneCountInString(string(s[lines.start:at]))
}

// A lineCounter counts lines up to offsets that do not go down.
type lineCounter struct {
	text    text
	line, p int
	start   int // of the line
}

func (c *lineCounter) at(offset int) int {
	for ; c.p < offset; c.p++ {
		switch b := c.text[c.p]; {
		case b == '\n', b == '\r' && !c.text.at(c.p+1, '\n'):
			c.line++
			c.start = c.p + 1
		}
	}
	return c.line
}

// task returns the task of the track and language, or the first if both are "".
func (f *file) task(track, lang string) (*node, error) {
	var found *node
	var bad error
	missing := &TaskError{File: f.path, Track: track, Lang: lang}
	f.root.each("task", func(n *node) bool {
		t, hasTrack := n.attr("track")
		l, hasLang := n.attr("text_lang")
		for _, a := range []struct {
			name string
			has  bool
		}{{"track", hasTrack}, {"text_lang", hasLang}} {
			if !a.has {
				bad = &AttributeError{File: f.path, Line: f.line(n), Element: "task", Attribute: a.name}
				return false
			}
		}
		if t == track && l == lang || track == "" && lang == "" {
			found = n
			return false
		}
		missing.Available = append(missing.Available, TaskName{t, l})
		return true
	})
	if found == nil && bad == nil {
		bad = missing
	}
	if bad != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: bad}
	}
	return found, nil
}

// line returns the line of a node's start tag.
func (f *file) line(n *node) int {
	if n.at < f.lines.p {
		f.lines = lineCounter{text: f.text, line: 1}
	}
	return f.lines.at(n.at)
}

func (f *file) name() string {
	name, _ := f.root.attr("name")
	return name
}
