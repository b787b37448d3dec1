package salmonn

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/bench/document"
	"omniscope/metric"
)

// score has a caption judged in all rounds, one after another, since the published scorer
// takes numbers from a round into the next.
func score(ctx context.Context, a *captions.Asking, c *captions.Clip[facts], caption *string) (*captions.Result, error) {
	if !a.Wants(caption) {
		return unasked(c, caption), nil
	}
	ask := askStrict
	if a.Scoring == bench.Official {
		ask = askOfficial
	}
	var rounds []round
	var before *tally
	for r := range metric.EventRounds {
		one, err := ask(ctx, a, c, *caption, r, before)
		if err != nil {
			return nil, err
		}
		before = one.official
		rounds = append(rounds, one)
	}
	out := &captions.Result{Outcome: omniscope.OK}
	for r, one := range rounds {
		out.Outcome = captions.Worst(out.Outcome, one.outcome)
		if one.outcome != omniscope.OK && one.outcome != omniscope.Pending {
			out.Warn("clip %s, round %d: %s: %v", c.ID, r+1, one.outcome, one.err)
		}
	}
	for _, w := range ways {
		n := 0
		for _, one := range rounds {
			if one.how == w.how {
				n++
			}
		}
		out.Differ(w.how, n, w.official, w.strict)
	}
	if *caption == "" {
		allMissed(c, rounds)
		out.Outcome, out.Differences = omniscope.Abstained, nil
		out.Differ("empty caption", len(c.Facts), "asks the judge about it as about any other", "all events are missed")
	}
	finish(out, c, rounds)
	return out, nil
}

// unasked is the result of a missing or empty caption, about which the judge is not asked.
func unasked(c *captions.Clip[facts], caption *string) *captions.Result {
	out := &captions.Result{Outcome: omniscope.Missing}
	what, official := "clip without a caption", "the clip is left out"
	if caption != nil {
		out.Outcome = omniscope.Abstained
		what, official = "empty caption", "asks the judge all the same: run with --profile official to have it asked"
	}
	rounds := make([]round, metric.EventRounds)
	allMissed(c, rounds)
	out.Differ(what, len(c.Facts), official, "all events are missed")
	finish(out, c, rounds)
	return out
}

// allMissed replies in all rounds that a caption misses all events: that is what strict
// scoring makes of no caption.
func allMissed(c *captions.Clip[facts], rounds []round) {
	for r := range rounds {
		rounds[r].strict = &tally{missed: len(c.Facts)}
	}
}

// A record is a clip's line of clips.jsonl.
type record struct {
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

type numbers struct {
	Missed       int `json:"missed"`
	Incorrect    int `json:"incorrect"`
	Hallucinated int `json:"hallucinated"`
}

func (t *tally) record() *numbers {
	if t == nil {
		return nil
	}
	return &numbers{t.missed, t.incorrect, t.hallucinated}
}

// finish counts the rounds and writes the records.
func finish(out *captions.Result, c *captions.Clip[facts], rounds []round) {
	for _, p := range []bench.Scoring{bench.Official, bench.Strict} {
		out.Counts[p] = make(metric.Counts, len(metric.Events.Fields))
		out.Counts[p][metric.EventAll] = float64(len(c.Facts))
		for r, one := range rounds {
			t := one.official
			if p == bench.Strict {
				t = one.strict
			}
			if t == nil {
				continue
			}
			out.Counts[p][metric.EventAt(r, metric.EventJudged)] = float64(len(c.Facts))
			out.Counts[p][metric.EventAt(r, metric.EventMissed)] = float64(t.missed)
			out.Counts[p][metric.EventAt(r, metric.EventIncorrect)] = float64(t.incorrect)
			out.Counts[p][metric.EventAt(r, metric.EventHallucinated)] = float64(t.hallucinated)
		}
	}
	lines := record{Clip: c.ID, Events: len(c.Facts), Outcome: out.Outcome}
	table := document.Section{Title: "Rounds", Columns: []string{"round", "missed", "incorrect", "hallucinated"}}
	told, judged := 0.0, 0
	for r, one := range rounds {
		line := roundRecord{Official: one.official.record(), Strict: one.strict.record()}
		row := [][]document.Piece{cell(r + 1), {{Text: "unjudged", Tone: document.Dim}}, nil, nil}
		if t := one.strict; t != nil {
			line.Missed, line.Incorrect, line.Hallucinated = t.missedEvents, t.incorrectEvents, t.hallucinatedEvents
			row = [][]document.Piece{cell(r + 1), cell(t.missed), cell(t.incorrect), cell(t.hallucinated)}
			told += float64(len(c.Facts)-t.missed-t.incorrect) / float64(len(c.Facts))
			judged++
		}
		lines.Rounds, table.Rows = append(lines.Rounds, line), append(table.Rows, row)
	}
	if judged > 0 {
		told /= float64(judged)
		out.Good = &told
	}
	out.Record = lines
	out.Sections = append(named(lines.Rounds[0]), table, listed("Annotated events", c.Facts, document.Plain))
}

func cell(n int) []document.Piece { return []document.Piece{{Text: fmt.Sprint(n)}} }

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
		s.Rows = append(s.Rows, [][]document.Piece{{{Text: e, Tone: tone}}})
	}
	return s
}
