package mcif

import (
	"fmt"
	"strconv"
	"strings"

	"omniscope/bench/document"
	"omniscope/internal/quantity"
	"omniscope/metric"
)

// caseOf is a unit as people look at it: a transcript's words beside the reference's, a
// translation line by line, or an answer under its reference.
func (u *unit) caseOf(e *evaluation, c metric.Counts) *document.Case {
	out := &document.Case{Unit: u.ref.IID, Cluster: u.talk, Outcome: u.outcome, Facts: []document.Fact{{Name: "task", Value: u.ref.Task}, {Name: "talk", Value: u.talk}}}
	fact := func(name, value string) {
		if value != "" {
			out.Facts = append(out.Facts, document.Fact{Name: name, Value: value})
		}
	}
	fact("name", taskName(u.ref.Task, e.b.Input))
	fact("samples", strings.Join(u.ref.IDs, ", "))
	fact("without output", strings.Join(u.missing, ", "))
	fact("type", u.ref.QAType)
	fact("origin", u.ref.QAOrigin)
	for _, s := range u.symptoms {
		fact("sign", fmt.Sprintf("%s: %s", s.Kind, s.Evidence))
	}
	if rate, ok := metric.MCIFEdits(c).Rate(); ok {
		fact("word errors", describe(metric.MCIFEdits(c)))
		right := max(0, 1-rate)
		out.Score = &right
	}
	if u.ref.Task == trans && u.scorable {
		fact("lines", strconv.Itoa(len(u.cut.strict.lines)))
		fact("AS-WER", quantity.Percent(u.cut.strict.rate))
	}
	if v := ratio(c[metric.MCIFCometSum], c[metric.MCIFLines]); v != nil {
		fact("COMET", quantity.Percent(*v))
		out.Score = v
	}
	if v := ratio(c[metric.MCIFAnswerSum]+c[metric.MCIFSummarySum], c[metric.MCIFAnswers]+c[metric.MCIFSummaries]); v != nil {
		fact("BERTScore", quantity.Percent(*v))
		out.Score = v
	}
	out.Sections = u.sections()
	return out
}

func (u *unit) sections() []document.Section {
	switch u.ref.Task {
	case asr:
		return []document.Section{u.wordSection()}
	case trans:
		if lines := u.shownLines(); lines != nil {
			return []document.Section{lineSection(lines)}
		}
	}
	return []document.Section{{Title: "Reference", Text: text(u.ref.Text)}, {Title: "System", Text: text(strings.Join(u.hypotheses, "\n"))}}
}

// text is a text up to its limit.
func text(s string) []document.Piece {
	if strings.TrimSpace(s) == "" {
		return []document.Piece{{Text: "No text.", Tone: document.Dim}}
	}
	short, more := shorten(s, shownChars)
	pieces := []document.Piece{{Text: short}}
	return append(pieces, notAll(more, "character")...)
}

// notAll says what is not shown.
func notAll(hidden int, what string) []document.Piece {
	if hidden == 0 {
		return nil
	}
	return []document.Piece{{Text: fmt.Sprintf(" … %d more %ss are not shown", hidden, what), Tone: document.Dim}}
}

// wordSection has the words after normalising.
func (u *unit) wordSection() document.Section {
	s := document.Section{Title: "Words after normalising: the reference's alone are struck, the system's alone underlined"}
	shown := u.shownSteps()
	for _, step := range shown.steps {
		reference, hypothesis := strings.Join(step.reference, " "), strings.Join(step.hypothesis, " ")
		switch {
		case step.kind == 'E':
			s.Text = append(s.Text, document.Piece{Text: reference + " "})
			continue
		case reference != "":
			s.Text = append(s.Text, document.Piece{Text: reference, Tone: document.Gone, Note: "the reference has it"}, document.Piece{Text: " "})
		}
		if hypothesis != "" {
			s.Text = append(s.Text, document.Piece{Text: hypothesis, Tone: document.Added, Note: "the system has it"}, document.Piece{Text: " "})
		}
	}
	if s.Text = append(s.Text, notAll(shown.hidden, "word")...); s.Text == nil {
		s.Text = text("")
	}
	return s
}

func lineSection(lines []shownLine) document.Section {
	s := document.Section{Title: "Lines of the reference, and what of the system's stands beside them", Columns: []string{"source", "reference", "system"}}
	for _, l := range lines {
		s.Rows = append(s.Rows, [][]document.Piece{{{Text: l.source}}, {{Text: l.reference}}, append([]document.Piece{{Text: l.system}}, notAll(l.hidden, "character")...)})
	}
	return s
}
