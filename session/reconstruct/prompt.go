package reconstruct

import (
	"math"
	"strings"
	"unicode/utf8"

	"omniscope/internal/sentences"
)

// cutPrompt is the longest run of whole sentences from the beginning of a text that has at most so many
// characters; "" = its first sentence is longer.
func cutPrompt(text string, most int) string {
	var kept strings.Builder
	for _, s := range sentences.Cut(text) {
		next := s.Before + s.Text
		if kept.Len() == 0 {
			next = s.Text
		}
		if utf8.RuneCountInString(kept.String())+utf8.RuneCountInString(next) > most {
			break
		}
		kept.WriteString(next)
	}
	return kept.String()
}

// secondsFor is the length that is ordered for a clip: of the choices the nearest, the longer one of two
// that are as near; without choices whole seconds, at least one.
func secondsFor(length float64, choices []float64) float64 {
	if len(choices) == 0 {
		return max(1, math.Round(length))
	}
	best := choices[0]
	for _, c := range choices {
		if d, than := math.Abs(c-length), math.Abs(best-length); d < than || d == than && c > best {
			best = c
		}
	}
	return best
}
