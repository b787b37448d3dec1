package detective

import (
	_ "embed"
	"fmt"
	"io"
	"slices"

	"omniscope/internal/webpage"
)

// Style is what pages with a Body look like, beside webpage.Style.
//
//go:embed style.css
var Style string

// Page writes the report as one page of HTML to look at: the player, a timeline
// of what was observed, and the caption, whose sentences lead to the
// observations they rest on and those to their moment. media is the address of
// the file for the player, relative to the page; pictures may be nil.
func (r *Report) Page(w io.Writer, media string, pictures *Pictures) error {
	return webpage.Write(w, r.page("Investigation of "+string(r.Clip.ID), media, pictures))
}

// paragraphs are the sentences of a caption by the shot that they tell of.
func paragraphs(sentences []Sentence) (list [][]Sentence) {
	for i, s := range sentences {
		if i == 0 || beginsParagraph(sentences, i) {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], s)
	}
	return list
}

// Measures of the timeline, in units of its view box.
const (
	timelineWidth = 1000
	laneHeight    = 22
	laneStart     = 110 // left of it stand the tools' names
)

// A timeline is what the page draws of the ledger.
type timeline struct {
	lanes         []lane
	start, length float64 // of the clip, in seconds
}

// A lane is what one tool observed.
type lane struct {
	tool         string
	observations []*Evidence
}

// timeline has a lane for each tool that observed something at a time.
func (r *Report) timeline() timeline {
	t := timeline{start: r.Clip.StartS, length: r.Clip.LengthS}
	for i := range r.Ledger {
		e := &r.Ledger[i]
		if e.Whole() {
			continue
		}
		t.length = max(t.length, e.EndS-t.start)
		at := slices.IndexFunc(t.lanes, func(l lane) bool { return l.tool == e.Tool })
		if at < 0 {
			at = len(t.lanes)
			t.lanes = append(t.lanes, lane{tool: e.Tool})
		}
		t.lanes[at].observations = append(t.lanes[at].observations, e)
	}
	return t
}

// at is where a time of the clip, in seconds, stands in the view box.
func (t *timeline) at(s float64) float64 {
	return laneStart + (timelineWidth-laneStart)*min(1, max(0, s-t.start)/t.length)
}

func (t *timeline) place(e *Evidence) string { return fmt.Sprintf("%.1f", t.at(e.StartS)) }

// width is that of an observation, at least what can be clicked.
func (t *timeline) width(e *Evidence) string {
	return fmt.Sprintf("%.1f", max(2, t.at(e.End())-t.at(e.StartS)))
}

// clock writes a time in seconds as minutes and seconds.
func clock(s float64) string {
	return fmt.Sprintf("%d:%04.1f", int(s)/60, s-float64(int(s)/60*60))
}
