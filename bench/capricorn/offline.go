package capricorn

import (
	"fmt"

	"omniscope"
	"omniscope/model/judge/baseline"
)

// offlineReader is the version of the offline reader; it is part of the signature
// of its scores. Count it up when a change can alter a judgement.
const offlineReader = "words3"

// readOffline judges by words alone. It is a baseline: its scores do not
// compare with published ones.
func (u *unit) readOffline() {
	caption := baseline.NewCaption(u.v.caption)
	for i, ev := range u.v.events {
		if u.firstEqual[i] != i || u.judged[i].asked {
			continue
		}
		m := caption.Find(ev.text, len(ev.subjects))
		j := judgement{asked: true, outcome: omniscope.OK, verdict: omniscope.NotGiven, quote: m.Quote}
		switch m.Status {
		case baseline.Fully:
			j.verdict = omniscope.Correct
		case baseline.Partly:
			j.verdict = omniscope.Partial
		}
		if len(ev.subjects) > 0 {
			j.descriptions = make(map[string]*description)
			for k, s := range ev.subjects {
				j.descriptions[s] = nil
				if j.mentioned() && m.Subjects[k] != "" {
					j.descriptions[s] = &description{text: m.Subjects[k]}
				}
			}
		}
		u.judged[i] = j
	}
	u.copyEqual()
}

// groupOffline groups descriptions by the words that they share.
func groupOffline(descriptions []*description) []group {
	var texts []string
	var places []int
	for i, d := range descriptions {
		if d != nil {
			texts, places = append(texts, d.text), append(places, i)
		}
	}
	var out []group
	for _, members := range baseline.Group(texts) {
		g := group{name: fmt.Sprintf("category_%d", len(out)+1)}
		for _, m := range members {
			g.descriptions = append(g.descriptions, descriptions[places[m]])
		}
		out = append(out, g)
	}
	return out
}
