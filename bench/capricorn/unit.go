package capricorn

import (
	"context"
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/parallel"
	"omniscope/model/judge"
)

// A unit collects the judge's answers about one video and turns them into counts.
type unit struct {
	v              *video
	scoring        bench.Scoring // decides which questions are asked
	batched        bool
	offline        bool        // the offline reader judges, without calls
	judged         []judgement // by index of the event
	firstEqual     []int       // index of the first event with the same text
	firstPublished []int       // the same among the events that the published scorer keeps; none for one that it drops
	unasked        string      // why the judge was not asked; "" = it was
	strictSkip     *skipReason // in a run of official: why strict scoring skips the video; nil = it does not

	subjects []string             // in order of appearance
	official map[string]*grouping // by subject
	strict   map[string]*grouping
	crash    string // why the published scorer raises an error and drops the video; "" = it does not

	outcome     omniscope.Outcome
	differences []bench.UnitDifference
}

// A skipReason says why a scoring does not ask about a video, and the outcome.
type skipReason struct {
	what    string // the difference's name
	outcome omniscope.Outcome
}

func newUnit(v *video, scoring bench.Scoring, batched bool) *unit {
	u := &unit{v: v, scoring: scoring, batched: batched, judged: make([]judgement, len(v.events)),
		firstEqual: make([]int, len(v.events)), firstPublished: make([]int, len(v.events))}
	first, kept := make(map[string]int), make(map[string]int)
	for i, ev := range v.events {
		u.firstEqual[i] = firstOf(first, ev.text, i)
		if u.firstPublished[i] = none; !ev.nameless() {
			u.firstPublished[i] = firstOf(kept, ev.text, i)
		}
		for _, s := range ev.subjects {
			if !slices.Contains(u.subjects, s) {
				u.subjects = append(u.subjects, s)
			}
		}
	}
	return u
}

// firstOf returns the index at which a text was first seen, and records place if
// the text is new.
func firstOf(seen map[string]int, text string, place int) int {
	if _, known := seen[text]; !known {
		seen[text] = place
	}
	return seen[text]
}

// openEvents returns the events that still need a question, and their indexes.
// Only official in single mode asks again about an event with the same text.
func (u *unit) openEvents() (places []int, events []event) {
	for i, ev := range u.v.events {
		if again := u.scoring == bench.Official && !u.batched; !u.judged[i].asked && (again || u.firstEqual[i] == i) {
			places, events = append(places, i), append(events, ev)
		}
	}
	return places, events
}

// atOnce is how many questions of one video are asked at a time. The limiter
// (model/wrap) bounds the calls of all videos.
const atOnce = 8

// askEvents asks about every event that has no judgement yet.
func (u *unit) askEvents(ctx context.Context, e *evaluation) error {
	if u.batched {
		return u.askBatch(ctx, e)
	}
	open, _ := u.openEvents()
	byStep := make(map[string][]int) // open places by the name of their call
	for _, i := range open {
		step := stepOf(u.v.id, u.v.events[i])
		byStep[step] = append(byStep[step], i)
	}
	err := parallel.Calls(atOnce, len(open), func(k int) error {
		places := byStep[stepOf(u.v.id, u.v.events[open[k]])]
		if places[0] != open[k] {
			return nil // asked with the first of its name
		}
		return u.askEqual(ctx, e, places)
	})
	if err != nil {
		return err
	}
	u.copyEqual()
	return nil
}

// askEqual asks about events whose calls share one step name, one after another.
func (u *unit) askEqual(ctx context.Context, e *evaluation, places []int) error {
	asked := 0
	for _, k := range places {
		q := e.prompts.eventQuestion(u.v, u.v.events[k], asked)
		read, kept := q.Read, keeper{strict: u.scoring == bench.Strict}
		q.Read = func(reply string) (judgement, error) {
			j, err := read(reply)
			return j, kept.take(j, err)
		}
		answer, err := judge.Ask(ctx, e.judge, q)
		if err != nil {
			return err
		}
		asked += len(answer.Attempts)
		j := answer.Value
		if answer.Outcome != omniscope.OK {
			j = judgement{asked: true, reason: reasonUnusable(answer.Attempts)}
		}
		j.outcome, j.attempts = answer.Outcome, len(answer.Attempts)
		u.judged[k] = kept.judgement(j)
	}
	return nil
}

// reasonUnusable returns why the last attempt's reply could not be used.
func reasonUnusable(attempts []judge.Attempt) string {
	if err := attempts[len(attempts)-1].Err; err != nil {
		return err.Error()
	}
	return ""
}

// copyEqual gives events without a question of their own the judgement of the
// first event with the same text.
func (u *unit) copyEqual() {
	for i, first := range u.firstEqual {
		if first != i && !u.judged[i].asked {
			u.judged[i] = u.judged[first]
			u.judged[i].asked = false
		}
	}
}

// askBatch asks about all events in one call.
func (u *unit) askBatch(ctx context.Context, e *evaluation) error {
	places, events := u.openEvents()
	if len(events) == 0 {
		u.copyEqual()
		return nil
	}
	found, kept := make(map[int]judgement), make([]keeper, len(events))
	for i := range kept {
		kept[i].strict = u.scoring == bench.Strict
	}
	answer, err := judge.Ask(ctx, e.batchJudge(len(events)), e.batchQuestion(u.v, events, found, kept))
	if err != nil {
		return err
	}
	for i, place := range places {
		j, ok := found[i]
		if !ok {
			j = judgement{asked: true, outcome: answer.Outcome, reason: reasonUnusable(answer.Attempts)}
		}
		j.attempts = len(answer.Attempts)
		u.judged[place] = kept[i].judgement(j)
	}
	u.copyEqual()
	return nil
}

// mentions returns a subject's descriptions, one for each event that is
// mentioned. As published, that includes repeated events and nulls.
func (u *unit) mentions(subject string, m mends) []*description {
	var out []*description
	for i, ev := range u.v.events {
		j := u.judgementFor(i, m)
		if !slices.Contains(ev.subjects, subject) || !j.mentioned() {
			continue
		}
		d := j.descriptions[subject]
		if m.repeated && u.firstEqual[i] != i || m.null && d == nil {
			continue
		}
		out = append(out, d)
	}
	return out
}

// askGroups asks the judge to group the descriptions of each subject that is
// mentioned more than once.
func (u *unit) askGroups(ctx context.Context, e *evaluation) error {
	type both struct{ official, strict *grouping }
	found := make([]both, len(u.subjects))
	err := parallel.Calls(atOnce, len(u.subjects), func(i int) (err error) {
		found[i].official, found[i].strict, err = u.groupSubject(ctx, e, u.subjects[i])
		return err
	})
	u.official, u.strict = make(map[string]*grouping), make(map[string]*grouping)
	for i, s := range u.subjects {
		u.official[s], u.strict[s] = found[i].official, found[i].strict
	}
	return err
}

// groupSubject asks about one subject. If the scorings have different lists of
// descriptions, a run in strict scoring asks about both lists.
func (u *unit) groupSubject(ctx context.Context, e *evaluation, s string) (official, strict *grouping, err error) {
	whole, mended := u.mentions(s, published), u.mentions(s, mended)
	if official, err = u.group(ctx, e, s, whole, 0); err != nil {
		return nil, nil, err
	}
	switch {
	case sameDescriptions(whole, mended):
		return official, official, nil
	case u.scoring == bench.Strict || u.offline:
		strict, err = u.group(ctx, e, s, mended, official.attempts)
		return official, strict, err
	case len(mended) > 1:
		return official, &grouping{descriptions: mended, failed: true, unasked: true}, nil
	}
	return official, &grouping{descriptions: mended}, nil
}

// group asks about one list of descriptions. Both lists of a subject share one
// step name; asked is the number of attempts that the first list used.
func (u *unit) group(ctx context.Context, e *evaluation, subject string, descriptions []*description, asked int) (*grouping, error) {
	g := &grouping{descriptions: descriptions}
	if len(descriptions) < 2 {
		return g, nil
	}
	if known := e.known.group(u.v.id, subject, descriptions); known != nil {
		return known, nil
	}
	if e.judge == nil {
		g.groups = groupOffline(descriptions)
		return g, nil
	}
	answer, err := judge.Ask(ctx, e.judge, e.prompts.clusterQuestion(u.v, subject, descriptions, asked))
	if err != nil {
		return nil, err
	}
	g.asked, g.attempts, g.groups = true, len(answer.Attempts), answer.Value
	g.failed, g.outcome = answer.Outcome != omniscope.OK, answer.Outcome
	if g.failed {
		g.reason = reasonUnusable(answer.Attempts)
	}
	return g, nil
}
