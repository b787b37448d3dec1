package claims

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"omniscope"
	"omniscope/people"
)

// A Checked claim is what people say of a claim.
type Checked struct {
	Item      string              `json:"item"`
	Clip      string              `json:"clip"` // as the audit names it
	Claim     string              `json:"claim"`
	Text      string              `json:"text"`
	Decisions map[string]Decision `json:"verdicts"`          // by person, of the stage Check
	Final     Decision            `json:"final,omitempty"`   // None = not checked by all, or not settled yet
	Settled   string              `json:"settled,omitempty"` // who settled it; "" = nobody had to
	Machine   Decision            `json:"machine,omitempty"` // None = not judged

	cluster string // of the clip
}

// Results are the claims that somebody checked, in the order of their captions.
func Results(ctx context.Context, w *people.Workplace) (out []Checked, err error) {
	project := w.Project()
	stage := project.Stage(Check)
	if stage == nil {
		return nil, omniscope.Invalidf("the project has no stage %q", Check)
	}
	for _, id := range w.Items() {
		checked, err := w.Done(ctx, id, Check)
		if err != nil {
			return nil, err
		}
		if len(checked) == 0 {
			continue
		}
		settled, err := w.Done(ctx, id, Settle)
		if err != nil {
			return nil, err
		}
		item, err := w.Item(ctx, id)
		if err != nil {
			return nil, err
		}
		a, err := AuditOf(item)
		if err != nil {
			return nil, err
		}
		for _, claim := range a.Claims {
			c := Checked{Item: id, Clip: a.Clip, Claim: claim.ID, Text: claim.Text, Machine: claim.Machine, Decisions: make(map[string]Decision), cluster: item.Clip}
			for _, d := range checked {
				c.Decisions[d.Person] = decisionOf(d, claim.ID)
			}
			c.conclude(checked, settled, stage.People)
			out = append(out, c)
		}
	}
	return out, nil
}

// conclude sets the final decision: that of those who checked the claim where all say the same, else
// that of who settled it.
func (c *Checked) conclude(checked, settled []people.Done, wanted int) {
	if len(checked) >= wanted && !differ(checked, c.Claim) {
		c.Final = decisionOf(checked[0], c.Claim)
		return
	}
	for _, d := range settled {
		if v := decisionOf(d, c.Claim); v != None {
			c.Final, c.Settled = v, d.Person
		}
	}
}

// Exports implements people.Kind.
func (Kind) Exports() []people.Export {
	return []people.Export{{Name: "verdicts", File: "verdicts.jsonl", About: "each claim with the verdicts of people and machine", Write: func(ctx context.Context, w *people.Workplace, to io.Writer) error {
		checked, err := Results(ctx, w)
		if err != nil {
			return err
		}
		return WriteDecisions(to, checked)
	}}}
}

// WriteVerdicts writes a line of JSON for each claim.
func WriteDecisions(to io.Writer, checked []Checked) error {
	out := json.NewEncoder(to)
	out.SetEscapeHTML(false)
	for i := range checked {
		if err := out.Encode(&checked[i]); err != nil {
			return err
		}
	}
	return nil
}

// times are how long people worked on captions that they checked, by person.
func times(w *people.Workplace) map[string][]time.Duration {
	out := make(map[string][]time.Duration)
	for _, t := range w.Tasks() {
		if t.Stage == Check && t.State == people.Submitted {
			out[t.Person] = append(out[t.Person], t.Active)
		}
	}
	return out
}
