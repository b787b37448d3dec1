package symptoms

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"omniscope/internal/visible"
)

// quoteLength, in characters, is what a report can show in a line.
const quoteLength = 60

// quote returns the start of text in quotation marks and on one line.
func quote(text string) string {
	var line strings.Builder
	line.WriteByte('"')
	count, blank := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || visible.Acts(r) {
			blank = count > 0
			continue
		}
		if count == quoteLength {
			line.WriteRune('…')
			break
		}
		if blank {
			line.WriteByte(' ')
			blank = false
		}
		line.WriteRune(r)
		count++
	}
	line.WriteByte('"')
	return line.String()
}

// opening, in bytes, is how much of the start or end of an answer the phrases
// are looked for in.
const opening = 600

// head returns the start of text, whole characters only.
func head(text string) string {
	if len(text) <= opening {
		return text
	}
	end := opening
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// tail returns the end of text, whole characters only.
func tail(text string) string {
	if len(text) <= opening {
		return text
	}
	start := len(text) - opening
	for start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	return text[start:]
}

var straight = strings.NewReplacer("’", "'", "‘", "'")

// fold makes phrases comparable: small letters, straight apostrophes, single
// blanks, and no marks of layout or quotation before the first word.
func fold(text string) string {
	text = strings.ToLower(straight.Replace(text))
	text = strings.Join(strings.Fields(text), " ")
	return strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '<' })
}

// plain is text folded and without punctuation after the last word.
func plain(text string) string {
	if len(text) > opening {
		return ""
	}
	return strings.TrimRightFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// cutStart takes the first of phrases that text starts with off it. A phrase
// does not end within a word: "als ki" is not in "als kinder".
func cutStart(text string, phrases []string) (rest string, ok bool) {
	for _, p := range phrases {
		if rest, ok := strings.CutPrefix(text, p); ok && !(endsInLetter(p) && startsWithLetter(rest)) {
			return rest, true
		}
	}
	return text, false
}

func endsInLetter(phrase string) bool {
	last := phrase[len(phrase)-1]
	return last >= 'a' && last <= 'z'
}

// startsWithLetter looks for Latin letters only: Chinese has no blanks after a
// word.
func startsWithLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r < 0x250 && unicode.IsLetter(r)
}

// first returns the start of text, at most so many characters.
func first(text string, characters int) string {
	for i := range text {
		if characters == 0 {
			return text[:i]
		}
		characters--
	}
	return text
}

func containsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, p) })
}
