package detective

import (
	"math"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/perceive"
)

func TestEncodeNaN(t *testing.T) {
	text, err := encodeAnswer(&perceive.Answer{Observations: []perceive.Observation{
		{Sure: math.NaN(), Values: map[string]float64{"level": math.Inf(-1), "tempo": 120}}, {Sure: 7, Values: map[string]float64{"x": math.NaN()}},
	}}, &perceive.Clip{})
	fixture.OK(t, err)
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
	})
}

func TestJournalHoldsFrames(t *testing.T) {
	plan := &media.Plan{Indices: []int{0, 12}, PTS: []int64{0, 6144}, Width: 640, Height: 360, Policy: new(perceive.Clip).Sampling()}
	text, err := encodeAnswer(&perceive.Answer{Text: "two frames", Frames: plan}, &perceive.Clip{})
	fixture.OK(t, err)
	for _, want := range []string{`"pts":[0,6144]`, `"policy":"` + plan.Policy + `"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the entry lacks %s: %s", want, text)
		}
	}
}

// TestPlainlyWritten audits the caption that is written of measurements by what measured them, and one that a person wrote.
func TestPlainlyWritten(t *testing.T) {
	var l Ledger
	l.Add(1, perceive.Info{Name: "sound", Modality: omniscope.Audio}, "", perceive.Focus{}, []perceive.Observation{
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
