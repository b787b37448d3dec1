package cloze

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope/model/judge"
)

// A draftReply is a draft as a model wrote it, which has the right number of blanks, marks and senses.
type draftReply struct {
	draft *Draft
	rests []blankBasis
}

// ofWhole are the checks of a draft as a whole: a draft that fails one is asked for anew, and not mended blank by blank.
var ofWhole = []string{"count", "numbering", "placeholder", "mark", "quota", "sense", "distractors"}

// mostTold is how many findings one message to a model lists.
const mostTold = 10

// readDraft reads a reply to the question for a draft. Its error says, in words for the model, what is wrong with it.
func (a *Approved) readDraft(reply string, rules Rules) (*draftReply, error) {
	var said struct {
		Passage string
		Blanks  []struct {
			draftBlank
			From []int
		}
	}
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	if strings.TrimSpace(said.Passage) == "" || len(said.Blanks) == 0 {
		return nil, errors.New(`it has no "passage", or no "blanks"`)
	}
	r := &draftReply{draft: &Draft{UUID: a.UUID, Video: a.Video, Passage: said.Passage}}
	for _, b := range said.Blanks {
		rest, err := a.rest(b.Number, b.From)
		if err != nil {
			return nil, err
		}
		r.draft.Blanks, r.rests = append(r.draft.Blanks, b.draftBlank), append(r.rests, rest)
	}
	findings := slices.DeleteFunc(check(r.draft, rules), func(f Finding) bool { return !slices.Contains(ofWhole, f.Check) })
	return r, told(findings)
}

// told is an error that tells a model what was found; nil = nothing.
func told(findings []Finding) error {
	if len(findings) == 0 {
		return nil
	}
	var says []string
	for _, f := range findings[:min(len(findings), mostTold)] {
		says = append(says, f.String())
	}
	if more := len(findings) - mostTold; more > 0 {
		says = append(says, fmt.Sprintf("and %d more", more))
	}
	return errors.New(strings.Join(says, "; "))
}

// rest is what a blank rests on, by the numbers of sentences.
func (a *Approved) rest(blank int, from []int) (blankBasis, error) {
	r := blankBasis{Blank: blank, Sentences: from, Texts: []string{}, Evidence: []string{}}
	if len(from) == 0 {
		return r, fmt.Errorf(`blank %d: "from" names no sentence of the description`, blank)
	}
	for _, n := range from {
		if n < 1 || n > len(a.Sentences) {
			return r, fmt.Errorf(`blank %d: "from" names sentence %d, and the description has %d`, blank, n, len(a.Sentences))
		}
		s := &a.Sentences[n-1]
		r.Texts = append(r.Texts, s.Text)
		r.Evidence = appendNew(r.Evidence, s.Evidence...)
	}
	return r, nil
}

// A repairReply is a mended blank.
type repairReply struct {
	blank    draftBlank
	rest     blankBasis
	sentence string // in which it stands, worded anew; "" = it stays
}

// readRepair reads a reply to the question to mend a blank. freeSense says that it may need another sense than before.
func (a *Approved) readRepair(reply string, d *Draft, number int, freeSense bool) (*repairReply, error) {
	var said struct {
		draftBlank
		From     []int
		Sentence string
	}
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	said.Number = number
	r := &repairReply{blank: said.draftBlank}
	if s := strings.TrimSpace(said.Sentence); s != "" && s != d.sentenceOf(number) {
		r.sentence = s
	}
	now := d.find(number)
	before := now.Modality
	switch {
	case r.sentence == "" && said.Answer == now.Answer && said.Modality == before && slices.Equal(said.Distractors, now.Distractors):
		return nil, errors.New("it is the blank as it was: something has to change")
	case strings.TrimSpace(said.Answer) == "":
		return nil, errors.New(`the "answer" is empty`)
	case len(said.Distractors) != wrongOptions:
		return nil, fmt.Errorf("it has %d distractors, not %d", len(said.Distractors), wrongOptions)
	case !knownModality(said.Modality):
		return nil, fmt.Errorf(`"required_modality" is %q, not audio, visual or audio-visual`, said.Modality)
	case !freeSense && said.Modality != before:
		return nil, fmt.Errorf(`"required_modality" is %q: it has to stay %q`, said.Modality, before)
	case r.sentence != "" && !sameMarks(r.sentence, d.sentenceOf(number)):
		return nil, errors.New(`the "sentence" does not have the same blanks as before, each once`)
	}
	var err error
	r.rest, err = a.rest(number, said.From)
	return r, err
}

// sameMarks reports whether two sentences have the same marks in the same order, and nothing else that looks like one.
func sameMarks(a, b string) bool {
	return slices.Equal(numbersIn(a), numbersIn(b)) && len(malformed(a)) == 0
}

func numbersIn(sentence string) (numbers []int) {
	for _, p := range places(sentence) {
		numbers = append(numbers, p.number)
	}
	return numbers
}
