package mcif

import (
	"fmt"

	"omniscope/bench/mcif/talkqa"
	"omniscope/people"
)

// The sections of translations, beside that of the questions.
const (
	lineSection     = "line"
	abstractSection = "abstract"
)

const fieldText = "text"

// translationForm shows each line with the machine's text. A reviewer also sees the revised text, and changes
// that; before = nil: the form of the reviser.
func (t *talkInfo) translationForm(c *people.WorkItem, l *language, before *people.Done) *people.Form {
	return &people.Form{Sections: []people.Section{
		linesSection(lineSection, "Transcript", t.Lines, l, before),
		linesSection(abstractSection, "Abstract", t.parts(), l, before),
		questionsSection(c, l, before),
	}}
}

func lineID(i int) string { return fmt.Sprintf("%04d", i+1) }

func linesSection(name, title string, lines []talkqa.Line, l *language, before *people.Done) people.Section {
	s := people.Section{Name: name, Title: title, Columns: true, Fields: []people.Field{{Name: fieldText, Label: l.name, Type: people.Prose}}}
	for i := range lines {
		one := &lines[i]
		card := people.Card{ID: lineID(i), Start: one.Start, End: one.End, Texts: []people.Text{{Title: "Source", Body: one.Source, Language: "en", Start: one.Start, End: one.End}}}
		text := machine(one, l.code)
		if text != "" {
			card.Texts = append(card.Texts, people.Text{Title: "Machine", Body: text, Language: l.code})
		}
		if before != nil {
			text = before.Answers[s.Key(card.ID)].Text(fieldText)
			card.Texts = append(card.Texts, people.Text{Title: "Revised", Body: text, Language: l.code})
		}
		if text != "" {
			card.Draft = people.Value{fieldText: text}
		}
		s.Cards = append(s.Cards, card)
	}
	return s
}

func questionsSection(c *people.WorkItem, l *language, before *people.Done) people.Section {
	s := people.Section{Name: qaSection, Title: "Questions", Columns: true, Fields: []people.Field{
		{Name: fieldQuestion, Label: "Question", Type: people.Prose, Max: 1000}, {Name: fieldAnswer, Label: "Answer", Type: people.Prose, Max: 3000},
	}}
	kept, _ := final(c.At(questions), c.At(verifyStage))
	for _, q := range kept {
		card := people.Card{ID: people.CardOf(q.key), Texts: []people.Text{{Title: "Question", Body: q.text, Language: "en"}, {Title: "Answer", Body: q.answer, Language: "en"}}}
		if q.timed {
			card.Start, card.End = &q.start, &q.end
		}
		if q.label == talkqa.Unanswered {
			card.Texts[1].Body = noAnswerEnglish
			card.Draft = people.Value{fieldAnswer: l.noAnswer}
		}
		if before != nil {
			v := before.Answers[s.Key(card.ID)]
			card.Texts = append(card.Texts, people.Text{Title: "Revised", Body: v.Text(fieldQuestion) + "\n" + v.Text(fieldAnswer), Language: l.code})
			card.Draft = people.Value{fieldQuestion: v.Text(fieldQuestion), fieldAnswer: v.Text(fieldAnswer)}
		}
		s.Cards = append(s.Cards, card)
	}
	return s
}

// noAnswerEnglish is how references answer what cannot be answered.
const noAnswerEnglish = "Not answerable."

// A translation is what people made of a talk in a language.
type translation struct {
	answers  map[string]people.Value // that count
	revised  map[string]people.Value // as the reviser left them
	reviewed bool
}

// newTranslation is what was reviewed, else what was revised.
func newTranslation(revised, reviewed []people.Done) translation {
	var t translation
	if d := last(revised); d != nil {
		t.answers, t.revised = d.Answers, d.Answers
	}
	if d := last(reviewed); d != nil {
		t.answers, t.reviewed = d.Answers, true
	}
	return t
}

func (t *translation) line(section string, i int) string {
	return trimmed(t.answers[section+"/"+lineID(i)], fieldText)
}
