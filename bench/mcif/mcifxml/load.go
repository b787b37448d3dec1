package mcifxml

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/sha256hex"
)

// A file is a document that was read.
type file struct {
	path      string
	sha256    string // as stored
	rawSHA256 string // unpacked
	text      string
	root      *node
	problems  []Problem
	cut       map[*node]bool // the samples that the file breaks off in
	mended    *SyntaxError   // why it had to be mended; nil = it is XML
	lines     lineCounter
}

// load reads and parses a file. fields are the tags that may be within a
// sample, for a lenient reader to tell marks from text.
func load(ctx context.Context, path string, o Options, fields []string) (*file, error) {
	stored, err := input.Open(ctx, path, input.XML)
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	raw, err := stored.ReadAll()
	if err != nil {
		return nil, err
	}
	f, err := read(newGuard(ctx, stored.Path), raw, o, fields)
	if err != nil && ctx.Err() == nil && omniscope.KindOf(err) == omniscope.Internal {
		err = &omniscope.Error{Kind: omniscope.Invalid, Err: err}
	}
	if err != nil {
		return nil, err
	}
	f.sha256, f.rawSHA256 = stored.Digest(), stored.Digest()
	if !stored.Plain() {
		f.rawSHA256 = sha256hex.Of(raw)
	}
	return f, nil
}

// read parses the text of a file as it is unpacked.
func read(g *guard, raw []byte, o Options, fields []string) (*file, error) {
	f := &file{path: g.path}
	src, bad := decode(raw)
	f.text = src.text
	if bad == nil {
		f.root, bad = src.parse(g)
	}
	if g.err != nil {
		return nil, g.err
	}
	f.lines = lineCounter{text: f.text, line: 1}
	if bad != nil {
		refusal := f.refuse(bad)
		if !o.Lenient || !f.mend(g, src, refusal, fields) {
			return nil, cmp.Or(g.err, error(refusal))
		}
		f.mended = refusal
	}
	return f, nil
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
func near(s string) string {
	const enough = 24
	line, _, _ := strings.Cut(s[:min(len(s), enough*utf8.UTFMax)], "\n")
	if line == "" && len(s) > 0 {
		return "\n"
	}
	if runes := []rune(line); len(runes) > enough {
		return string(runes[:enough]) + "..."
	}
	return line
}

// position returns the line, from 1, and column, from 0, of an offset.
func position(s string, at int) (line, column int) {
	lines := lineCounter{text: s, line: 1}
	line = lines.at(at)
	return line, utf8.RuneCountInString(s[lines.start:at])
}

// A lineCounter counts lines up to offsets that do not go down.
type lineCounter struct {
	text    string
	line, p int
	start   int // of the line
}

func (c *lineCounter) at(offset int) int {
	if offset <= c.p {
		return c.line
	}
	next := c.text[c.p:offset]
	if strings.IndexByte(next, '\r') >= 0 {
		for i := range len(next) {
			if b := next[i]; b == '\n' || b == '\r' && !strings.HasPrefix(c.text[c.p+i:], "\r\n") {
				c.line++
				c.start = c.p + i + 1
			}
		}
	} else if last := strings.LastIndexByte(next, '\n'); last >= 0 {
		c.line += strings.Count(next, "\n")
		c.start = c.p + last + 1
	}
	c.p = offset
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
		missing.Available = append(missing.Available, taskName{t, l})
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
