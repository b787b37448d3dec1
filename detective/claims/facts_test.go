package claims

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"omniscope"
	"omniscope/perceive"
)

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

func TestFactsAsClaims(t *testing.T) {
	for _, c := range []struct {
		sentence, claim string
		sense           omniscope.Modality
	}{
		{`A card reads "PIER {word}".`, "The words “PIER {word}” can be read.", omniscope.Visual},
		{`A man says "good day".`, "Somebody says “good day”.", omniscope.Audio},
		{`"Good day."`, "The words “Good day.” can be read or heard.", ""},
		{"There are at least five cuts.", "The number of cuts is at least 5.", omniscope.Visual},
		{"There are between 3 and 5 shots.", "The number of shots is between 3 and 5.", omniscope.Visual},
		{"The film has several shots.", "There are several shots.", omniscope.Visual},
		{"There is a cut at 3.25 s.", "There is a cut at 3.25 s.", omniscope.Visual},
		{"The clip is silent.", "There is no sound.", omniscope.Audio},
		{"There is a silence of 2 s.", "There is a silence.", omniscope.Audio},
		{"Nobody speaks.", "Nobody speaks.", omniscope.Audio},
		{"There is no visible text.", "There is no text to read.", omniscope.Visual},
		{"The picture is mostly gray.", "A predominant colour is grey.", omniscope.Visual},
		{"The sound is stereo.", "The sound is stereo.", omniscope.Audio},
		{"The tempo is 96.5 BPM.", "The tempo is 96.5 beats a minute.", omniscope.Audio},
		{"The tempo is about 96 BPM.", "The tempo is about 96 beats a minute.", omniscope.Audio},
		{"A tone of 1.5 kHz is heard.", "The pitch is 1500 Hz.", omniscope.Audio},
		{"The loudness is -12.4 LUFS.", "The loudness is -12.4 LUFS.", omniscope.Audio},
		{"The sound is quiet.", "The sound is quiet.", omniscope.Audio},
		{"A 50 Hz hum is heard.", "Mains hum of 50 Hz is heard.", omniscope.Audio},
		{"There is no hum.", "No hum is heard.", omniscope.Audio},
		{"The right channel is silent.", "Only the left channel carries sound.", omniscope.Audio},
	} {
		list := Split(c.sentence)
		if len(list) != 1 || list[0].Fact == nil || list[0].Text != c.claim || list[0].Sense != c.sense {
			t.Errorf("%s: %+v, want %s", c.sentence, list, c.claim)
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
	if f.timely(later, 1) {
		t.Errorf("times %v: what is read at 22.9 s is taken for it", f.TimesS)
	}
	f = factsOf(`From 22.90 s to 24.00 s the picture shows the words "GET READY".`)[0]
	if !f.timely(later, 1) {
		t.Errorf("times %v: what is read then is not taken for it", f.TimesS)
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"A dog. It barks!":                           {"A dog.", "It barks!"},
		"He says \"Hello. Who is it?\" and waits.":   {"He says \"Hello. Who is it?\" and waits."},
		"He says “Hello.” Then he goes.":             {"He says “Hello.”", "Then he goes."},
		"It lasts 3.5 s. approx. nothing":            {"It lasts 3.5 s. approx. nothing"},
		"Mr. Smith waves.\n\n- A gull\n- A boat":     {"Mr. Smith waves.", "A gull", "A boat"},
		"An inch mark 5\" is not a quote. It ends.":  {"An inch mark 5\" is not a quote.", "It ends."},
		"Sie sagt „Guten Tag.“ Danach ist es still.": {"Sie sagt „Guten Tag.“", "Danach ist es still."},
		"...": nil,
	} {
		if got := Sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCutCount(t *testing.T) {
	for text, want := range map[string]int{
		"There are 3 cuts.": 3, "three hard cuts": 3, "It cuts twice.": 2, "It cuts 4 times.": 4, "no cuts": 0, "one continuous shot": 0,
		"A cut follows.": -1, "He cuts bread.": -1, "He cuts the bread into 3 pieces.": -1, "12345678 cuts": -1, "": -1,
	} {
		if got := cutCount(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestSimilarity(t *testing.T) {
	long := strings.Repeat("one two three four ", 60)
	for _, c := range []struct {
		a, b      string
		low, high float64
	}{
		{"", "", 1, 1}, {"a", "", 0, 0}, {"Harbour News!", "harbour news", 1, 1}, {"harbour", "harbor", 0.8, 0.9}, {"don't", "dont", 1, 1},
		{long, long + "five", 0.99, 0.999}, {"Grüße", "GRÜSSE", 0.6, 0.8}, {"東京", "東京", 1, 1},
	} {
		if got := alike(c.a, c.b); got < c.low || got > c.high {
			t.Errorf("%.20q and %.20q: %.3f, want %v to %v", c.a, c.b, got, c.low, c.high)
		}
	}
}

func TestClosest(t *testing.T) {
	within := Words("and now the weather for the coming week with rain in the north and sun in the south")
	if got, stretch := closest(Words("rain in the north"), within); got != 1 || stretch != "rain in the north" {
		t.Errorf("got %.2f, %q", got, stretch)
	}
	if got, _ := closest(Words("ten boats sail around the tall white lighthouse"), within); got > 0.5 {
		t.Errorf("%.2f for words that are not there", got)
	}
	if got, _ := closest(nil, within); got != 0 {
		t.Errorf("%.2f for no words", got)
	}
}

// A caption may not keep a checker busy for long.
func TestSplittingSpeed(t *testing.T) {
	start := time.Now()
	for _, s := range []string{"A. ", "“", "\"x\" ", "a cut at 1.0 s, ", "no cuts ", "„ “"} {
		Split(strings.Repeat(s, 20_000/len(s)))
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestClosestInLongTexts(t *testing.T) {
	within := Words(strings.Repeat("the wind blows over the sea and the boats come home again today ", 1000))
	start := time.Now()
	closest(Words("a sentence of more than a dozen words that nobody ever said in the harbour on that cold day"), within)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestWhen(t *testing.T) {
	for want, e := range map[string]Evidence{
		"throughout": {}, "at 1.50 s": {StartS: 1.5, EndS: 1.5}, "from 1.00 s to 2.00 s": {StartS: 1, EndS: 2}, "from 3.00 s to the end": {StartS: 3},
	} {
		if got := e.When(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// FuzzSplit checks that Split ends for any text, and that all claims are complete.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{`A card reads "x. Y" and “z.” There are 3 cuts.`, "a cut at 3.2 s, 4.5 and 6s", "a cut at infinity s", "\"", "“„«", "\xff“\xff”", "a..b!?\"c\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for i, claim := range Split(s) {
			if claim.ID != ID(i) || claim.Text == "" || utf8.ValidString(s) && !utf8.ValidString(claim.Text) {
				t.Errorf("claim %d: %+v", i, claim)
			}
			if _, err := json.Marshal(claim); err != nil {
				t.Errorf("claim %d: %v", i, err)
			}
		}
		l := Ledger{{ID: "o1", Kind: perceive.Text, What: s, Quote: s, Sure: 1}, {ID: "o2", Kind: perceive.Scene, What: s}}
		for _, said := range l.Describe(func(string) bool { return false }) {
			if said.Text == "" || strings.Contains(said.Text, "\n") {
				t.Errorf("sentence %q", said.Text)
			}
		}
	})
}
