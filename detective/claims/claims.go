// Package claims reads what English sentences claim and compares it with what tools
// observed. All of it is rules; it knows no model, no media and no investigation.
//
//	Sentences, Split       a caption: its sentences, and the claims in them
//	Claim.Read             a claim in somebody's words: the fact in it that can be measured
//	Claim.Check            a claim and the evidence of one tool: supported, contradicted, undecided
//	Claim.Decide           what the observers say of a claim: its support
//	Ledger.Add             observations of a tool: evidence, each with an id
//	Ledger.Contradictions  pieces of evidence that cannot all be true
//	Ledger.Describe        the evidence as sentences, each with its ids
//
// A rule that is not sure decides nothing. Package bench/claims is a benchmark that counts
// such claims; what asks models about them is package detective.
package claims

import (
	"fmt"

	"omniscope"
)

// Support is how far the observers support a claim.
type Support string

// The levels of support.
const (
	Supported    Support = "supported"
	Contradicted Support = "contradicted"
	Unsupported  Support = "unsupported" // no observer could decide, or as many support as contradict it
)

// A Claim is one thing that a caption states.
type Claim struct {
	ID       string             `json:"id"`       // c1, c2, ...
	Sentence int                `json:"sentence"` // of the caption, from 1; 0 = unknown, since a model split the caption
	Text     string             `json:"text"`
	Sense    omniscope.Modality `json:"sense,omitempty"` // needed to check it; "" = unknown
	Fact     *fact              `json:"fact,omitempty"`  // the part that a measuring tool can check; nil = no part
	Support  Support            `json:"verdict"`
	Disputed bool               `json:"disputed,omitempty"` // observers disagree
	Says     []Say              `json:"says"`               // one for each observer that was asked
}

// A Say is what one observer says of one claim.
type Say struct {
	Tool     string            `json:"tool"`
	Support  Support           `json:"verdict"` // Unsupported = undecided
	Outcome  omniscope.Outcome `json:"outcome"` // OK, or why it said nothing
	Why      string            `json:"why"`
	Evidence []string          `json:"evidence,omitempty"` // ids in the ledger, of a tool that measures
}

// Split splits a caption without a model: each thing in a sentence that can be
// measured is a claim, and so is the sentence if it says more than that.
func Split(caption string) []Claim {
	list := []Claim{}
	for i, sentence := range Sentences(caption) {
		facts := factsOf(sentence)
		for _, f := range facts {
			list = append(list, Claim{ID: ID(len(list)), Sentence: i + 1, Text: f.claim(), Sense: f.sense(), Fact: &f})
		}
		if len(facts) == 0 || saysMore(sentence, facts) {
			list = append(list, Claim{ID: ID(len(list)), Sentence: i + 1, Text: sentence, Fact: presence(sentence)})
		}
	}
	return list
}

// ID returns the id of a caption's claim i, counted from 0.
func ID(i int) string { return fmt.Sprintf("c%d", i+1) }

// Read finds what of the claim's text can be measured: the one fact in it, if it says no more than that.
func (c *Claim) Read() {
	if facts := factsOf(c.Text); len(facts) == 1 && !saysMore(c.Text, facts) {
		c.Fact = &facts[0]
	} else {
		c.Fact = presence(c.Text)
	}
}

// SentenceOf returns the sentence of the caption that the claim is of; "" = that is not known.
func (c *Claim) SentenceOf(caption string) string {
	if all := Sentences(caption); c.Sentence > 0 && c.Sentence <= len(all) {
		return all[c.Sentence-1]
	}
	return ""
}

// MayCheck reports whether a measuring tool of a sense may find something out about the claim.
func (c *Claim) MayCheck(sense omniscope.Modality) bool {
	return c.Fact != nil && Fits(sense, c.Fact.sense())
}

// Fits reports whether an observer of one sense can be asked about a claim that needs another.
func Fits(observer, claim omniscope.Modality) bool {
	return observer == "" || claim == "" || observer == omniscope.AudioVisual || observer == claim
}

// Decide sets the support to the verdict of the majority. It counts only
// observers that could decide.
func (c *Claim) Decide() {
	if c.Says == nil {
		c.Says = []Say{}
	}
	says := make(map[Support]int)
	for _, s := range c.Says {
		says[s.Support]++
	}
	yes, no := says[Supported], says[Contradicted]
	c.Disputed = yes > 0 && no > 0
	c.Support = supportIf(yes > no, no > yes)
}

// supportIf returns Supported or Contradicted where a rule decides so, else Unsupported.
func supportIf(yes, no bool) Support {
	switch {
	case yes:
		return Supported
	case no:
		return Contradicted
	}
	return Unsupported
}

// Share returns the share of the words of a text that another text has; 1 of no words.
func Share(of, in []string) float64 {
	if len(of) == 0 {
		return 1
	}
	there := make(map[string]bool, len(in))
	for _, w := range in {
		there[w] = true
	}
	n := 0
	for _, w := range of {
		if there[w] {
			n++
		}
	}
	return float64(n) / float64(len(of))
}
