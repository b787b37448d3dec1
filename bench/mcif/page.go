package mcif

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

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
			u.writeTranscript(&b)
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

func (u *unit) writeTranscript(b *strings.Builder) {
	d := u.asr.edits
	rate, _ := d.Rate()
	fmt.Fprintf(b, "<details>\n<summary>%s <small>WER %s of %d words: %d substituted, %d deleted, %d inserted</small></summary>\n<p>",
		html.EscapeString(u.talk), percent(rate), d.Words(), d.Substitutions, d.Deletions, d.Insertions)
	for _, s := range steps(u.asr.reference, u.asr.hypothesis) {
		if s.kind == 'E' {
			fmt.Fprintf(b, "%s ", html.EscapeString(s.reference))
			continue
		}
		if s.reference != "" {
			fmt.Fprintf(b, "<del>%s</del> ", html.EscapeString(s.reference))
		}
		if s.hypothesis != "" {
			fmt.Fprintf(b, "<ins>%s</ins> ", html.EscapeString(s.hypothesis))
		}
	}
	b.WriteString("</p>\n</details>\n")
}

func (u *unit) writeTranslation(b *strings.Builder) {
	lines, sources, cut := u.lines(), u.sources(), u.cut.strict
	if cut.err != nil || len(lines) != len(sources) {
		return
	}
	fmt.Fprintf(b, "<details>\n<summary>%s <small>%d lines, AS-WER %s</small></summary>\n<table>\n<tr><th>source</th><th>reference</th><th>system</th></tr>\n",
		html.EscapeString(u.talk), len(lines), percent(cut.rate))
	for i := range lines {
		fmt.Fprintf(b, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n",
			html.EscapeString(sources[i]), html.EscapeString(lines[i]), html.EscapeString(cut.lines[i]))
	}
	b.WriteString("</table>\n</details>\n")
}

// A step is a run of words that were treated alike: E, S, D or I.
type step struct {
	kind                  byte
	reference, hypothesis string
}

// steps joins neighbouring operations of one kind.
func steps(reference, hypothesis []string) []step {
	var out []step
	var ref, hyp []string
	operations := metric.Operations(reference, hypothesis)
	for i, op := range operations {
		if op != 'I' {
			ref, reference = append(ref, reference[0]), reference[1:]
		}
		if op != 'D' {
			hyp, hypothesis = append(hyp, hypothesis[0]), hypothesis[1:]
		}
		if i+1 == len(operations) || operations[i+1] != op {
			out = append(out, step{op, strings.Join(ref, " "), strings.Join(hyp, " ")})
			ref, hyp = nil, nil
		}
	}
	return out
}

// A pairLine is a line of pairs.jsonl: texts that a neural scorer is to
// compare. Value is empty there, and filled in by whoever has the scorer.
type pairLine struct {
	Scorer     string   `json:"scorer"` // bertscore or comet
	Lang       string   `json:"lang"`
	Unit       string   `json:"unit"`
	Source     string   `json:"src,omitempty"`
	Hypothesis string   `json:"mt"`
	Reference  string   `json:"ref"`
	Value      *float64 `json:"value"`
}

// writePairs writes what the neural scorers compare in either profile, in
// order, each pair once.
func (e *evaluation) writePairs(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	written := make(map[pairLine]bool)
	for _, u := range e.units {
		for _, l := range e.pairLines(u) {
			if written[l.key()] {
				continue
			}
			written[l.key()] = true
			if err := out.Encode(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *evaluation) pairLines(u *unit) []pairLine {
	switch {
	case u.ref.Task == Trans && len(u.missing) == 0 && len(u.lines()) == len(u.sources()):
		return append(e.cutPairs(u, u.cut.strict), e.cutPairs(u, u.cut.official)...)
	case (u.ref.Task == QA || u.ref.Task == Sum) && len(u.ref.IDs) == 1 && len(u.missing) == 0:
		return []pairLine{{Scorer: "bertscore", Lang: e.b.Lang, Unit: u.ref.IID, Hypothesis: u.hypotheses[0], Reference: u.ref.Text}}
	}
	return nil
}

func (e *evaluation) cutPairs(u *unit, c cutLines) []pairLine {
	var t Triples
	if c.err == nil {
		t.add(u.sources(), c.lines, u.lines())
	}
	var lines []pairLine
	for i := range t.Hypotheses {
		lines = append(lines, pairLine{Scorer: "comet", Lang: e.b.Lang, Unit: u.ref.IID, Source: t.Sources[i], Hypothesis: t.Hypotheses[i], Reference: t.References[i]})
	}
	return lines
}
