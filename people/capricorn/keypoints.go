package capricorn

import (
	"fmt"

	"omniscope/people"
	"omniscope/people/match"
)

// wanted is how many keypoints the paper's annotators proposed for a video.
const wanted = 40

// A draft is a sentence of an investigation, proposed as a keypoint.
type draft struct {
	Text     string   `json:"text"`
	Start    *float64 `json:"start,omitempty"` // of its evidence, in seconds; nil = it has none, or of the whole video
	End      *float64 `json:"end,omitempty"`
	Senses   []string `json:"senses,omitempty"`
	Evidence []string `json:"evidence,omitempty"` // ids in the investigation's ledger
	By       string   `json:"by"`                 // who wrote it, such as offline
}

// draftRef begins the name of a draft in the field "from"; its number, from 1, follows.
const draftRef = "draft/"

// keypointsForm asks for keypoints. A draft counts only once the annotator accepts or changes it.
func keypointsForm(c *people.WorkItem, v *video) *people.Form {
	s := people.Section{Name: keypointSection, Title: "Keypoints", Add: true, Strike: true, Min: 1, Want: wanted,
		Fields: append(keypointFields(false), people.Field{Name: fieldSenses, Label: "Senses", Type: people.Check, Choices: senses, Help: "how it is perceived"})}
	for i := range v.Drafts {
		s.Cards = append(s.Cards, v.Drafts[i].card(i+1))
	}
	return &people.Form{Texts: subjectTexts(c), Known: knownSubjects(c), Sections: []people.Section{s}}
}

func (d *draft) card(number int) people.Card {
	p := point{text: d.Text}
	if d.Start != nil && d.End != nil {
		p.span, p.timed = match.Span{Start: *d.Start, End: *d.End}, true
	}
	card := people.Card{ID: fmt.Sprintf("draft-%d", number), Optional: true, Draft: draftOf(&p, []string{fmt.Sprint(draftRef, number)})}
	delete(card.Draft, fieldClass) // a person says
	setTime(&card, &p)
	if len(d.Senses) > 0 {
		card.Draft[fieldSenses] = people.List(d.Senses)
	}
	return card
}
