package claims

import (
	"context"
	"time"

	"omniscope"
	"omniscope/people"
)

// A checkedClaim claim is what people say of a claim.
type checkedClaim struct {
	Item      string              `json:"item"`
	Clip      string              `json:"clip"` // as the audit names it
	Claim     string              `json:"claim"`
	Text      string              `json:"text"`
	Decisions map[string]decision `json:"verdicts"`          // by person, of the stage Check
	Final     decision            `json:"final,omitempty"`   // "" = not checked by all, or not settled yet
	Settled   string              `json:"settled,omitempty"` // who settled it; "" = nobody had to
	Machine   decision            `json:"machine,omitempty"` // "" = not judged

	cluster string // of the clip
}

// results are the claims that somebody checked, in the order of their captions.
func results(ctx context.Context, w *people.Workplace) (out []checkedClaim, err error) {
	project := w.Project()
	stage := project.Stage(check)
	if stage == nil {
		return nil, omniscope.Invalidf("the project has no stage %q", check)
	}
	err = people.EachDone(ctx, w, auditOf, func(item *people.Item, a *auditReport, done map[string][]people.Done) error {
		checked := done[check]
		for _, claim := range a.Claims {
			c := checkedClaim{Item: item.ID, Clip: a.Clip, Claim: claim.ID, Text: claim.Text, Machine: claim.Machine, Decisions: make(map[string]decision), cluster: item.Clip}
			for _, d := range checked {
				c.Decisions[d.Person] = decisionOf(d, claim.ID)
			}
			c.conclude(checked, done[settle], stage.People)
			out = append(out, c)
		}
		return nil
	}, check, settle)
	return out, err
}

// conclude sets the final decision: the common decision of all checkers where they agree, else
// that of who settled it.
func (c *checkedClaim) conclude(checked, settled []people.Done, wanted int) {
	if len(checked) >= wanted && !differ(checked, c.Claim) {
		c.Final = decisionOf(checked[0], c.Claim)
		return
	}
	for _, d := range settled {
		if v := decisionOf(d, c.Claim); v != none {
			c.Final, c.Settled = v, d.Person
		}
	}
}

// times are how long people worked on captions that they checked, by person.
func times(w *people.Workplace) map[string][]time.Duration {
	out := make(map[string][]time.Duration)
	for _, t := range w.Tasks() {
		if t.Stage == check && t.Counts() {
			out[t.Person] = append(out[t.Person], t.Active)
		}
	}
	return out
}
