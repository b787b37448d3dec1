package salmonn

import (
	"context"
	"fmt"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/internal/pyrepr"
	"omniscope/metric"
	"omniscope/model"
	"omniscope/model/judge"
)

// How often the published scorer asks about a caption in one round: with the first prompt,
// and after that with the second.
const (
	listTries  = 9
	countTries = 3
)

// firstSeed is the published scorer's seed in its first pass; each further pass counts one up.
const firstSeed = 2024

// A round is what became of a caption in one round.
type round struct {
	official *tally // nil = the published scorer leaves the caption out
	strict   *tally // nil = unjudged
	outcome  omniscope.Outcome
	err      error
	again    bool   // strict scoring asked again
	how      string // what the scorings treat differently; "" = nothing
}

// step is the key of a round's calls.
func step(c *captions.Clip[facts], r int) string {
	if r == 0 {
		return c.ID
	}
	return c.ID + "/round" + strconv.Itoa(r+1)
}

// seeded is the judge with the published settings of a pass, as far as the user has not
// chosen others.
func seeded(j *judge.Judge, pass int) *judge.Judge {
	of := *j
	if of.Params.TopP == nil {
		topP := 0.1
		of.Params.TopP = &topP
	}
	if of.Params.Seed == nil {
		seed := int64(firstSeed + pass)
		of.Params.Seed = &seed
	}
	return &of
}

// messages make a prompt: list or count.
func messages(a *captions.Asking, prompt string, c *captions.Clip[facts], caption string) []model.Message {
	return a.Messages(prompt+"-system.txt", prompt+".txt", "event_num", strconv.Itoa(len(c.Facts)),
		"events_in_video", pyrepr.List(c.Facts), "cap_to_be_rated", prepared(caption))
}

func first(a *captions.Asking, c *captions.Clip[facts], caption *string) (out []*model.Request) {
	if !a.Wants(caption) {
		return nil
	}
	text := messages(a, "list", c, *caption)
	for r := range metric.EventRounds {
		out = append(out, captions.Request(seeded(a.Judge, r), step(c, r), text, schema))
	}
	return out
}

func bound(a *captions.Asking, c *captions.Clip[facts], caption *string) bench.Bound {
	if !a.Wants(caption) {
		return bench.Bound{}
	}
	if a.Scoring == bench.Strict {
		const words = 1000
		return bench.Bound{RepairBytes: words}
	}
	return bench.Bound{Further: []bench.Further{{Questions: 1, Bytes: captions.Size(messages(a, "count", c, *caption)), MaxTokens: a.Judge.Params.MaxTokens}}}
}

// askStrict asks once in strict scoring, and again where the reply is not clear. before is
// what the published scorer still has of an earlier round.
func askStrict(ctx context.Context, a *captions.Asking, c *captions.Clip[facts], caption string, r int, before *tally) (round, error) {
	answer, err := judge.Ask(ctx, seeded(a.Judge, r), judge.Question[tally]{
		Step: step(c, r), Messages: messages(a, "list", c, caption), Schema: schema,
		Read: func(reply string) (tally, error) { return read(reply, len(c.Facts)) },
	})
	if err != nil {
		return round{}, err
	}
	out := round{outcome: answer.Outcome, err: captions.Why(answer), official: before, again: len(answer.Attempts) > 1}
	if answer.Outcome == omniscope.OK {
		out.strict = &answer.Value
	}
	reply, replied := captions.FirstReply(answer)
	if t, err := publishedList(reply); replied && err == nil {
		out.official = &t
	}
	out.how = difference(before, &out)
	return out, nil
}

// What the scorings treat differently.
const (
	howMore  = "reply that counts more events than there are"
	howForm  = "reply not in the published form, but clear"
	howStale = "reply that cannot be read, after an earlier round"
	howLost  = "reply that is not clear, in the published form"
	howAgain = "reply that is not clear, in the published form, asked again"
)

// ways say of each what the scorings do.
var ways = []struct{ how, official, strict string }{
	{howMore, "the numbers count as they stand", "no more events are missed or incorrect than there are"},
	{howForm, "the caption is left out of the round", "read as it was meant"},
	{howStale, "the numbers of the earlier round count again", "the round's own reply counts, or none"},
	{howLost, "cut at its keys", "left unjudged"},
	{howAgain, "cut at its keys", "the repaired reply counts"},
}

// difference describes what the scorings treat differently in a round; before is what the
// published scorer had of earlier ones.
func difference(before *tally, r *round) string {
	switch {
	case r.official == nil && r.strict == nil:
		return ""
	case r.official == before && before != nil && (r.strict == nil || r.strict.numbers() != before.numbers()):
		return howStale
	case r.official == nil:
		return howForm
	case r.strict == nil:
		return howLost
	case r.official.numbers() != r.strict.numbers() && r.again:
		return howAgain
	case r.official.numbers() != r.strict.numbers():
		return howMore
	}
	return ""
}

// numbers are what counts of a tally.
func (t *tally) numbers() [3]int { return [3]int{t.missed, t.incorrect, t.hallucinated} }

// askOfficial asks as the published scorer does: again with a new seed until a reply can be
// cut at its keys, then with the second prompt. After a round that succeeded a failure goes
// unnoticed there, and the numbers of the earlier round stay: it asks once.
func askOfficial(ctx context.Context, a *captions.Asking, c *captions.Clip[facts], caption string, r int, before *tally) (round, error) {
	lists, counts := max(1, a.Judge.Attempts), countTries
	if before != nil {
		lists, counts = 1, 0
	}
	out := round{official: before}
	for try := range lists + counts {
		prompt, key, k := "list", step(c, r), try
		cut := publishedList
		if try >= lists {
			prompt, key, k = "count", key+"/count", try-lists
			cut = func(reply string) (tally, error) { return publishedCounts(reply, len(c.Facts)) }
		}
		j := seeded(a.Judge, r+try)
		j.Attempts = 1
		answer, err := judge.Ask(ctx, j, judge.Question[tally]{Step: key, Messages: messages(a, prompt, c, caption), Asked: k, Repeat: true,
			Read: func(reply string) (tally, error) {
				if t, err := read(reply, len(c.Facts)); out.strict == nil && err == nil {
					out.strict = &t
				}
				return cut(reply)
			}})
		if err != nil {
			return out, err
		}
		out.outcome, out.err = answer.Outcome, captions.Why(answer)
		if answer.Outcome == omniscope.OK {
			out.official = &answer.Value
			break
		}
		if omniscope.KindOf(out.err) != omniscope.Transient && answer.Attempts[0].Response == nil {
			break
		}
	}
	if out.strict != nil && out.official != nil {
		out.outcome = omniscope.OK // the published scorer counts the numbers of an earlier round
	}
	out.how = difference(before, &out)
	return out, nil
}

// schema is the wanted form of a reply that is asked for again.
func schema() *model.Schema {
	const number, list = `{"type": "integer", "minimum": 0}`, `{"type": "array", "items": {"type": "string"}}`
	return &model.Schema{Name: "events", JSON: fmt.Appendf(nil, `{"type": "object", "properties": {"Missed": %s, "Incorrect": %[1]s, "Hallucination": %[1]s,
"Missed Event": %[2]s, "Incorrect Event": %[2]s, "Hallucination Event": %[2]s},
"required": ["Missed", "Incorrect", "Hallucination", "Missed Event", "Incorrect Event", "Hallucination Event"], "additionalProperties": false}`, number, list)}
}
