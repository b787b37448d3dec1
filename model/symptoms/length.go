package symptoms

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of the length ratios, from the published outputs of MCIF, of which
// there are no references: one system is measured by another. Systems that do
// the task agree: on 457 segments, the transcripts of three speech models are
// 0.68 to 1.26 of each other's length, and the translations of 20 of 21 talks by
// two models 0.89 to 1.07. The system that the paper calls under-generating
// (Qwen2.5-Omni, long form) has 20 of 21 talks below 0.42. One half and the double
// keep clear of both groups. Summaries are asked for in about 200 words, and
// run from 0.26 to 2.1 of each other. Answers to questions may be single words: too
// short is never said of them, and too long only when one holds a whole transcript.
const (
	shortTalk, longTalk       = 0.5, 2.0
	shortSummary, longSummary = 0.25, 4.0
	longAnswer                = 10.0
	longAnswerWords           = 100
	leastReference            = 20 // words; below that a ratio says little
)

// charactersPerWord is how many Chinese characters say as much as a word of
// English or German. It makes lengths comparable when an answer is in another
// language than its reference; within a language it all but cancels out.
// Between good translations of 21 talks and their transcripts it is 1.5 to 1.8, in
// the middle 1.7.
const charactersPerWord = 1.7

// length returns the number of words of text, Chinese and Japanese characters
// counting as parts of words. Words are divided by white space, and need a
// letter or a digit.
func length(text string) float64 {
	words, characters, within := 0, 0, false
	for _, r := range text {
		word := r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
		switch {
		case r >= 0x80 && isIdeograph(r):
			characters++
			within = false
		case word || r >= 0x80 && isLetterOrDigit(r):
			if !within {
				words++
			}
			within = true
		case unicode.IsSpace(r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00:
			within = false
		}
	}
	return float64(words) + float64(characters)/charactersPerWord
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isIdeograph reports whether r belongs to a script without blanks between words.
func isIdeograph(r rune) bool {
	return r >= 0x3041 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0x20000 && r <= 0x3ffff
}

// ratio returns the length of the answer over that of the reference, and the
// evidence. There is none without a reference that is long enough.
func (g *Given) ratio(least float64) (value float64, evidence string, ok bool) {
	want := length(g.Reference)
	if want == 0 || want < least {
		return 0, "", false
	}
	got := length(g.Text)
	return got / want, fmt.Sprintf("%.0f words, %.0f in the reference", got, want), true
}

func findUnderGeneration(g *Given) (Symptom, bool) {
	var threshold float64
	switch g.Task {
	case asr, trans:
		threshold = shortTalk
	case sum:
		threshold = shortSummary
	default:
		return Symptom{}, false
	}
	value, evidence, ok := g.ratio(leastReference)
	return Symptom{Value: value, Threshold: threshold, Evidence: evidence}, ok && value < threshold
}

func findOverGeneration(g *Given) (Symptom, bool) {
	threshold, least := longTalk, float64(leastReference)
	switch g.Task {
	case asr, trans:
	case sum:
		threshold = longSummary
	case QA:
		if length(g.Text) <= longAnswerWords {
			return Symptom{}, false
		}
		threshold, least = longAnswer, 0
	default:
		return Symptom{}, false
	}
	value, evidence, ok := g.ratio(least)
	return Symptom{Value: value, Threshold: threshold, Evidence: evidence}, ok && value > threshold
}

func findEmpty(g *Given) (Symptom, bool) {
	if strings.ContainsFunc(g.Text, isLetterOrDigit) {
		return Symptom{}, false
	}
	return Symptom{Value: 0, Threshold: 1, Evidence: quote(g.Text)}, true
}

func findReplacementCharacters(g *Given) (Symptom, bool) {
	count, first := 0, -1
	for i, r := range g.Text {
		if r == utf8.RuneError {
			if count++; first < 0 {
				first = i
			}
		}
	}
	if count == 0 {
		return Symptom{}, false
	}
	return Symptom{Value: float64(count), Threshold: 1, Evidence: fmt.Sprintf("%d, the first at byte %d", count, first)}, true
}
