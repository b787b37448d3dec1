package probe

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// word finds words and numbers of an answer.
var word = regexp.MustCompile(`[a-z]+|[0-9]+`)

var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// numbersIn are the numbers of an answer in their order, words up to ten included.
func numbersIn(answer string) (all []int) {
	for _, w := range word.FindAllString(strings.ToLower(answer), -1) {
		if n := slices.Index(numberWords, w); n >= 0 {
			all = append(all, n)
		} else if n, err := strconv.Atoi(w); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// digitsIn are the digits of an answer in their order, words among them.
func digitsIn(answer string) (all []int) {
	for _, w := range word.FindAllString(strings.ToLower(answer), -1) {
		if n := slices.Index(numberWords[:10], w); n >= 0 {
			all = append(all, n)
		} else if w[0] <= '9' {
			for _, digit := range w {
				all = append(all, int(digit-'0'))
			}
		}
	}
	return all
}

// wordsIn are those words of an answer that are among some, in their order.
func wordsIn(answer string, among []string) (all []string) {
	for _, w := range word.FindAllString(strings.ToLower(answer), -1) {
		if slices.Contains(among, w) {
			all = append(all, w)
		}
	}
	return all
}

// saysNothing finds answers that say that there is no speech.
var saysNothing = regexp.MustCompile(`(?i)^\W*(nothing|none|silence|silent|empty|n/?a)\W*$|\b(nobody|no[ -]?one|nothing|no (speech|sound|audio|words?|voices?|spoken|dialogue|one)|not? (any )?(speech|speak|spoken|sound)|silent|silence|mute)\b`)

// noSpeech reports whether an answer says that there is no speech. A long answer that
// says so somewhere says something else, too.
func noSpeech(answer string) bool {
	const most = 40 // words
	return saysNothing.MatchString(answer) && len(strings.Fields(answer)) <= most
}
