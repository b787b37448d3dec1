package mcifxml

import (
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
	s      text
	d      document
	levels map[string]int
	absent map[string]bool // endings that do not come any more
	closed bool            // the root element has ended
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
func (m *mender) note(s text, p int, what string, args ...any) {
	if m.mends++; m.mends > shownMends {
		return
	}
	line, column := position(s, p)
	m.f.report(Problem{Kind: mended, Line: line, Column: column + 1, Count: 1, What: fmt.Sprintf(what, args...)})
}

// legal drops the characters that XML does not allow anywhere. No line ends in
// one, so that lines keep their numbers.
func (m *mender) legal(s text) text {
	var b strings.Builder
	from := 0
	for p := 0; p < len(s); {
		size, f := s.char(p)
		if f == nil {
			p += size
			continue
		}
		b.WriteString(string(s[from:p]))
		r, size := utf8.DecodeRuneInString(string(s[p:]))
		if r == utf8.RuneError {
			m.note(s, p, "the byte 0x%02x is no character of the file's encoding and was replaced by U+FFFD", s[p])
			b.WriteString("\ufffd")
		} else {
			m.note(s, p, "the character %U, which XML cannot hold, was dropped", r)
		}
		p += size
		from = p
	}
	if from == 0 {
		return s
	}
	b.WriteString(string(s[from:]))
	return text(b.String())
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
		if m.s.at(p+1, '\n') {
			p++
		}
		return p + 1
	}
	end, f := m.s.runEnd(p)
	if f != nil {
		end = f.at + 1
		m.note(m.s, p, `"]]>" was taken as text`)
	}
	m.add(string(m.s[p:end]))
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
	m.note(m.s, p, "%q %s", near(m.s[p:]), what)
	m.add(string(m.s[p : p+1]))
	return p + 1
}

func (m *mender) reference(p int) int {
	end, f := m.s.reference(p + 1)
	if f != nil {
		return m.stray(p)
	}
	if m.s[p+1] == '#' {
		r, ok := numbered(m.s[p:end])
		if !ok {
			m.note(m.s, p, "%s, which XML cannot hold, was dropped", m.s[p:end])
			return end
		}
		m.add(string(r))
		return end
	}
	r, ok := predefined[string(m.s[p+1:end-1])]
	if !ok {
		return m.stray(p)
	}
	m.add(r)
	return end
}

// mark reads what starts with "<".
func (m *mender) mark(p int) int {
	rest := string(m.s[p:])
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
	case strings.HasPrefix(rest, "<!DOCTYPE") && m.d.root == nil:
		if end, f := (&document{guard: m.d.guard}).docType(m.s, p+len("<!DOCTYPE")); f == nil {
			return end
		}
	case strings.HasPrefix(rest, "</"):
		if name, end, f := m.s.endTag(p + len("</")); f == nil {
			return m.closeTag(p, name, end)
		}
	default:
		if t, f := m.s.startTag(p + 1); f == nil {
			return m.openTag(p, t)
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

func (m *mender) openTag(p int, t tag) int {
	level := m.levels[t.name]
	switch {
	case m.d.root == nil:
		m.push(p, t)
		return t.end
	case level == 0 && m.inSample():
		return m.stray(p)
	case level <= 1:
		m.note(m.s, p, "%q was passed over", near(m.s[p:t.end]))
		return t.end
	}
	for len(m.d.open) > 1 && m.levels[m.d.top().tag] >= level {
		m.note(m.s, p, "the %s element before has no end tag", m.d.top().tag)
		m.d.tree.end()
	}
	m.push(p, t)
	return t.end
}

// push opens an element. The root stays open to the end of the file.
func (m *mender) push(p int, t tag) {
	m.d.count(1+len(t.attrs), len(m.d.open)) // which ends the reading if need be
	n := &node{tag: t.name, at: p}
	for _, a := range t.attrs {
		name := string(m.s[a.name:a.nameEnd])
		if _, twice := n.attr(name); twice {
			m.note(m.s, a.name, "a second attribute %q was passed over", name)
			continue
		}
		value, f := m.d.value(m.s[a.value:a.valueEnd])
		if f != nil {
			m.note(m.s, a.value, "a reference in the attribute %q was taken as text", name)
			value = string(m.s[a.value:a.valueEnd])
		}
		n.attrs = append(n.attrs, attr{name, value})
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
		m.note(m.s, p, "%q, which ends nothing, was passed over", near(m.s[p:end]))
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
