package cloze

import (
	"strconv"
	"strings"

	"omniscope"
	"omniscope/people"
)

// The sections of the description.
const (
	sentenceSection = "sentence"
	approveSection  = "approve"
)

const fieldText = "text"

// What may be said of a sentence.
const (
	right        = "right"
	hallucinated = "hallucinated"
	wrongFact    = "wrong fact"
	wrongTime    = "wrong time"
)

var sentenceVerdicts = []string{right, hallucinated, wrongFact, wrongTime}

// What may be said of a description.
const (
	approve  = "approve"
	sendBack = "send back"
)

// A sentence of a description, and what it rests on.
type sentence struct {
	Text     string     `json:"text"`
	Before   string     `json:"before,omitempty"` // the white space before it
	Evidence []evidence `json:"evidence,omitempty"`
	Rests    *Rests     `json:"rests,omitempty"` // nil = its file does not say it
}

// evidence is what an investigation noticed.
type evidence struct {
	ID    string   `json:"id"`
	Tool  string   `json:"tool"`
	What  string   `json:"what"`
	Start *float64 `json:"start,omitempty"` // in seconds; nil = of the whole clip
	End   *float64 `json:"end,omitempty"`
}

func (s *sheetTask) sentences() *people.Section {
	section := &people.Section{Name: sentenceSection, Title: "Sentences", Add: true, Strike: true, Order: true,
		Help: "strike what is not there, add what is missing, move what is out of order",
		Fields: []people.Field{
			{Name: fieldVerdict, Label: "Verdict", Type: people.Choose, Choices: people.Choices(sentenceVerdicts, map[string]string{hallucinated: "nothing like it is in the clip"}), Optional: true},
			{Name: fieldText, Label: "Sentence", Type: people.Prose},
		}}
	if s.Alone != nil && s.Alone.Stretch != "" {
		section.Help = "the clip is this stretch of the film, in seconds: " + s.Alone.Stretch + "; " + section.Help
	}
	for i := range s.Sentences {
		one := &s.Sentences[i]
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

func descriptionForm(_ *people.WorkItem, s *sheetTask) (*people.Form, error) {
	return &people.Form{PlayFirst: true, Sections: []people.Section{*s.sentences(), {
		Name: approveSection, Title: "The description as a whole", Cards: []people.Card{{}},
		Fields: []people.Field{
			{Name: fieldVerdict, Label: "Verdict", Type: people.Choose, Choices: people.Choices([]string{approve, sendBack}, map[string]string{
				approve:  "with your corrections it is right",
				sendBack: "it has to be made anew; its blanks are not reviewed",
			})},
			{Name: fieldComment, Label: "Comment", Type: people.Prose, Optional: true, Max: 5000},
		}}}}, nil
}

// checkDescription says, in words for the person, what is wrong with their review.
func checkDescription(_ *people.WorkItem, s *sheetTask, answers map[string]people.Value) error {
	section := s.sentences()
	for i, card := range section.Cards {
		v := answers[section.Key(card.ID)]
		if v.Struck() {
			continue
		}
		same := v.Text(fieldText) == s.Sentences[i].Text
		switch verdict := v.Text(fieldVerdict); {
		case verdict == "":
			return omniscope.Usagef("sentence %d: say whether it is right", i+1)
		case verdict == hallucinated && same:
			return omniscope.Usagef("sentence %d is hallucinated: strike it, or change it", i+1)
		case verdict == wrongFact && same:
			return omniscope.Usagef("sentence %d has a wrong fact: change it", i+1)
		}
	}
	if v := answers[approveSection]; v.Text(fieldVerdict) == sendBack && strings.TrimSpace(v.Text(fieldComment)) == "" {
		return omniscope.Usagef("you send the description back: say why in the comment")
	}
	return nil
}

// sentBack reports whether a review of the description sends it back.
func sentBack(d people.Done) bool { return d.Answers[approveSection].Text(fieldVerdict) == sendBack }

// A corrected sentence is one of a description after its review.
type correctedSentence struct {
	Number  int    `json:"number,omitempty"` // in the description as given; 0 = added
	Verdict string `json:"verdict,omitempty"`
	Text    string `json:"text"` // "" = struck
	Was     string `json:"was,omitempty"`
	*Rests         // as its file said it; nil = it did not, or somebody added the sentence
}

// corrected is the description after a review, and its sentences: those that are left in their order, then
// those that were struck. Without any change the text is the one that was given.
func (s *sheetTask) corrected(answers map[string]people.Value) (text string, all []correctedSentence) {
	section := s.sentences()
	var out strings.Builder
	same := true
	for _, a := range section.Of(answers) {
		one := correctedSentence{Verdict: a.Value.Text(fieldVerdict), Text: strings.TrimSpace(a.Value.Text(fieldText))}
		before := " "
		if n := s.number(a.Key); n > 0 {
			given := &s.Sentences[n-1]
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
	if same && len(all) == len(s.Sentences) {
		return s.Description, all
	}
	for i, given := range s.Sentences {
		if v, ok := answers[section.Key(strconv.Itoa(i+1))]; ok && v.Struck() {
			all = append(all, correctedSentence{Number: i + 1, Verdict: v.Text(fieldVerdict), Was: given.Text, Rests: given.Rests})
		}
	}
	return out.String(), all
}

// number is the number of the sentence that an answer is about; 0 = somebody added it.
func (s *sheetTask) number(key string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(key, sentenceSection+"/"))
	if err != nil || n < 1 || n > len(s.Sentences) {
		return 0
	}
	return n
}
