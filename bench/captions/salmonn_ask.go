package captions

import (
	"context"

	"omniscope"
	"omniscope/model/judge"
)

// A round is the outcome of a caption in one round.
type round struct {
	official *tally // nil = the published scorer leaves the caption out
	strict   *tally // nil = unjudged
	outcome  omniscope.Outcome
	err      error
	again    bool   // strict scoring asked again
	how      string // what the scorings treat differently; "" = nothing
}

// askStrict asks once in strict scoring, and again where the reply is not clear. before is
// what the published scorer still has of an earlier round.
func askStrict(ctx context.Context, a *asking, c *clip, caption string, r int, before *tally) (round, error) {
	answer, official, strict, err := askBoth(ctx, a.seeded(r), judge.Question[tally]{Step: c.step("round", r), Messages: salmonnMessages(a, "list", c, caption), Schema: salmonnSchema},
		publishedList, func(reply string) (tally, error) { return readTally(reply, len(c.Events)) })
	if err != nil {
		return round{}, err
	}
	out := round{outcome: answer.Outcome, err: why(answer), official: before, strict: strict, again: len(answer.Attempts) > 1}
	if official != nil {
		out.official = official
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

// salmonnWays describe for each what the scorings do.
var salmonnWays = []way{
	{howMore, "the numbers count unchanged", "missed and incorrect are limited to the number of events"},
	{howForm, "the caption is left out of the round", "read as it was meant"},
	{howStale, "the numbers of the earlier round count again", "only the round's own reply counts"},
	{howLost, "cut at its keys", "left unjudged"},
	{howAgain, "cut at its keys", "the repaired reply counts"},
}

// difference describes what the scorings treat differently in a round; before is what the
// published scorer had of earlier ones.
func difference(before *tally, r *round) string {
	switch {
	case r.official == nil && r.strict == nil:
		return ""
	case r.official == before && before != nil && (r.strict == nil || r.strict.numbers != before.numbers):
		return howStale
	case r.official == nil:
		return howForm
	case r.strict == nil:
		return howLost
	case r.official.numbers != r.strict.numbers && r.again:
		return howAgain
	case r.official.numbers != r.strict.numbers:
		return howMore
	}
	return ""
}

// askOfficial asks as the published scorer does: again with a new seed until a reply can be
// cut at its keys, then with the second prompt. After a round that succeeded a failure goes
// unnoticed there, and the numbers of the earlier round stay: it asks once.
func askOfficial(ctx context.Context, a *asking, c *clip, caption string, r int, before *tally) (round, error) {
	lists, counts := max(1, a.judge.Attempts), countTries
	if before != nil {
		lists, counts = 1, 0
	}
	out := round{official: before}
	for try := range lists + counts {
		prompt, key, k := "list", c.step("round", r), try
		cut := publishedList
		if try >= lists {
			prompt, key, k = "count", key+"/count", try-lists
			cut = func(reply string) (tally, error) { return publishedCounts(reply, len(c.Events)) }
		}
		j := a.seeded(r + try).judge
		j.Attempts = 1
		answer, err := judge.Ask(ctx, j, judge.Question[tally]{Step: key, Messages: salmonnMessages(a, prompt, c, caption), Asked: k, Repeat: true,
			Read: func(reply string) (tally, error) {
				if t, err := readTally(reply, len(c.Events)); out.strict == nil && err == nil {
					out.strict = &t
				}
				return cut(reply)
			}})
		if err != nil {
			return out, err
		}
		out.outcome, out.err = answer.Outcome, why(answer)
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
