package speed

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/detective"
	"omniscope/perceive"
)

// A clip is what its manifest says of it.
type clip struct {
	File    string `json:"file"`
	Content struct {
		Text    []struct{ Text string } `json:"visible_text"`
		Speech  []any                   `json:"speech"`
		Sounds  []string                `json:"sounds"`
		Cuts    []float64               `json:"hard_cuts_s"`
		Gradual []struct {
			Start float64 `json:"t0"`
			End   float64 `json:"t1"`
		} `json:"gradual"`
	} `json:"content"`
	Audio *struct {
		LUFS float64  `json:"lufs"`
		Peak *float64 `json:"true_peak_dbtp"` // nil = nothing but silence
	} `json:"measured_audio"`
}

func readClips(path string) ([]clip, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m struct {
		Files []clip `json:"files"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m.Files, nil
}

// compare compares what was observed with what is there.
func (c *clip) compare(r *detective.Report) row {
	var got row
	kinds := make(map[perceive.Kind][]*detective.Evidence)
	for i := range r.Ledger {
		e := &r.Ledger[i]
		kinds[e.Kind] = append(kinds[e.Kind], e)
	}
	c.compareTexts(&got, kinds[perceive.Text])
	c.compareCuts(&got, kinds[perceive.Cut])
	c.compareSound(&got, kinds)
	return got
}

// compareTexts counts the texts that were read word for word.
func (c *clip) compareTexts(got *row, read []*detective.Evidence) {
	known := ""
	for _, t := range c.Content.Text {
		known += " " + folded(t.Text)
		got.texts++
		if slices.ContainsFunc(read, func(e *detective.Evidence) bool { return isText(e.Quote, t.Text) }) {
			got.textsFound++
		}
	}
	for _, e := range read {
		for _, w := range strings.Fields(folded(e.Quote)) {
			// Digits that run, such as time codes, are described and not listed.
			if !strings.Contains(known, w) && !isRunning(known, w) {
				got.wordsInvented++
			}
		}
	}
}

// isText reports whether a quote is a text of the manifest, in which lines are
// parted by slashes. A text that begins in small letters is a description of
// a running number.
func isText(quote, text string) bool {
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		return strings.Contains(quote, "00:00:0")
	}
	return quote == strings.ReplaceAll(text, " / ", " ")
}

func isRunning(known, word string) bool {
	return strings.Contains(known, "code") && strings.ContainsAny(word, "0123456789")
}

func folded(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' {
			return r
		}
		return -1
	}, s))
}

// nearS is how far off a cut may be.
const nearS = 0.1

// compareCuts counts the cuts that were found, and those that are at nothing
// known, gradual changes included.
func (c *clip) compareCuts(got *row, seen []*detective.Evidence) {
	taken := make(map[*detective.Evidence]bool)
	got.cuts = len(c.Content.Cuts)
	for _, at := range c.Content.Cuts {
		for _, e := range seen {
			if !taken[e] && math.Abs(e.StartS-at) <= nearS {
				taken[e] = true
				got.cutsFound++
				break
			}
		}
	}
	for _, e := range seen {
		for _, g := range c.Content.Gradual {
			taken[e] = taken[e] || e.StartS >= g.Start-nearS && e.StartS <= g.End+nearS
		}
		if !taken[e] {
			got.cutsFalse++
		}
	}
}

// voices reports whether people talk in a clip without a transcript, too unclear to be understood. Speech is
// right then; words are not.
func (c *clip) voices() bool {
	return slices.ContainsFunc(c.Content.Sounds, func(s string) bool { return strings.Contains(s, "talking") })
}

func quotes(speech []*detective.Evidence) bool {
	return slices.ContainsFunc(speech, func(e *detective.Evidence) bool { return e.Quote != "" })
}

// compareSound looks at silence, speech and loudness.
func (c *clip) compareSound(got *row, kinds map[perceive.Kind][]*detective.Evidence) {
	silent := func(e *detective.Evidence) bool { return strings.Contains(e.What, "silent throughout") }
	absent := func(e *detective.Evidence) bool { return e.What == "the clip has no sound track" }
	quiet := c.Audio == nil || c.Audio.Peak == nil
	if quiet {
		got.quiet = 1
	}
	switch {
	case c.Audio == nil && slices.ContainsFunc(kinds[perceive.Absence], absent),
		c.Audio != nil && quiet && slices.ContainsFunc(kinds[perceive.Silence], silent):
		got.quietTold = 1
	}
	spoken := len(kinds[perceive.Speech]) > 0
	switch {
	case len(c.Content.Speech) > 0:
		got.spoken = 1
		if spoken {
			got.spokenTold = 1
		}
	case spoken && !c.voices(), quotes(kinds[perceive.Speech]):
		got.speechInvented = 1
	}
	if quiet {
		return
	}
	got.loudnessOff = math.Inf(1) // unless the report gives it
	for _, e := range kinds[perceive.Sound] {
		if v, ok := e.Values["integrated_lufs"]; ok {
			got.loudnessOff = math.Abs(v - c.Audio.LUFS)
		}
	}
}
