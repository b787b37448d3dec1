package cloze

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"omniscope/people"
)

// blankSection is the name of the section with blanks, at every stage that has one.
const blankSection = "blank"

// The fields of blanks.
const (
	fieldAnswer  = "answer"
	fieldSense   = "sense"
	fieldVerdict = "verdict"
	fieldKey     = "key"
	fieldComment = "comment"
)

// distractorField is the name of the field with a distractor, from 0.
func distractorField(i int) string { return "distractor" + strconv.Itoa(i+1) }

// What may be answered in place of a letter.
const (
	notGiven = "not given"
	cannot   = "cannot tell"
)

// openAnswers are what may be answered without the key.
var openAnswers = []string{"A", "B", "C", "D", notGiven, cannot}

// What may be said of a blank with its key.
const (
	accept     = "accept"
	wrongKey   = "wrong key"
	twoRight   = "two right"
	guessable  = "guessable"
	leaks      = "leaks"
	wrongSense = "wrong sense"
	reject     = "reject"
)

// verdicts are all of them.
var verdicts = []string{accept, wrongKey, twoRight, guessable, leaks, wrongSense, reject}

var verdictHelp = map[string]string{
	accept:     "the key is right, the others are wrong, and it takes the clip to know",
	wrongKey:   "another option is right: choose it, or change the answer",
	twoRight:   "two options are right: change one",
	guessable:  "it can be answered without the clip",
	leaks:      "the passage gives the answer elsewhere",
	wrongSense: "it needs another sense: choose it",
	reject:     "it cannot be mended",
}

// id is the blank's card.
func (b *blank) id() string { return strconv.Itoa(b.number) }

// cardKey is the key of what is said of the blank.
func (b *blank) cardKey() string { return blankSection + "/" + b.id() }

// openForm asks for answers. It shows no key.
func (r *row) openForm(*people.WorkItem) *people.Form {
	s := people.Section{Name: blankSection, Title: "Blanks", Fields: []people.Field{
		{Name: fieldAnswer, Label: "Answer", Type: people.Choose, Choices: people.Choices(openAnswers, map[string]string{notGiven: "no option is in the clip"})},
		{Name: fieldSense, Label: "Sense", Type: people.Choose, Choices: people.Choices(senses, nil), Help: "what the answer needs"},
	}}
	for i := range r.blanks {
		b := &r.blanks[i]
		s.Cards = append(s.Cards, people.Card{ID: b.id(), Title: "Blank " + b.id(), Texts: append(r.around(b), b.optionTexts()...)})
	}
	return &people.Form{Texts: r.passageTexts(), Sections: []people.Section{s}, PlayFirst: true}
}

// passageTexts show the whole passage.
func (r *row) passageTexts() []people.Text {
	return []people.Text{{Title: "Passage", Body: shortMarks.Replace(r.passage)}}
}

var shortMarks = strings.NewReplacer("[BLANK_", "[")

// around shows the sentences next to a blank.
func (r *row) around(b *blank) []people.Text {
	const most = 200 // bytes on each side
	at := strings.Index(r.passage, b.mark())
	before, after := r.passage[:at], r.passage[at+len(b.mark()):]
	if len(before) > most {
		cut := before[len(before)-most:]
		if _, rest, found := strings.Cut(cut, " "); found {
			cut = rest
		}
		before = "… " + strings.ToValidUTF8(cut, "")
	}
	if len(after) > most {
		cut := after[:most]
		if i := strings.LastIndexByte(cut, ' '); i > 0 {
			cut = cut[:i]
		}
		after = strings.ToValidUTF8(cut, "") + " …"
	}
	return []people.Text{{Title: "Passage", Body: shortMarks.Replace(before) + "____[" + b.id() + "]____" + shortMarks.Replace(after)}}
}

func (b *blank) optionTexts() (out []people.Text) {
	for i, o := range b.options {
		out = append(out, people.Text{Title: letters[i : i+1], Body: o})
	}
	return out
}

// keyFields ask what is to become of a blank.
func keyFields() []people.Field {
	fields := []people.Field{
		{Name: fieldVerdict, Label: "Verdict", Type: people.Choose, Choices: people.Choices(verdicts, verdictHelp)},
		{Name: fieldAnswer, Label: "Answer", Type: people.Words, Optional: true, Max: 500},
	}
	for i := range 3 {
		fields = append(fields, people.Field{Name: distractorField(i), Label: fmt.Sprintf("Distractor %d", i+1), Type: people.Words, Optional: true, Max: 500})
	}
	return append(fields,
		people.Field{Name: fieldKey, Label: "Right option", Type: people.Choose, Choices: people.Choices(strings.Split(letters, ""), nil), Optional: true, Help: "if the key is wrong"},
		people.Field{Name: fieldSense, Label: "Right sense", Type: people.Choose, Choices: people.Choices(senses, nil), Optional: true, Help: "if the sense is wrong"},
		people.Field{Name: fieldComment, Label: "Comment", Type: people.Prose, Optional: true, Max: 2000})
}

// keyForm asks for verdicts on blanks, with their keys. c is the work item of a senior, who also sees what
// others said; nil = of those who say it.
func (r *row) keyForm(blanks []blank, c *people.WorkItem) *people.Form {
	s := people.Section{Name: blankSection, Title: "Blanks", Fields: keyFields()}
	if c != nil {
		s.Title = "Blanks on which people differ"
	}
	for i := range blanks {
		b := &blanks[i]
		card := people.Card{ID: b.id(), Title: "Blank " + b.id(), Draft: people.Value{fieldAnswer: b.options[b.key]}}
		for k, place := range b.distractors {
			card.Draft[distractorField(k)] = b.options[place]
		}
		card.Texts = append(r.around(b), b.optionTexts()...)
		card.Texts = append(card.Texts, people.Text{Title: "Key", Body: letters[b.key:b.key+1] + ": " + b.options[b.key] + " · " + b.sense})
		if c != nil {
			card.Texts = append(card.Texts, r.said(b, c)...)
		}
		s.Cards = append(s.Cards, card)
	}
	return &people.Form{Texts: r.passageTexts(), Sections: []people.Section{s}}
}

// said shows what each person said of a blank, with and without its key.
func (r *row) said(b *blank, c *people.WorkItem) []people.Text {
	open := c.At(blanksOpen)
	return people.ByLetter(c.At(blanksKey), func(d *people.Done) string {
		body := b.decision(d.Answers[b.cardKey()]).String()
		if at := slices.IndexFunc(open, func(o people.Done) bool { return o.Letter == d.Letter }); at >= 0 {
			v := open[at].Answers[b.cardKey()]
			body += fmt.Sprintf(" (without the key: %s, %s)", v.Text(fieldAnswer), v.Text(fieldSense))
		}
		return body
	})
}

// disputed are the blanks of which people would make something different.
func (r *row) disputed(done []people.Done) (out []blank) {
	for i := range r.blanks {
		if b := &r.blanks[i]; !b.agreed(done) {
			out = append(out, *b)
		}
	}
	return out
}

// agreed reports whether all people would make the same of a blank.
func (b *blank) agreed(done []people.Done) bool {
	return !slices.ContainsFunc(done, func(d people.Done) bool {
		return b.decision(d.Answers[b.cardKey()]).effect() != b.decision(done[0].Answers[b.cardKey()]).effect()
	})
}
