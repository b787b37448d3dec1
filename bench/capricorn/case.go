package capricorn

import (
	"fmt"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// caseLine is the unit's line of cases.jsonl.
func (u *unit) caseLine() ([]byte, error) { return line(u.caseOf()) }

// caseOf is a unit as people look at it: the caption with how it refers to subjects, its
// keypoints by class with verdicts, and the groups of each subject.
func (u *unit) caseOf() *document.Case {
	c := &caseView{u: u, tags: make(map[string][]tag)}
	c.mark(u.v.caption, c.collectDescriptions())
	out := &document.Case{Unit: u.v.id, Cluster: u.v.id, Outcome: u.outcome, Facts: []document.Fact{{Name: "length", Value: u.v.durationText()}}}
	for _, p := range c.scorings() {
		out.Facts = append(out.Facts, document.Fact{Name: p.name, Value: fmt.Sprintf("Acc %s, Cov %s, Ref %s", p.shares[0], p.shares[1], p.shares[2])})
	}
	if counts, _ := u.counts(mended); counts[keyVideos] > 0 {
		acc := counts[keyAccSum]
		out.Score = &acc
	}
	out.Sections = append(out.Sections, c.captionSection())
	if len(c.legend) > 0 {
		out.Sections = append(out.Sections, c.subjectsSection())
	}
	for class, of := range classes {
		if list, summary := c.keypointsOf(class); len(list) > 0 {
			out.Sections = append(out.Sections, keypointsSection(of.title+": "+summary, list))
		}
	}
	return out
}

func (c *caseView) captionSection() document.Section {
	s := document.Section{Title: "Caption"}
	for _, p := range c.caption {
		switch {
		case p.gap > 0:
			s.Text = append(s.Text, document.Piece{Text: fmt.Sprintf("[… %s characters …]", quantity.Grouped(p.gap)), Tone: document.Dim})
		case len(p.tags) > 0:
			s.Text = append(s.Text, mentioned(p.text, p.tags))
		default:
			s.Text = append(s.Text, document.Piece{Text: p.text})
		}
	}
	if c.length == 0 {
		s.Text = []document.Piece{{Text: "There is none.", Tone: document.Dim}}
	}
	return s
}

// mentioned is a description with the subjects and groups that it belongs to.
func mentioned(text string, tags []tag) document.Piece {
	names := namesOf(tags)
	return document.Piece{Text: text + " [" + names + "]", Tone: document.Subject, Note: "subject and group: " + names}
}

// cells are a row of plain texts.
func cells(texts ...string) (row [][]document.Piece) {
	for _, text := range texts {
		row = append(row, []document.Piece{{Text: text}})
	}
	return row
}

func (c *caseView) subjectsSection() document.Section {
	s := document.Section{Title: "Subjects", Columns: []string{"subject", "keypoints", "mentions", "groups: sizes", "Ref", "official", "notes"}}
	for _, r := range c.subjectRows() {
		official := fmt.Sprintf("%s, %s, %s, Ref %s", r.official[0], r.official[1], r.official[2], r.official[3])
		notes := ""
		for i, n := range r.notes {
			if i > 0 {
				notes += "; "
			}
			notes += n
		}
		s.Rows = append(s.Rows, cells(fmt.Sprintf("%d %s", r.legend.number, oneLine(r.legend.name)), r.strict[0], r.strict[1], r.strict[2], r.strict[3], official, notes))
	}
	return s
}

// verdictTones say what to make of a verdict on a keypoint.
var verdictTones = map[omniscope.Verdict]document.Tone{
	omniscope.Correct: document.Good, omniscope.Partial: document.Bad, omniscope.NotGiven: document.Mild, omniscope.Unjudged: document.Dim,
}

func keypointsSection(title string, list []shownKeypoint) document.Section {
	s := document.Section{Title: title, Columns: []string{"verdict", "keypoint", "in the caption", "why"}}
	for _, k := range list {
		text := []document.Piece{{Text: oneLine(k.text)}}
		for _, n := range k.notes {
			text = append(text, document.Piece{Text: " (" + n + ")", Tone: document.Dim})
		}
		var said []document.Piece
		for i, m := range k.mentions {
			if i > 0 {
				said = append(said, document.Piece{Text: "; "})
			}
			said = append(said, document.Piece{Text: oneLine(m.subject) + ": "})
			switch {
			case m.text == nil:
				said = append(said, document.Piece{Text: "left out", Tone: document.Dim})
			case len(m.tags) == 0:
				said = append(said, document.Piece{Text: "“" + oneLine(*m.text) + "”"})
			default:
				said = append(said, mentioned(oneLine(*m.text), m.tags))
			}
		}
		why := []document.Piece{{Text: oneLine(k.reason)}}
		if k.quote != "" {
			why = append(why, document.Piece{Text: " “" + oneLine(k.quote) + "”"})
		}
		v := verdictMarks[k.verdict]
		s.Rows = append(s.Rows, [][]document.Piece{{{Text: v.sign + " " + v.words, Tone: verdictTones[k.verdict]}}, text, said, why})
	}
	return s
}
