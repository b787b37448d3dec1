package questions

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/model"
	"omniscope/model/judge"
)

// DrafterRole is the role of the model that asks and answers.
const DrafterRole = "drafter"

// A Drafter has a model write questions about talks, and mend single ones. It is safe for concurrent use.
type Drafter struct {
	Asker    *judge.Judge
	Rounds   int // of mending
	Abstract *judge.Prompt
	Talk     *judge.Prompt
	Repair   *judge.Prompt
}

// LoadPrompts reads the prompts from folder where that is given and has them, else the built-in ones.
func (d *Drafter) LoadPrompts(folder fs.FS, folderName string) (err error) {
	if d.Abstract, err = prompts.Load(folder, folderName, abstractPrompt, "abstract"); err != nil {
		return err
	}
	if d.Talk, err = prompts.Load(folder, folderName, talkPrompt, "labels", "wanted", "given", "passages"); err != nil {
		return err
	}
	d.Repair, err = prompts.Load(folder, folderName, repairPrompt, "findings", "question", "passages")
	return err
}

// A Drafted is the result of drafting the questions of one talk: a line of drafts.jsonl.
type Drafted struct {
	Talk    string            `json:"talk"`
	Outcome omniscope.Outcome `json:"outcome"`           // of the questions to the model
	Why     string            `json:"why,omitempty"`     // there is no draft
	Short   []string          `json:"short,omitempty"`   // what its sound questions lack of the guideline's numbers
	Rounds  [][]Finding       `json:"rounds,omitempty"`  // what was found before each round of mending, and after the last
	Repairs []repairedRow     `json:"repairs,omitempty"` // in their order
	Mended  []int             `json:"mended,omitempty"`  // numbers of questions that were changed
	Asked   int               `json:"asked"`

	draft *Draft // nil = no draft
}

// A repairedRow is the outcome of asking once to repair a question.
type repairedRow struct {
	Number  int               `json:"number"`
	Round   int               `json:"round"`
	Outcome omniscope.Outcome `json:"outcome"`
	Why     string            `json:"why,omitempty"`    // the question stays as it was
	Asked   int               `json:"asked"`            // attempts
	Failed  bool              `json:"failed,omitempty"` // a call brought no reply, which another run may change
}

// AbstractStep is the key of asking from the abstract.
func AbstractStep(talk string) string { return talk + "/abstract" }

// TalkStep is the key of asking from the whole talk.
func TalkStep(talk string) string { return talk + "/talk" }

// Messages ask for questions from the abstract alone.
func (d *Drafter) Messages(t *Talk) []model.Message {
	return d.Abstract.Messages("number", fmt.Sprint(talkqa.AbstractQuestions), "abstract", t.text(paper))
}

// TalkMessages ask for answers to given questions, and for further questions.
func (d *Drafter) TalkMessages(t *Talk, given []draftQuestion) []model.Message {
	senses := t.senses()
	return d.Talk.Messages("senses", senses.purpose, "labels", senses.labels, "rests", senses.rests, "example", senses.example,
		"further", fmt.Sprint(talkqa.TranscriptQuestions), "wanted", wanted(t.needs()), "given", numbered(given), "passages", t.text(paper, speech, pictures))
}

// New has questions about a talk written and mended: first from the abstract, by a model that knows nothing else, then from
// the whole talk. An error stops the whole run.
func (d *Drafter) New(ctx context.Context, t *Talk) (*Drafted, error) {
	out := &Drafted{Talk: t.ID}
	fromAbstract, err := judge.Ask(ctx, d.Asker, judge.Question[[]string]{
		Step: AbstractStep(t.ID), Messages: d.Messages(t), Whole: true, Read: readAbstract, Schema: func() *model.Schema { return abstractSchema },
	})
	if err != nil {
		return nil, err
	}
	if !record(out, fromAbstract) {
		return out, nil
	}
	if err := d.draftTalk(ctx, t, givenQuestions(fromAbstract.Value), out); err != nil || out.draft == nil {
		return out, err
	}
	return out, d.mend(ctx, out)
}

// draftTalk has the draft written. Of drafts that can be read and lack questions it keeps the one that lacks least, unless a
// call brought no reply: another run may bring a whole one.
func (d *Drafter) draftTalk(ctx context.Context, t *Talk, given []draftQuestion, out *Drafted) error {
	var short *Draft
	whole, err := judge.Ask(ctx, d.Asker, judge.Question[*Draft]{
		Step: TalkStep(t.ID), Whole: true, Schema: func() *model.Schema { return talkSchema },
		Messages: d.TalkMessages(t, given),
		Read: func(reply string) (*Draft, error) {
			draft, err := t.readDraft(reply, given)
			if err != nil {
				return nil, err
			}
			says, missing := draft.Short()
			if missing == 0 {
				return draft, nil
			}
			if short == nil || missing < lack(short) {
				short = draft
			}
			return nil, fmt.Errorf("too few questions: %s", strings.Join(says, ", "))
		},
	})
	if err != nil {
		return err
	}
	out.draft = whole.Value
	if !record(out, whole) && short != nil && !callFailed(whole.Attempts) { // people can add what is missing
		out.draft, out.Outcome, out.Why = short, omniscope.OK, ""
	}
	return nil
}

func lack(d *Draft) int {
	_, missing := d.Short()
	return missing
}

// record records how asking went, and reports whether there is an answer.
func record[T any](out *Drafted, got judge.Answer[T]) bool {
	out.Outcome, out.Asked = got.Outcome, out.Asked+len(got.Attempts)
	if got.Outcome == omniscope.OK {
		return true
	}
	out.Why = got.Why()
	return false
}

// callFailed reports whether the last attempt brought no reply, rather than one of no use.
func callFailed(attempts []judge.Attempt) bool {
	last := attempts[len(attempts)-1]
	return last.Response == nil && last.Outcome != omniscope.Refused
}

// givenQuestions are those that a draft has to answer: the general ones, and those from the abstract.
func givenQuestions(fromAbstract []string) (given []draftQuestion) {
	for _, text := range talkqa.GeneralQuestions {
		given = append(given, draftQuestion{Number: len(given) + 1, Origin: talkqa.General, Text: text})
	}
	for _, text := range fromAbstract {
		given = append(given, draftQuestion{Number: len(given) + 1, Origin: talkqa.Abstract, Text: text})
	}
	return given
}

func numbered(questions []draftQuestion) string {
	var lines []string
	for _, q := range questions {
		lines = append(lines, fmt.Sprintf("%d. %s", q.Number, q.Text))
	}
	return strings.Join(lines, "\n")
}

// wanted says how many questions of each label there have to be, in words for the model.
func wanted(least []talkqa.Least) string {
	var lines []string
	for _, l := range least {
		if l.ByLabel {
			lines = append(lines, fmt.Sprintf("- at least %d %s", l.Least, l.What))
		}
	}
	return strings.Join(lines, "\n")
}

// Failed reports whether a call failed without which the draft might be there, or a question be sound: another run asks again.
func (out *Drafted) Failed() bool {
	if out.draft == nil {
		return true
	}
	return slices.ContainsFunc(out.Repairs, func(r repairedRow) bool { return r.Failed && len(out.foundIn(r.Number)) > 0 })
}

// foundIn is what was found in a question last.
func (out *Drafted) foundIn(number int) (found []Finding) {
	for _, f := range out.Rounds[len(out.Rounds)-1] {
		if f.Number == number {
			found = append(found, f)
		}
	}
	return found
}

// Rows are the sound questions of the draft as people are given them, and the others with what was found in them last.
func (out *Drafted) Rows(author string) (sound []*talkqa.Row, rejected []rejectedRow) {
	if out.draft == nil {
		return nil, []rejectedRow{{Talk: out.Talk, Why: out.Why}}
	}
	for i := range out.draft.Questions {
		q := &out.draft.Questions[i]
		found := out.foundIn(q.Number)
		if len(found) == 0 {
			sound = append(sound, out.draft.Row(q, author))
			continue
		}
		r := rejectedRow{Talk: out.Talk, Question: q, Why: fmt.Sprintf("findings are left after %d rounds of mending: %s", len(out.Rounds)-1, draftNames(found)), Findings: found}
		r.Repairs = slices.DeleteFunc(slices.Clone(out.Repairs), func(r repairedRow) bool { return r.Number != q.Number })
		if n := len(r.Repairs); n > 0 && r.Repairs[n-1].Why != "" {
			r.Why += "; the last asking to mend it brought nothing: " + r.Repairs[n-1].Why
		}
		rejected = append(rejected, r)
	}
	return sound, rejected
}

// A rejectedRow is a line of rejected.jsonl: a question that is not sound, or a talk without a draft.
type rejectedRow struct {
	Talk     string         `json:"talk"`
	Why      string         `json:"why"`
	Question *draftQuestion `json:"question,omitempty"`
	Findings []Finding      `json:"findings,omitempty"`
	Repairs  []repairedRow  `json:"repairs,omitempty"`
}
