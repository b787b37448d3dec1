package captions

import (
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

// Request is the first asking of a question.
func Request(j *judge.Judge, step string, messages []model.Message) *model.Request {
	return &model.Request{Step: step, Attempt: 1, Model: j.Request, Params: j.Params, Messages: messages}
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
