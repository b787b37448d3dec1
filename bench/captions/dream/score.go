package dream

import (
	"context"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/bench/document"
	"omniscope/metric"
)

// What the scorings treat differently.
const (
	howEmpty     = "empty caption"
	howUnclear   = "relationships that contradict themselves"
	howDropped   = "reply that the published program cannot read"
	howNoEvents  = "clip whose reference has no events"
	howNoneTold  = "caption without events"
	countsAsOne  = "scored as 1"
	leavesItOut  = "left out of the mean"
	dropsClip    = "the clip is left out"
	readsAsMeant = "read as it was meant, asked again where it is not clear; what stays unread is unjudged"
)

// score takes the events from a caption, and has both sides judged.
func score(ctx context.Context, a *captions.Asking, c *captions.Clip[facts], caption *string) (*captions.Result, error) {
	out := &captions.Result{Outcome: omniscope.OK}
	var told []string
	var recall, precision share
	if a.Wants(caption) {
		answer, official, read, err := ask(ctx, a, c.ID, extractMessages(a, *caption), eventSchema, publishedEvents, readEvents)
		if err != nil {
			return nil, err
		}
		if out.Outcome = answer.Outcome; out.Outcome != omniscope.OK {
			out.Warn("clip %s, its events: %s: %v", c.ID, out.Outcome, captions.Why(answer))
		}
		told = answer.Value
		// Recall needs no events of the caption, so that strict scoring has it in any case.
		if out.Outcome == omniscope.OK || a.Scoring == bench.Strict {
			if recall, err = relate(ctx, a, c, side{"recall", c.Facts.Events, lower(*caption), lower(c.Facts.Reference)}); err != nil {
				return nil, err
			}
		}
		if out.Outcome == omniscope.OK {
			if precision, err = relate(ctx, a, c, side{"precision", told, lower(c.Facts.Reference), lower(*caption)}); err != nil {
				return nil, err
			}
			precision.official = precision.official && read && slices.Equal(official, told) // of the same events
			out.Outcome = captions.Worst(recall.outcome, precision.outcome)
			warn(out, c, "recall", &recall)
			warn(out, c, "precision", &precision)
		}
	}
	switch {
	case caption == nil:
		out.Outcome = omniscope.Missing
	case *caption == "":
		out.Outcome = omniscope.Abstained
		recall.scored, recall.value = len(c.Facts.Events) > 0, 0
		precision.scored = false
	}
	differences(out, c, caption, told, &recall, &precision)
	count(out, c, caption, &recall, &precision)
	records(out, c, told, &recall, &precision)
	return out, nil
}

func warn(out *captions.Result, c *captions.Clip[facts], name string, s *share) {
	if s.outcome != omniscope.OK {
		out.Warn("clip %s, %s: %s: %v", c.ID, name, s.outcome, s.err)
	}
}

func differences(out *captions.Result, c *captions.Clip[facts], caption *string, told []string, recall, precision *share) {
	switch official := recall.official && precision.official; {
	case caption == nil:
	case *caption == "" && !official:
		out.Differ(howEmpty, 1, "asks the judge all the same: run with --profile official to have it asked", "no event is told")
	case *caption == "":
		out.Differ(howEmpty, 1, "asks the judge about it as about any other", "no event is told")
	case recall.contradicts || precision.contradicts:
		out.Differ(howUnclear, 1, "count", "asked again in a run of strict, else left unjudged")
	case !official && (recall.scored || precision.scored):
		out.Differ(howDropped, 1, dropsClip, readsAsMeant)
	case official:
		if len(c.Facts.Events) == 0 {
			out.Differ(howNoEvents, 1, countsAsOne, leavesItOut)
		}
		if len(told) == 0 {
			out.Differ(howNoneTold, 1, countsAsOne, leavesItOut)
		}
	}
}

// count counts the clip for its source, and for its groups by numbers, whose scores are means
// over clips of all sources.
func count(out *captions.Result, c *captions.Clip[facts], caption *string, recall, precision *share) {
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		counts := func(source int) metric.Counts {
			k := make(metric.Counts, len(metric.DQ.Fields))
			put := func(at int, s *share, wanted bool) {
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
			put(metric.DQRecallClips, recall, len(c.Facts.Events) > 0)
			// What a caption without events tells is neither right nor wrong. One that is not there, or
			// could not be judged, might have some.
			none := caption != nil && (*caption == "" || precision.outcome == omniscope.OK) && !precision.scored && !precision.unclear
			put(metric.DQPrecisionClips, precision, !none)
			return k
		}
		out.Counts[p] = counts(c.Facts.Source)
		for _, b := range c.Facts.buckets {
			out.Parts[p] = append(out.Parts[p], bench.Tally{Dimension: b.Dimension, Group: b.Group, Counts: counts(0)})
		}
	}
	if recall.scored {
		out.Good = &recall.value
	}
}

// A record is a clip's line of clips.jsonl.
type record struct {
	Clip      string            `json:"clip"`
	Outcome   omniscope.Outcome `json:"outcome"`
	Recall    *float64          `json:"recall"`    // in strict scoring; null = not scored
	Precision *float64          `json:"precision"` // the same
	Reference []event           `json:"reference_events"`
	Told      []event           `json:"caption_events"`
}

type event struct {
	Event        string `json:"event"`
	Relationship string `json:"relationship"` // of the other text to it; "" = not judged
}

func (s *share) record(events []string) (value *float64, out []event) {
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

func records(out *captions.Result, c *captions.Clip[facts], told []string, recall, precision *share) {
	line := record{Clip: c.ID, Outcome: out.Outcome}
	line.Recall, line.Reference = recall.record(c.Facts.Events)
	line.Precision, line.Told = precision.record(told)
	out.Record = line
	out.Sections = []document.Section{
		{Title: "Reference", Text: []document.Piece{{Text: c.Facts.Reference}}},
		table("Events of the reference", line.Reference), table("Events of the caption", line.Told),
	}
	for i, e := range line.Reference {
		out.Verdicts = append(out.Verdicts, bench.ItemVerdict{Item: strconv.Itoa(i + 1), Verdict: verdict(e.Relationship)})
	}
}

func verdict(relationship string) omniscope.Verdict {
	switch relationship {
	case "entailment":
		return omniscope.Correct
	case "neutral":
		return omniscope.NotGiven
	case "contradiction":
		return omniscope.Wrong
	}
	return omniscope.Unjudged
}

var tones = map[string]document.Tone{"entailment": document.Good, "neutral": document.Mild, "contradiction": document.Bad}

func table(title string, events []event) document.Section {
	s := document.Section{Title: title, Columns: []string{"event", "relationship"}}
	for _, e := range events {
		s.Rows = append(s.Rows, [][]document.Piece{{{Text: e.Event}}, {{Text: e.Relationship, Tone: tones[e.Relationship]}}})
	}
	return s
}
