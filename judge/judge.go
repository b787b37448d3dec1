// Package judge asks a model to grade: it sends a prompt, reads the reply with
// the benchmark's reader, and asks again, a bounded number of times, when the
// reply cannot be used. Nothing is ever guessed from a broken reply.
//
// The wording of prompts and the reading of replies belong to each benchmark;
// see package bench. The reader that needs no model is judge/lexical.
package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/internal/symptoms"
	"omniscope/model"
)

// A Judge is a model with the settings it is asked under.
type Judge struct {
	Name     string      // provider/name, for reports
	Model    model.Model // wrapped: see model/wrap
	Request  string      // the model's name at its endpoint
	Params   model.Params
	Attempts int           // askings of one question, the first included; 0 = 1
	Streak   *model.Streak // of the model; nil = it may answer nothing of use for ever
}

// A Question is what a benchmark wants to know, once.
type Question[T any] struct {
	Step     string // readable key of the call, documented by the benchmark
	Messages []model.Message
	Schema   func() *model.Schema // wanted form, used from the second asking on, see Ask; nil = free text
	// Read turns a reply into a value or says, in words meant for the model,
	// what is wrong with it.
	Read func(reply string) (T, error)

	Repeat bool // later askings put the same messages again, without a word of what was wrong
	Whole  bool // a reply that is cut off or refused is not read
	Asked  int  // attempts of this step that are used up: this asking's first is the next
}

// An Attempt is one asking and what became of it.
type Attempt struct {
	Response *model.Response // nil when no answer came
	Outcome  omniscope.Outcome
	Err      error // why there is no answer, or why it cannot be used
}

// An Answer is what a judge said in the end. Value is meaningful only when
// Outcome is OK.
type Answer[T any] struct {
	Value    T
	Outcome  omniscope.Outcome
	Attempts []Attempt // in order; the last one decided
}

// Ask puts the question until a reply can be read or the attempts are used up.
//
// The first asking is exactly the benchmark's published prompt. Later ones add
// the broken reply, what is wrong with it, and the wanted schema, unless the
// question is to be repeated as it is: the published protocol can be read off
// the attempts that it has. A failed transport counts
// as an attempt; one that is Exhausted has been tried often enough and ends the
// question. The error is non-nil only when the run itself should stop.
func Ask[T any](ctx context.Context, j *Judge, q Question[T]) (Answer[T], error) {
	var answer Answer[T]
	messages := q.Messages
	for n := 1; n <= max(j.Attempts, 1); n++ {
		req := &model.Request{Step: q.Step, Attempt: q.Asked + n, Model: j.Request, Messages: messages, Params: j.Params}
		if n > 1 && q.Schema != nil && !q.Repeat {
			req.Schema = q.Schema()
		}
		if err := j.Streak.Err(); err != nil {
			return answer, err
		}
		resp, err := j.Model.Generate(ctx, req)
		if err != nil && stops(ctx, err) {
			return answer, err
		}
		if err != nil {
			answer.add(Attempt{Outcome: omniscope.OutcomeOf(err), Err: err})
			if err := j.withheld(err, q.Step); err != nil {
				return answer, err
			}
			if omniscope.KindOf(err) != omniscope.Transient {
				break
			}
			continue
		}
		value, err := q.read(resp)
		if err == nil {
			j.Streak.Usable()
			answer.add(Attempt{Response: resp, Outcome: omniscope.OK})
			answer.Value = value
			break
		}
		answer.add(Attempt{Response: resp, Outcome: unusable(resp), Err: explain(resp, q.Whole, err)})
		if err := j.useless(resp, q.Step); err != nil {
			return answer, err
		}
		if !q.Repeat {
			messages = append(q.Messages[:len(q.Messages):len(q.Messages)], repair(resp, err)...)
		}
	}
	return answer, nil
}

// useless counts an answer that could not be used. One that is remembered was
// counted when it came.
func (j *Judge) useless(resp *model.Response, step string) error {
	if resp.Cached {
		return nil
	}
	reason := resp.Reason()
	if reason == model.WrongForm && symptoms.Refuses(resp.Text) {
		reason = model.Refusals
	}
	return j.Streak.Unusable(reason, 1, step)
}

// withheld counts an answer that did not get as far as being read.
func (j *Judge) withheld(err error, step string) error {
	switch omniscope.KindOf(err) {
	case omniscope.Declined:
		return j.Streak.Unusable(model.Refusals, 1, step)
	case omniscope.Malformed:
		return j.Streak.Unusable(model.TooLarge, 1, step)
	}
	return nil
}

func (q *Question[T]) read(resp *model.Response) (value T, err error) {
	if q.Whole && resp.Outcome() != omniscope.OK {
		return value, fmt.Errorf("it was %s", resp.Outcome())
	}
	return q.Read(resp.Text)
}

func (a *Answer[T]) add(attempt Attempt) {
	a.Attempts = append(a.Attempts, attempt)
	a.Outcome = attempt.Outcome
}

// stops reports whether err concerns the whole run: it is winding down, no call
// can succeed, or the machine fails.
func stops(ctx context.Context, err error) bool {
	kind := omniscope.KindOf(err)
	return ctx.Err() != nil || errors.Is(err, context.Canceled) ||
		kind.EndsRun() || kind == omniscope.Internal || kind == omniscope.Usage
}

// unusable says what kind of answer it was that could not be read.
func unusable(resp *model.Response) omniscope.Outcome {
	if o := resp.Outcome(); o != omniscope.OK {
		return o
	}
	return omniscope.Unparsed
}

// explain says why a reply cannot be used to people, who want to know what it
// was. The model is told only what its text lacks, as it always was: those words
// are part of the keys of remembered calls.
func explain(resp *model.Response, whole bool, unread error) error {
	problem := resp.Problem()
	switch {
	case problem == "" && symptoms.Refuses(resp.Text):
		return fmt.Errorf("it refuses in words: %q", model.FirstWords(resp.Text))
	case problem == "":
		return unread
	case whole || strings.TrimSpace(resp.Text) == "" || resp.Outcome() == omniscope.Refused:
		return errors.New(problem)
	}
	return fmt.Errorf("%s: %w", problem, unread)
}

// repair is the conversation after an unusable reply.
func repair(resp *model.Response, why error) []model.Message {
	reply := resp.Text
	if reply == "" {
		reply = "(empty)"
	}
	return []model.Message{
		model.Text(model.Assistant, reply),
		model.Text(model.User, "That reply cannot be used: "+why.Error()+
			". Answer the same task again. Reply with the JSON object alone, in the form that was asked for."),
	}
}
