// Package match finds which things that one person noted are those that another person noted, by
// words and by time, and counts how far the two agree. It knows numbers and texts only; what is
// noted is its users' business. Agreement of people on things that are given is in package stats.
package match

import (
	"slices"
	"strings"
	"unicode"
)

// A Span is a stretch of time, in seconds. A point has End = Start.
type Span struct{ Start, End float64 }

// Overlap is the time that two spans share, as a part of the time that they cover together: 0 to 1.
// Two points are alike (1) if they are the same; a point shares no time with a stretch.
func Overlap(a, b Span) float64 {
	if a == b {
		return 1
	}
	shared := min(a.End, b.End) - max(a.Start, b.Start)
	if shared <= 0 {
		return 0
	}
	return shared / (a.End - a.Start + b.End - b.Start - shared)
}

// small are English words that say nothing of what happens. Words of other languages all count.
var small = strings.Fields("a an and are as at by for from he her his in into is it its of on onto she that the their them they to was were while with")

// Words are the words of a text that count in a comparison, in small letters, without English
// words such as "the". Scripts that put no blanks between words are taken sign by sign.
func Words(text string) (words []string) {
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		start := 0
		for i, r := range word {
			if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				continue
			}
			words = appendWord(words, word[start:i])
			start = i + len(string(r))
			words = append(words, word[i:start])
		}
		words = appendWord(words, word[start:])
	}
	return words
}

func appendWord(words []string, word string) []string {
	if word == "" || slices.Contains(small, word) {
		return words
	}
	return append(words, word)
}

// Dice is the share of words that two texts have in common: twice the common ones, divided by all
// words of both. A word that stands twice counts twice. Without any words it is 0.
// Source: L. R. Dice, "Measures of the amount of ecologic association between species" (1945).
func Dice(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 0
	}
	left, common := make(map[string]int, len(a)), 0
	for _, word := range a {
		left[word]++
	}
	for _, word := range b {
		if left[word] > 0 {
			left[word]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

// F1 is the harmonic mean of precision and recall between two lists, from the sums {pairs,
// length of the one, length of the other}; it does not matter which list is held against which.
// Sums of several pairs of lists add up. It fits stats.Statistic.
func F1(sum []float64) (value float64, ok bool) {
	if len(sum) != 3 || sum[1]+sum[2] <= 0 {
		return 0, false
	}
	return 2 * sum[0] / (sum[1] + sum[2]), true
}
