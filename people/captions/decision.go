package captions

import (
	"omniscope/people"
)

// A oneReview is what one person did with a caption.
type oneReview struct {
	By        string              `json:"by"`
	Verdict   string              `json:"verdict"` // Approve or SendBack
	Comment   string              `json:"comment,omitempty"`
	Caption   string              `json:"caption,omitempty"` // as corrected; "" = the reviewer left it as it was
	Sentences []correctedSentence `json:"sentences,omitempty"`
	Settles   bool                `json:"settles,omitempty"` // it is the senior's, who saw the others
}

// ReviewOf reads the review of a task.
func (c *Caption) ReviewOf(d *people.Done) oneReview {
	text, sentences := c.Corrected(d.Answers)
	r := oneReview{By: d.Person, Verdict: verdictOf(d), Comment: d.Answers[approveSection].Text(fieldComment), Sentences: sentences}
	if text != c.Text {
		r.Caption = text
	}
	for i := range r.Sentences {
		r.Sentences[i].Rests = nil // they are in the row
	}
	return r
}

func verdictOf(d *people.Done) string { return d.Answers[approveSection].Text(fieldVerdict) }

// majority returns the first of the reviews that more than half of the wanted reviewers agree with: in the verdict and, if they
// approve, in the text. nil = there is none.
func (c *Caption) majority(done []people.Done, wanted int) *people.Done {
	type opinion struct{ verdict, text string }
	first, votes := make(map[opinion]int), make(map[opinion]int)
	for i := range done {
		o := opinion{verdict: verdictOf(&done[i])}
		if o.verdict == Approve {
			o.text, _ = c.Corrected(done[i].Answers)
		}
		if votes[o]++; votes[o] == 1 {
			first[o] = i
		}
		if 2*votes[o] > max(wanted, len(done)) {
			return &done[first[o]]
		}
	}
	return nil
}

// decided returns the review that counts: the majority's, or the senior's. nil = the caption is not decided.
func (c *Caption) decided(done, settled []people.Done, wanted int) *people.Done {
	if d := c.majority(done, wanted); d != nil || len(settled) == 0 {
		return d
	}
	return &settled[0]
}
