package capricorn

import (
	"context"
	"slices"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/judge"
)

// A unit is one video on its way from the judge's answers to counts.
type unit struct {
	v       *video
	profile bench.Profile // whose questions are asked
	batched bool
	judged  []judgement // by place of the event
	equal   []int       // place of the first event of the same text
	unasked string      // why nobody was asked; "" = the judge was

	subjects []string             // in order of appearance
	official map[string]*grouping // by subject
	strict   map[string]*grouping
	crash    string // why the published scorer drops the video; "" = it does not

	outcome     omniscope.Outcome
	differences []bench.UnitDifference
}

func newUnit(v *video, profile bench.Profile, batched bool) *unit {
	u := &unit{v: v, profile: profile, batched: batched, judged: make([]judgement, len(v.events)), equal: make([]int, len(v.events))}
	first := make(map[string]int)
	for i, ev := range v.events {
		at, known := first[ev.text]
		if !known {
			at = i
			first[ev.text] = i
		}
		u.equal[i] = at
		for _, s := range ev.subjects {
			if !slices.Contains(u.subjects, s) {
				u.subjects = append(u.subjects, s)
			}
		}
	}
	if profile == bench.Strict {
		for i := range v.events { // an event of subjects that names none is an event like any other
			v.events[i].plain = len(v.events[i].subjects) == 0
		}
	}
	return u
}

// atOnce is how many questions of one video are asked at a time. How many of
// all are on the wire is the limiter's business.
const atOnce = 8

// askEvents asks about every event that nothing is known of yet. Official asks
// about equal events again, strict does not.
func (u *unit) askEvents(ctx context.Context, e *evaluation) error {
	if u.batched {
		return u.askBatch(ctx, e)
	}
	turns := make(chan struct{}, atOnce)
	errs := make(chan error, len(u.v.events))
	var asking sync.WaitGroup
	for i := range u.v.events {
		if u.equal[i] != i || u.judged[i].asked {
			continue
		}
		turns <- struct{}{}
		asking.Go(func() {
			defer func() { <-turns }()
			if err := u.askEqual(ctx, e, i); err != nil {
				errs <- err
			}
		})
	}
	asking.Wait()
	close(errs)
	if err := <-errs; err != nil {
		return err
	}
	u.copyEqual()
	return nil
}

// askEqual asks about event i and, in profile official, about those equal to
// it, one after another: they share the name of their call.
func (u *unit) askEqual(ctx context.Context, e *evaluation, i int) error {
	asked := 0
	for k := i; k < len(u.v.events); k++ {
		if u.equal[k] != i || k > i && u.profile == bench.Strict {
			continue
		}
		answer, err := judge.Ask(ctx, e.judge, e.prompts.eventQuestion(u.v, u.v.events[k], asked))
		if err != nil {
			return err
		}
		asked += len(answer.Attempts)
		j := answer.Value
		if answer.Outcome != omniscope.OK {
			j = judgement{asked: true}
		}
		j.outcome, j.attempts = answer.Outcome, len(answer.Attempts)
		u.judged[k] = j
	}
	return nil
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
	var places []int
	var events []event
	for i := range u.v.events {
		if u.equal[i] == i && !u.judged[i].asked {
			places, events = append(places, i), append(events, u.v.events[i])
		}
	}
	if len(events) == 0 {
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
			j = judgement{asked: true, outcome: answer.Outcome}
		}
		j.attempts = len(answer.Attempts)
		u.judged[place] = j
	}
	u.copyEqual()
	return nil
}

// mentions are a subject's descriptions. official takes those of every event,
// null among them; strict takes each event once, and what is there.
func (u *unit) mentions(subject string, official bool) []*string {
	var out []*string
	for i, ev := range u.v.events {
		if !slices.Contains(ev.subjects, subject) || !u.judged[i].mentioned() {
			continue
		}
		d := u.judged[i].descriptions[subject]
		if official || d != nil && u.equal[i] == i {
			out = append(out, d)
		}
	}
	return out
}

// askGroups asks, for each subject that is mentioned more than once, which of
// its descriptions are of one subject. Where the profiles see other lists, a
// run in profile strict asks about both.
func (u *unit) askGroups(ctx context.Context, e *evaluation) error {
	u.official, u.strict = make(map[string]*grouping), make(map[string]*grouping)
	for _, s := range u.subjects {
		whole, mended := u.mentions(s, true), u.mentions(s, false)
		same := slices.EqualFunc(whole, mended, func(a, b *string) bool { return keyOf(a) == keyOf(b) })
		var err error
		if u.official[s], err = u.group(ctx, e, s, whole); err != nil {
			return err
		}
		switch {
		case same:
			u.strict[s] = u.official[s]
		case u.profile == bench.Strict:
			if u.strict[s], err = u.group(ctx, e, s, mended); err != nil {
				return err
			}
		case len(mended) > 1:
			u.strict[s] = &grouping{descriptions: mended, failed: true, unasked: true}
		default:
			u.strict[s] = &grouping{descriptions: mended}
		}
	}
	return nil
}

func (u *unit) group(ctx context.Context, e *evaluation, subject string, descriptions []*string) (*grouping, error) {
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
	answer, err := judge.Ask(ctx, e.judge, e.prompts.clusterQuestion(u.v, subject, descriptions, 0))
	if err != nil {
		return nil, err
	}
	g.asked, g.attempts, g.groups = true, len(answer.Attempts), answer.Value
	g.failed = answer.Outcome != omniscope.OK
	return g, nil
}
