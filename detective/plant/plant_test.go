package plant

import (
	"slices"
	"strings"
	"testing"
)

const caption = `A woman in a red coat stands by a door. Two dogs run past her before the bus arrives. A man's voice says "Platform 9 is closed" over music.
She opens the door, and a sign reads "EXIT HERE". A male narrator explains the plan. Then a bell rings twice. Mr. Lee waits for 3 minutes.`

// TestKinds plants each kind by itself: one sentence differs, by the words that are named, and
// all others are as they were.
func TestKinds(t *testing.T) {
	for _, kind := range Kinds {
		for seed := range uint64(50) {
			changed, planted := In(caption, []string{kind}, seed)
			if len(planted) != 1 || planted[0].Kind != kind {
				t.Fatalf("%s: planted %+v", kind, planted)
			}
			p := planted[0]
			if p.From == p.To || p.Was == p.Sentence || strings.Replace(caption, p.Was, p.Sentence, 1) != changed || strings.Count(changed, p.Sentence) != 1 {
				t.Errorf("%s: %+v makes %q", kind, p, changed)
			}
			if again, _ := In(caption, []string{kind}, seed); again != changed {
				t.Errorf("%s: seed %d gives %q, then %q", kind, seed, changed, again)
			}
		}
	}
}

// TestWhatIsPlanted names the only change that there can be.
func TestWhatIsPlanted(t *testing.T) {
	for _, c := range []struct{ kind, caption, from, to string }{
		{"order", "He sits down after the bell.", "after", "before"},
		{"order", "First a car stops.", "First", "Last"},
		{"speaker", "A woman speaks.", "woman", "man"},
		{"speaker", "A woman walks.", "", ""},  // nobody speaks
		{"colour", "It is dark.", "", ""},      // there is no colour
		{"colour", `It says "red".`, "", ""},   // that is text
		{"colour", "A grey cat.", "grey", "*"}, // not gray
		{"count", "Two cats.", "Two", "*"},     //
		{"count", "It takes 30 seconds.", "30", "*"},
		{"sound", "The dog barks.", "barks", "*"},
		{"count", "He owns 3 cats, 4 or 5 dogs, and 6 or 8 cows.", "*", "*"}, // never one of those
		{"speaker", "A man and a woman talk.", "", ""},                       // a woman talks, still
		{"speaker", "A man and a woman hear a boy talk.", "boy", "girl"},
		{"order", "He eats before noon and after it.", "", ""},
		{"text", `A sign says "Stop".`, `"Stop"`, "*"},
		{"text", `A sign says “Gate 4”.`, "“Gate 4”", "*"},
	} {
		for seed := range uint64(20) {
			changed, planted := In(c.caption, []string{c.kind}, seed)
			if c.from == "" {
				if len(planted) > 0 || changed != c.caption {
					t.Errorf("%s in %q: %+v", c.kind, c.caption, planted)
				}
				continue
			}
			if len(planted) == 1 && indexOf(stems(c.caption), stems(planted[0].To)) >= 0 {
				t.Errorf("%s in %q: %+v may be true of something else", c.kind, c.caption, planted)
			}
			if len(planted) != 1 || c.from != "*" && planted[0].From != c.from || c.to != "*" && planted[0].To != c.to || planted[0].To == "gray" || changed == c.caption {
				t.Errorf("%s in %q: %+v, want %s to %s", c.kind, c.caption, planted, c.from, c.to)
			}
		}
	}
}

// TestAllKinds plants all kinds in sentences of their own.
func TestAllKinds(t *testing.T) {
	for seed := range uint64(50) {
		changed, planted := In(caption, Kinds, seed)
		seen := make(map[string]bool)
		for _, p := range planted {
			if seen[p.Was] || !strings.Contains(changed, p.Sentence) || strings.Contains(changed, p.Was) {
				t.Errorf("seed %d: %+v in %q", seed, p, changed)
			}
			seen[p.Was] = true
		}
		if len(planted) < 4 {
			t.Errorf("seed %d: only %d are planted", seed, len(planted))
		}
		if a, b := len(split(changed)), len(split(caption)); a != b {
			t.Errorf("seed %d: %d sentences of %d", seed, a, b)
		}
	}
	if list := split("A 5\" plate. It is red.\nIt \"is. Red\". So."); len(list) != 3 || list[2] != "So." {
		t.Errorf("a mark that is not closed: %q", list)
	}
	if changed, planted := In("", Kinds, 1); changed != "" || planted != nil {
		t.Errorf("of nothing: %q", changed)
	}
}

func TestOf(t *testing.T) {
	planted := []Planted{
		{Kind: "colour", From: "red", To: "green", Sentence: "A man in a green coat walks along the quay."},
		{Kind: "text", From: `"OPEN AT 9"`, To: `"OPEN AT 12"`, Sentence: `The sign on the door says "OPEN AT 12".`},
		{Kind: "sound", From: "barks", To: "meows", Sentence: "Far away a dog meows twice."},
		{Kind: "order", From: "before", To: "after", Sentence: "She waves after the door closes."},
		{Kind: "count", From: "four", To: "eight", Sentence: "The number of cuts is eight in the clip at six."},
	}
	for claim, want := range map[string]int{
		"The man wears a green coat.":                  0,
		"A man walks along the quay.":                  -1, // true as it ever was
		"The boats in the harbour are painted green.":  -1, // of another sentence
		`A sign says "OPEN AT 12".`:                    1,
		`A sign on the door says "open at 12"`:         1,
		"The shop has 12 windows.":                     -1,
		"A dog is meowing.":                            2,
		"A dog meows.":                                 2,
		"She waves after the door closes.":             3,
		"After a while the music ends and people clap": -1,
		"The words “OPEN AT 12” can be read.":          1, // none of its other words are in the sentence
		"At 6 the number of cuts is 8.":                4,
		"":                                             -1,
	} {
		if got := Of(claim, "", planted); got != want {
			t.Errorf("Of(%q) = %d, want %d", claim, got, want)
		}
	}
	for sentence, want := range map[string]int{"A man in a green coat walks along the quay.": 0, "The boats are green, too.": -1, "A man in a green boat walks along.": -1, "1. A man in a green coat walks along the quay, Mr. Lee.": 0} {
		if got := Of("A predominant colour is green.", sentence, planted); got != want {
			t.Errorf("of the sentence %q: %d, want %d", sentence, got, want)
		}
	}
	if got := Of("A man in a green coat.", "", nil); got != -1 {
		t.Errorf("without plants: %d", got)
	}
}

func TestOfFindsEveryPlantedSentence(t *testing.T) {
	const caption = `A man in a red coat says "Hello there". Two dogs run. First it rains, and a siren wails. A sign reads "EXIT 4".`
	for seed := range uint64(50) {
		_, planted := In(caption, Kinds, seed)
		for i, p := range planted {
			if got := Of(p.Sentence, "", planted); got != i {
				t.Fatalf("seed %d: the sentence %q of plant %d is taken for that of %d", seed, p.Sentence, i, got)
			}
			if got := Of(p.Was, "", planted); got >= 0 {
				t.Fatalf("seed %d: the true sentence %q is taken for plant %d", seed, p.Was, got)
			}
		}
	}
}

func TestKindsOf(t *testing.T) {
	for text, want := range map[string][]string{
		"The coat is red.":              {"colour"},
		"A woman asks for two tickets.": {"count", "speaker"},
		"A woman walks.":                nil,
		`The sign says "two red cars".`: {"text"},
		"Rain falls before the siren.":  {"order", "sound"},
		"":                              nil,
	} {
		if got := KindsOf(text); !slices.Equal(got, want) {
			t.Errorf("KindsOf(%q) = %q, want %q", text, got, want)
		}
	}
}
