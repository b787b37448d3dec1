package cloze

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A form is something that can be seen of an option without knowing the scene.
type form struct {
	says string // of an answer that has it alone, or lacks it alone
	of   func(option string) (has, applies bool)
}

// forms are compared between an answer and all its distractors. Each is chosen so
// that what differs by the nature of things, such as "Naruto" and "Dragon Ball Z",
// does not count.
var forms = []form{
	{"a number written in digits, against words", func(o string) (bool, bool) { return digits.MatchString(o), true }},
	{"a number in words, against digits", func(o string) (bool, bool) {
		words := tokens(o)
		has := len(words) > 0 && numberWords[words[0]]
		return has, has || digits.MatchString(o)
	}},
	{"a capital letter at its start", startsWithCapital},
	{"capital letters throughout", allCapitals},
	{"an article at its start", func(o string) (bool, bool) { return article.MatchString(o), true }},
	{"quotation marks", func(o string) (bool, bool) { return strings.ContainsAny(o, "\"“”"), true }},
}

var (
	digits  = regexp.MustCompile(`^[-+$€£#]?\pN+(?:[^\pL\pN]|$)`) // "3D glasses" are no number
	article = regexp.MustCompile(`^(?:an? |the [^\p{Lu}])`)       // "the Beatles" have theirs by name
)

var pronoun = set("i im ive ill id")

var numberWords = set(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand`)

// startsWithCapital does not apply to "I", which is a capital wherever it stands.
func startsWithCapital(o string) (has, applies bool) {
	if first := tokens(o); len(first) > 0 && strings.HasPrefix(o, "I") && pronoun[first[0]] {
		return false, false
	}
	o = strings.TrimPrefix(strings.TrimLeft(o, "\"“‘'("), "the ")
	for _, r := range o {
		return unicode.IsUpper(r), unicode.IsLetter(r)
	}
	return false, false
}

// allCapitals does not apply to short ones, which may be initials ("L.A. X", "NASA").
func allCapitals(o string) (has, applies bool) {
	letters := 0
	for _, r := range o {
		if unicode.IsLower(r) {
			return false, true
		}
		if unicode.IsUpper(r) {
			letters++
		}
	}
	return letters > longestInitials, letters > longestInitials
}

const longestInitials = 4

// checkGiveaways finds answers that a reader picks out by their form: alone in having
// or lacking something, much longer or shorter than all others, or the only option
// that the article before the blank fits.
func checkGiveaways(d *Draft, _ Rules) (out []Finding) {
	articles := articlesBefore(d.Passage)
	for _, b := range d.Blanks {
		if len(b.Distractors) == 0 || slices.ContainsFunc(b.options(), func(o string) bool { return strings.TrimSpace(o) == "" }) {
			continue
		}
		if says := b.giveaway(articles[mark(b.Number)]); says != "" {
			out = append(out, Finding{Blank: b.Number, Text: b.Answer, Says: says})
		}
	}
	return out
}

// giveaway says how the answer differs from its distractors; "" if it does not.
// before is the article in front of the blank.
func (b *draftBlank) giveaway(before string) string {
	for _, f := range forms {
		answer, applies := f.of(b.Answer)
		for _, o := range b.Distractors {
			has, ok := f.of(o)
			applies = applies && ok && has != answer
		}
		if applies && answer {
			return "it alone of the options has " + f.says
		}
		if applies {
			return "it alone of the options does not have " + f.says
		}
	}
	const farApart = 4 // words
	n, shortest, longest := len(strings.Fields(b.Answer)), 1<<30, 0
	for _, o := range b.Distractors {
		shortest, longest = min(shortest, len(strings.Fields(o))), max(longest, len(strings.Fields(o)))
	}
	switch {
	case n >= longest+farApart:
		return "it is much longer than all its distractors"
	case n+farApart <= shortest:
		return "it is much shorter than all its distractors"
	case before != "" && fits(before, b.Answer) && !slices.ContainsFunc(b.Distractors, func(o string) bool { return fits(before, o) }):
		return "it is the only option that fits the article before the blank, \"" + before + "\""
	}
	return ""
}

var beforeMark = regexp.MustCompile(`(?i)(?:^|[^\pL])(an?) ["“‘']?(\[BLANK_[0-9]+\])`)

// articlesBefore are the "a" and "an" right before blanks, by their marks.
func articlesBefore(passage string) map[string]string {
	out := make(map[string]string)
	for _, m := range beforeMark.FindAllStringSubmatch(passage, -1) {
		out[m[2]] = strings.ToLower(m[1])
	}
	return out
}

// fits reports whether a word can follow "a" or "an", by its first letters. Where
// letters do not tell, as in numbers and initials, it fits both.
func fits(article, option string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(option, "\"“‘'("), " ")
	lower := strings.ToLower(word)
	switch {
	case lower == "" || !unicode.IsLetter([]rune(lower)[0]) || word == strings.ToUpper(word) || soundsUnlike.MatchString(lower):
		return true
	case strings.ContainsRune("aeiou", []rune(lower)[0]):
		return article == "an"
	}
	return article == "a"
}

// soundsUnlike are words that do not start with the sound of their first letter.
var soundsUnlike = regexp.MustCompile(`^(?:hour|hono|heir|herb|uni|use|usu|eu|one|once|ute|ukulele|x|y)`)
