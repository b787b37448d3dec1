package detective

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string][]string{
		"A dog. It barks!":                           {"A dog.", "It barks!"},
		"He says \"Hello. Who is it?\" and waits.":   {"He says \"Hello. Who is it?\" and waits."},
		"He says “Hello.” Then he goes.":             {"He says “Hello.”", "Then he goes."},
		"It lasts 3.5 s. approx. nothing":            {"It lasts 3.5 s. approx. nothing"},
		"Mr. Smith waves.\n\n- A gull\n- A boat":     {"Mr. Smith waves.", "A gull", "A boat"},
		"An inch mark 5\" is no quote. It ends.":     {"An inch mark 5\" is no quote.", "It ends."},
		"Sie sagt „Guten Tag.“ Danach ist es still.": {"Sie sagt „Guten Tag.“", "Danach ist es still."},
		"...": nil,
	} {
		if got := sentencesOf(text); !slices.Equal(got, want) {
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
	within := words("and now the weather for the coming week with rain in the north and sun in the south")
	if got, stretch := closest(words("rain in the north"), within); got != 1 || stretch != "rain in the north" {
		t.Errorf("got %.2f, %q", got, stretch)
	}
	if got, _ := closest(words("ten boats sail around the tall white lighthouse"), within); got > 0.5 {
		t.Errorf("%.2f for words that are not there", got)
	}
	if got, _ := closest(nil, within); got != 0 {
		t.Errorf("%.2f for no words", got)
	}
}

// Nobody's caption may keep a checker busy all day.
func TestSplittingSpeed(t *testing.T) {
	start := time.Now()
	for _, s := range []string{"A. ", "“", "\"x\" ", "a cut at 1.0 s, ", "no cuts ", "„ “"} {
		splitPlainly(strings.Repeat(s, 20_000/len(s)))
	}
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestClosestInLongTexts(t *testing.T) {
	within := words(strings.Repeat("the wind blows over the sea and the boats come home again today ", 1000))
	start := time.Now()
	closest(words("a sentence of more than a dozen words that nobody ever said in the harbour on that cold day"), within)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}

func TestEncodeNaN(t *testing.T) {
	text, err := encodeAnswer(&perceive.Answer{Observations: []perceive.Observation{
		{Sure: math.NaN(), Values: map[string]float64{"level": math.Inf(-1), "tempo": 120}}, {Sure: 7, Values: map[string]float64{"x": math.NaN()}},
	}}, &perceive.Clip{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tempo":120`, `"sure":0,`, `"sure":1}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

func TestKnownFactsOfClip(t *testing.T) {
	for name, c := range map[string]struct {
		clip *perceive.Clip
		want string
	}{
		"a file":          {&perceive.Clip{File: &media.File{Duration: 12 * time.Second}}, "lasts 12.0 s"},
		"a stretch":       {&perceive.Clip{Clip: omniscope.Clip{Span: omniscope.Span{Start: 3 * time.Second, End: 5 * time.Second}}}, "lasts 2.0 s: it is the stretch of a longer file from 3.0 s on"},
		"nothing at all":  {&perceive.Clip{File: &media.File{}}, "nobody knows"},
		"to the file end": {&perceive.Clip{Clip: omniscope.Clip{Span: omniscope.Span{Start: 3 * time.Second}}, File: &media.File{Duration: 5 * time.Second}}, "lasts 2.0 s"},
	} {
		if got := (&Investigation{Clip: c.clip}).facts(); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := clipName(&perceive.Clip{Clip: omniscope.Clip{Path: "a/b.mp4"}}); got != "b.mp4" {
		t.Errorf("a clip without an id is called %q", got)
	}
}

func TestWhen(t *testing.T) {
	for want, e := range map[string]Evidence{
		"throughout": {}, "at 1.50 s": {StartS: 1.5, EndS: 1.5}, "from 1.00 s to 2.00 s": {StartS: 1, EndS: 2}, "from 3.00 s to the end": {StartS: 3},
	} {
		if got := e.when(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestEvidenceNotAList(t *testing.T) {
	r := &captionReader{ledger: Ledger{{ID: "o1"}}}
	for _, reply := range []string{
		`{"sentences": [{"text": "a", "evidence": "o1"}]}`, `{"sentences": [{"text": "a", "evidence": [1]}]}`, `{"sentences": [{"text": 1}]}`, `{"sentences": ["a"]}`,
		`{"sentences": [{"text": "a"}], "contradictions": [{"what": 3}]}`, `{"sentences": 5}`,
	} {
		if c, err := r.read(reply); err == nil {
			t.Errorf("%s: accepted as %+v", reply, c)
		}
	}
	if c, err := r.read(`{"sentences": [{"text": "a"}]}`); err != nil || !c.Sentences[0].Unfounded {
		t.Errorf("a sentence without a list: %v, %v", c, err)
	}
}

// Whatever a model or a person writes, reading it ends, and what it yields is
// whole.
func FuzzReading(f *testing.F) {
	for _, s := range []string{
		`{"tool": "eye", "question": "what?"}`, `{"sentences": [{"text": "a", "evidence": ["o1"]}]}`, `{"claims": [{"text": "a cut at 3.2 s, 4.5 and 6s"}]}`,
		`A card reads "x. Y" and “z.” There are 3 cuts.`, "\"", "“„«", "\xff“\xff”", `{"verdict": "supported"}`, "a..b!?\"c\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := &Investigation{Ledger: Ledger{{ID: "o1"}}}
		if m, err := c.readMove(s); err == nil && !m.Done {
			t.Errorf("a move to a tool that is not offered: %+v", m)
		}
		r := &captionReader{ledger: c.Ledger}
		if caption, err := r.read(s); err == nil && len(caption.Sentences) == 0 {
			t.Error("a caption without sentences")
		}
		_, _ = readClaims(s)
		_, _, _ = readSupport(&answer{Text: s})
		for i, claim := range splitPlainly(s) {
			if claim.ID != claimID(i) || claim.Text == "" || utf8.ValidString(s) && !utf8.ValidString(claim.Text) {
				t.Errorf("claim %d: %+v", i, claim)
			}
		}
		for _, said := range plainSentences(Ledger{{ID: "o1", Kind: perceive.Text, What: s, Quote: s, Sure: 1}, {ID: "o2", Kind: perceive.Scene, What: s}}) {
			if said.Text == "" || strings.Contains(said.Text, "\n") {
				t.Errorf("sentence %q", said.Text)
			}
		}
	})
}

func TestJournalHoldsFrames(t *testing.T) {
	plan := &media.Plan{Indices: []int{0, 12}, PTS: []int64{0, 6144}, Width: 640, Height: 360, Policy: new(perceive.Clip).Sampling()}
	text, err := encodeAnswer(&perceive.Answer{Text: "two frames", Frames: plan}, &perceive.Clip{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"pts":[0,6144]`, `"policy":"` + plan.Policy + `"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the entry lacks %s: %s", want, text)
		}
	}
}

// TestPlainlyWritten audits the caption that is written of measurements by what measured them, and one that a person wrote.
func TestPlainlyWritten(t *testing.T) {
	var l Ledger
	l.add(1, perceive.Info{Name: "sound", Modality: omniscope.Audio}, Inquiry{}, []perceive.Observation{
		{Kind: perceive.Sound, What: "the level is steady, within 1.2 dB", Sure: 0.9},
		{Kind: perceive.Sound, What: "there is a pulse of about 96 beats a minute, or half or twice that", Sure: 0.9},
	})
	r := &AuditReport{Ledger: l, Caption: newCaption(plainSentences(l)).Text}
	if own, all := r.PlainlyWritten(); own != all || own < 2 {
		t.Errorf("%d of %d sentences of %q", own, all, r.Caption)
	}
	r.Caption = "A man plays the piano. " + r.Caption
	if own, all := r.PlainlyWritten(); own != all-1 {
		t.Errorf("%d of %d sentences of %q", own, all, r.Caption)
	}
	r.Caption = "A man plays the piano. The level is steady."
	if own, _ := r.PlainlyWritten(); own != 0 {
		t.Errorf("%d sentences of %q", own, r.Caption)
	}
}

func TestAuthors(t *testing.T) {
	for want, tool := range map[string]ToolInfo{"gpt-4o": {Name: "observer1", Version: "gpt-4o 0123abcd", Asks: true}, "scene": {Name: "scene", Version: "3 x"}, "observer2": {Name: "observer2", Version: "1", Asks: true}} {
		if got := tool.Author(); got != want {
			t.Errorf("%+v: %q, want %q", tool, got, want)
		}
	}
}
