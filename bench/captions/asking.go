package captions

import (
	"context"
	"errors"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/judge"
)

// Asking is whom a Protocol asks, and how.
type Asking struct {
	Judge   *judge.Judge
	Roles   map[string]*judge.Judge // of the benchmark's roles that the user named a model for
	Scoring bench.Scoring
	Bare    bool // there are no captions: every one is empty, and asked about all the same

	prompts map[string]*judge.Prompt
}

// Wants reports whether the judge is asked about a caption. As the published programs do,
// official scoring asks about an empty caption too.
func (a *Asking) Wants(caption *string) bool {
	return caption != nil && (*caption != "" || a.Scoring == bench.Official)
}

// Role is the model of a role: the judge where the user named no model. Any answer of it is read: it does not
// count among the judge's readings.
func (a *Asking) Role(name string) *judge.Judge {
	if j := a.Roles[name]; j != nil {
		return j
	}
	j := *a.Judge
	j.Readings = nil
	return &j
}

// Messages fills in prompts: the system message, unless its name is "", and the user's.
// pairs are the placeholders' names and values.
func (a *Asking) Messages(system, user string, pairs ...string) (messages []model.Message) {
	if system != "" {
		messages = append(messages, model.Text(model.System, a.prompts[system].Fill(pairs...)))
	}
	return append(messages, model.Text(model.User, a.prompts[user].Fill(pairs...)))
}

// Request is the first asking of a question. Its wanted form may be nil.
func Request(j *judge.Judge, step string, messages []model.Message, schema func() *model.Schema) *model.Request {
	q := judge.Question[struct{}]{Step: step, Messages: messages, Schema: schema}
	return q.First(j)
}

// Size is how many bytes the messages of a question have.
func Size(messages []model.Message) (n int) {
	for _, m := range messages {
		for _, p := range m.Parts {
			n += len(p.Text)
		}
	}
	return n
}

// Why says why the last asking of a question gave nothing.
func Why[T any](a judge.Answer[T]) error {
	if len(a.Attempts) == 0 {
		return nil
	}
	return a.Attempts[len(a.Attempts)-1].Err
}

// FirstReply is the reply to the first asking of a question. ok is false where none came.
func FirstReply[T any](a judge.Answer[T]) (text string, ok bool) {
	if len(a.Attempts) == 0 || a.Attempts[0].Response == nil {
		return "", false
	}
	return a.Attempts[0].Response.Text, true
}

// An answered is the outcome of a question that a model answers in free words from a caption.
type answered struct {
	Outcome omniscope.Outcome
	Why     error           // Outcome is not OK
	Text    string          // of the usable answer; "" = no usable answer
	First   *model.Response // what the published program has judged; nil = no reply came
	Again   bool            // First is of no use, and Text is of a later asking
}

// Answer has a model answer in free words. A reply that is empty, cut off or refused is a failure of that model: strict scoring
// asks again. Official scoring asks once, as the published programs do.
func (a *Asking) Answer(ctx context.Context, j *judge.Judge, step string, messages []model.Message) (out answered, err error) {
	asker := *j
	if a.Scoring == bench.Official {
		asker.Attempts = 1
	}
	answer, err := judge.Ask(ctx, &asker, judge.Question[string]{Step: step, Messages: messages, Repeat: true, Whole: true,
		Read: func(reply string) (string, error) { return reply, judge.CheckAnswer(reply) }})
	if err != nil {
		return out, err
	}
	out = answered{Outcome: answer.Outcome, Why: Why(answer), First: answer.First()}
	if out.Outcome == omniscope.OK {
		out.Text, out.Again = answer.Value, answer.Attempts[len(answer.Attempts)-1].Response != out.First
	}
	return out, nil
}

// FirstText is the text that the published program has judged; ok is false where no reply came, or one that is refused or blank.
func (a *answered) FirstText() (text string, ok bool) {
	if a.First == nil || a.First.Outcome() == omniscope.Refused {
		return "", false
	}
	return a.First.Text, strings.TrimSpace(a.First.Text) != ""
}

// Verdicts are the questions to the judge that follow on answers of a model: one for each answer, and another one where the answer is
// asked for again.
func (a *Asking) Verdicts(answerer *judge.Judge, first bench.Further) []bench.Further {
	if a.Scoring == bench.Official || answerer.Attempts <= 1 {
		return []bench.Further{first}
	}
	second := first
	second.Sure = false
	return []bench.Further{first, second}
}

// CheckReply returns the outcome of a judge's first reply: an empty, cut or refused reply is not a verdict, however the published
// reader reads it.
func CheckReply[T any](a judge.Answer[T]) (omniscope.Outcome, error) {
	first := a.First()
	if first == nil || a.Outcome != omniscope.OK {
		return a.Outcome, Why(a)
	}
	if outcome := first.Outcome(); outcome != omniscope.OK {
		return outcome, errors.New(first.Problem())
	}
	if err := judge.CheckAnswer(first.Text); err != nil {
		return omniscope.Unparsed, err
	}
	return omniscope.OK, nil
}

// Worst is the outcome of a clip of which several questions were asked: that of the first
// that failed.
func Worst(outcomes ...omniscope.Outcome) omniscope.Outcome {
	for _, o := range outcomes {
		if o != omniscope.OK {
			return o
		}
	}
	return omniscope.OK
}
