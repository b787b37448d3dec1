package textnorm

import (
	"strings"
	"unicode"
)

// spacelessScripts put no blanks between words: there each letter is counted as a word.
var spacelessScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// marks of kana that belong to no script.
const prolonged, halfProlonged = 'ー', 'ｰ'

// spaceless reports whether a letter is of a script without blanks between words.
func spaceless(r rune) bool {
	return r == prolonged || r == halfProlonged || r >= 0xe00 && unicode.IsLetter(r) && unicode.In(r, spacelessScripts...)
}

// spacelessLanguages are the codes of languages that are written so.
var spacelessLanguages = map[string]bool{"zh": true, "zho": true, "chi": true, "cmn": true, "yue": true, "wuu": true, "nan": true, "hak": true, "ja": true, "jpn": true, "th": true, "tha": true, "lo": true, "lao": true,
	"km": true, "khm": true, "my": true, "mya": true, "bur": true}

// SpacelessLanguage reports whether a language is written without blanks between words, by its code without country and script.
func SpacelessLanguage(base string) bool { return spacelessLanguages[base] }

// SplitWords cuts a text into words at its white space, and each letter of a script without blanks from its neighbours. Vowel
// signs and other marks stay with their letter; punctuation among such letters is in no word.
func SplitWords(text string) (words []string) {
	for _, field := range strings.Fields(text) {
		if strings.ContainsFunc(field, spaceless) {
			words = appendLetters(words, field)
		} else {
			words = append(words, field)
		}
	}
	return words
}

func appendLetters(words []string, field string) []string {
	from := -1 // of a word that goes on
	single := false
	end := func(at int) {
		if from >= 0 {
			words = append(words, field[from:at])
		}
		from = -1
	}
	for i, r := range field {
		switch {
		case spaceless(r):
			end(i)
			from, single = i, true
		case from >= 0 && (unicode.IsMark(r) || r == '\u200d'):
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if single {
				end(i)
			}
			if from < 0 {
				from, single = i, false
			}
		default:
			end(i)
		}
	}
	end(len(field))
	return words
}

// CountWords is how many words SplitWords finds.
func CountWords(text string) int { return len(SplitWords(text)) }

// Unsplit reports whether words were split at blanks although the text has hardly any blanks: most letters are of scripts without
// blanks, and words have many of these. It needs several words to decide.
func Unsplit(words []string) bool {
	const long = 3.5 // letters of a word, on average; texts that were cut into words have about two
	letters, others, runs := 0, 0, 0
	for _, w := range words {
		own := 0
		for _, r := range w {
			switch {
			case spaceless(r):
				own++
			case unicode.IsLetter(r):
				others++
			}
		}
		if letters += own; own > 0 {
			runs++
		}
	}
	return letters > others && float64(letters) > long*float64(runs)
}

// HasSpaceless reports whether a text has letters of scripts without blanks.
func HasSpaceless(text string) bool { return strings.ContainsFunc(text, spaceless) }
