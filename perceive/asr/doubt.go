package asr

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"omniscope"
	"omniscope/perceive"
)

// How often in a row words may be repeated. Engines that hear no words fall
// into loops; people repeat themselves less.
const (
	mostSame  = 5 // a single word
	mostPairs = 3 // two words
	mostMore  = 2 // three words or more
	longGram  = 8
	sameLines = 3 // equal segments of at least sameWords, anywhere
	sameWords = 4
)

// words are the words of a text in lower case.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\'' && r != '’'
	})
}

// spoken reports whether a text has words that are not a remark such as
// [Music] or (laughter).
func spoken(text string) bool {
	text = strings.TrimSpace(text)
	remark := strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") ||
		strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") || strings.HasPrefix(text, "♪")
	return !remark && len(words(text)) > 0
}

// loops reports whether a text repeats the same words again and again.
func loops(list []string) bool {
	for n := 1; n <= longGram; n++ {
		most := mostMore
		switch n {
		case 1:
			most = mostSame
		case 2:
			most = mostPairs
		}
		again := 0 // words that equal the one n words earlier, in a row
		for i := n; i < len(list); i++ {
			if list[i] != list[i-n] {
				again = 0
				continue
			}
			if again++; again >= n*most {
				return true
			}
		}
	}
	return false
}

// loopsIn tells which segments are part of a loop, in themselves or because
// many are equal.
func loopsIn(list []Segment) []bool {
	found := make([]bool, len(list))
	times := make(map[string]int)
	texts := make([]string, len(list))
	for i, s := range list {
		w := words(s.Text)
		found[i] = loops(w)
		if len(w) >= sameWords {
			texts[i] = strings.Join(w, " ")
			times[texts[i]]++
		}
	}
	for i, text := range texts {
		if times[text] >= sameLines && text != "" {
			found[i] = true
		}
	}
	return found
}

// How words of an engine that is not quoted are mentioned.
const (
	leastPosterior = 0.9
	leastLetters   = 6
	mostMentioned  = 4
)

// hint adds to unintelligible speech what it is possibly about: a few long
// words that the engine was surest of.
func (h *hearing) hint(list []perceive.Observation, heard []Segment) {
	for i := range list {
		var about []string
		for _, s := range heard {
			middle := h.look.Audio.Start + (s.Start+s.End)/2
			if middle < list[i].Span.Start || middle > list[i].Span.End {
				continue
			}
			for _, w := range s.Words {
				if w.Posterior >= leastPosterior && len([]rune(w.Text)) >= leastLetters && !slices.Contains(about, w.Text) {
					about = append(about, w.Text)
				}
			}
		}
		if len(about) > 0 {
			about = about[:min(len(about), mostMentioned)]
			list[i].What += ", possibly about: " + strings.Join(about, ", ") + " (unreliable)"
		}
	}
}

// mostLetters is how much of doubtful words is mentioned.
const mostLetters = 200

// mention adds to unintelligible speech the words that the engine heard there and was not
// sure enough of. Words belong to the speech that they share most time with.
func (h *hearing) mention(list []perceive.Observation, heard []Segment) {
	said := make(map[int][]string)
	for _, s := range heard {
		span := h.at(omniscope.Span{Start: s.Start, End: s.End})
		best, most := -1, time.Duration(0)
		for i := range list {
			o := &list[i].Span
			if common := min(o.End, span.End) - max(o.Start, span.Start); list[i].Quote == "" && common > most {
				best, most = i, common
			}
		}
		said[best] = append(said[best], strings.Fields(s.Text)...)
	}
	delete(said, -1)
	for i, words := range said {
		text := []rune(strings.Join(words, " "))
		if len(text) > mostLetters {
			text = append(text[:mostLetters], '…')
		}
		list[i].What += ", perhaps “" + string(text) + "”"
	}
}
