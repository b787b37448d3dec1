// Package claims has people audit captions: they say of each claim of a caption whether the clip
// supports it, as `omniscope audit` does by models and tools. Claims are the same, so that people and machine can be compared.
package claims

import (
	"slices"

	"omniscope/people"
)

// name is the name of this kind of work.
const name = "claims"

// The stages.
const (
	check  = "check"  // several people, each by themselves
	settle = "settle" // a senior, where those differ
)

// section is the first part of the keys of answers; the second is the claim's id.
const section = "claim"

// keyOf is the key of the answer to a claim.
func keyOf(claim string) string { return section + "/" + claim }

// Fields of an answer.
const (
	fieldDecision = "verdict"
	fieldWhy      = "why"
)

// A decision is whether a clip supports a claim.
type decision string

// The decisions. The machine's audit has the same.
const (
	supported    decision = "supported"
	contradicted decision = "contradicted"
	unsupported  decision = "unsupported" // undecided
	none         decision = ""            // not judged
)

// decisionValues are all of them except none, in the order of their keys.
var decisionValues = []decision{supported, contradicted, unsupported}

var choices = []people.Choice{
	{Value: string(supported), Label: "Supported", Help: "the clip shows or says it"},
	{Value: string(contradicted), Label: "Contradicted", Help: "the clip shows or says otherwise"},
	{Value: string(unsupported), Label: "Cannot tell", Help: "the clip neither supports nor contradicts it"},
}

// An auditReport is a caption with its claims. It is the payload of an item.
type auditReport struct {
	Clip    string        `json:"clip"`
	StartS  float64       `json:"start_s,omitempty"` // of the stretch that the caption is of
	EndS    float64       `json:"end_s,omitempty"`   // 0 = to the end
	Caption string        `json:"caption"`
	Claims  []claimRecord `json:"claims"`

	media people.Media // the file that was audited
}

// A claimRecord is one thing that a caption states.
type claimRecord struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Machine decision `json:"machine,omitempty"` // "" = no observer answered
}

// auditOf reads the audit of an item.
var auditOf = people.Payload[auditReport]("audit")

// Kind is the audit of claims.
var Kind = people.ByStage(people.Kind{
	Info: people.Info{
		Name:  name,
		About: "Judge whether the clip supports each claim of a caption",
		Long: `People see a clip and the claims of a caption of it, and say of each: supported, contradicted, or cannot tell (unsupported). Several
people check each caption by themselves; a senior settles the claims on which they differ. What the machine found is not
shown. Wanted: audits of captions, audits.jsonl of ` + "`omniscope audit`" + `. They
name the audited file and its SHA-256: people are shown that file and no other.`,
		Examples: `  omniscope people new claims claims --audits omniscope-work/runs/RUN/audits.jsonl
  omniscope people new claims claims --audits audits.jsonl --people 3`,
		Fixed: true,
	},
	Maker:   func() people.Maker { return newMaker() },
	Exports: []people.Export{{Name: "verdicts", File: "verdicts.jsonl", About: "each claim with the verdicts of people and machine", Write: people.Writing(results, people.WriteLines)}},
	Tables:  tables,
}, auditOf, map[string]people.StageWork[auditReport]{
	check: {Form: form},
	settle: {Form: form, Skip: func(c *people.WorkItem, a *auditReport) (bool, error) { // people agree on all of its claims
		checked := c.At(check)
		return !slices.ContainsFunc(a.Claims, func(claim claimRecord) bool { return differ(checked, claim.ID) }), nil
	}},
})

// form holds neither decisions nor evidence of the machine: people are to judge by themselves.
func form(c *people.WorkItem, a *auditReport) (*people.Form, error) {
	caption := people.Text{Title: "Caption", Body: a.Caption}
	if a.StartS > 0 || a.EndS > 0 {
		caption.Start = &a.StartS
	}
	if a.EndS > 0 {
		caption.End = &a.EndS
	}
	s := people.Section{Name: section, Title: "Claims", Fields: []people.Field{
		{Name: fieldDecision, Label: "What does the clip say to it?", Type: people.Choose, Choices: choices},
		{Name: fieldWhy, Label: "Why, or when in the clip?", Type: people.Words, Optional: true, Max: 500},
	}}
	checked := c.At(check)
	for _, claim := range a.Claims {
		card := people.Card{ID: claim.ID, Title: claim.Text}
		if c.Stage.Name == settle {
			if !differ(checked, claim.ID) {
				continue
			}
			card.Texts = said(checked, claim.ID)
		}
		s.Cards = append(s.Cards, card)
	}
	return &people.Form{PlayFirst: true, Texts: []people.Text{caption}, Sections: []people.Section{s}}, nil
}

// said is what those who checked a claim said of it, by their letters.
func said(checked []people.Done, claim string) []people.Text {
	return people.ByLetter(checked, func(d *people.Done) string {
		v := d.Answers[keyOf(claim)]
		body := labelOf(v.Text(fieldDecision))
		if why := v.Text(fieldWhy); why != "" {
			body += ": " + why
		}
		return body
	})
}

func labelOf(verdict string) string {
	for _, c := range choices {
		if c.Value == verdict {
			return c.Label
		}
	}
	return verdict
}

// differ reports whether people who checked a claim do not all say the same of it.
func differ(checked []people.Done, claim string) bool {
	return slices.ContainsFunc(checked, func(d people.Done) bool {
		return decisionOf(d, claim) != decisionOf(checked[0], claim)
	})
}

func decisionOf(d people.Done, claim string) decision {
	return decision(d.Answers[keyOf(claim)].Text(fieldDecision))
}
