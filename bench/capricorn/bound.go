package capricorn

import (
	"slices"

	"omniscope/bench"
)

// Bound implements bench.Bounder. Every subject that two events name may need a
// grouping call, in strict scoring one for each scoring's list.
func (e *evaluation) Bound(i int) (bench.Bound, error) {
	var b bench.Bound
	if e.judge == nil {
		return b, nil
	}
	u, err := e.openUnit(i)
	if err != nil || u.unasked != "" {
		return b, err
	}
	e.known.fill(u)
	_, events := u.openEvents()
	if e.b.Batched {
		const words = 300 // about each keypoint of a reply
		b.RepairBytes = words * (len(events) + 1)
		for _, ev := range events {
			b.RepairBytes += len(listText(ev.subjects))
		}
	} else {
		b.Further = append(b.Further, e.repeated(u, events)...)
	}
	lists := 2
	if u.scoring == bench.Official {
		lists = 1
	}
	for _, s := range u.subjects {
		mentions := 0
		for _, ev := range u.v.events {
			if slices.Contains(ev.subjects, s) {
				mentions++
			}
		}
		if mentions > 1 {
			prompt := e.prompts.cluster.Fill("descriptions", "", "caption", u.v.caption)
			b.Further = append(b.Further, bench.Further{Questions: lists, Bytes: len(prompt), Replies: mentions, MaxTokens: e.judge.Params.MaxTokens})
		}
	}
	return b, nil
}

// repeated returns the further calls about events that share a step name. How
// often such a step is asked depends on the replies.
func (e *evaluation) repeated(u *unit, events []event) (out []bench.Further) {
	seen := make(map[string]bool)
	for _, ev := range events {
		q := e.prompts.eventQuestion(u.v, ev, 0)
		if seen[q.Step] {
			out = append(out, bench.Further{Questions: 1, Bytes: len(q.Messages[0].Parts[0].Text), MaxTokens: e.judge.Params.MaxTokens})
		}
		seen[q.Step] = true
	}
	return out
}
