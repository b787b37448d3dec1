package mcifxml

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strings"

	"omniscope"
)

// The writers make the bytes that MCIF's own tools make with ElementTree: a
// declaration, two blanks for each level, no line feed at the end.

// WriteOutput writes answers as mcif.io.write_output does. A text that XML
// cannot hold is an *omniscope.Error before anything is written: see Legal.
func WriteOutput(w io.Writer, o *Output) error {
	for i := range o.Samples {
		if s := &o.Samples[i]; !isLegal(s.ID, s.Text) {
			return illegal(s.ID)
		}
	}
	p, err := open(w, len(o.Samples) > 0, o.Root, o.Track, o.Lang, attr{"type", "output"})
	if err != nil {
		return err
	}
	for i := range o.Samples {
		p.element(2, "sample", []attr{{"id", o.Samples[i].ID}}, o.Samples[i].Text)
	}
	return p.close()
}

// WriteReferences writes references as MCIF's test set builder does.
func WriteReferences(w io.Writer, r *References) error {
	for i := range r.Samples {
		s := &r.Samples[i]
		if !isLegal(s.ID, s.IID, s.Task, s.QAType, s.QAOrigin, s.AudioPath, s.VideoPath, s.TextPath, s.Text) {
			return illegal(s.ID)
		}
		for tag, text := range s.Metadata {
			if !isLegal(tag, text) {
				return illegal(s.ID)
			}
		}
	}
	p, err := open(w, len(r.Samples) > 0, r.Root, r.Track, r.Lang)
	if err != nil {
		return err
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		attrs := []attr{{"id", s.ID}, {"iid", s.IID}, {"task", s.Task}}
		if s.HasQAType {
			attrs = append(attrs, attr{"qa_type", s.QAType})
		}
		if s.HasQAOrigin {
			attrs = append(attrs, attr{"qa_origin", s.QAOrigin})
		}
		p.start(2, "sample", attrs)
		p.path("audio_path", s.AudioPath, s.HasAudioPath)
		p.path("video_path", s.VideoPath, s.HasVideoPath)
		p.path("text_path", s.TextPath, s.HasTextPath)
		p.element(3, "reference", nil, s.Text)
		if len(s.Metadata) > 0 {
			p.start(3, "metadata", nil)
			for _, tag := range slices.Sorted(maps.Keys(s.Metadata)) {
				p.element(4, tag, nil, s.Metadata[tag])
			}
			p.end(3, "metadata")
		}
		p.end(2, "sample")
	}
	return p.close()
}

// WriteDefinitions writes what is asked as MCIF's test set builder does.
func WriteDefinitions(w io.Writer, d *Definitions) error {
	for i := range d.Samples {
		if s := &d.Samples[i]; !isLegal(s.ID, s.AudioPath, s.VideoPath, s.TextPath, s.Instruction) {
			return illegal(s.ID)
		}
	}
	p, err := open(w, len(d.Samples) > 0, d.Root, d.Track, d.Lang)
	if err != nil {
		return err
	}
	for i := range d.Samples {
		s := &d.Samples[i]
		p.start(2, "sample", []attr{{"id", s.ID}})
		p.path("audio_path", s.AudioPath, s.HasAudioPath)
		p.path("video_path", s.VideoPath, s.HasVideoPath)
		p.path("text_path", s.TextPath, s.HasTextPath)
		p.element(3, "instruction", nil, s.Instruction)
		p.end(2, "sample")
	}
	return p.close()
}

// Legal drops the characters that XML cannot hold, even escaped: control
// characters, U+FFFE, U+FFFF and broken UTF-8. Systems do answer with such;
// writing them as they are is what made published files unreadable.
func Legal(text string) (legal string, dropped int) {
	if isLegal(text) {
		return text, 0
	}
	var b strings.Builder
	for i, r := range text {
		if isBroken(text, i, r) || !allowed(r) {
			dropped++
			continue
		}
		b.WriteRune(r)
	}
	return b.String(), dropped
}

func isLegal(texts ...string) bool {
	for _, text := range texts {
		for i, r := range text {
			if isBroken(text, i, r) || !allowed(r) {
				return false
			}
		}
	}
	return true
}

// isBroken tells a byte that is not UTF-8 from a U+FFFD that is there.
func isBroken(text string, i int, r rune) bool {
	return r == '\ufffd' && !strings.HasPrefix(text[i:], "\ufffd")
}

func illegal(id string) error {
	return omniscope.Invalidf(
		"sample %q has a control character or broken UTF-8, which XML cannot hold: take it out before writing", id)
}

// A printer writes one task. Its errors show in close.
type printer struct {
	w      *bufio.Writer
	filled bool // the task has samples
}

func open(w io.Writer, filled bool, root, track, lang string, more ...attr) (*printer, error) {
	if !isLegal(root, track, lang) {
		return nil, omniscope.Invalidf(
			"the name, track or language of the file has a character that XML cannot hold: %q, %q, %q", root, track, lang)
	}
	p := &printer{bufio.NewWriter(w), filled}
	p.w.WriteString("<?xml version='1.0' encoding='utf-8'?>")
	p.start(0, "testset", append([]attr{{"name", root}}, more...))
	task := []attr{{"track", track}, {"text_lang", lang}}
	if filled {
		p.start(1, "task", task)
	} else {
		p.element(1, "task", task, "")
	}
	return p, nil
}

func (p *printer) close() error {
	if p.filled {
		p.end(1, "task")
	}
	p.end(0, "testset")
	return p.w.Flush()
}

func (p *printer) path(tag, text string, has bool) {
	if has {
		p.element(3, tag, nil, text)
	}
}

// element writes an element that has text or nothing in it.
func (p *printer) element(depth int, tag string, attrs []attr, text string) {
	p.open(depth, tag, attrs)
	if text == "" {
		p.w.WriteString(" />")
		return
	}
	p.w.WriteByte('>')
	textEscapes.WriteString(p.w, text)
	p.w.WriteString("</" + tag + ">")
}

func (p *printer) start(depth int, tag string, attrs []attr) {
	p.open(depth, tag, attrs)
	p.w.WriteByte('>')
}

func (p *printer) end(depth int, tag string) {
	p.w.WriteString("\n" + strings.Repeat("  ", depth) + "</" + tag + ">")
}

func (p *printer) open(depth int, tag string, attrs []attr) {
	p.w.WriteString("\n" + strings.Repeat("  ", depth) + "<" + tag)
	for _, a := range attrs {
		p.w.WriteString(" " + a.name + `="`)
		attrEscapes.WriteString(p.w, a.value)
		p.w.WriteByte('"')
	}
}

var (
	textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	attrEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\r", "&#13;", "\n", "&#10;", "\t", "&#09;")
)
