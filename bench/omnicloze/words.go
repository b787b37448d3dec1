package omnicloze

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	answer "omniscope/model/judge/letters"
	"omniscope/model/judge/wording"
)

// The prompt asks for "the letter along with the answer". A value is clear if the two agree: a judge that
// copies the format example ("A: xxx"), or the words of another option, has not chosen anything.

// contradiction returns what is wrong with a choice if its words do not go with its letter; nil = they do, or
// they say too little. Shortened words, other case, marks, spacing and inflection are no contradiction. The
// error is for the judge.
func (c choice) contradiction(options []string) error {
	words := wordsAfter(c.text)
	for m := namedLetter.FindStringSubmatch(words); m != nil && !isOption(words, options); m = namedLetter.FindStringSubmatch(words) {
		if m[1][0] != c.letter {
			return fmt.Errorf("%q names two letters", shorten(c.text))
		}
		words = trimmed(words[len(m[0]):])
	}
	own := int(c.letter - 'A')
	switch {
	case len(options) == 0 || saysNothing(words, options):
		return nil
	case own < len(options) && strings.EqualFold(words, options[own]): // nearly always
		return nil
	}
	if strings.ContainsAny(words, ":：") { // the pattern takes long over the reasons that some judges give
		if m := laterLetter.FindStringSubmatch(words); m != nil && m[1][0] != c.letter && !isOption(words, options) {
			return fmt.Errorf("%q names two letters", shorten(c.text))
		}
	}
	if means, agrees := meaning(words, own, options); !agrees {
		return fmt.Errorf("%q has the letter %c and %s", shorten(c.text), c.letter, means)
	}
	return nil
}

// wordsAfter returns the words after the letter of a value.
func wordsAfter(text string) string {
	text = strings.TrimLeftFunc(text, opening)
	if text == "" {
		return ""
	}
	return trimmed(text[1:])
}

// trimmed takes marks and blanks off both ends.
func trimmed(text string) string {
	return strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// namedLetter is a letter once more before the words: "A: A: red", "A: option A".
var namedLetter = regexp.MustCompile(`^(?:(?i:option|choice|answer)\s+)?([A-E])(?:\s*[:：.)]|\s*$)`)

// isOption reports whether words that begin like a letter are the words of an option, such as "B. B. King".
func isOption(words string, options []string) bool {
	for _, likeness := range wording.Compare(words, options) {
		if likeness == wording.Same {
			return true
		}
	}
	return false
}

// saysNothing reports whether words are too short to mean anything: no words, or a single letter that is neither
// an option nor the placeholder x.
func saysNothing(words string, options []string) bool {
	letter, size := utf8.DecodeRuneInString(words)
	if size < len(words) || words == "" {
		return words == ""
	}
	return unicode.Is(unicode.Latin, letter) && !answer.IsPlaceholder(words) && !isLetterOption(words, options)
}

// isLetterOption is isOption for a single letter. Options of several words need no comparison: terse judges
// answer with single letters throughout, and comparing them all costs more than the rest of a call.
func isLetterOption(letter string, options []string) bool {
	return (letter[0] >= utf8.RuneSelf || slices.ContainsFunc(options, isShort)) && isOption(letter, options)
}

// isShort reports whether an option has less than two words, without articles.
func isShort(option string) bool {
	words := 0
	for word := range strings.FieldsSeq(option) {
		if !articles[strings.ToLower(word)] && strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words++
		}
	}
	return words < 2
}

var articles = map[string]bool{"a": true, "an": true, "the": true}

// meaning describes what words mean, and whether they may go with the letter of option own; 4 = E.
func meaning(words string, own int, options []string) (means string, agrees bool) {
	mine, other, best := likenesses(words, own, options)
	otherWords := fmt.Sprintf("the words of %c", 'A'+best)
	switch {
	case mine == wording.Same:
		return "", true
	case other == wording.Same:
		return otherWords, false
	case beginsWith(words, own, options):
		return "", true
	case answer.IsPlaceholder(words):
		return "a placeholder for words", false
	case own == indexOfE:
		return meansNotGiven(words, otherWords, other)
	case answer.SaysNotGiven(words) && !(mine == wording.Within && answer.SaysNotGiven(options[own])):
		return "words that mean E", false
	case mine == wording.Within:
		return meansPart(words, options[own], other)
	case other == wording.Within:
		return otherWords, false
	case mine != wording.Unlike || explanation.MatchString(words):
		return "", true
	}
	return "words of no option", false
}

// likenesses returns how far words agree with option own, and with the other option that they agree with most.
func likenesses(words string, own int, options []string) (mine, other wording.Likeness, best int) {
	for i, likeness := range wording.Compare(words, options) {
		if i == own {
			mine = likeness
		} else if likeness > other {
			other, best = likeness, i
		}
	}
	return mine, other, best
}

// meansPart reports whether words that have a part of an option, or more than it, may go with its letter. other is how far
// they agree with another option.
func meansPart(words, option string, other wording.Likeness) (means string, agrees bool) {
	switch {
	case other == wording.Within && alternative.MatchString(words):
		return "the words of several options", false
	case flatDenial.MatchString(words) && !flatDenial.MatchString(option):
		return "words that deny it", false
	}
	return "", true
}

// indexOfE is the position of the letter of "not given".
const indexOfE = len(letters)

// meansNotGiven reports whether words may go with E: they deny something, or explain. other is how far they
// agree with an option.
func meansNotGiven(words, otherWords string, other wording.Likeness) (means string, agrees bool) {
	const longer = 4 // words; such are an explanation
	switch {
	case explanation.MatchString(words) || answer.SaysNotGiven(words) || denial.MatchString(words): // the slowest on long words comes last
		return "", true
	case other == wording.Within:
		return otherWords, false
	case other == wording.Foreign || len(strings.Fields(words)) >= longer:
		return "", true
	}
	return "words that mean neither E nor an option", false
}

// beginsWith reports whether words are the words of the option with a remark behind them.
func beginsWith(words string, own int, options []string) bool {
	at := remark.FindStringIndex(words)
	return at != nil && own < len(options) && wording.Compare(words[:at[0]], options[own:own+1])[0] == wording.Same
}

var (
	// remark is what separates an option's words from a remark behind them.
	remark      = regexp.MustCompile(`[(,;—]|\s[-–]\s`)
	alternative = regexp.MustCompile(`(?i)\bor\b|/`)
	flatDenial  = regexp.MustCompile(`(?i)^(?:not|no|never|neither)\b`)
	// laterLetter is another choice behind the words of the first.
	laterLetter = regexp.MustCompile(`[^\pL\pN]([A-E])\s*[:：]\s*\pL`)
	// denial is looser: with E nearly all words that deny something mean "not given".
	denial = regexp.MustCompile(`(?i)\b(?:no|not|none|nothing|never|neither|nor|without|cannot|lack\w*|missing|absent|omitted|skip\w*|blank|ambiguous|insufficient|irrelevant|vague|unclear|un\w+ed|only|other)\b|n['’]t\b`)
	// explanation is the beginning of words that give a reason and name no option.
	explanation = regexp.MustCompile(`(?i)^(?:because|since|as|based on|according to|inferred|implied|stated|mentioned|described|(?:the |this )?(?:caption|description|text|passage|video|clip|audio|figure))\b`)
)
