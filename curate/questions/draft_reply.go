package questions

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"omniscope/bench/mcif/talkqa"
	"omniscope/model"
	"omniscope/model/judge"
)

// readAbstract reads a reply to the question for questions from the abstract.
func readAbstract(reply string) ([]string, error) {
	var said struct{ Questions []string }
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	if n := len(said.Questions); n < talkqa.AbstractQuestions {
		return nil, fmt.Errorf("it has %d questions, not %d", n, talkqa.AbstractQuestions)
	}
	said.Questions = said.Questions[:talkqa.AbstractQuestions]
	for i, text := range said.Questions {
		if said.Questions[i] = oneLine(text); said.Questions[i] == "" {
			return nil, fmt.Errorf("question %d is empty", i+1)
		}
	}
	return said.Questions, nil
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// A saidQuestion is a question as a model writes it.
type saidQuestion struct {
	Number   int
	Question string
	Answer   string
	Label    string
	From     []string
}

// fill puts what a model said into a question. A label or a passage that there is not is found by checkLabel: one slip is no
// reason to ask for a whole draft again.
func (t *Talk) fill(q *draftQuestion, said *saidQuestion) {
	q.Answer, q.Label, q.From = oneLine(said.Answer), strings.ToUpper(strings.TrimSpace(said.Label)), []string{}
	for _, name := range said.From {
		for _, one := range t.passages(name) {
			if !slices.Contains(q.From, one) {
				q.From = append(q.From, one)
			}
		}
	}
}

// several are passages named at once: T2-T4, T2 to 4.
var several = regexp.MustCompile(`^([A-Z])(\d+)\s*(?:-|–|—|TO)\s*([A-Z]?)(\d+)$`)

// passages are the names that a model means by a text: one, whatever its case, several with commas, or a range of those that
// there are.
func (t *Talk) passages(text string) (names []string) {
	for _, name := range strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(",;[]", r) }) {
		name = strings.TrimSpace(name)
		m := several.FindStringSubmatch(name)
		if m == nil || m[3] != "" && m[3] != m[1] || t.Find(m[1]+m[2]) == nil || t.Find(m[1]+m[4]) == nil {
			names = append(names, name)
			continue
		}
		first, last := t.byName[m[1]+m[2]], t.byName[m[1]+m[4]]
		for at := first; at <= last; at++ {
			names = append(names, t.Passages[at].Name)
		}
	}
	return names
}

// readDraft reads a reply to the question for a whole draft. Its error says, in words for the model, what is wrong with it.
func (t *Talk) readDraft(reply string, given []draftQuestion) (*Draft, error) {
	var said struct{ Given, Further []saidQuestion }
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	d := &Draft{Talk: t, Questions: slices.Clone(given)}
	seen := make(map[int]bool)
	for i := range said.Given {
		q := d.find(said.Given[i].Number)
		if q == nil || seen[said.Given[i].Number] {
			return nil, fmt.Errorf(`"given" has the number %d, which is none of the questions from 1 to %d or is there twice`, said.Given[i].Number, len(given))
		}
		seen[q.Number] = true
		t.fill(q, &said.Given[i])
	}
	for _, q := range given {
		if !seen[q.Number] {
			return nil, fmt.Errorf(`question %d is not in "given"`, q.Number)
		}
	}
	if len(said.Further) > mostFurther {
		return nil, fmt.Errorf(`"further" has %d questions, more than %d`, len(said.Further), mostFurther)
	}
	for i := range said.Further {
		q := draftQuestion{Number: len(d.Questions) + 1, Origin: talkqa.Transcript, Text: oneLine(said.Further[i].Question)}
		if q.Text == "" {
			return nil, fmt.Errorf(`question %d of "further" is empty`, i+1)
		}
		t.fill(&q, &said.Further[i])
		d.Questions = append(d.Questions, q)
	}
	return d, nil
}

// mostFurther bounds what a model may ask beside what is given.
const mostFurther = 100

// readRepair reads a reply to the question to mend a question, whose words have to stay where keep says so. One from the abstract
// that is asked in other words is from the talk, which its author now knew.
func (t *Talk) readRepair(reply string, now *draftQuestion, keep bool) (*draftQuestion, error) {
	var said saidQuestion
	if err := judge.Decode(reply, &said); err != nil {
		return nil, err
	}
	q := &draftQuestion{Number: now.Number, Origin: now.Origin, Text: oneLine(said.Question)}
	switch {
	case q.Text == "":
		return nil, errors.New(`the "question" is empty`)
	case keep && q.Text != now.Text:
		return nil, fmt.Errorf("the question has to stay %q", now.Text)
	case now.Origin == talkqa.Abstract && plain(q.Text) != plain(now.Text):
		q.Origin = talkqa.Transcript
	}
	t.fill(q, &said)
	if says := t.unknown(q); says != "" {
		return nil, errors.New(says)
	}
	if q.Text == now.Text && q.Answer == now.Answer && q.Label == now.Label && slices.Equal(q.From, now.From) {
		return nil, errors.New("it is the question as it was: something has to change")
	}
	return q, nil
}

const answered = `"answer":{"type":"string"},"label":{"type":"string","enum":["A","V","AV","NA"]},"from":{"type":"array","items":{"type":"string"}}`

var (
	abstractSchema = &model.Schema{Name: "questions", JSON: json.RawMessage(`{"type":"object","properties":{"questions":{"type":"array","items":{"type":"string"}}},"required":["questions"]}`)}
	talkSchema     = &model.Schema{Name: "questions", JSON: json.RawMessage(`{"type":"object","properties":{` +
		`"given":{"type":"array","items":{"type":"object","properties":{"number":{"type":"integer"},` + answered + `},"required":["number","answer","label","from"]}},` +
		`"further":{"type":"array","items":{"type":"object","properties":{"question":{"type":"string"},` + answered + `},"required":["question","answer","label","from"]}}},` +
		`"required":["given","further"]}`)}
	repairSchema = &model.Schema{Name: "question", JSON: json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"},` + answered + `},"required":["question","answer","label","from"]}`)}
)
