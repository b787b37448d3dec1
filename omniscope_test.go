package omniscope

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func TestZeroVerdictAndOutcome(t *testing.T) {
	var v Verdict
	var o Outcome
	if v != Unjudged || o != Failed {
		t.Errorf("the zero values are %s, %s", v, o)
	}
}

func TestVerdictAndOutcomeText(t *testing.T) {
	for v := Unjudged; v <= Wrong; v++ {
		var back Verdict
		roundTrip(t, v, &back)
		if back != v {
			t.Errorf("%s came back as %s", v, back)
		}
	}
	for _, o := range Outcomes {
		var back Outcome
		roundTrip(t, o, &back)
		if back != o {
			t.Errorf("%s came back as %s", o, back)
		}
	}
	if len(Outcomes) != len(outcomeNames) {
		t.Errorf("reports print %d of %d outcomes", len(Outcomes), len(outcomeNames))
	}
	if new(Verdict).UnmarshalText([]byte("good")) == nil || new(Outcome).UnmarshalText([]byte("good")) == nil {
		t.Error("an unknown word was read")
	}
}

func roundTrip(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

func TestErrorConstructors(t *testing.T) {
	cause := &Error{Kind: Denied, Op: "open a.json", Err: errors.New("no permission")}
	for kind, err := range map[Kind]error{
		Usage:    Usagef("file %d: %w", 7, cause),
		Invalid:  Invalidf("file %d: %w", 7, cause),
		NotFound: NotFoundf("file %d: %w", 7, cause),
	} {
		if KindOf(err) != kind || err.Error() != "file 7: open a.json: no permission" || !errors.Is(err, cause) {
			t.Errorf("kind %s, text %q, want %s and the cause in the chain", KindOf(err), err, kind)
		}
	}
}

func TestOutermostKind(t *testing.T) {
	inner := &Error{Kind: Transient, Op: "connect", Err: errors.New("refused")}
	outer := fmt.Errorf("eval: %w", &Error{Kind: Exhausted, Op: "call 7", Err: inner})
	if KindOf(outer) != Exhausted || KindOf(errors.New("plain")) != Internal || KindOf(nil) != Internal {
		t.Errorf("kinds %s, %s, %s", KindOf(outer), KindOf(errors.New("plain")), KindOf(nil))
	}
	if got, want := outer.Error(), "eval: call 7: connect: refused"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for kind, want := range map[Kind]Outcome{Declined: Refused, Malformed: Unparsed, Transient: Failed, Exhausted: Failed} {
		if got := OutcomeOf(&Error{Kind: kind, Err: errors.New("x")}); got != want {
			t.Errorf("%s ends as %s, want %s", kind, got, want)
		}
	}
	for k := Internal; k <= Budget; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
}
