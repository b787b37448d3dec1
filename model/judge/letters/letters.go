// Package letters finds which option of a multiple-choice question a reply chooses.
//
// Read is the sound reader: what is not clear has no letter, and it says why. The other
// readers are those of published scorers, quirks included; Readers lists them. None asks a
// model.
package letters

import (
	"slices"
	"strings"
	"unicode"

	"omniscope/metric/textnorm"
)

// A Reader returns the letter that a reply chooses among the options A, B, C, ...; without a
// choice "", or Drawn if its scorer then draws an option at random.
type Reader func(reply string, options []string) string

// Drawn is the result of a Reader if its scorer draws an option at random.
const Drawn = "drawn"

// A published reader is one that a scorer was released with.
type published struct {
	Name  string
	About string
	Read  Reader
}

// Readers are the published readers.
var Readers = []published{
	{"video-mme", "Video-MME's own, and VLMEvalKit's for WorldSense: the first capital A to D, after some openings are taken away", firstCapital},
	{"video-holmes", "Video-Holmes' own: in <answer>, else anywhere, the letter that comes first in the alphabet", tagOrAnywhere},
	{"video-holmes-vlmevalkit", "VLMEvalKit's for Video-Holmes: as its own, but in <answer> alone", tagOnly},
	{"lmms-eval-mcq", "lmms-eval 0.7.2 for Video-MME and others: the place with the highest rank, of equal ones the last", ranked},
	{"lmms-eval-worldsense", "lmms-eval 0.7.2 for WorldSense: any capital A to D; without any, A", alphabetical},
	{"lmms-eval-mmau", "lmms-eval 0.7.3 for MMAU: A to D in brackets, else between blanks, else before a point; of several the last; without any, one drawn at random", mmau},
	{"lmms-eval-mmar", "lmms-eval 0.7.3 for MMAR: as for MMAU, but before a blank, and in longer replies by an option's words", mmar},
}

// Letter is the letter of option i, from 0; "" beyond Z.
func Letter(i int) string {
	if i < 0 || i > 'Z'-'A' {
		return ""
	}
	return string(rune('A' + i))
}

// Index is the number of the option with a letter, from 0; -1 if it is not one of n options.
func Index(letter string, n int) int {
	if len(letter) != 1 || letter[0] < 'A' || int(letter[0]-'A') >= n {
		return -1
	}
	return int(letter[0] - 'A')
}

// openings are taken away wherever they stand. In two places the published list lacks a
// comma, so that these are one opening each, which no reply has.
var openings = []string{
	"The best answer is", "The correct answer is", "The answer is", "The answer", "The best option is" + "The correct option is",
	"Best answer:" + "Best option:", "Answer:", "Option:", "The correct answer", "The correct option",
}

// firstCapital is Video-MME's reader. It does not look at the options.
func firstCapital(reply string, _ []string) string {
	reply = textnorm.Strip(reply)
	for _, o := range openings {
		reply = strings.ReplaceAll(reply, o, "")
	}
	if i := strings.IndexAny(reply, "ABCD"); i >= 0 {
		return reply[i : i+1]
	}
	return ""
}

const holmesLetters = "ABCDEF"

// tagOrAnywhere is Video-Holmes' reader.
func tagOrAnywhere(reply string, _ []string) string {
	if inside, ok := lastAnswerTag(reply); ok {
		reply = inside
	}
	return byAlphabet(reply)
}

// tagOnly is VLMEvalKit's reader for Video-Holmes.
func tagOnly(reply string, _ []string) string {
	inside, ok := lastAnswerTag(reply)
	if !ok {
		return ""
	}
	return byAlphabet(inside)
}

// byAlphabet is the first letter of the alphabet that looks like a label, else that
// occurs.
func byAlphabet(text string) string {
	for _, l := range strings.Split(holmesLetters, "") {
		if strings.Contains(text, l+" ") || strings.Contains(text, l+":") || strings.Contains(text, "["+l) {
			return l
		}
	}
	for _, l := range strings.Split(holmesLetters, "") {
		if strings.Contains(text, l) {
			return l
		}
	}
	return ""
}

// lastAnswerTag is what stands in the last closed <answer>, without blanks around it.
func lastAnswerTag(text string) (inside string, ok bool) {
	const open, closing = "<answer>", "</answer>"
	for {
		start := strings.Index(text, open)
		if start < 0 {
			return inside, ok
		}
		rest := text[start+len(open):]
		end := strings.Index(rest, closing)
		if end < 0 {
			return inside, ok
		}
		inside, ok, text = textnorm.Strip(rest[:end]), true, rest[end+len(closing):]
	}
}

// alphabetical is lmms-eval's reader for WorldSense. Its test for a letter in brackets has
// lost the brackets, so that it never looks for anything else.
func alphabetical(reply string, _ []string) string {
	text := " " + stripEach(reply) + " "
	var found []string
	for _, l := range []string{"A", "B", "C", "D"} {
		if strings.Contains(text, l) {
			found = append(found, l)
		}
	}
	if len(found) == 0 {
		return "A"
	}
	best := found[0]
	for _, l := range found[1:] {
		if strings.LastIndex(text, "("+l+")") > strings.LastIndex(text, "("+best+")") {
			best = l
		}
	}
	return best
}

// stripEach takes each of some characters from both ends, one kind after the other.
func stripEach(text string) string {
	for _, c := range []string{",", ".", "!", "?", ";", ":", "'", `"`} {
		text = strings.Trim(text, c)
	}
	return text
}

// announcements come before a letter, as lmms-eval knows them.
var announcements = []string{
	"answer is", "option is", "choice is", "i choose", "i select", "i pick",
	"옵션", "정답은", "답은", "답:", "答案是", "答案为", "选", "答えは",
}

// Ranks of the places in which lmms-eval finds a letter.
const (
	anywhere = iota
	beforeBlank
	beforeBracket
	beforeColon
	beforePoint
	inBrackets
	announced
	atEnd
	atStart
)

// ranked is lmms-eval's reader. It knows as many letters as there are options.
func ranked(reply string, options []string) string {
	if textnorm.Strip(reply) == "" {
		return ""
	}
	text := " " + stripEach(textnorm.Strip(reply)) + " "
	best, rank, at := "", -1, -1
	found := func(l string, r, pos int) {
		if r > rank || r == rank && pos > at {
			best, rank, at = l, r, pos
		}
	}
	for i := range options {
		rankLetter(text, Letter(i), found)
	}
	if rank >= 0 {
		return best
	}
	for i := range options {
		if pos := strings.LastIndex(text, Letter(i)); pos >= 0 {
			found(Letter(i), anywhere, pos)
		}
	}
	return best
}

// rankLetter finds where a letter stands, by rank.
func rankLetter(text, l string, found func(l string, rank, pos int)) {
	for _, form := range []struct {
		text string
		rank int
	}{{"(" + l + ")", inBrackets}, {l + ".", beforePoint}, {l + ":", beforeColon}, {l + ")", beforeBracket}, {l + " ", beforeBlank}} {
		if pos := strings.LastIndex(text, form.text); pos >= 0 {
			found(l, form.rank, pos)
		}
	}
	lower := textnorm.Lower(text)
	for _, a := range announcements {
		after := strings.Index(lower, a)
		if after < 0 || after+len(a) > len(text) {
			continue
		}
		if pos := strings.Index(text[after+len(a):], l); pos >= 0 {
			found(l, announced, after+len(a)+pos)
		}
	}
	bare := []rune(textnorm.Strip(text))
	if len(bare) == 0 {
		return
	}
	if string(bare[0]) == l && (len(bare) == 1 || !isLetter(bare[1])) {
		found(l, atStart, 0)
	}
	if n := len(bare); string(bare[n-1]) == l && (n == 1 || !isLetter(bare[n-2])) {
		found(l, atEnd, len(text)-1)
	}
}

// StartsWith reports whether a reply begins with a letter in either case, which is all that
// Daily-Omni's published tester looks at.
func StartsWith(reply, letter string) bool {
	return letter != "" && strings.HasPrefix(strings.ToUpper(textnorm.Strip(reply)), letter)
}

// SameWords reports whether a reply names the answer by its words, as MMAU and MMAR compare
// them: all words of the answer occur in it, and no word that only other options have.
// Neither order nor repetition counts.
func SameWords(reply, answer string, options []string) bool {
	said, wanted := wordsOf(reply), wordsOf(answer)
	if len(said) == 0 {
		return false
	}
	for w := range wanted {
		if !said[w] {
			return false
		}
	}
	for _, o := range options {
		words := wordsOf(o)
		if sameSet(words, wanted) {
			continue
		}
		for w := range words {
			if said[w] && !wanted[w] {
				return false
			}
		}
	}
	return true
}

func sameSet(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for w := range a {
		if !b[w] {
			return false
		}
	}
	return true
}

func wordsOf(text string) map[string]bool {
	words := make(map[string]bool)
	for w := range strings.FieldsFuncSeq(textnorm.Lower(text), func(r rune) bool { return !isWord(r) }) {
		words[w] = true
	}
	return words
}

// Find returns the published reader called name.
func Find(name string) (published, bool) {
	i := slices.IndexFunc(Readers, func(p published) bool { return p.Name == name })
	if i < 0 {
		return published{}, false
	}
	return Readers[i], true
}

// isWord reports whether a character belongs to a word, as in Python's \w.
func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

func isLetter(r rune) bool { return unicode.IsLetter(r) }
