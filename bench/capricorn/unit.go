package capricorn

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/bench"
	"omniscope/judge"
)

// A unit is one video on its way from the judge's answers to counts.
type unit struct {
	v       *video
	profile bench.Profile // whose questions are asked
	batched bool
	offline bool        // nobody is asked: the offline reader judges
	judged  []judgement // by place of the event
	equal   []int       // place of the first event of the same text
	kept    []int       // the same among those that the published scorer keeps; none for one that it loses
	unasked string      // why nobody was asked; "" = the judge was
	aside   *leaving    // why profile strict would not have asked, in a run of official; nil = it would

	subjects []string             // in order of appearance
	official map[string]*grouping // by subject
	strict   map[string]*grouping
	crash    string // why the published scorer drops the video; "" = it does not

	outcome     omniscope.Outcome
	differences []bench.UnitDifference
}

// A leaving is why a profile leaves a video unasked, and what that makes of it.
type leaving struct {
	what    string // the difference's name
	outcome omniscope.Outcome
}

func newUnit(v *video, profile bench.Profile, batched bool) *unit {
	u := &unit{v: v, profile: profile, batched: batched, judged: make([]judgement, len(v.events)),
		equal: make([]int, len(v.events)), kept: make([]int, len(v.events))}
	first, kept := make(map[string]int), make(map[string]int)
	for i, ev := range v.events {
		u.equal[i] = firstOf(first, ev.text, i)
		if u.kept[i] = none; !ev.nameless() {
			u.kept[i] = firstOf(kept, ev.text, i)
		}
		for _, s := range ev.subjects {
			if !slices.Contains(u.subjects, s) {
				u.subjects = append(u.subjects, s)
			}
		}
	}
	return u
}

// firstOf is the first place that a text was seen at, which may be this.
func firstOf(seen map[string]int, text string, place int) int {
	if _, known := seen[text]; !known {
		seen[text] = place
	}
	return seen[text]
}

// open are the events that are still to be asked about, and their places.
// Official asks about equal events again, strict does not, nor does one call
// for all of them.
func (u *unit) open() (places []int, events []event) {
	for i, ev := range u.v.events {
		if again := u.profile == bench.Official && !u.batched; !u.judged[i].asked && (again || u.equal[i] == i) {
			places, events = append(places, i), append(events, ev)
		}
	}
	return places, events
}

// atOnce is how many questions of one video are asked at a time. How many of
// all are on the wire is the limiter's business.
const atOnce = 8

// askEvents asks about every event that nothing is known of yet.
func (u *unit) askEvents(ctx context.Context, e *evaluation) error {
	if u.batched {
		return u.askBatch(ctx, e)
	}
	open, _ := u.open()
	byStep := make(map[string][]int) // open places by the name of their call
	for _, i := range open {
		step := stepOf(u.v.id, u.v.events[i])
		byStep[step] = append(byStep[step], i)
	}
	err := several(len(open), func(k int) error {
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

// several does n things, atOnce at a time, and returns the first error, after
// which it begins no other.
func several(n int, do func(i int) error) error {
	group, going := errgroup.WithContext(context.Background())
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error {
			if going.Err() != nil {
				return nil
			}
			return do(i)
		})
	}
	return group.Wait()
}

// askEqual asks about events that share the name of their call, one after
// another.
func (u *unit) askEqual(ctx context.Context, e *evaluation, places []int) error {
	asked := 0
	for _, k := range places {
		answer, err := judge.Ask(ctx, e.judge, e.prompts.eventQuestion(u.v, u.v.events[k], asked))
		if err != nil {
			return err
		}
		asked += len(answer.Attempts)
		j := answer.Value
		if answer.Outcome != omniscope.OK {
			j = judgement{asked: true, reason: reasonUnusable(answer.Attempts)}
		}
		j.outcome, j.attempts = answer.Outcome, len(answer.Attempts)
		u.judged[k] = j
	}
	return nil
}

// reasonUnusable is why the last asking brought nothing that can be used.
func reasonUnusable(attempts []judge.Attempt) string {
	if err := attempts[len(attempts)-1].Err; err != nil {
		return err.Error()
	}
	return ""
}

// copyEqual gives events that nobody was asked about the judgement of the first
// event of their text.
func (u *unit) copyEqual() {
	for i, first := range u.equal {
		if first != i && !u.judged[i].asked {
			u.judged[i] = u.judged[first]
			u.judged[i].asked = false
		}
	}
}

// askBatch asks about all events in one call.
func (u *unit) askBatch(ctx context.Context, e *evaluation) error {
	places, events := u.open()
	if len(events) == 0 {
		u.copyEqual()
		return nil
	}
	found := make(map[int]judgement)
	answer, err := judge.Ask(ctx, e.batchJudge(len(events)), e.prompts.batchQuestion(u.v, events, found))
	if err != nil {
		return err
	}
	for i, place := range places {
		j, ok := found[i]
		if !ok {
			j = judgement{asked: true, outcome: answer.Outcome, reason: reasonUnusable(answer.Attempts)}
		}
		j.attempts = len(answer.Attempts)
		u.judged[place] = j
	}
	u.copyEqual()
	return nil
}

// mentions are a subject's descriptions: as published those of every event,
// null among them.
func (u *unit) mentions(subject string, m mends) []*description {
	var out []*description
	for i, ev := range u.v.events {
		if !slices.Contains(ev.subjects, subject) || !u.judged[i].mentioned() {
			continue
		}
		d := u.judged[i].descriptions[subject]
		if m.repeated && u.equal[i] != i || m.null && d == nil {
			continue
		}
		out = append(out, d)
	}
	return out
}

// askGroups asks, for each subject that is mentioned more than once, which of
// its descriptions are of one subject.
func (u *unit) askGroups(ctx context.Context, e *evaluation) error {
	type both struct{ official, strict *grouping }
	found := make([]both, len(u.subjects))
	err := several(len(u.subjects), func(i int) (err error) {
		found[i].official, found[i].strict, err = u.groupSubject(ctx, e, u.subjects[i])
		return err
	})
	u.official, u.strict = make(map[string]*grouping), make(map[string]*grouping)
	for i, s := range u.subjects {
		u.official[s], u.strict[s] = found[i].official, found[i].strict
	}
	return err
}

// groupSubject asks about one subject. Where the profiles see other lists, a
// run in profile strict asks about both.
func (u *unit) groupSubject(ctx context.Context, e *evaluation, s string) (official, strict *grouping, err error) {
	whole, mended := u.mentions(s, published), u.mentions(s, mended)
	if official, err = u.group(ctx, e, s, whole, 0); err != nil {
		return nil, nil, err
	}
	switch {
	case sameDescriptions(whole, mended):
		return official, official, nil
	case u.profile == bench.Strict || u.offline:
		strict, err = u.group(ctx, e, s, mended, official.attempts)
		return official, strict, err
	case len(mended) > 1:
		return official, &grouping{descriptions: mended, failed: true, unasked: true}, nil
	}
	return official, &grouping{descriptions: mended}, nil
}

// group asks about one list of descriptions. Both lists of a subject share the
// name of their call, of which the first may have used up attempts.
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
