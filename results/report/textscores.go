package report

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope/bench/document"
)

// scores writes a scoring's table in the fullest form that fits, and its notes.
func (t *textReport) scores(p document.ScoringInfo) {
	form := tableForm{first: "slice"}
	out := t.fit(sections(p), &form)
	t.line("")
	t.out.WriteString(out)
	t.notes(p, form)
}

// notes explains a scoring's table and what it leaves out.
func (t *textReport) notes(p document.ScoringInfo, form tableForm) {
	coarse, fine := byGrain(p)
	shown, withIntervals, dropped := coarse, p, ""
	switch {
	case form.intervals == absent:
		shown.Slices = nil
		withIntervals.Slices = []document.Slice{overall(p)} // they are in the headline
		dropped = "intervals"
		if anyScore(p, t.columns, hasBounds) {
			dropped += " and bounds"
		}
	case form.intervals == below && len(fine.Slices) > 0:
		withIntervals, dropped = coarse, "intervals of sub-categories"
	}
	for _, note := range notes(p, shown, withIntervals, t.terms) {
		t.note(note)
	}
	if dropped != "" {
		t.note(dropped + " do not fit this width; report.md has them")
	}
	if form.intervals != absent && anyScore(fine, t.columns, hasBounds) {
		t.note("bounds of sub-categories are in report.md")
	}
}

// byGrain parts the slices of fine dimensions from the others.
func byGrain(p document.ScoringInfo) (coarse, fine document.ScoringInfo) {
	for _, s := range sections(p) {
		if s.fine {
			fine.Slices = append(fine.Slices, s.slices...)
		} else {
			coarse.Slices = append(coarse.Slices, s.slices...)
		}
	}
	return coarse, fine
}

func (t *textReport) note(s string) { t.line(t.paint(t.fill("", strings.Fields(s), " "), text.Faint)) }

// The least widths that names of slices are cut to: for intervals to stay, and
// at all.
const (
	readableName = 24
	leastName    = 14
)

// fit renders a table in the fullest form that keeps to the width, or in the
// narrowest there is, and says in form which that was.
func (t *textReport) fit(sections []section, form *tableForm) string {
	longest := longestName(sections)
	for _, try := range []struct {
		intervals place
		name      int
		tall      bool
	}{{beside, longest, false}, {below, readableName, false}, {absent, leastName, false}, {absent, leastName, true}} {
		form.intervals, form.name, form.tall = try.intervals, longest, try.tall
		out := t.table(sections, *form)
		if excess := text.LongestLineLen(out) - t.width; excess > 0 && longest > try.name {
			form.name = max(try.name, longest-excess)
			out = t.table(sections, *form)
		}
		if text.LongestLineLen(out) <= t.width || try.tall {
			return out
		}
	}
	panic("unreachable: the last form is always returned")
}

func longestName(sections []section) int {
	longest := 0
	for _, s := range sections {
		longest = max(longest, text.StringWidth(clean(s.title)))
		for _, slice := range s.slices {
			longest = max(longest, text.StringWidth(rowName(slice)))
		}
	}
	return longest
}

// scorings writes how the scorings differ: their overall lines and why.
func (t *textReport) scorings(r *document.Results) {
	t.line("")
	t.line(t.paint("official and strict differ on this input", text.Bold))
	s := section{title: whole}
	for _, p := range r.Scorings {
		line := overall(p)
		line.Group = p.Name
		s.slices = append(s.slices, line)
	}
	t.out.WriteString(t.fit([]section{s}, &tableForm{first: "scoring"}))
	for _, why := range reasonsApart(r.Scorings, t.columns) {
		t.note(why)
	}
	for _, p := range r.Scorings {
		if p.Name != r.Headline.Scoring {
			for _, note := range forced(p) {
				t.note(p.Name + ": " + note)
			}
		}
	}
	for _, d := range r.Differences {
		t.words("  - ", difference(d, t.item))
		t.words("      official: ", d.Official)
		t.words("      strict:   ", d.Strict)
		if e := effects(d, t.columns); e != "" {
			t.words("      effect:   ", e+", by itself")
		}
	}
}
