package captions

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
	"omniscope/model/judge"
)

// What the scorings treat differently.
const (
	howEmpty    = "empty caption"
	howUnclear  = "relationships that contradict themselves"
	howDropped  = "reply that the published program cannot read"
	howNoEvents = "reference without events"
	howNoneTold = "caption without events"
)

// A side is recall or precision of a caption: the events of one text against the other text.
type side struct {
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

// scoreDream takes the events from a caption, and has both sides judged.
func scoreDream(ctx context.Context, a *asking, c *clip, caption *string, wanted bool, out *result) error {
	var told []string
	var recall, precision side
	if wanted {
		answer, official, _, err := askBoth(ctx, a, judge.Question[[]string]{Step: c.ID, Messages: extractMessages(a, *caption), Schema: eventSchema}, publishedEvents, readEvents)
		if err != nil {
			return err
		}
		if out.Outcome = answer.Outcome; out.Outcome != omniscope.OK {
			out.warn("clip %s, its events: %s: %v", c.ID, out.Outcome, why(answer))
		}
		told = answer.Value
		// Recall needs no events of the caption, so that strict scoring has it in any case.
		if out.Outcome == omniscope.OK || a.scoring == bench.Strict {
			if recall, err = relate(ctx, a, c.ID+"/recall", c.Events, *caption, c.Reference); err != nil {
				return err
			}
		}
		if out.Outcome == omniscope.OK {
			if precision, err = relate(ctx, a, c.ID+"/precision", told, c.Reference, *caption); err != nil {
				return err
			}
			precision.official = precision.official && official != nil && slices.Equal(*official, told) // of the same events
			out.Outcome = firstFailure(recall.outcome, precision.outcome)
			recall.warn(out, c, "recall")
			precision.warn(out, c, "precision")
		}
	}
	out.absent(caption)
	if out.Outcome == omniscope.Abstained {
		recall.scored, recall.value = len(c.Events) > 0, 0
		precision.scored = false
	}
	differDream(out, c, caption, told, &recall, &precision)
	countDream(out, c, caption, &recall, &precision)
	recordDream(out, c, told, &recall, &precision)
	return nil
}

// relate asks what events are to a description. entire is the text of the events: without events the
// published program asks about it, and scores 1 for any answer; strict scoring has nothing to score.
func relate(ctx context.Context, a *asking, step string, events []string, description, entire string) (out side, err error) {
	none := len(events) == 0
	if none {
		if a.scoring == bench.Strict {
			return side{outcome: omniscope.OK, official: true, published: 1}, nil
		}
		events = []string{strings.ReplaceAll(strings.ToLower(entire), "\n", " ")}
	}
	sound := func(reply string) ([]string, error) { return readRelations(reply, events) }
	answer, official, _, err := askBoth(ctx, a, judge.Question[[]string]{Step: step, Messages: relateMessages(a, description, events), Schema: relationSchema},
		func(reply string) ([]string, error) { return publishedRelations(reply, len(events)) }, sound)
	if err != nil {
		return out, err
	}
	out.outcome, out.err, out.official = answer.Outcome, why(answer), official != nil
	if official != nil && none {
		out.published = 1
		return out, nil
	}
	if official != nil {
		out.published = entailed(*official)
		if counted := countedReply(a, answer); counted != "" {
			_, err := sound(counted)
			out.contradicts = isContradiction(err)
		}
	}
	out.unclear = out.contradicts && a.scoring == bench.Official
	if out.outcome == omniscope.OK && !out.unclear {
		out.relations, out.scored, out.value = answer.Value, true, entailed(answer.Value)
	}
	return out, nil
}

// countedReply is the reply that the published program counts: the first in a run of strict, else the last. "" = no reply came.
func countedReply(a *asking, answer judge.Answer[[]string]) string {
	at := 0
	if a.scoring == bench.Official {
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

func (s *side) warn(out *result, c *clip, name string) {
	if s.outcome != omniscope.OK {
		out.warn("clip %s, %s: %s: %v", c.ID, name, s.outcome, s.err)
	}
}

func differDream(out *result, c *clip, caption *string, told []string, recall, precision *side) {
	switch official := recall.official && precision.official; {
	case caption == nil:
	case *caption == "" && !official:
		out.differ(howEmpty, 1, "asks the judge, but only in a run with --scoring official", "no event is described")
	case *caption == "":
		out.differ(howEmpty, 1, "asks the judge about it as about any other", "no event is described")
	case recall.contradicts || precision.contradicts:
		out.differ(howUnclear, 1, "count", "asked again in a run of strict, else left unjudged")
	case !official && (recall.scored || precision.scored):
		out.differ(howDropped, 1, "the clip is left out", "read as it was meant, asked again where it is not clear; what stays unread is unjudged")
	case official:
		const one, leftOut = "scored as 1", "left out of the mean"
		if len(c.Events) == 0 {
			out.differ(howNoEvents, 1, one, leftOut)
		}
		if len(told) == 0 {
			out.differ(howNoneTold, 1, one, leftOut)
		}
	}
}

// countDream counts the clip for its source, and for its groups by numbers: their scores are means
// over clips of all sources.
func countDream(out *result, c *clip, caption *string, recall, precision *side) {
	for _, p := range scorings {
		counts := func(source int) metric.Counts {
			k := make(metric.Counts, len(metric.DQ.Fields))
			put := func(at int, s *side, wanted bool) {
				scored, value := s.scored, s.value
				if p == bench.Official {
					scored, value, wanted = recall.official && precision.official, s.published, true
				}
				if wanted {
					k[metric.DQAt(source, at+2)] = 1
				}
				if scored {
					k[metric.DQAt(source, at)], k[metric.DQAt(source, at+1)] = 1, value
				}
			}
			put(metric.DQRecallClips, recall, len(c.Events) > 0)
			// A caption without events is neither right nor wrong. A missing caption, or one that
			// could not be judged, might have some.
			none := caption != nil && (*caption == "" || precision.outcome == omniscope.OK) && !precision.scored && !precision.unclear
			put(metric.DQPrecisionClips, precision, !none)
			return k
		}
		out.Counts[p] = counts(c.Source)
		for _, b := range c.Buckets {
			out.Parts[p] = append(out.Parts[p], bench.Tally{Dimension: b.Dimension, Group: b.Group, Counts: counts(0)})
		}
	}
	if recall.scored {
		out.Good = &recall.value
	}
}

type dreamRecord struct {
	record
	Recall    *float64 `json:"recall"`    // in strict scoring; null = not scored
	Precision *float64 `json:"precision"` // the same
	Reference []event  `json:"reference_events"`
	Told      []event  `json:"caption_events"`
}

type event struct {
	Event        string `json:"event"`
	Relationship string `json:"relationship"` // of the other text to it; "" = not judged
}

func (s *side) record(events []string) (value *float64, out []event) {
	if s.scored {
		value = &s.value
	}
	for i, e := range events {
		one := event{Event: e}
		if i < len(s.relations) {
			one.Relationship = s.relations[i]
		}
		out = append(out, one)
	}
	return value, out
}

func recordDream(out *result, c *clip, told []string, recall, precision *side) {
	line := dreamRecord{record: record{c.ID, out.Outcome}}
	line.Recall, line.Reference = recall.record(c.Events)
	line.Precision, line.Told = precision.record(told)
	out.Record = line
	out.Sections = []document.Section{{Title: "Reference", Text: cell(c.Reference, document.Plain)}, eventTable("Events of the reference", line.Reference), eventTable("Events of the caption", line.Told)}
	for i, e := range line.Reference {
		out.Verdicts = append(out.Verdicts, bench.ItemVerdict{Item: strconv.Itoa(i + 1), Verdict: relationVerdicts[e.Relationship]})
	}
}

// Without a relationship an event is unjudged.
var (
	relationVerdicts = map[string]omniscope.Verdict{"entailment": omniscope.Correct, "neutral": omniscope.NotGiven, "contradiction": omniscope.Wrong}
	relationTones    = map[string]document.Tone{"entailment": document.Good, "neutral": document.Mild, "contradiction": document.Bad}
)

func eventTable(title string, events []event) document.Section {
	s := document.Section{Title: title, Columns: []string{"event", "relationship"}}
	for _, e := range events {
		s.Rows = append(s.Rows, [][]document.Piece{cell(e.Event, document.Plain), cell(e.Relationship, relationTones[e.Relationship])})
	}
	return s
}
