package capricorn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/metric"
)

// A caseView is the content of one video's case.
type caseView struct {
	u *unit

	legend  []subjectLegend
	tags    map[string][]tag // by subject and description
	caption []piece
	length  int          // of the caption, in characters
	lost    []taggedText // descriptions that are not in the caption word for word
}

// A taggedText is a description and the groups that it belongs to.
type taggedText struct {
	text string
	tags []tag
}

func (u *unit) view() *caseView {
	c := &caseView{u: u, tags: make(map[string][]tag)}
	c.mark(u.v.caption, c.collectDescriptions())
	return c
}

// collectDescriptions fills legend and tags, and returns the descriptions, each once.
func (c *caseView) collectDescriptions() []taggedText {
	var all []taggedText
	at := make(map[string]int)
	groups := 0
	for _, legend := range c.u.numbered() {
		subject := legend.name
		for _, g := range groupsToShow(c.u.shownGrouping(subject), legend.number) {
			if g.subject = subject; !g.loose {
				groups++
				g.number = groups
			}
			legend.groups = append(legend.groups, g)
			for _, t := range g.texts {
				c.tags[subject+t.text] = append(c.tags[subject+t.text], g.tag)
				key := fold(t.text)
				if _, ok := at[key]; !ok {
					at[key] = len(all)
					all = append(all, taggedText{text: t.text})
				}
				if d := &all[at[key]]; !slices.Contains(d.tags, g.tag) {
					d.tags = append(d.tags, g.tag)
				}
			}
		}
		c.legend = append(c.legend, legend)
	}
	return all
}

// mark cuts the caption at the descriptions, and lists those not found in it.
func (c *caseView) mark(caption string, all []taggedText) {
	var texts []string
	var tags [][]tag
	for _, d := range all {
		texts, tags = append(texts, d.text), append(tags, d.tags)
	}
	marks := findMarks(caption, texts)
	c.caption = piecesOf(caption, marks, tags)
	for _, p := range c.caption {
		c.length += p.length()
	}
	for i, d := range all {
		if !slices.ContainsFunc(marks, func(m mark) bool { return m.of == i }) {
			c.lost = append(c.lost, d)
		}
	}
}

func (p piece) length() int { return p.gap + utf8.RuneCountInString(p.text) }

// hidden returns how many characters of the caption are left out.
func (c *caseView) hidden() int {
	n := 0
	for _, p := range c.caption {
		n += p.gap
	}
	return n
}

// verdictMarks are the sign and the words that show a verdict.
var verdictMarks = map[omniscope.Verdict]string{
	omniscope.Correct: "✓ correct", omniscope.Partial: "± with errors", omniscope.NotGiven: "✗ not mentioned", omniscope.Unjudged: "? unjudged",
}

// A shownKeypoint is a keypoint of a case.
type shownKeypoint struct {
	text     string
	verdict  omniscope.Verdict
	notes    []string
	reason   string
	quote    string
	mentions []subjectMention
}

// A subjectMention is how the caption refers to a subject at a keypoint.
type subjectMention struct {
	subject string
	text    *string // nil = it leaves the subject out
	tags    []tag
}

// keypointsOf returns the keypoints of a class and a summary of their verdicts.
func (c *caseView) keypointsOf(class int) (list []shownKeypoint, summary string) {
	var tally metric.KeypointTally
	for i, ev := range c.u.v.events {
		if ev.class != class {
			continue
		}
		j := c.u.strictJudgement(i)
		k := shownKeypoint{text: ev.text, verdict: j.verdict, reason: j.reason, quote: j.quote}
		if c.u.firstEqual[i] != i {
			k.notes = append(k.notes, "repeats an earlier keypoint")
		} else {
			add(&tally, j.verdict)
		}
		switch {
		case c.u.askedOnlyByOfficial(i) && j.verdict == omniscope.Unjudged:
			k.notes = append(k.notes, "asked about as an event of subjects: score with --scoring strict")
		case j.verdict == omniscope.Unjudged:
			k.notes = append(k.notes, "no usable judgement: "+j.outcome.String())
		}
		if j.mentioned() {
			for _, s := range ev.subjects {
				d := subjectMention{subject: s}
				if given := j.descriptions[s]; given != nil {
					d.text, d.tags = &given.text, c.tags[s+given.text]
				}
				k.mentions = append(k.mentions, d)
			}
		}
		list = append(list, k)
	}
	return list, summaryOf(tally)
}

func summaryOf(t metric.KeypointTally) string {
	text := fmt.Sprintf("%d correct, %d with errors, %d not mentioned", t.Correct, t.Partial, t.NotMentioned)
	if t.Unjudged > 0 {
		text += fmt.Sprintf(", %d unjudged", t.Unjudged)
	}
	return text
}

// A subjectRow is a subject's consistency in both scorings.
type subjectRow struct {
	legend           subjectLegend
	strict, official [4]string // keypoints, mentions, groups and their sizes, Ref
	notes            []string
}

// subjectRows returns the rows of the table of subjects.
func (c *caseView) subjectRows() []subjectRow {
	var rows []subjectRow
	for _, l := range c.legend {
		r := subjectRow{legend: l,
			strict:   c.u.subjectCells(l.name, c.u.strict[l.name], mended),
			official: c.u.subjectCells(l.name, c.u.official[l.name], published)}
		if c.u.crash != "" {
			r.official = [4]string{"–", "–", "–", "–"}
		}
		r.notes = c.u.subjectNotes(l.name)
		rows = append(rows, r)
	}
	return rows
}

func (u *unit) subjectCells(name string, g *grouping, m mends) [4]string {
	if g == nil {
		g = &grouping{}
	}
	cells := [4]string{strconv.Itoa(u.keypointsNaming(name, m)), strconv.Itoa(len(g.descriptions)), "–", "–"}
	var sizes []string
	for _, n := range g.sizes(m.surplus) {
		sizes = append(sizes, strconv.Itoa(n))
	}
	switch {
	case g.unasked:
		cells[2] = "not asked"
	case g.failed:
		cells[2] = "could not be grouped"
	case len(sizes) > 0:
		cells[2] = fmt.Sprintf("%d: %s", len(sizes), strings.Join(sizes, " + "))
	}
	for _, s := range u.subjectScores(m) {
		if s.name == name && s.Scored {
			cells[3] = quantity.Percent(s.Ref)
		}
	}
	return cells
}

func (u *unit) keypointsNaming(name string, m mends) int {
	n := 0
	for i, ev := range u.v.events {
		if slices.Contains(ev.subjects, name) && (!m.repeated || u.firstEqual[i] == i) {
			n++
		}
	}
	return n
}

func (u *unit) subjectNotes(name string) []string {
	var notes []string
	all, each := u.keypointsNaming(name, published), u.keypointsNaming(name, mended)
	if each < 2 {
		notes = append(notes, "one keypoint: no score in strict")
	}
	if all != each {
		notes = append(notes, "official counts repeated keypoints")
	}
	strict, official := u.strict[name], u.official[name]
	if official != nil && slices.Contains(official.descriptions, nil) {
		notes = append(notes, "official groups mentions without a description")
	}
	if official != nil && official.failed {
		notes = append(notes, "could not be grouped: official leaves the subject out, strict leaves it unscored, with bounds")
	} else if strict != nil && strict.failed {
		why := "strict groups another list of descriptions: its grouping failed, and the official one is shown"
		if strict.unasked {
			why = "strict groups another list of descriptions, which this run did not ask about: score with --scoring strict"
		}
		notes = append(notes, why)
	}
	return notes
}
