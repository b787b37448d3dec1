package detective

import "testing"

func TestDeniedFacts(t *testing.T) {
	for _, sentence := range []string{
		`He never says "ask not".`,
		`There are no visible captions such as "THREE RODENTS".`,
		"White is not a dominant colour.",
		"There is no silence.",
		"There is not a single cut between 0 and 9 seconds.",
		`The screen does not read "SIX RABBITS".`,
		"In one shot of 16.00 s with cuts before it nothing else moves.",
	} {
		for _, f := range factsOf(sentence) {
			t.Errorf("%s: it is read as %q", sentence, f.claim())
		}
	}
}

func TestCutTime(t *testing.T) {
	facts := factsOf("There are 4 shots in 16.00 s, parted by hard cuts at 4.00 s, 9.00 s and 13.00 s.")
	var at []float64
	for _, f := range facts {
		if f.Kind == factCutAt {
			at = append(at, f.AtS)
		}
	}
	if len(at) != 3 || at[0] != 4 || at[2] != 13 {
		t.Errorf("cuts at %v", at)
	}
}

func TestWordsAtOtherTimes(t *testing.T) {
	later := []*Evidence{{StartS: 22.9, EndS: 24}}
	f := factsOf(`The text "GET READY" appears at 3 seconds.`)[0]
	if f.timely(later) {
		t.Errorf("times %v: what is read at 22.9 s is taken for it", f.TimesS)
	}
	f = factsOf(`From 22.90 s to 24.00 s the picture shows the words "GET READY".`)[0]
	if !f.timely(later) {
		t.Errorf("times %v: what is read then is not taken for it", f.TimesS)
	}
}
