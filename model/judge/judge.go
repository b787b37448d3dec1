// Package judge asks a model to grade. It sends a prompt, reads the reply with
// the benchmark's reader, and asks again, a bounded number of times, if the
// reply cannot be used. It never guesses from a broken reply.
//
// The wording of prompts and the reading of replies belong to each benchmark;
// see package bench. The reader that needs no model is model/judge/baseline.
package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope"
	"omniscope/model"
	"omniscope/model/symptoms"
	"omniscope/run"
)

// A Judge is a model with the settings it is asked under.
type Judge struct {
	Name     string      // provider/name, for reports
	Model    model.Model // wrapped: see model/wrap
	Request  string      // the model's name at its endpoint
	Params   model.Params
	Attempts int           // most attempts for one question, the first included; 0 = 1
	Schema   bool          // send the wanted form with all attempts, the first included
	Streak   *model.Streak // counts the model's unusable answers in a row; nil = no limit
	Readings *Readings     // counts replies that can be read; nil = not wanted
	Reasons  *Reasons      // counts why questions have no answer; nil = not wanted
}

// A Question is one question of a benchmark, with the reader of its replies.
type Question[T any] struct {
	Step     string // readable key of the call, documented by the benchmark
	Messages []model.Message
	Schema   func() *model.Schema // wanted form, used from the second attempt on, see Ask and Judge.Schema; nil = free text
	// Read turns a reply into a value. Its error says what is wrong with the
	// reply, in words for the model.
	Read func(reply string) (T, error)

	Repeat bool // later attempts send the same messages again, without the reply and its fault
	Whole  bool // do not read a reply that is cut off or refused
	Asked  int  // attempts that this step has already used; numbering goes on from there
	Embed  bool // the reply is the vector of the message's text: see model.Request
}

// An Attempt is one sending of a question and its outcome.
type Attempt struct {
	Response *model.Response // nil if no answer came
	Outcome  omniscope.Outcome
	Err      error // why there is no answer, or why it cannot be used

	schema bool // it was sent with a schema, and the endpoint took it
}

// First returns the request of the first attempt.
func (q *Question[T]) First(j *Judge) *model.Request { return q.request(j, 1, q.Messages) }

func (q *Question[T]) request(j *Judge, n int, messages []model.Message) *model.Request {
	req := &model.Request{Step: q.Step, Attempt: q.Asked + n, Model: j.Request, Messages: messages, Params: j.Params, Embed: q.Embed, Streak: j.Streak}
	if q.Schema != nil && (j.Schema || n > 1 && !q.Repeat) {
		req.Schema = q.Schema()
	}
	return req
}

// An Answer is the judge's final answer. Value is valid only if Outcome is OK.
type Answer[T any] struct {
	Value    T
	Outcome  omniscope.Outcome
	Attempts []Attempt // in order; the last one gave Value and Outcome
	Again    bool      // the question was sent again because no remembered reply could be read
}

// Why returns the reason for the lack of a usable reply: the error of the last attempt, else the outcome.
func (a *Answer[T]) Why() string {
	if err := a.Attempts[len(a.Attempts)-1].Err; err != nil {
		return err.Error()
	}
	return a.Outcome.String()
}

// Ask sends the question until a reply can be read or the attempts are used up.
//
// The first attempt is exactly the benchmark's published prompt, so the official
// score can be computed from the recorded attempts; Judge.Schema adds to it. Later attempts add the
// broken reply, what is wrong with it, and the wanted schema; with q.Repeat they
// send the first messages again. A failed call counts as an attempt; an
// Exhausted error ends the question. Ask returns an error only if the run itself
// should stop.
//
// With --ask-failed a question is sent again if no remembered reply can be read.
func Ask[T any](ctx context.Context, j *Judge, q Question[T]) (Answer[T], error) {
	answer, err := ask(ctx, j, q)
	if again, ok := run.Again(ctx); ok && err == nil && answer.Outcome != omniscope.OK {
		answer, err = ask(again, j, q)
		answer.Again = true
	}
	if err == nil {
		j.Readings.count(q.Asked+1, answer.Attempts)
		j.Reasons.count(q.Step, answer.Attempts)
	}
	return answer, err
}

func ask[T any](ctx context.Context, j *Judge, q Question[T]) (Answer[T], error) {
	var answer Answer[T]
	messages := q.Messages
	for n := 1; n <= max(j.Attempts, 1); n++ {
		req := q.request(j, n, messages)
		if err := j.Streak.Begin(ctx); err != nil {
			return answer, err
		}
		resp, err := j.Model.Generate(ctx, req)
		if err != nil && stopsRun(ctx, err) {
			return answer, err
		}
		if err != nil {
			answer.add(Attempt{Outcome: omniscope.OutcomeOf(err), Err: err})
			if err := j.countFailed(err, q.Step); err != nil {
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
			answer.add(Attempt{Response: resp, Outcome: omniscope.OK, schema: tookSchema(req, resp)})
			answer.Value = value
			break
		}
		answer.add(Attempt{Response: resp, Outcome: unusableOutcome(resp), Err: unreadableError(resp, q.Whole, err), schema: tookSchema(req, resp)})
		if err := j.countUnusable(resp, q.Step); err != nil {
			return answer, err
		}
		if !q.Repeat {
			messages = append(q.Messages[:len(q.Messages):len(q.Messages)], repair(resp, err)...)
		}
	}
	return answer, nil
}

// tookSchema reports whether the endpoint took the schema of a request.
func tookSchema(req *model.Request, resp *model.Response) bool {
	return req.Schema != nil && !slices.Contains(resp.DroppedOptions, "response_format")
}

// countUnusable adds an unusable answer to the model's streak. A remembered
// answer was counted when it first came.
func (j *Judge) countUnusable(resp *model.Response, step string) error {
	if resp.Cached {
		return nil
	}
	reason := resp.Reason()
	if reason == model.WrongForm && symptoms.Refuses(resp.Text) {
		reason = model.Refusals
	}
	return j.Streak.Unusable(reason, resp.Awaited, step)
}

// countFailed adds a call that failed before its reply could be read to the
// model's streak.
func (j *Judge) countFailed(err error, step string) error {
	switch omniscope.KindOf(err) {
	case omniscope.Declined:
		return j.Streak.Unusable(model.Refusals, false, step)
	case omniscope.Malformed:
		reason := model.TooLarge
		if errors.As(err, new(*model.StatusError)) {
			reason = model.WrongForm
		}
		return j.Streak.Unusable(reason, false, step)
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

// stopsRun reports whether err concerns the whole run: it is winding down, no call
// can succeed, or the machine fails.
func stopsRun(ctx context.Context, err error) bool {
	kind := omniscope.KindOf(err)
	return ctx.Err() != nil || errors.Is(err, context.Canceled) ||
		kind.EndsRun() || kind == omniscope.Internal || kind == omniscope.Usage
}

// unusableOutcome returns the outcome of a reply that could not be read.
func unusableOutcome(resp *model.Response) omniscope.Outcome {
	if o := resp.Outcome(); o != omniscope.OK {
		return o
	}
	return omniscope.Unparsed
}

// unreadableError returns the reason, for people, why a reply cannot be used. The
// text sent to the model stays shorter: it is part of the keys of remembered
// calls and must not change.
func unreadableError(resp *model.Response, whole bool, unread error) error {
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

// repair returns the messages to add after an unusable reply.
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
