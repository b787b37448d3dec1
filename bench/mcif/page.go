package mcif

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"
	"unicode/utf8"

	"omniscope/internal/textnorm"
	"omniscope/metric"
)

//go:embed style.css
var style string

// writePage writes every talk's words or lines beside their reference's, as a
// page of HTML. It is written out here because html/template makes the linker
// keep every method of every library, which is 20 MB.
func (e *evaluation) writePage(w io.Writer) error {
	title := "Alignments: " + html.EscapeString(e.plan.System)
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n<p>MCIF, track %s, language %s.</p>\n",
		title, style, title, html.EscapeString(e.b.Track), html.EscapeString(e.b.Lang))
	if talks := e.ofTask(ASR); len(talks) > 0 {
		b.WriteString("<h2>Transcripts</h2>\n<p>Words after normalising. <del>Struck</del> words are the reference's and missing; <ins>underlined</ins> words are the system's and not in the reference.</p>\n")
		for _, u := range talks {
			e.writeTranscript(&b, u)
		}
	}
	if talks := e.ofTask(Trans); len(talks) > 0 {
		b.WriteString("<h2>Translations</h2>\n<p>Each line of the reference, and what of the system's output was put beside it.</p>\n")
		for _, u := range talks {
			u.writeTranslation(&b)
		}
	}
	b.WriteString("</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// What the page shows of one talk at most: a system that repeats itself without
// end writes many megabytes, which no browser opens.
const (
	shownWords = 20_000
	shownChars = 200_000
)

func (e *evaluation) writeTranscript(b *strings.Builder, u *unit) {
	d := u.asr.edits
	rate, _ := d.Rate()
	fmt.Fprintf(b, "<details>\n<summary>%s <small>WER %s of %d words: %d substituted, %d deleted, %d inserted</small></summary>\n<p>",
		html.EscapeString(u.talk), percent(rate), d.Words(), d.Substitutions, d.Deletions, d.Insertions)
	shown, all := 0, 0
	for _, s := range steps(textnorm.Words(u.words.reference), textnorm.Words(u.words.hypothesis)) { // none where they cannot be read
		n := max(len(s.reference), len(s.hypothesis))
		all += n
		if shown == shownWords {
			continue
		}
		if room := shownWords - shown; n > room {
			s.reference, s.hypothesis = s.reference[:min(room, len(s.reference))], s.hypothesis[:min(room, len(s.hypothesis))]
			n = room
		}
		shown += n
		s.write(b)
	}
	b.WriteString("</p>\n")
	if all > shown {
		fmt.Fprintf(b, "<p><small>%d more words of the alignment are not shown.</small></p>\n", all-shown)
	}
	b.WriteString("</details>\n")
}

func (u *unit) writeTranslation(b *strings.Builder) {
	lines, sources, cut := u.lines(), u.sources(), u.cut.strict
	if cut.err != nil || len(lines) != len(sources) {
		return
	}
	fmt.Fprintf(b, "<details>\n<summary>%s <small>%d lines, AS-WER %s</small></summary>\n<table>\n<tr><th>source</th><th>reference</th><th>system</th></tr>\n",
		html.EscapeString(u.talk), len(lines), percent(cut.rate))
	room := shownChars
	for i := range lines {
		system, more := shorten(cut.lines[i], room)
		room -= utf8.RuneCountInString(system)
		note := ""
		if more > 0 {
			note = fmt.Sprintf(" <small>%d more characters are not shown.</small>", more)
		}
		fmt.Fprintf(b, "<tr><td>%s</td><td>%s</td><td>%s%s</td></tr>\n",
			html.EscapeString(sources[i]), html.EscapeString(lines[i]), html.EscapeString(system), note)
	}
	b.WriteString("</table>\n</details>\n")
}

// shorten cuts a text to so many characters and says how many it cut off.
func shorten(text string, most int) (short string, more int) {
	if len(text) <= most {
		return text, 0
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i], utf8.RuneCountInString(text[i:])
		}
		n++
	}
	return text, 0
}

// A step is a run of words that were treated alike: E, S, D or I.
type step struct {
	kind                  byte
	reference, hypothesis []string
}

func (s step) write(b *strings.Builder) {
	reference, hypothesis := html.EscapeString(strings.Join(s.reference, " ")), html.EscapeString(strings.Join(s.hypothesis, " "))
	if s.kind == 'E' {
		fmt.Fprintf(b, "%s ", reference)
		return
	}
	if reference != "" {
		fmt.Fprintf(b, "<del>%s</del> ", reference)
	}
	if hypothesis != "" {
		fmt.Fprintf(b, "<ins>%s</ins> ", hypothesis)
	}
}

// steps joins neighbouring operations of one kind.
func steps(reference, hypothesis []string) []step {
	var out []step
	operations := metric.Operations(reference, hypothesis)
	for begin := 0; begin < len(operations); {
		s, end := step{kind: operations[begin]}, begin
		for end < len(operations) && operations[end] == s.kind {
			end++
		}
		n := end - begin
		if s.kind != 'I' {
			s.reference, reference = reference[:n], reference[n:]
		}
		if s.kind != 'D' {
			s.hypothesis, hypothesis = hypothesis[:n], hypothesis[n:]
		}
		out, begin = append(out, s), end
	}
	return out
}
