package dream

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/internal/pyrepr"
	"omniscope/model"
	"omniscope/model/judge"
)

// lower is a text as the published program shows it to the judge.
func lower(text string) string { return strings.ToLower(text) }

func extractMessages(a *captions.Asking, caption string) []model.Message {
	return a.Messages("", "extract.txt", "caption", strings.ReplaceAll(lower(caption), `"`, "'"))
}

func relateMessages(a *captions.Asking, description string, events []string) []model.Message {
	return a.Messages("", "relate.txt", "description", description, "events", pyrepr.List(events))
}

func first(a *captions.Asking, c *captions.Clip[facts], caption *string) []*model.Request {
	if !a.Wants(caption) {
		return nil
	}
	return []*model.Request{captions.Request(a.Judge, c.ID, extractMessages(a, *caption), eventSchema)}
}

func bound(a *captions.Asking, c *captions.Clip[facts], caption *string) bench.Bound {
	if !a.Wants(caption) {
		return bench.Bound{}
	}
	const words = 1000 // of a later asking
	b := bench.Bound{RepairBytes: words}
	max := a.Judge.Params.MaxTokens
	recall := captions.Size(relateMessages(a, lower(*caption), c.Facts.Events))
	precision := captions.Size(relateMessages(a, lower(c.Facts.Reference), nil))
	if a.Scoring == bench.Strict {
		recall, precision = recall+words+max, precision+words+max
	} else {
		b.RepairBytes = 0
	}
	if len(c.Facts.Events) > 0 || a.Scoring == bench.Official {
		b.Further = append(b.Further, bench.Further{Questions: 1, Bytes: recall, MaxTokens: max, Sure: true})
	}
	b.Further = append(b.Further, bench.Further{Questions: 1, Bytes: precision, Replies: 1, MaxTokens: max, Sure: true})
	return b
}

// ask asks a question and reads the reply as the scoring that is run does: readers are the
// published one and the sound one. official is the value that the published program goes on with; read is
// false where it cannot read the reply.
func ask(ctx context.Context, a *captions.Asking, step string, messages []model.Message, schema func() *model.Schema, published, sound func(string) ([]string, error)) (answer judge.Answer[[]string], official []string, read bool, err error) {
	q := judge.Question[[]string]{Step: step, Messages: messages, Read: sound, Schema: schema}
	if a.Scoring == bench.Official {
		q.Read, q.Repeat = published, true
	}
	if answer, err = judge.Ask(ctx, a.Judge, q); err != nil {
		return answer, nil, false, err
	}
	if a.Scoring == bench.Official {
		return answer, answer.Value, answer.Outcome == omniscope.OK, nil
	}
	if reply, ok := captions.FirstReply(answer); ok {
		if value, err := published(reply); err == nil {
			return answer, value, true, nil
		}
	}
	return answer, nil, false, nil
}

// A side is recall or precision of a caption: events of one text against the other text.
type side struct {
	name        string
	events      []string
	description string // that may entail them, in small letters
	whole       string // the text of the events, in small letters
}

// A share is what became of a side.
type share struct {
	relations []string // of the events; nil = not judged
	scored    bool     // in strict scoring
	value     float64
	official  bool // the published program scores it
	published float64
	outcome   omniscope.Outcome
	err       error

	contradicts bool // the reply that the published program counts, itself
	unclear     bool // only official counts the reply
}

// relate asks what the events of a side are to its description. Where there are none the
// published program asks about the entire text, and scores 1 for any answer; strict
// scoring has nothing to score.
func relate(ctx context.Context, a *captions.Asking, c *captions.Clip[facts], s side) (out share, err error) {
	events := s.events
	if len(events) == 0 {
		out.outcome = omniscope.OK
		if a.Scoring == bench.Strict {
			out.official, out.published = true, 1
			return out, nil
		}
		events = []string{strings.ReplaceAll(s.whole, "\n", " ")}
	}
	answer, official, read, err := ask(ctx, a, c.ID+"/"+s.name, relateMessages(a, s.description, events), relationSchema,
		func(reply string) ([]string, error) { return publishedRelations(reply, len(events)) },
		func(reply string) ([]string, error) { return readRelations(reply, events) })
	if err != nil {
		return out, err
	}
	out.outcome, out.err = answer.Outcome, captions.Why(answer)
	if out.official = read; read {
		out.published = entailed(official)
	}
	if read && len(s.events) == 0 {
		out.published = 1
		return out, nil
	}
	if counted := countedReply(a, answer); read && counted != "" {
		_, err := readRelations(counted, events)
		out.contradicts = errors.As(err, new(contradiction))
	}
	out.unclear = out.contradicts && a.Scoring == bench.Official
	if out.outcome == omniscope.OK && !out.unclear {
		out.relations, out.scored, out.value = answer.Value, true, entailed(answer.Value)
	}
	return out, nil
}

// countedReply is the reply that the published program counts: the first in a run of strict, else the last. "" = no reply came.
func countedReply(a *captions.Asking, answer judge.Answer[[]string]) string {
	at := 0
	if a.Scoring == bench.Official {
		at = len(answer.Attempts) - 1
	}
	if answer.Attempts[at].Response == nil {
		return ""
	}
	return answer.Attempts[at].Response.Text
}

// entailed is the share of events that are entailed.
func entailed(of []string) float64 {
	n := 0.0
	for _, r := range of {
		if r == relations[0] {
			n++
		}
	}
	return n / float64(max(1, len(of)))
}

func eventSchema() *model.Schema {
	return &model.Schema{Name: "events", JSON: json.RawMessage(`{"type": "object", "properties": {"events": {"type": "array", "items": {"type": "string"}}}, "required": ["events"], "additionalProperties": false}`)}
}

func relationSchema() *model.Schema {
	return &model.Schema{Name: "relations", JSON: json.RawMessage(`{"type": "object", "properties": {"events": {"type": "array", "items": {"type": "object",
"properties": {"event": {"type": "string"}, "relationship": {"type": "string", "enum": ["entailment", "neutral", "contradiction"]}, "reason": {"type": "string"}},
"required": ["event", "relationship", "reason"], "additionalProperties": false}}}, "required": ["events"], "additionalProperties": false}`)}
}
