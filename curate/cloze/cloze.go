// Package cloze builds rows of Omni-Cloze, the fill-in benchmark of arXiv 2510.12720 (section 5.2, appendix B): one checked
// description from three captions of a clip, a passage with blanks from a description, checks of it by rules that a program can
// apply, repair of single blanks, and tests of whether blanks can be guessed or need another sense than they say.
//
// It writes no captions (detective does), asks no people (people/cloze does: every description and every row still needs a
// person's approval), and scores nothing (bench/omnicloze does).
package cloze

import (
	"fmt"
	"slices"
	"strings"

	"omniscope"
)

// A Draft is a cloze that is being made. Its options have no letters yet.
type Draft struct {
	UUID    string       `json:"uuid"`
	Video   string       `json:"video_path,omitempty"`
	Passage string       `json:"passage"` // with a mark such as [BLANK_1] for each blank
	Blanks  []draftBlank `json:"blanks"`
}

// A draftBlank is one gap of the passage.
type draftBlank struct {
	Number      int                `json:"number"` // from 1
	Answer      string             `json:"answer"`
	Distractors []string           `json:"distractors"` // wrong options
	Modality    omniscope.Modality `json:"required_modality"`
}

// options are the answer and the distractors, in this order.
func (b *draftBlank) options() []string { return append([]string{b.Answer}, b.Distractors...) }

// find is the blank with a number; nil if there is none.
func (d *Draft) find(number int) *draftBlank {
	at := slices.IndexFunc(d.Blanks, func(b draftBlank) bool { return b.Number == number })
	if at < 0 {
		return nil
	}
	return &d.Blanks[at]
}

// modalities are the senses that a blank may need, as they are written in rows.
var modalities = []omniscope.Modality{omniscope.Visual, omniscope.Audio, omniscope.AudioVisual}

// mostBlanks is how many blanks a row has at most.
const mostBlanks = 1000

// Rules are the numbers that a draft must keep.
type Rules struct {
	Blanks int                        // in a draft; 0 = any number, and no quotas
	Least  map[omniscope.Modality]int // least blanks of each sense
}

// Paper are the numbers of the benchmark (arXiv 2510.12720, appendix B.1, step 3).
func Paper() Rules {
	return Rules{Blanks: 30, Least: map[omniscope.Modality]int{omniscope.Visual: 8, omniscope.Audio: 8, omniscope.AudioVisual: 4}}
}

// A Finding is one thing that is wrong with a draft.
type Finding struct {
	Check string `json:"check"` // a name of Checks
	Blank int    `json:"blank"` // number; 0 = the draft as a whole
	Text  string `json:"text"`  // that is wrong, as it stands in the draft
	Says  string `json:"says"`  // what is wrong with it
}

func (f Finding) String() string {
	where := "passage"
	if f.Blank > 0 {
		where = fmt.Sprintf("blank %d", f.Blank)
	}
	if f.Text == "" {
		return fmt.Sprintf("%s: %s (%s)", where, f.Says, f.Check)
	}
	return fmt.Sprintf("%s: %q: %s (%s)", where, f.Text, f.Says, f.Check)
}

// check applies all checks that one draft alone can fail. The findings are in
// the order of the blanks, those of the whole draft first.
func check(d *Draft, r Rules) []Finding {
	var all []Finding
	for _, c := range checks {
		if c.find == nil {
			continue
		}
		for _, f := range c.find(d, r) {
			f.Check = c.Name
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Blank - b.Blank })
	return all
}

// blankNames joins the names of the checks that found something, each once.
func blankNames(findings []Finding) string {
	var names []string
	for _, f := range findings {
		names = appendNew(names, f.Check)
	}
	return strings.Join(names, ", ")
}
