// Package captions reviews captions: people read each caption against its clip, sentence by sentence, correct it, and approve it
// or send it back. With several people for each caption a majority decides, and a senior settles the captions without one.
//
//	review (--people) ─► settle (senior; captions without a majority only)
//
// Captions come in and go out as rows of bench/captionrow. Package people/cloze has the same review for the descriptions of
// Omni-Cloze.
package captions

import (
	_ "embed"

	"omniscope/people"
)

const name = "captions"

// The stages.
const (
	review = "review"
	settle = "settle"
)

//go:embed guideline.md
var guideline string

func stages(reviewers int) []people.Stage {
	all := []people.Stage{{Name: review, Title: "Review", By: []people.ProjectRole{people.Annotator, people.Senior}, People: reviewers, LeaseMinutes: 60}}
	if reviewers > 1 {
		all = append(all, people.Stage{Name: settle, Title: "Settle", By: []people.ProjectRole{people.Senior, people.Lead}, People: 1, After: review, Apart: []string{review}, LeaseMinutes: 60})
	}
	return all
}

// Kind is the review of captions.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Review captions sentence by sentence: correct them, approve them or send them back",
		Long: `People read each caption against its clip. They mark each sentence as right, hallucinated, wrong in a fact or in time, change it, strike it,
or add one; then they approve the caption or send it back. With --people 3, three people review each caption by themselves. A caption
is decided when more than half of its reviewers give the same verdict and, if they approve it, leave the same text; a senior
settles the other captions.

CAPTIONS are rows with id, path and caption, as 'omniscope caption' writes them, or a folder of such files. Evidence in the rows
is shown next to each sentence. The export captions.jsonl has the same rows with the decided text and all reviews: 'omniscope train export' reads it.`,
		Examples: `  omniscope people new captions review --captions captions.jsonl --people 3
  omniscope people new captions review --captions captions/av`,
	},
	Maker:   func() people.Maker { return newMaker() },
	Exports: []people.Export{{Name: name, File: "captions.jsonl", About: "the captions as corrected, with the decided verdict and all reviews, for `omniscope train export`", Write: write, LeftOut: undecided}},
	Tables:  tables,
}, taskOf, map[string]people.StageWork[task]{
	review: {Form: func(c *people.WorkItem, t *task) (*people.Form, error) { return t.Form(), nil }, Complete: complete},
	settle: {Form: settleForm, Complete: complete, Skip: func(c *people.WorkItem, t *task) (bool, error) {
		done := c.At(review)
		return t.majority(done, wanted(c.Project)) != nil, nil
	}},
})

// A task is the payload of an item.
type task struct {
	Caption
	Row string `json:"row"` // as it is in its file, without a trajectory
}

var taskOf = people.Payload[task]("caption to review")

func complete(_ *people.WorkItem, t *task, answers map[string]people.Value) error {
	return t.Complete(answers)
}

// wanted is how many people review each caption.
func wanted(p *people.Project) int {
	if s := p.Stage(review); s != nil {
		return s.People
	}
	return 1
}

// settleForm is the form of a review with what the reviewers did next to each sentence, by their letters.
func settleForm(c *people.WorkItem, t *task) (*people.Form, error) {
	f, done := t.Form(), c.At(review)
	sentences, verdict := &f.Sections[0], &f.Sections[1]
	for i := range sentences.Cards {
		card, given := &sentences.Cards[i], t.Sentences[i].Text
		said := people.ByLetter(done, func(d *people.Done) string { return saidOf(d.Answers[sentences.Key(card.ID)], given) })
		card.Texts = append(said, card.Texts...)
	}
	verdict.Cards[0].Texts = people.ByLetter(done, func(d *people.Done) string {
		r := t.ReviewOf(d)
		text := r.Verdict
		if r.Comment != "" {
			text += ": " + r.Comment
		}
		if r.Caption != "" {
			text += "\n" + r.Caption
		}
		return text
	})
	return f, nil
}

// saidOf describes what a reviewer did with a sentence.
func saidOf(v people.Value, given string) string {
	switch text := v.Text(fieldText); {
	case v.Struck():
		return "struck"
	case text != "" && text != given:
		return v.Text(fieldVerdict) + ": " + text
	}
	return v.Text(fieldVerdict)
}
