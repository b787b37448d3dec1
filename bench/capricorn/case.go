package capricorn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/quantity"
)

// caseLine is the unit's line of cases.jsonl.
func (u *unit) caseLine() ([]byte, error) { return line(u.caseOf()) }

// caseOf is a unit as people look at it: the caption with how it refers to subjects, the groups of each subject and its
// consistency, the keypoints by class with verdicts, and the differences of the profiles.
func (u *unit) caseOf() *document.Case {
	c := u.view()
	out := &document.Case{Unit: u.v.id, Cluster: u.v.id, Outcome: u.outcome, Facts: []document.Fact{{Name: "length", Value: u.v.durationText()}}}
	for _, p := range c.scorings() {
		out.Facts = append(out.Facts, document.Fact{Name: p.name, Value: fmt.Sprintf("Acc %s, Cov %s, Ref %s", p.shares[0], p.shares[1], p.shares[2])})
	}
	out.Facts = append(out.Facts, document.Fact{Name: "caption", Value: shownText(c.length, c.hidden())})
	if counts, _ := u.counts(mended); counts[keyVideos] > 0 {
		acc := counts[keyAccSum]
		out.Score = &acc
	}
	out.Sections = append(out.Sections, c.captionSection())
	if len(c.legend) > 0 {
		out.Sections = append(out.Sections, c.groupsSection(), c.subjectsSection())
	}
	for class, of := range classes {
		if list, summary := c.keypointsOf(class); len(list) > 0 {
			out.Sections = append(out.Sections, keypointsSection(of.title+": "+summary, list))
		}
	}
	if len(u.differences) > 0 {
		out.Sections = append(out.Sections, u.differencesSection())
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
		s.Text = []document.Piece{{Text: "No text.", Tone: document.Dim}}
	}
	return s
}

// mentioned is a description with the subjects and groups that it belongs to. It has the colour of the first.
func mentioned(text string, tags []tag) document.Piece {
	var names, subjects []string
	for _, t := range tags {
		names, subjects = append(names, t.name), append(subjects, oneLine(t.subject)+", "+t.group)
	}
	return document.Piece{Text: text + " [" + strings.Join(names, " ") + "]", Tone: document.Subject, Note: strings.Join(subjects, "; "), Group: tags[0].number}
}

// groupsSection lists the groups of each subject with their descriptions, and the descriptions that the caption does
// not have word for word.
func (c *caseView) groupsSection() document.Section {
	s := document.Section{Title: "Groups", Columns: []string{"subject", "group", "descriptions"}, Text: []document.Piece{{Text: marksHelp, Tone: document.Dim}}}
	for _, l := range c.legend {
		name := fmt.Sprintf("%d %s", l.number, oneLine(l.name))
		if len(l.groups) == 0 {
			s.Rows = append(s.Rows, cells(name, c.u.withoutMention(l.name), ""))
		}
		for _, g := range l.groups {
			var texts []string
			for _, t := range g.texts {
				texts = append(texts, "“"+oneLine(t.text)+"”"+times(t.n))
			}
			row := cells(name, "", strings.Join(texts, ", "))
			row[1] = []document.Piece{mentioned(g.group, []tag{g.tag})}
			s.Rows = append(s.Rows, row)
		}
	}
	for _, d := range c.lost {
		row := cells("", "not in the caption word for word", "")
		row[2] = []document.Piece{mentioned("“"+oneLine(d.text)+"”", d.tags)}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// withoutMention explains why a subject has no group.
func (u *unit) withoutMention(subject string) string {
	judged, unjudged := 0, 0
	for i, ev := range u.v.events {
		switch {
		case !slices.Contains(ev.subjects, subject):
		case u.strictJudgement(i).verdict == omniscope.Unjudged:
			unjudged++
		default:
			judged++
		}
	}
	switch {
	case judged == 0:
		return "not judged"
	case unjudged > 0:
		return fmt.Sprintf("not mentioned, with %d of %d keypoints unjudged", unjudged, judged+unjudged)
	}
	return "not mentioned"
}

func (u *unit) differencesSection() document.Section {
	s := document.Section{Title: "Where the profiles differ", Columns: []string{"difference", "keypoints", "official", "strict"}}
	for _, d := range u.differences {
		s.Rows = append(s.Rows, cells(oneLine(d.What), strconv.Itoa(d.Items), oneLine(d.Official), oneLine(d.Strict)))
	}
	return s
}

// cells are a row of plain texts.
func cells(texts ...string) (row [][]document.Piece) {
	for _, text := range texts {
		row = append(row, []document.Piece{{Text: text}})
	}
	return row
}

func (c *caseView) subjectsSection() document.Section {
	s := document.Section{Title: "Subjects", Columns: []string{"subject", "keypoints", "mentions", "groups: sizes", "Ref", "official", "notes"}, Text: []document.Piece{{Text: refHelp, Tone: document.Dim}}}
	for _, r := range c.subjectRows() {
		official := fmt.Sprintf("%s, %s, %s, Ref %s", r.official[0], r.official[1], r.official[2], r.official[3])
		s.Rows = append(s.Rows, cells(fmt.Sprintf("%d %s", r.legend.number, oneLine(r.legend.name)), r.strict[0], r.strict[1], r.strict[2], r.strict[3], official, strings.Join(r.notes, "; ")))
	}
	return s
}

// verdictTones are the tones of verdicts on keypoints.
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
		s.Rows = append(s.Rows, [][]document.Piece{{{Text: verdictMarks[k.verdict], Tone: verdictTones[k.verdict]}}, text, said, why})
	}
	return s
}
