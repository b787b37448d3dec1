package omniscope

import "fmt"

// A Verdict is how an answer compares with the key. The zero value is
// Unjudged, which is never a score.
type Verdict uint8

// The verdicts.
const (
	Unjudged Verdict = iota
	Correct
	Partial
	NotGiven
	Wrong
)

var verdictNames = [...]string{"unjudged", "correct", "partial", "not_given", "wrong"}

func (v Verdict) String() string { return verdictNames[v] }

// MarshalText writes the verdict's name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads a verdict's name.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i, name := range verdictNames {
		if name == string(text) {
			*v = Verdict(i)
			return nil
		}
	}
	return fmt.Errorf("unknown verdict %q", text)
}

// An Outcome says how a call or an answer ended. Only OK is ever scored or
// reused; everything else is counted and shown beside the scores.
type Outcome uint8

// The outcomes.
const (
	Failed    Outcome = iota // no answer: transport, server, or a bounded number of tries used up
	OK                       // a usable answer
	Abstained                // a valid answer that says nothing, such as an empty caption
	Refused                  // the model or its filter declined
	Unparsed                 // an answer that does not have the agreed form
	Truncated                // an answer cut off by a length limit
	Missing                  // nothing was there to ask about, such as a sample without a caption
	Pending                  // a person has been asked and has not answered yet
)

var outcomeNames = [...]string{"failed", "ok", "abstained", "refused", "unparsed", "truncated", "missing", "pending"}

// Outcomes lists every outcome in the order reports print them.
var Outcomes = []Outcome{OK, Abstained, Refused, Unparsed, Truncated, Failed, Missing, Pending}

// IsFailure reports whether something was asked and brought no usable answer.
func (o Outcome) IsFailure() bool {
	return o == Failed || o == Refused || o == Unparsed || o == Truncated
}

func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads an outcome's name.
func (o *Outcome) UnmarshalText(text []byte) error {
	for i, name := range outcomeNames {
		if name == string(text) {
			*o = Outcome(i)
			return nil
		}
	}
	return fmt.Errorf("unknown outcome %q", text)
}
