package vdc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/internal/parallel"
	"omniscope/internal/pyliteral"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

func step(c *captions.Clip[[]question], i int) string {
	if i == 0 {
		return c.ID
	}
	return fmt.Sprintf("%s/q%d", c.ID, i+1)
}

func first(a *captions.Asking, c *captions.Clip[[]question], caption *string) (out []*model.Request) {
	if !a.Wants(caption) {
		return nil
	}
	for i := range c.Facts {
		out = append(out, captions.Request(a.Role(answererRole), step(c, i), answerMessages(a, c, *caption, i), nil))
	}
	return out
}

func bound(a *captions.Asking, c *captions.Clip[[]question], caption *string) bench.Bound {
	if !a.Wants(caption) {
		return bench.Bound{}
	}
	const words = 1000 // of a later asking
	size := 0
	for i := range c.Facts {
		size = max(size, captions.Size(judgeMessages(a, c, i, "")))
	}
	if a.Scoring == bench.Strict {
		size += words + a.Judge.Params.MaxTokens
	}
	verdicts := bench.Further{Questions: len(c.Facts), Bytes: size, Replies: 1, Quoted: a.Role(answererRole).Params.MaxTokens, MaxTokens: a.Judge.Params.MaxTokens, Sure: true}
	return bench.Bound{Further: a.Verdicts(a.Role(answererRole), verdicts)}
}

func answerMessages(a *captions.Asking, c *captions.Clip[[]question], caption string, i int) []model.Message {
	return a.Messages("answer-system.txt", "answer.txt", "caption", caption, "question", c.Facts[i].Text)
}

func judgeMessages(a *captions.Asking, c *captions.Clip[[]question], i int, response string) []model.Message {
	return a.Messages("judge-system.txt", "judge.txt", "question", c.Facts[i].Text, "answer", c.Facts[i].Answer, "response", response)
}

// A verdict is what a judge says of an answer.
type verdict struct {
	yes   bool
	score float64
}

// An item is what became of a question.
type item struct {
	response string
	official *verdict // nil = the published program stumbles over it
	strict   *verdict // nil = unjudged
	outcome  omniscope.Outcome
	err      error

	contradicts bool // the first verdict and its score
}

// score has all questions answered and judged.
func score(ctx context.Context, a *captions.Asking, c *captions.Clip[[]question], caption *string) (*captions.Result, error) {
	items := make([]item, len(c.Facts))
	out := &captions.Result{Outcome: omniscope.OK}
	if a.Wants(caption) {
		err := parallel.Calls(atOnce, len(items), func(i int) (err error) {
			items[i], err = ask(ctx, a, c, *caption, i)
			return err
		})
		if err != nil {
			return nil, err
		}
		for i := range items {
			out.Outcome = captions.Worst(out.Outcome, items[i].outcome)
			if o := items[i].outcome; o != omniscope.OK && o != omniscope.Pending {
				out.Warn("video %s, question %d: %s: %v", c.ID, i+1, o, items[i].err)
			}
		}
	}
	switch {
	case caption == nil:
		out.Outcome = omniscope.Missing
	case *caption == "":
		out.Outcome = omniscope.Abstained
		for i := range items {
			items[i].strict = &verdict{}
		}
	}
	finish(out, c, caption, items)
	return out, nil
}

// ask has one question answered from the caption, and the answer judged. Where the first answer is of no use and a later one is,
// each is judged: the first for official scoring, as the published program has it judged, the later one for strict.
func ask(ctx context.Context, a *captions.Asking, c *captions.Clip[[]question], caption string, i int) (out item, err error) {
	answer, err := a.Answer(ctx, a.Role(answererRole), step(c, i), answerMessages(a, c, caption, i))
	if err != nil {
		return out, err
	}
	out.outcome, out.err, out.response = answer.Outcome, answer.Why, answer.Text
	first, ok := answer.FirstText()
	if ok || a.Scoring == bench.Official && answer.First != nil && answer.First.Outcome() != omniscope.Refused {
		verdict, clear, err := judged(ctx, a, c, i, "/judge", first)
		if err != nil {
			return out, err
		}
		if answer.Outcome == omniscope.OK && !answer.Again {
			out.take(verdict, clear)
		}
		if reply, ok := captions.FirstReply(verdict); ok {
			if v, err := published(reply); err == nil {
				out.official = &v
			}
			_, err := read(reply)
			out.contradicts = errors.As(err, new(contradiction))
		}
	}
	if answer.Again {
		verdict, clear, err := judged(ctx, a, c, i, "/judge2", answer.Text)
		if err != nil {
			return out, err
		}
		out.take(verdict, clear)
	}
	return out, nil
}

// judged has an answer judged. The answer's outcome is that of the scoring of the run; clear is the verdict of strict; nil = unclear.
func judged(ctx context.Context, a *captions.Asking, c *captions.Clip[[]question], i int, suffix, response string) (answer judge.Answer[verdict], clear *verdict, err error) {
	answer, err = judge.Ask(ctx, a.Judge, judge.Question[verdict]{Step: step(c, i) + suffix, Messages: judgeMessages(a, c, i, response), Schema: schema, Whole: true,
		Read: func(reply string) (verdict, error) {
			v, err := read(reply)
			if clear = nil; err == nil {
				clear = &v
			}
			if a.Scoring == bench.Official {
				return published(reply)
			}
			return v, err
		}})
	return answer, clear, err
}

// take takes a verdict on the usable answer.
func (it *item) take(v judge.Answer[verdict], clear *verdict) {
	it.outcome, it.err, it.strict = v.Outcome, captions.Why(v), clear
}

// published reads a verdict as the published program does: a Python literal and nothing else,
// of which only the word yes in small letters counts.
func published(reply string) (verdict, error) {
	v, err := pyliteral.Parse(reply)
	if err != nil {
		return verdict{}, err
	}
	d, ok := v.(pyliteral.Dict)
	if !ok {
		return verdict{}, errors.New("it is no dictionary")
	}
	said, ok := d.Get("pred")
	number, there := d.Get("score")
	if !ok || !there {
		return verdict{}, errors.New("it lacks pred or score")
	}
	score, err := pythonFloat(number)
	return verdict{said == "yes", score}, err
}

// pythonFloat is what float() makes of a value, of which there is none for numbers that no
// mean can be taken of.
func pythonFloat(v any) (f float64, err error) {
	switch v := v.(type) {
	case *big.Int:
		f, _ = new(big.Float).SetInt(v).Float64()
	case float64:
		f = v
	case bool:
		if v {
			f = 1
		}
	case string:
		f, err = strconv.ParseFloat(strings.TrimSpace(v), 64)
	default:
		err = fmt.Errorf("%v is no number", v)
	}
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("%v is no score", v)
	}
	return f, err
}

// read reads a verdict soundly.
func read(reply string) (v verdict, err error) {
	d, err := judge.Dict(reply)
	if err != nil {
		return v, err
	}
	said, _ := d["pred"].(string)
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "yes":
		v.yes = true
	case "no":
	default:
		return v, errors.New(`the key "pred" is neither "yes" nor "no"`)
	}
	switch n := d["score"].(type) {
	case float64:
		v.score = n
	case string:
		if v.score, err = strconv.ParseFloat(strings.TrimSpace(n), 64); err != nil {
			return v, errors.New(`the key "score" is no number`)
		}
	default:
		return v, errors.New(`the key "score" is no number`)
	}
	if !(v.score >= 0 && v.score <= metric.TopCaptionQAScore) {
		return v, fmt.Errorf("the score is not between 0 and %d", metric.TopCaptionQAScore)
	}
	return v, v.check()
}

// Scores that no verdict goes with: the prompt calls 5 the highest meaningful match, and asks whether the
// answers match meaningfully. 2 and 3 go with either verdict.
const (
	tooLowForYes = 1
	tooHighForNo = 4
)

// A contradiction is the error for a verdict with a score that means the opposite.
type contradiction string

func (c contradiction) Error() string { return string(c) }

func (v verdict) check() error {
	switch {
	case v.yes && v.score <= tooLowForYes:
		return contradiction(fmt.Sprintf(`"pred" is "yes", and the score %g means no match`, v.score))
	case !v.yes && v.score >= tooHighForNo:
		return contradiction(fmt.Sprintf(`"pred" is "no", and the score %g means a match`, v.score))
	}
	return nil
}

func schema() *model.Schema {
	return &model.Schema{Name: "verdict", JSON: json.RawMessage(`{"type": "object", "properties": {"pred": {"type": "string", "enum": ["yes", "no"]}, "score": {"type": "integer", "minimum": 0, "maximum": 5}}, "required": ["pred", "score"], "additionalProperties": false}`)}
}
