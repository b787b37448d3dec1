package mcifxml

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// shownMends bounds the places of one file that are listed one by one.
const shownMends = 20

// A mender reads what is not XML. It knows the elements of these files, and
// takes marks that cannot be theirs as text.
type mender struct {
	f      *file
	s      string
	lexer  *lexer
	d      document
	levels map[string]int
	absent map[string]bool // endings that do not come any more
	closed bool            // the root element has ended
	typed  bool            // the document type was read, or could not be
	mends  int
}

const sampleLevel = 3

// mend reads a file that was refused. It returns false if nothing in it could
// be read.
func (f *file) mend(g *guard, src source, refusal *SyntaxError, fields []string) bool {
	if refusal.Line == 0 {
		return false // bytes in an unknown encoding
	}
	*g = *newGuard(g.ctx, g.path) // the document is read anew
	m := &mender{f: f, d: document{guard: g}, levels: map[string]int{"testset": 1, "task": 2, "sample": sampleLevel}}
	for _, name := range fields {
		m.levels[name] = sampleLevel + 1
	}
	if len(fields) > 0 {
		m.levels["transcript"] = sampleLevel + 2 // within metadata
	}
	m.s = m.legal(src.text)
	m.lexer = newLexer(m.s)
	f.text, f.lines = m.s, lineCounter{text: m.s, line: 1}
	clean := source{text: m.s, body: src.body, standalone: src.standalone}
	var bad *fault
	if f.root, bad = clean.parse(g); bad != nil && g.err == nil {
		*g = *newGuard(g.ctx, g.path)
		m.read(src.body)
		f.root = m.d.root
	}
	if g.err != nil {
		return false
	}
	if m.mends > shownMends {
		f.report(Problem{Kind: mended, Count: m.mends - shownMends, What: fmt.Sprintf("%d more places were mended", m.mends-shownMends)})
	}
	return f.root != nil
}

// note reports a mend at an offset of s.
func (m *mender) note(s string, p int, what string, args ...any) {
	if m.mends++; m.mends > shownMends {
		return
	}
	line, column := position(s, p)
	m.f.report(Problem{Kind: mended, Line: line, Column: column + 1, Count: 1, What: fmt.Sprintf(what, args...)})
}

// An excerpt is text that a note shows the start of.
type excerpt string

func (e excerpt) String() string { return near(string(e)) }

// legal drops the characters that XML does not allow anywhere. No line ends in
// one, so that lines keep their numbers.
func (m *mender) legal(s string) string {
	var b strings.Builder
	from := 0
	for p := 0; ; from = p {
		at, f := illegalChar(s, p)
		if f == nil && from == 0 {
			return s
		}
		b.WriteString(s[from:at])
		if f == nil {
			return b.String()
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError {
			m.note(s, at, "the byte 0x%02x is not a character of the file's encoding and was replaced by U+FFFD", s[at])
			b.WriteString("\ufffd")
		} else {
			m.note(s, at, "the character %U, which XML cannot hold, was dropped", r)
		}
		p = at + size
	}
}

func (m *mender) read(p int) {
	for p < len(m.s) && m.d.step() == nil {
		end := m.item(p)
		m.d.guard.text(max(end-p, len(m.d.more)), p, m.s) // which ends the reading if need be
		p = end
	}
	for _, n := range m.d.open {
		if m.levels[n.tag] != sampleLevel {
			continue
		}
		id, _ := n.attr("id")
		if m.f.cut == nil {
			m.f.cut = map[*node]bool{}
		}
		m.f.cut[n] = true
		line, _ := position(m.s, n.at)
		m.f.report(Problem{Kind: cutOff, Line: line, ID: id, Count: 1, What: fmt.Sprintf("the file breaks off in sample %q, which was dropped", id)})
	}
	if !m.closed {
		m.note(m.s, len(m.s), "the file breaks off before its last end tag")
	}
	for len(m.d.open) > 0 {
		m.d.tree.end()
	}
}

func (m *mender) inSample() bool {
	return slices.ContainsFunc(m.d.open, func(n *node) bool { return m.levels[n.tag] >= sampleLevel })
}

func (m *mender) item(p int) int {
	switch m.s[p] {
	case '<':
		return m.mark(p)
	case '&':
		return m.reference(p)
	case '\r':
		m.add("\n")
		if strings.HasPrefix(m.s[p:], "\r\n") {
			p++
		}
		return p + 1
	}
	end, f := runEnd(m.s, p)
	if f != nil {
		end = f.at + 1
		m.note(m.s, p, `"]]>" was taken as text`)
	}
	m.add(m.s[p:end])
	return end
}

func (m *mender) add(piece string) {
	if len(m.d.open) > 0 {
		m.d.add(piece)
	}
}

// stray takes a mark as text.
func (m *mender) stray(p int) int {
	what := "was passed over"
	if m.inSample() {
		what = "was taken as text"
	}
	m.note(m.s, p, "%q %s", excerpt(m.s[p:]), what)
	m.add(m.s[p : p+1])
	return p + 1
}

func (m *mender) reference(p int) int {
	end, f := referenceEnd(m.s, p)
	if f != nil {
		return m.stray(p)
	}
	text, _, f := m.d.lookUp(m.s[p:end])
	switch {
	case f != nil && f.what == badCharRef:
		m.note(m.s, p, "%s, which XML cannot hold, was dropped", m.s[p:end])
		return end
	case f != nil:
		return m.stray(p)
	}
	m.add(text)
	return end
}

// mark reads what starts with "<".
func (m *mender) mark(p int) int {
	rest := m.s[p:]
	switch {
	case strings.HasPrefix(rest, "<![CDATA["):
		if at := m.find(rest, "]]>"); at >= 0 {
			piece := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(rest[len("<![CDATA["):at])
			m.add(piece)
			return p + at + len("]]>")
		}
	case strings.HasPrefix(rest, "<!--"):
		if at := m.find(rest[len("<!--"):], "-->"); at >= 0 {
			return p + len("<!---->") + at
		}
	case strings.HasPrefix(rest, "<?"):
		if at := m.find(rest, "?>"); at >= 0 {
			return p + at + len("?>")
		}
	case strings.HasPrefix(rest, "<!DOCTYPE") && m.d.root == nil && !m.typed:
		m.typed = true
		if end, f := (&document{guard: m.d.guard}).declare(m.s, p); f == nil {
			return end
		}
	case strings.HasPrefix(rest, "<!"):
	default:
		t, end, f := m.lexer.mark(p)
		if f != nil {
			break
		}
		switch t := t.(type) {
		case tag:
			return m.openTag(p, t, end)
		case xml.EndElement:
			return m.closeTag(p, written(t.Name), end)
		}
	}
	return m.stray(p)
}

// find returns where an ending is. It searches for one that is not there once.
func (m *mender) find(rest, ending string) int {
	if m.absent[ending] {
		return -1
	}
	at := strings.Index(rest, ending)
	if at < 0 {
		if m.absent == nil {
			m.absent = map[string]bool{}
		}
		m.absent[ending] = true
	}
	return at
}

func (m *mender) openTag(p int, t tag, end int) int {
	level := m.levels[t.name]
	switch {
	case m.d.root == nil:
		m.push(p, t)
		return end
	case level == 0 && m.inSample():
		return m.stray(p)
	case level <= 1:
		m.note(m.s, p, "%q was passed over", excerpt(m.s[p:end]))
		return end
	}
	for len(m.d.open) > 1 && m.levels[m.d.top().tag] >= level {
		m.note(m.s, p, "the %s element before has no end tag", m.d.top().tag)
		m.d.tree.end()
	}
	m.push(p, t)
	return end
}

// push opens an element. The root stays open to the end of the file.
func (m *mender) push(p int, t tag) {
	m.d.count(1+len(t.attrs), len(m.d.open)) // which ends the reading if need be
	n := &node{tag: t.name, at: p}
	for _, a := range t.attrs {
		if _, twice := n.attr(a.name); twice {
			m.note(m.s, strings.LastIndex(m.s[:a.from], a.name), "a second attribute %q was passed over", a.name)
			continue
		}
		value, f := m.d.value(m.s[a.from:a.to])
		if f != nil {
			m.note(m.s, a.from, "a reference in the attribute %q was taken as text", a.name)
			value = m.s[a.from:a.to]
		}
		n.attrs = append(n.attrs, attr{a.name, value})
	}
	root := m.d.root == nil
	m.d.tree.start(n)
	if t.empty && !root {
		m.d.tree.end()
	}
	m.closed = m.closed || root && t.empty
}

func (m *mender) closeTag(p int, name string, end int) int {
	at := len(m.d.open) - 1
	for at >= 0 && m.d.open[at].tag != name {
		at--
	}
	switch {
	case at < 0 && m.levels[name] == 0 && m.inSample():
		return m.stray(p)
	case at < 0:
		m.note(m.s, p, "%q, which ends nothing, was passed over", excerpt(m.s[p:end]))
		return end
	}
	for len(m.d.open) > at+1 {
		m.note(m.s, p, "the %s element before has no end tag", m.d.top().tag)
		m.d.tree.end()
	}
	if at == 0 {
		m.closed = true
	} else {
		m.d.tree.end()
	}
	return end
}
