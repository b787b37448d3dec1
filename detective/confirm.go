package detective

import (
	"context"
	"fmt"
	"strings"

	"omniscope"
	"omniscope/detective/claims"
	"omniscope/internal/brief"
	"omniscope/perceive"
)

// A Confirmation is what another observer says of a claim that rests on one.
type Confirmation struct {
	Claim    string `json:"claim"`    // a sentence of an observation
	Evidence string `json:"evidence"` // id of that observation
	Say             // of the other observer
}

// saysSame is the share of a claim's words from which on an observation says the same.
const saysSame = 0.7

// confirm puts claims that rest on one observer to another observer, in the order of the ledger, at most
// c.Confirm of them. The question is that of audits: it tells neither who made the claim nor whether it is
// believed. A claim that no other observer can see or hear is left out.
func (w *session) confirm(ctx context.Context, c *Investigation) error {
	for i := range c.Ledger {
		e := &c.Ledger[i]
		first := c.tool(e.Tool)
		if e.Kind != perceive.Reported || first == nil {
			continue
		}
		other := c.another(first.Info())
		if other == nil {
			continue
		}
		for _, claim := range claims.Sentences(e.What) {
			if len(c.Confirmations) == c.Confirm {
				return nil
			}
			if c.witnessed(e, first.Info(), claim) {
				continue
			}
			if err := w.confirmOne(ctx, c, e, other, claim); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *session) confirmOne(ctx context.Context, c *Investigation, e *Evidence, other perceive.Tool, claim string) error {
	name := other.Info().Name
	step := fmt.Sprintf("%s/confirm-%d/%s", c.name(), len(c.Confirmations)+1, name)
	say, err := askClaim(c.Prompts, claim, name, confirmAttempts, func(question string) (*answer, error) {
		return w.callOrReplayFailure(ctx, c, other, Inquiry{Tool: name, Question: question}, step)
	})
	if err != nil {
		return err
	}
	c.Confirmations = append(c.Confirmations, Confirmation{Claim: claim, Evidence: e.ID, Say: say})
	return nil
}

const confirmAttempts = 2

// another returns an observer of another model that can see or hear what the first one can; nil = there is
// none. The same model with other senses would only repeat itself.
func (c *Investigation) another(first perceive.Info) perceive.Tool {
	for _, t := range c.Offered() {
		if info := t.Info(); info.Asks && info.Model != first.Model && claims.Fits(info.Modality, first.Modality) {
			return t
		}
	}
	return nil
}

// witnessed reports whether an observer of another model says the same already.
func (c *Investigation) witnessed(e *Evidence, of perceive.Info, claim string) bool {
	own := claims.Words(claim)
	for i := range c.Ledger {
		other := &c.Ledger[i]
		t := c.tool(other.Tool)
		if other.Tool == e.Tool || t == nil || t.Info().Asks && t.Info().Model == of.Model {
			continue
		}
		if claims.Share(own, claims.Words(other.What)) >= saysSame {
			return true
		}
	}
	return false
}

// contradicted are the confirmations that failed, by the id of what they contradict.
func (c *Investigation) contradicted() map[string]*Confirmation {
	found := make(map[string]*Confirmation)
	for i := range c.Confirmations {
		if x := &c.Confirmations[i]; x.Support == Contradicted && found[x.Evidence] == nil {
			found[x.Evidence] = x
		}
	}
	return found
}

// describeConfirmations returns the text about the confirmations that the planner reads before it
// writes the caption; "" = nothing was confirmed.
func (c *Investigation) describeConfirmations() string {
	if len(c.Confirmations) == 0 {
		return ""
	}
	lines := make([]string, len(c.Confirmations))
	for i := range c.Confirmations {
		x := &c.Confirmations[i]
		lines[i] = fmt.Sprintf("[%s] “%s” %s: %s", x.Evidence, brief.OneLine(x.Claim), x.Tool, x.result())
	}
	return fill(c.Prompts.confirm, "confirmations", strings.Join(lines, "\n"))
}

func (x *Confirmation) result() string {
	switch {
	case x.Outcome != omniscope.OK:
		return fmt.Sprintf("could not answer (%s)", x.Outcome)
	case x.Support == Unsupported:
		return "cannot tell"
	case x.Why != "":
		return fmt.Sprintf("%s. %s", x.Support, brief.OneLine(x.Why))
	}
	return string(x.Support)
}

// dispute marks the sentences of a caption that rest on what another observer contradicts.
func (c *Investigation) dispute(caption *Caption) {
	against := c.contradicted()
	for i := range caption.Sentences {
		if caption.Sentences[i].Dissent {
			continue
		}
		for _, id := range caption.Sentences[i].Evidence {
			if against[id] != nil {
				caption.Sentences[i].Disputed = true
			}
		}
	}
}

// tellDisputes adds to sentences made by rules what another observer says against them.
func (c *Investigation) tellDisputes(sentences []Sentence) []Sentence {
	against := c.contradicted()
	told := make([]Sentence, 0, len(sentences))
	for _, s := range sentences {
		told = append(told, s)
		for _, id := range s.Evidence {
			if x := against[id]; x != nil {
				text := fmt.Sprintf("Another observer, %s, contradicts that “%s”.", x.Tool, strings.TrimRight(brief.OneLine(x.Claim), "."))
				if x.Why != "" {
					text = strings.TrimSuffix(text, ".") + ": " + claims.Full(x.Why)
				}
				told = append(told, Sentence{Text: text, Evidence: []string{id}, Shot: s.Shot, Whole: s.Whole, Dissent: true})
				break
			}
		}
	}
	return told
}

// disputes are the contradictions that confirmations found.
func (c *Investigation) disputes() (found []Contradiction) {
	for i := range c.Confirmations {
		if x := &c.Confirmations[i]; x.Support == Contradicted {
			found = append(found, Contradiction{Evidence: []string{x.Evidence}, What: fmt.Sprintf("%s says “%s”, %s says otherwise: %s", c.Ledger.Find(x.Evidence).Tool, brief.OneLine(x.Claim), x.Tool, brief.OneLine(x.Why)), By: byConfirmation})
		}
	}
	return found
}
