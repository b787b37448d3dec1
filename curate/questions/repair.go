package questions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench/mcif/talkqa"
	"omniscope/model"
	"omniscope/model/judge"
)

// repairStep is the key of asking to mend a question. The rounds have the same, and their attempts are numbered on: no round
// is given what an earlier one was answered.
func repairStep(talk string, number int) string { return fmt.Sprintf("%s/repair/%d", talk, number) }

// mend mends single questions, in rounds, until nothing is found or the rounds are used up.
func (d *Drafter) mend(ctx context.Context, out *Drafted) error {
	for round := 1; ; round++ {
		findings := Check(out.draft)
		out.Rounds = append(out.Rounds, append([]Finding{}, findings...))
		if len(findings) == 0 || round > d.Rounds {
			out.Short, _ = out.sound().Short()
			return nil
		}
		var numbers []int
		for _, f := range findings {
			numbers = append(numbers, f.Number)
		}
		for _, number := range slices.Compact(numbers) { // they are in order
			if err := d.mendOne(ctx, out, number, round); err != nil {
				return err
			}
		}
	}
}

// sound is the draft without the questions in which something was found last.
func (out *Drafted) sound() *Draft {
	d := &Draft{Talk: out.draft.Talk}
	for _, q := range out.draft.Questions {
		if len(out.foundIn(q.Number)) == 0 {
			d.Questions = append(d.Questions, q)
		}
	}
	return d
}

// mendOne has one question mended. A failure, or a reply that cannot be used, leaves it as it is.
func (d *Drafter) mendOne(ctx context.Context, out *Drafted, number, round int) error {
	q := out.draft.find(number)
	found := out.foundIn(number)
	keep := keepsWords(q, found)
	messages, err := d.repairMessages(out.draft.Talk, q, found, keep)
	if err != nil {
		return err
	}
	used := 0
	for _, r := range out.Repairs {
		if r.Number == number {
			used += r.Asked
		}
	}
	got, err := judge.Ask(ctx, d.Asker, judge.Question[*draftQuestion]{
		Step: repairStep(out.Talk, number), Asked: used, Messages: messages, Whole: true, Schema: func() *model.Schema { return repairSchema },
		Read: func(reply string) (*draftQuestion, error) { return out.draft.Talk.readRepair(reply, q, keep) },
	})
	if err != nil {
		return err
	}
	out.Asked += len(got.Attempts)
	repair := repairedRow{Number: number, Round: round, Outcome: got.Outcome, Asked: len(got.Attempts)}
	if got.Outcome == omniscope.OK {
		*q = *got.Value
		if !slices.Contains(out.Mended, number) {
			out.Mended = append(out.Mended, number)
		}
	} else {
		repair.Why, repair.Failed = got.Why(), callFailed(got.Attempts)
	}
	out.Repairs = append(out.Repairs, repair)
	return nil
}

// keepsWords reports whether a question has to keep its words: a general one, and one from the abstract whose words are
// not the fault, because who mends it knows the talk.
func keepsWords(q *draftQuestion, found []Finding) bool {
	switch q.Origin {
	case talkqa.General:
		return true
	case talkqa.Abstract:
		return !slices.ContainsFunc(found, func(f Finding) bool { return slices.Contains(checksOfWords, f.Check) })
	}
	return false
}

// checksOfWords are the checks whose findings other words of the question may mend.
var checksOfWords = []string{"form", "twice", "closed", "source", "time", "giveaway"}

func (d *Drafter) repairMessages(t *Talk, q *draftQuestion, found []Finding, keep bool) ([]model.Message, error) {
	var wrong []string
	for _, f := range found {
		wrong = append(wrong, "- "+f.String())
	}
	text, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	rule := ""
	if keep {
		rule = "The question itself stays as it is, word for word.\n"
	}
	return d.Repair.Messages("number", fmt.Sprint(q.Number), "findings", strings.Join(wrong, "\n"), "keep", rule, "labels", t.senses().labels, "rests", t.senses().rests,
		"question", string(text), "passages", t.text(speech, pictures)), nil
}
