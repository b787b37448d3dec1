package captions

import (
	"context"
	"errors"
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/model"
	"omniscope/model/judge"
)

// An asking is the models that a protocol asks, and how.
type asking struct {
	judge   *judge.Judge
	roles   map[string]*judge.Judge // of the benchmark's roles that the user named a model for
	scoring bench.Scoring
	bare    bool // there are no captions: every one is empty, and asked about all the same

	prompts map[string]*judge.Prompt
}

// wants reports whether models are asked about a caption. As the published programs do,
// official scoring asks about an empty caption too.
func (a *asking) wants(caption string) bool {
	return a.bare || caption != "" || a.scoring == bench.Official
}

// role is the model of a role: the judge where the user named no model. Any answer of it is read: it does not
// count among the judge's readings.
func (a *asking) role(name string) *judge.Judge {
	if j := a.roles[name]; j != nil {
		return j
	}
	j := *a.judge
	j.Readings = nil
	return &j
}

// messages fills in prompts: the system message, unless its name is "", and the user's.
// pairs are the placeholders' names and values.
func (a *asking) messages(system, user string, pairs ...string) (messages []model.Message) {
	if system != "" {
		messages = append(messages, model.Text(model.System, a.prompts[system].Fill(pairs...)))
	}
	return append(messages, model.Text(model.User, a.prompts[user].Fill(pairs...)))
}

// step is the key of the first call of a clip's question or round i: the clip's id, and for later ones what and a number behind it.
func (c *clip) step(what string, i int) string {
	if i == 0 {
		return c.ID
	}
	return fmt.Sprintf("%s/%s%d", c.ID, what, i+1)
}

// request is the first asking of a question. Its wanted form may be nil.
func request(j *judge.Judge, step string, messages []model.Message, schema func() *model.Schema) *model.Request {
	q := judge.Question[struct{}]{Step: step, Messages: messages, Schema: schema}
	return q.First(j)
}

// repairWords is the most bytes that a repair adds to a question.
const repairWords = 1000

// size returns the number of bytes in the messages of a question.
func size(messages []model.Message) (n int) {
	for _, m := range messages {
		for _, p := range m.Parts {
			n += len(p.Text)
		}
	}
	return n
}

// why is the error of the last asking of a question.
func why[T any](a judge.Answer[T]) error {
	if len(a.Attempts) == 0 {
		return nil
	}
	return a.Attempts[len(a.Attempts)-1].Err
}

// firstReply is the reply to the first asking of a question. ok is false if no reply came.
func firstReply[T any](a judge.Answer[T]) (text string, ok bool) {
	if len(a.Attempts) == 0 || a.Attempts[0].Response == nil {
		return "", false
	}
	return a.Attempts[0].Response.Text, true
}

// askBoth asks a question. The scoring of the run decides which replies are asked for again. official is the value for the published
// program; a run of strict reads it from the first reply. strict is the value for strict scoring; a run of official reads it from the
// first clear reply. nil = no value.
func askBoth[T any](ctx context.Context, a *asking, q judge.Question[T], published, sound func(string) (T, error)) (answer judge.Answer[T], official, strict *T, err error) {
	q.Read = sound
	if a.scoring == bench.Official {
		q.Repeat = true
		q.Read = func(reply string) (T, error) {
			if v, err := sound(reply); err == nil && strict == nil {
				strict = &v
			}
			return published(reply)
		}
	}
	if answer, err = judge.Ask(ctx, a.judge, q); err != nil {
		return answer, nil, nil, err
	}
	ok := answer.Outcome == omniscope.OK
	if a.scoring == bench.Official {
		if ok {
			official = &answer.Value
		}
		return answer, official, strict, nil
	}
	if ok {
		strict = &answer.Value
	}
	if reply, replied := firstReply(answer); replied {
		if v, err := published(reply); err == nil {
			official = &v
		}
	}
	return answer, official, strict, nil
}

// A contradiction is the error for a reply that contradicts itself.
type contradiction string

func (c contradiction) Error() string { return string(c) }

// isContradiction reports whether a reader refused a reply because it contradicts itself.
func isContradiction(err error) bool { return errors.As(err, new(contradiction)) }

// firstFailure is the outcome of a clip about which several questions were asked: that of the first that failed.
func firstFailure(outcomes ...omniscope.Outcome) omniscope.Outcome {
	for _, o := range outcomes {
		if o != omniscope.OK {
			return o
		}
	}
	return omniscope.OK
}

// examine makes the items of an examination from a list of examples; before is the number of items before them. The step of a question
// is what follows on the item's own.
func examine[E, T any](a *asking, before int, examples []E, ask func(e E, step string) judge.Question[T], right func(e E, v T) bool) (items []bench.ExamItem) {
	for i, e := range examples {
		step := fmt.Sprintf("exam-%02d", before+i+1)
		q := ask(e, step)
		q.Step = step + q.Step
		items = append(items, bench.NewExamItem(a.judge, q, func(v T) bool { return right(e, v) }))
	}
	return items
}

// eventTexts are the texts of a list of events.
func eventTexts(list any) ([]string, error) {
	values, ok := list.([]any)
	if !ok {
		return nil, errors.New(`it has no list "events"`)
	}
	events := make([]string, len(values))
	for i, v := range values {
		if events[i], ok = v.(string); !ok {
			return nil, fmt.Errorf("event %d is no text", i+1)
		}
	}
	return events, nil
}
