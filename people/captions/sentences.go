package captions

import (
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/sentences"
	"omniscope/people"
)

// A Caption is a caption under review.
type Caption struct {
	Text      string     `json:"caption"`
	Sentences []sentence `json:"sentences,omitempty"`
	Stretch   string     `json:"stretch,omitempty"` // of the file, in seconds, such as 2,9; "" = all of it
}

// CaptionOf cuts a text into the sentences that people review.
func CaptionOf(text string) Caption {
	c := Caption{Text: text}
	for _, s := range sentences.Cut(text) {
		c.Sentences = append(c.Sentences, sentence{Text: s.Text, Before: s.Before})
	}
	return c
}

// The sections of the form.
const (
	sentenceSection = "sentence"
	approveSection  = "approve"
)

// The fields of answers.
const (
	fieldText    = "text"
	fieldVerdict = "verdict"
	fieldComment = "comment"
)

// The verdicts on a sentence.
const (
	right        = "right"
	hallucinated = "hallucinated"
	wrongFact    = "wrong fact"
	wrongTime    = "wrong time"
)

var sentenceVerdicts = []string{right, hallucinated, wrongFact, wrongTime}

// The verdicts on a caption.
const (
	Approve  = "approve"
	SendBack = "send back"
)

// A sentence of a caption.
type sentence struct {
	Text     string     `json:"text"`
	Before   string     `json:"before,omitempty"` // the white space before it
	Evidence []Evidence `json:"evidence,omitempty"`
	Rests    *Rests     `json:"rests,omitempty"` // nil = its row does not list the sentence
}

// Rests has the fields of a sentence in its row.
type Rests struct {
	From     []string `json:"from,omitempty"`     // ids of the row's caption_sentences
	Modality string   `json:"modality,omitempty"` // needed to know the sentence
	Evidence []string `json:"evidence,omitempty"` // ids of the row's evidence
	Disputed bool     `json:"disputed,omitempty"`
}

// Evidence is an observation that a sentence cites.
type Evidence struct {
	ID    string   `json:"id"`
	Tool  string   `json:"tool"`
	What  string   `json:"what"`
	Start *float64 `json:"start,omitempty"` // in seconds; nil = of the entire clip
	End   *float64 `json:"end,omitempty"`
}

// Between sets the time of an observation, in seconds. end = 0: to an end that is not known here; both 0: the entire clip.
func (e *Evidence) Between(start, end float64) {
	if end > 0 {
		e.Start, e.End = &start, &end
	} else if start > 0 {
		e.Start = &start
	}
}

func (c *Caption) section() *people.Section {
	section := &people.Section{Name: sentenceSection, Title: "Sentences", Add: true, Strike: true, Order: true,
		Help: "strike what is not there, add what is missing, move what is out of order",
		Fields: []people.Field{
			{Name: fieldVerdict, Label: "Verdict", Type: people.Choose, Choices: people.Choices(sentenceVerdicts, map[string]string{hallucinated: "nothing like it is in the clip"}), Optional: true},
			{Name: fieldText, Label: "Sentence", Type: people.Prose},
		}}
	if c.Stretch != "" {
		section.Help = "the clip is this stretch of the film, in seconds: " + c.Stretch + "; " + section.Help
	}
	for i := range c.Sentences {
		one := &c.Sentences[i]
		card := people.Card{ID: strconv.Itoa(i + 1), Draft: people.Value{fieldText: one.Text}}
		for _, e := range one.Evidence {
			card.Texts = append(card.Texts, people.Text{Title: e.Tool, Body: e.What, Start: e.Start, End: e.End})
			if card.Start == nil && e.Start != nil {
				card.Start, card.End = e.Start, e.End
			}
		}
		section.Cards = append(section.Cards, card)
	}
	return section
}

// Form is what a reviewer sees and answers.
func (c *Caption) Form() *people.Form {
	return &people.Form{PlayFirst: true, Sections: []people.Section{*c.section(), {
		Name: approveSection, Title: "The entire caption", Cards: []people.Card{{}},
		Fields: []people.Field{
			{Name: fieldVerdict, Label: "Verdict", Type: people.Choose, Choices: people.Choices([]string{Approve, SendBack}, map[string]string{
				Approve:  "with your corrections it is right",
				SendBack: "it has to be written again, and is not used as it is",
			})},
			{Name: fieldComment, Label: "Comment", Type: people.Prose, Optional: true, Max: 5000},
		}}}}
}

// Complete reports, in words for the reviewer, what a review lacks.
func (c *Caption) Complete(answers map[string]people.Value) error {
	section := c.section()
	for i, card := range section.Cards {
		v := answers[section.Key(card.ID)]
		if v.Struck() {
			continue
		}
		same := v.Text(fieldText) == c.Sentences[i].Text
		switch verdict := v.Text(fieldVerdict); {
		case verdict == "":
			return omniscope.Usagef("sentence %d: say whether it is right", i+1)
		case verdict == hallucinated && same:
			return omniscope.Usagef("sentence %d is hallucinated: strike it, or change it", i+1)
		case verdict == wrongFact && same:
			return omniscope.Usagef("sentence %d has a wrong fact: change it", i+1)
		}
	}
	if v := answers[approveSection]; v.Text(fieldVerdict) == SendBack && strings.TrimSpace(v.Text(fieldComment)) == "" {
		return omniscope.Usagef("you send the caption back: say why in the comment")
	}
	return nil
}

// SentBack reports whether a review sends the caption back.
func SentBack(d people.Done) bool { return verdictOf(&d) == SendBack }

// A correctedSentence is a sentence of a caption after its review.
type correctedSentence struct {
	Number  int    `json:"number,omitempty"` // in the caption as given; 0 = added
	Verdict string `json:"verdict,omitempty"`
	Text    string `json:"text"` // "" = struck
	Was     string `json:"was,omitempty"`
	*Rests         // as in its row; nil = the row does not list it, or a reviewer added it
}

// Corrected returns the caption after a review, and its sentences: the kept ones in their order, then the struck ones.
// Without any change the text is the given one.
func (c *Caption) Corrected(answers map[string]people.Value) (text string, all []correctedSentence) {
	section := c.section()
	var out strings.Builder
	same := true
	for _, a := range section.Of(answers) {
		one := correctedSentence{Verdict: a.Value.Text(fieldVerdict), Text: strings.TrimSpace(a.Value.Text(fieldText))}
		before := " "
		if n := c.number(a.Key); n > 0 {
			given := &c.Sentences[n-1]
			one.Number, one.Rests = n, given.Rests
			if one.Text != given.Text {
				one.Was = given.Text
			}
			if given.Before != "" {
				before = given.Before
			}
			same = same && n == len(all)+1 && one.Was == ""
		} else {
			same = false
		}
		if len(all) > 0 {
			out.WriteString(before)
		}
		out.WriteString(one.Text)
		all = append(all, one)
	}
	if same && len(all) == len(c.Sentences) {
		return c.Text, all
	}
	for i, given := range c.Sentences {
		if v, ok := answers[section.Key(strconv.Itoa(i+1))]; ok && v.Struck() {
			all = append(all, correctedSentence{Number: i + 1, Verdict: v.Text(fieldVerdict), Was: given.Text, Rests: given.Rests})
		}
	}
	return out.String(), all
}

// listed are the sentences that the row lists, as they came.
func (c *Caption) listed() (out []correctedSentence) {
	for i, one := range c.Sentences {
		if one.Rests == nil {
			return nil
		}
		out = append(out, correctedSentence{Number: i + 1, Text: one.Text, Rests: one.Rests})
	}
	return out
}

// number is the number of the sentence that an answer is about; 0 = a reviewer added it.
func (c *Caption) number(key string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(key, sentenceSection+"/"))
	if err != nil || n < 1 || n > len(c.Sentences) {
		return 0
	}
	return n
}
