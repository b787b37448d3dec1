package predict

import (
	"strings"
	"unicode"

	"omniscope/model/symptoms"
)

// Limits of what passes for the same answer. Among outputs of one model in English,
// German, Italian and Chinese (docs/design/predict.md), 99 of 100 pairs of long texts about
// different talks share less than sameLong of their pairs of words. Short texts have
// few pairs, and sentences such as "It is not answerable." in common.
const (
	shortAnswer = 20 // words
	sameShort   = 0.5
	sameLong    = 0.2
	mostWords   = 5000 // of a text that are compared: some answers are loops
)

// similarity is the share of pairs of neighbouring words that two texts have in common
// (ROUGE-2, as F1: Lin 2004, section 2), 1 for texts of the same words, and whether
// that is so much that they are the same answer.
func similarity(a, b string) (value float64, same bool) {
	first, second := wordsOf(a), wordsOf(b)
	if strings.Join(first, " ") == strings.Join(second, " ") {
		return 1, true
	}
	left := make(map[[2]string]int)
	for i := 1; i < len(first); i++ {
		left[[2]string{first[i-1], first[i]}]++
	}
	shared := 0
	for i := 1; i < len(second); i++ {
		if pair := [2]string{second[i-1], second[i]}; left[pair] > 0 {
			left[pair]--
			shared++
		}
	}
	if pairs := len(first) + len(second) - 2; pairs > 0 {
		value = 2 * float64(shared) / float64(pairs)
	}
	if max(len(first), len(second)) <= shortAnswer {
		return value, value >= sameShort
	}
	return value, value >= sameLong
}

// wordsOf are the words of a text in small letters, without punctuation. Scripts that
// put no blanks between words count by the character.
func wordsOf(text string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
			word = word[:0]
		}
	}
	for _, r := range text {
		switch {
		case len(words) >= mostWords:
			return words
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r):
			end()
			words = append(words, string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			word = append(word, unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	return words
}

// What a model says that misses its media, in the languages of the benchmarks: a word
// for the media and a word of absence, in one sentence.
var (
	mediaWords = []string{"video", "image", "picture", "photo", "frame", "audio", "sound", "clip", "media", "file", "recording", "attachment", "footage", "speech",
		"bild", "aufnahme", "datei", "vortrag", "immagin", "filmato", "registrazione", "视频", "图", "音频", "录音", "片段", "文件"}
	absenceWords = []string{"no video", "no image", "no audio", "no media", "no file", "no clip", "no attach", "no sound", "no picture", "no frame", "no recording",
		"don't see", "do not see", "don't hear", "do not hear", "don't have", "do not have", "didn't", "did not", "haven't", "have not", "hasn't", "has not", "wasn't", "can't", "cannot", "can not",
		"unable", "not able", "not see", "not hear", "not provided", "not attached", "not include", "without access", "without seeing", "please provide", "please upload", "please share", "please attach", "missing",
		"kein", "nicht", "bitte", "nessun", "non ", "per favore", "没有", "无法", "未", "不能", "请"}
)

// declines reports whether an answer says, in its first sentences, that there is
// nothing to see or hear, or refuses.
func declines(text string) bool {
	if symptoms.Refuses(text) {
		return true
	}
	const most = 3
	n := 0
	for sentence := range strings.FieldsFuncSeq(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return strings.ContainsRune(".!?。！？\n", r) }) {
		if strings.TrimSpace(sentence) == "" {
			continue
		}
		if holdsAny(sentence, mediaWords) && holdsAny(sentence, absenceWords) {
			return true
		}
		if n++; n == most {
			break
		}
	}
	return false
}

func holdsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
