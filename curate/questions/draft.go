package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/talkqa"
	"omniscope/judge"
	"omniscope/model"
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
func (d *Drafter) LoadPrompts(folder fs.FS, folderName string) error {
	return loadPrompts(folder, folderName,
		wantedPrompt{&d.Abstract, abstractPrompt, []string{"abstract"}},
		wantedPrompt{&d.Talk, talkPrompt, []string{"wanted", "given", "passages"}},
		wantedPrompt{&d.Repair, repairPrompt, []string{"findings", "question", "passages"}})
}

// A Drafted is the result of drafting the questions of one talk: a line of drafts.jsonl.
type Drafted struct {
	Talk    string            `json:"talk"`
	Outcome omniscope.Outcome `json:"outcome"`          // of the questions to the model
	Why     string            `json:"why,omitempty"`    // there is no draft
	Short   []string          `json:"short,omitempty"`  // what its sound questions lack of the guideline's numbers
	Rounds  [][]Finding       `json:"rounds,omitempty"` // what was found before each round of mending, and after the last
	Mended  []int             `json:"mended,omitempty"` // numbers of questions that were changed
	Asked   int               `json:"asked"`

	draft *Draft // nil = there is none
}

// AbstractStep is the key of asking from the abstract.
func AbstractStep(talk string) string { return talk + "/abstract" }

// TalkStep is the key of asking from the whole talk.
func TalkStep(talk string) string { return talk + "/talk" }

// RepairStep is the key of asking to mend a question.
func RepairStep(talk string, round, number int) string {
	return fmt.Sprintf("%s/repair/%d/%d", talk, round, number)
}

// Messages ask for questions from the abstract alone.
func (d *Drafter) Messages(t *Talk) []model.Message {
	return ask(d.Abstract, "number", fmt.Sprint(talkqa.AbstractQuestions), "abstract", t.of(Abstract))
}

// TalkMessages ask for answers to given questions, and for further questions.
func (d *Drafter) TalkMessages(t *Talk, given []Question) []model.Message {
	return ask(d.Talk, "wanted", wanted(t.wants()), "given", numbered(given), "passages", t.of(Abstract, Heard, Seen))
}

func ask(p *judge.Prompt, pairs ...string) []model.Message {
	return []model.Message{model.Text(model.User, strings.TrimRight(p.Fill(pairs...), "\n"))}
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
	if !note(out, fromAbstract) {
		return out, nil
	}
	given := givenQuestions(fromAbstract.Value)
	var short *Draft // can be read, and lacks questions
	whole, err := judge.Ask(ctx, d.Asker, judge.Question[*Draft]{
		Step: TalkStep(t.ID), Whole: true, Schema: func() *model.Schema { return talkSchema },
		Messages: d.TalkMessages(t, given),
		Read: func(reply string) (*Draft, error) {
			draft, err := t.readDraft(reply, given)
			if err != nil {
				return nil, err
			}
			if missing := draft.Short(); len(missing) > 0 {
				short = draft
				return nil, fmt.Errorf("too few questions: %s", strings.Join(missing, ", "))
			}
			return draft, nil
		},
	})
	if err != nil {
		return nil, err
	}
	out.draft = whole.Value
	if !note(out, whole) && short != nil { // people can add what is missing
		out.draft, out.Outcome, out.Why = short, omniscope.OK, ""
	}
	if out.draft == nil {
		return out, nil
	}
	return out, d.mend(ctx, out)
}

// note notes how asking went, and reports whether there is an answer.
func note[T any](out *Drafted, got judge.Answer[T]) bool {
	out.Outcome, out.Asked = got.Outcome, out.Asked+len(got.Attempts)
	if got.Outcome == omniscope.OK {
		return true
	}
	out.Why = reason(got.Outcome, got.Attempts)
	return false
}

// givenQuestions are those that a draft has to answer: the general ones, and those from the abstract.
func givenQuestions(fromAbstract []string) (given []Question) {
	for _, text := range talkqa.GeneralQuestions {
		given = append(given, Question{Number: len(given) + 1, Origin: talkqa.General, Text: text})
	}
	for _, text := range fromAbstract {
		given = append(given, Question{Number: len(given) + 1, Origin: talkqa.Abstract, Text: text})
	}
	return given
}

func numbered(questions []Question) string {
	var lines []string
	for _, q := range questions {
		lines = append(lines, fmt.Sprintf("%d. %s", q.Number, q.Text))
	}
	return strings.Join(lines, "\n")
}

// wanted says how many questions there have to be, in words for the model.
func wanted(least []talkqa.Least) string {
	var lines []string
	for _, l := range least {
		lines = append(lines, fmt.Sprintf("- at least %d %s", l.Least, l.What))
	}
	return strings.Join(lines, "\n")
}

// mend mends single questions, in rounds, until nothing is found or the rounds are used up.
func (d *Drafter) mend(ctx context.Context, out *Drafted) error {
	for round := 1; ; round++ {
		findings := Check(out.draft)
		out.Rounds = append(out.Rounds, append([]Finding{}, findings...))
		if len(findings) == 0 || round > d.Rounds {
			out.Short = out.sound().Short()
			return nil
		}
		var numbers []int
		for _, f := range findings {
			numbers = append(numbers, f.Number)
		}
		for _, number := range slices.Compact(numbers) { // they are in order
			if err := d.mendOne(ctx, out, number, round, findings); err != nil {
				return err
			}
		}
	}
}

// sound is the draft without the questions in which something was found last.
func (out *Drafted) sound() *Draft {
	d := &Draft{Talk: out.draft.Talk}
	last := out.Rounds[len(out.Rounds)-1]
	for _, q := range out.draft.Questions {
		if !slices.ContainsFunc(last, func(f Finding) bool { return f.Number == q.Number }) {
			d.Questions = append(d.Questions, q)
		}
	}
	return d
}

// mendOne has one question mended. A reply that cannot be used leaves it as it is.
func (d *Drafter) mendOne(ctx context.Context, out *Drafted, number, round int, findings []Finding) error {
	q := out.draft.find(number)
	var wrong []string
	for _, f := range findings {
		if f.Number == number {
			wrong = append(wrong, "- "+f.String())
		}
	}
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	keep := ""
	if q.Origin == talkqa.General {
		keep = "The question itself stays as it is, word for word.\n"
	}
	got, err := judge.Ask(ctx, d.Asker, judge.Question[*Question]{
		Step: RepairStep(out.Talk, round, number), Whole: true, Schema: func() *model.Schema { return repairSchema },
		Messages: ask(d.Repair, "number", fmt.Sprint(number), "findings", strings.Join(wrong, "\n"), "keep", keep, "label", q.Label, "question", string(text),
			"passages", out.draft.Talk.of(Heard, Seen)),
		Read: func(reply string) (*Question, error) { return out.draft.Talk.readRepair(reply, q) },
	})
	if err != nil {
		return err
	}
	out.Asked += len(got.Attempts)
	if got.Outcome != omniscope.OK {
		return nil
	}
	*q = *got.Value
	if !slices.Contains(out.Mended, number) {
		out.Mended = append(out.Mended, number)
	}
	return nil
}

// Rows are the sound questions of the draft as people are given them, and the others with what was found in them last.
func (out *Drafted) Rows(author string) (sound []*talkqa.Row, rejected []Rejected) {
	if out.draft == nil {
		return nil, []Rejected{{Talk: out.Talk, Why: out.Why}}
	}
	for i := range out.draft.Questions {
		q := &out.draft.Questions[i]
		found := slices.DeleteFunc(slices.Clone(out.Rounds[len(out.Rounds)-1]), func(f Finding) bool { return f.Number != q.Number })
		if len(found) == 0 {
			sound = append(sound, out.draft.Row(q, author))
			continue
		}
		rejected = append(rejected, Rejected{Talk: out.Talk, Question: q, Why: fmt.Sprintf("findings are left after %d rounds of mending: %s", len(out.Rounds)-1, Names(found)), Findings: found})
	}
	return sound, rejected
}

// A Rejected is a line of rejected.jsonl: a question that is not sound, or a talk without a draft.
type Rejected struct {
	Talk     string    `json:"talk"`
	Why      string    `json:"why"`
	Question *Question `json:"question,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
}
