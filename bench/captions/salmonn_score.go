package captions

import (
	"context"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/metric"
)

// scoreSALMONN has a caption judged in all rounds. A caption that is empty or missing misses all events in strict scoring.
func scoreSALMONN(ctx context.Context, a *asking, c *clip, caption *string, wanted bool, out *result) error {
	rounds := make([]round, metric.EventRounds)
	if wanted {
		if err := askRounds(ctx, a, c, *caption, rounds, out); err != nil {
			return err
		}
	}
	out.absent(caption)
	switch {
	case caption == nil:
		out.differ("clip without a caption", len(c.Events), "the clip is left out", "all events are missed")
	case !wanted:
		out.differ("empty caption", len(c.Events), "asks the judge, but only in a run with --scoring official", "all events are missed")
	case *caption == "":
		out.differ("empty caption", len(c.Events), "asks the judge about it as about any other", "all events are missed")
	default:
		out.differBy(salmonnWays, len(rounds), func(r int) string { return rounds[r].how })
	}
	if caption == nil || *caption == "" {
		for r := range rounds {
			rounds[r].strict = &tally{numbers: numbers{Missed: len(c.Events)}}
		}
	}
	countSALMONN(out, c, rounds)
	return nil
}

// askRounds asks one round after another, since the published scorer takes numbers from a round into the next.
func askRounds(ctx context.Context, a *asking, c *clip, caption string, rounds []round, out *result) (err error) {
	ask := askStrict
	if a.scoring == bench.Official {
		ask = askOfficial
	}
	var before *tally
	for r := range rounds {
		if rounds[r], err = ask(ctx, a, c, caption, r, before); err != nil {
			return err
		}
		before = rounds[r].official
		outcome := rounds[r].outcome
		out.Outcome = firstFailure(out.Outcome, outcome)
		if outcome != omniscope.OK && outcome != omniscope.Pending {
			out.warn("clip %s, round %d: %s: %v", c.ID, r+1, outcome, rounds[r].err)
		}
	}
	return nil
}

// A roundsRecord is a clip's line of clips.jsonl.
type roundsRecord struct {
	Clip    string            `json:"clip"`
	Events  int               `json:"events"`
	Outcome omniscope.Outcome `json:"outcome"`
	Rounds  []roundRecord     `json:"rounds"`
}

type roundRecord struct {
	Official *numbers `json:"official"` // null = left out
	Strict   *numbers `json:"strict"`   // null = unjudged

	Missed       []string `json:"missed_events,omitempty"` // as the judge names them
	Incorrect    []string `json:"incorrect_events,omitempty"`
	Hallucinated []string `json:"hallucinated_events,omitempty"`
}

// countSALMONN counts the rounds and writes the records.
func countSALMONN(out *result, c *clip, rounds []round) {
	all := float64(len(c.Events))
	for _, p := range scorings {
		k := make(metric.Counts, len(metric.Events.Fields))
		out.Counts[p], k[metric.EventAll] = k, all
		for r, one := range rounds {
			if t := [...]*tally{one.official, one.strict}[p]; t != nil {
				k[metric.EventAt(r, metric.EventJudged)], k[metric.EventAt(r, metric.EventMissed)] = all, float64(t.Missed)
				k[metric.EventAt(r, metric.EventIncorrect)], k[metric.EventAt(r, metric.EventHallucinated)] = float64(t.Incorrect), float64(t.Hallucinated)
			}
		}
	}
	lines := roundsRecord{Clip: c.ID, Events: len(c.Events), Outcome: out.Outcome}
	table := document.Section{Title: "Rounds", Columns: []string{"round", "missed", "incorrect", "hallucinated"}}
	told, judged := 0.0, 0
	for r, one := range rounds {
		line := roundRecord{}
		if one.official != nil {
			line.Official = &one.official.numbers
		}
		row := [][]document.Piece{number(r + 1), cell("unjudged", document.Dim), nil, nil}
		if t := one.strict; t != nil {
			line.Strict, line.Missed, line.Incorrect, line.Hallucinated = &t.numbers, t.missedEvents, t.incorrectEvents, t.hallucinatedEvents
			row = [][]document.Piece{number(r + 1), number(t.Missed), number(t.Incorrect), number(t.Hallucinated)}
			told += float64(len(c.Events)-t.Missed-t.Incorrect) / all
			judged++
		}
		lines.Rounds, table.Rows = append(lines.Rounds, line), append(table.Rows, row)
	}
	out.good(told, judged)
	out.Record = lines
	out.Sections = append(named(lines.Rounds[0]), table, listed("Annotated events", c.Events, document.Plain))
}

// named are the events that the judge names in a round.
func named(r roundRecord) (sections []document.Section) {
	for _, list := range []struct {
		title  string
		events []string
		tone   document.Tone
	}{{"Missed in round 1", r.Missed, document.Gone}, {"Incorrect in round 1", r.Incorrect, document.Bad}, {"Hallucinated in round 1", r.Hallucinated, document.Added}} {
		if len(list.events) > 0 {
			sections = append(sections, listed(list.title, list.events, list.tone))
		}
	}
	return sections
}

func listed(title string, events []string, tone document.Tone) document.Section {
	s := document.Section{Title: title, Columns: []string{"event"}}
	for _, e := range events {
		s.Rows = append(s.Rows, [][]document.Piece{cell(e, tone)})
	}
	return s
}
