package dataset

import (
	"fmt"
	"regexp"
	"strings"

	"omniscope/internal/langid"
	"omniscope/internal/sentences"
	"omniscope/metric/textnorm"
)

func (b *building) withdrawn(r *row) string {
	for _, id := range []string{r.ID, r.source, r.field("sha256")} {
		if id != "" && b.without[id] {
			return id + " is to be left out"
		}
	}
	return ""
}

func noCaption(_ *building, r *row) string {
	if r.Caption == "" {
		return "there is no caption"
	}
	return ""
}

func plannerFailed(_ *building, r *row) string {
	if r.Summary != nil && r.Summary.Ended == "planner" {
		return "the detective made no usable move"
	}
	return ""
}

func unfounded(b *building, r *row) string {
	if s := r.Summary; s != nil && s.Sentences > 0 && float64(s.Unfounded)/float64(s.Sentences) > b.Rules.Unfounded {
		return fmt.Sprintf("%d of %d sentences rest on no observation", s.Unfounded, s.Sentences)
	}
	return ""
}

func contradicted(b *building, r *row) string {
	if s := r.Summary; s != nil && s.Sentences > 0 && float64(s.Disputed)/float64(s.Sentences) > b.Rules.Disputed {
		return fmt.Sprintf("%d of %d sentences rest on what another observer contradicts", s.Disputed, s.Sentences)
	}
	return ""
}

// tools are words of whoever reports on an investigation instead of the clip.
var tools = regexp.MustCompile(`(?i)\b(?:the |an? |this )?(?:(?:observer|detective|OCR|ASR|sound|scene|vision|audio|speech)(?: (?:tool|model|observer))s?|observers?|detective|OCR(?: (?:output|result|reading))s?|ASR(?: (?:output|result|transcript))s?) (?:reports?|reported|says?|said|notes?|noted|indicates?|indicated|detect(?:s|ed)|finds?|found|claims?|claimed|(?:do|does|did) not|could not|was asked|were asked)\b|\baccording to (?:the )?(?:observers?|OCR|ASR|tools?|analysis|detective)\b|\bas an? (?:AI|language model|assistant)\b|\b(?:based on|from) the (?:observations|evidence|tool outputs?|investigation)\b`)

func speaksOfTools(_ *building, r *row) string {
	if m := tools.FindString(r.Caption); m != "" {
		return fmt.Sprintf("it says %q", m)
	}
	return ""
}

var marks = regexp.MustCompile(`<(?:audio|video|image)>|<\|[^|<>]*\|>`)

func hasMarks(_ *building, r *row) string {
	if m := marks.FindString(r.Caption); m != "" {
		return fmt.Sprintf("it has %q", m)
	}
	return ""
}

// Repeats that no description has: a sentence three times, or a quarter of all runs of eight words said before.
const (
	sentenceTimes = 3
	runWords      = 8
	runShare      = 0.25
)

func loops(_ *building, r *row) string {
	times := make(map[string]int)
	for _, s := range sentences.Cut(r.Caption) {
		if textnorm.CountWords(s.Text) < 3 {
			continue
		}
		if times[s.Text]++; times[s.Text] >= sentenceTimes {
			return fmt.Sprintf("it says %d times: %.60s", sentenceTimes, s.Text)
		}
	}
	words := wordsOf(r.Caption)
	seen, again := make(map[string]bool), 0
	runs := len(words) - runWords + 1
	for i := range max(runs, 0) {
		run := strings.Join(words[i:i+runWords], " ")
		if seen[run] {
			again++
		}
		seen[run] = true
	}
	if runs > 0 && float64(again)/float64(runs) >= runShare {
		return fmt.Sprintf("%d of %d runs of %d words were said before", again, runs, runWords)
	}
	return ""
}

// wordsOf are the words of a text without case and marks.
func wordsOf(text string) []string {
	return textnorm.SplitWords(textnorm.Basic(text))
}

func wordCount(b *building, r *row) string {
	if n := textnorm.CountWords(r.Caption); n < b.Rules.Least || n > b.Rules.Most {
		return fmt.Sprintf("it has %d words", n)
	}
	return ""
}

func otherLanguage(b *building, r *row) string {
	if b.Rules.Language == "" {
		return ""
	}
	if g := langid.Detect(r.Caption); !g.Fits(b.Rules.Language) {
		return "it is in another language: " + g.Lang
	}
	return ""
}

// leaveMany leaves out what is beyond the most captions of a category, by the lot of each source.
func (b *building) leaveMany() {
	if b.Rules.PerCategory == 0 {
		return
	}
	taken := make(map[string]int)
	for _, r := range b.byLot(b.kept()) {
		category := r.field("category", "label")
		if category == "" {
			continue // which category it is of is not known
		}
		if taken[category]++; taken[category] > b.Rules.PerCategory {
			r.rule, r.why = "category", fmt.Sprintf("the category %q has %d captions already", category, b.Rules.PerCategory)
		}
	}
}

func silent(b *building, r *row) string {
	for _, f := range r.files {
		switch s := f.Measured.Sound; {
		case s == nil:
			return "there is no sound"
		case s.Silent:
			return "there is nothing but digital silence"
		case s.Quiet > b.Rules.Quiet:
			return fmt.Sprintf("%.0f %% of it is silence", 100*s.Quiet)
		}
	}
	return ""
}

func still(b *building, r *row) string {
	for _, f := range r.files {
		if p := f.Measured.Picture; p != nil && p.Still > b.Rules.Still {
			return fmt.Sprintf("nothing moves in %.0f %% of it", 100*p.Still)
		}
	}
	return ""
}
