package talkqa

import (
	"fmt"
	"testing"
)

func TestShort(t *testing.T) {
	kinds := []Kind{{General, "AV"}, {General, "AV"}, {General, "V"}, {Abstract, "A"}, {Abstract, "A"}, {Abstract, "NA"}, {Transcript, "V"}, {Transcript, "A"}}
	says, missing := Short(kinds, Guideline)
	if got, want := fmt.Sprintf("%q %d", says, missing), `["2 from the transcript, not 4" "2 AV, not 5" "5 A or AV, not 7"] 7`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, missing := Short(append(kinds, Kind{Transcript, "B"}, Kind{Transcript, "B"}, Kind{Transcript, "B"}), Guideline); missing != 0 {
		t.Errorf("with three labels that there are not %d are missing", missing)
	}
	says, missing = Short(kinds, WithoutPictures(Guideline))
	if got, want := fmt.Sprintf("%q %d", says, missing), `["2 from the transcript, not 4" "5 A, not 7"] 4`; got != want {
		t.Errorf("without pictures: %s, want %s", got, want)
	}
}

func TestInOrder(t *testing.T) {
	at := func(s float64) *float64 { return &s }
	for _, c := range []struct {
		start, end *float64
		want       bool
	}{{nil, nil, true}, {nil, at(1), true}, {at(0), at(0), true}, {at(1), at(2), true}, {at(2), at(1), false}, {at(1), nil, false}, {at(-1), at(2), false}} {
		if got := InOrder(c.start, c.end); got != c.want {
			t.Errorf("%v to %v: %v", c.start, c.end, got)
		}
		r := Row{Question: "Who?", Label: "A", Origin: General, Start: c.start, End: c.end}
		if err := r.Check(); (err == nil) != c.want {
			t.Errorf("a row from %v to %v: %v", c.start, c.end, err)
		}
	}
}
