package langid

import (
	"bytes"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences cuts text after its sentence marks and at its line ends. A point
// ends a sentence only before white space, so that 2.5 stays whole.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for end := 0; end < len(text); {
			r, size := utf8.DecodeRuneInString(text[end:])
			end += size
			switch r {
			case '\n', '。', '！', '？', '；':
			case '.', '!', '?':
				if end < len(text) && !strings.ContainsRune(" \t\r\n", rune(text[end])) {
					continue
				}
			default:
				continue
			}
			if !yield(text[start:end]) {
				return
			}
			start = end
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

// weigh collects the evidence of a sentence, that within quotation marks apart.
func weigh(sentence string) (plain, quoted evidence) {
	for sentence != "" {
		start, inner, end := quotation(sentence)
		p := read(sentence[:start])
		plain.add(&p)
		q := read(inner)
		quoted.add(&q)
		sentence = sentence[end:]
	}
	plain.dropTitle()
	quoted.dropTitle()
	return plain, quoted
}

// closing returns the marks that end a quotation that start starts, "" if it
// starts none. Single quotation marks are left out: they are apostrophes as well.
func closing(start rune) string {
	switch start {
	case '"':
		return `"`
	case '“':
		return "”"
	case '„':
		return "“”"
	case '«':
		return "»"
	case '»':
		return "«"
	case '《':
		return "》"
	case '「':
		return "」"
	case '『':
		return "』"
	}
	return ""
}

// longestQuotation, in bytes, keeps a stray mark from hiding what follows it.
const longestQuotation = 300

// quotation finds the first quotation of a sentence: what is before start is
// not quoted, inner is, and the rest starts at end.
func quotation(sentence string) (start int, inner string, end int) {
	for start < len(sentence) {
		r, size := utf8.DecodeRuneInString(sentence[start:])
		if marks := closing(r); marks != "" {
			body := sentence[start+size:]
			window := body[:min(len(body), longestQuotation)]
			if n := strings.IndexAny(window, marks); n >= 0 {
				_, width := utf8.DecodeRuneInString(body[n:])
				return start, body[:n], start + size + n + width
			}
		}
		start += size
	}
	return len(sentence), "", len(sentence)
}

// dropTitle takes back what the function words say if all content words have a
// capital, or all function words, as in a title or in a list of names. German
// nouns have one anyway.
func (e *evidence) dropTitle() {
	if e.words == 0 {
		return
	}
	if e.upper > 0 && e.lower == 0 || e.small == 0 {
		if best, _ := e.latin(); best != german {
			e.score, e.hits, e.seen = [languages]float64{}, [languages]int{}, [languages]uint64{}
		}
	}
}

// longestWord, in bytes; of longer ones nothing is looked up.
const longestWord = 48

// read collects the evidence of a passage.
func read(text string) (e evidence) {
	var buffer [longestWord]byte
	table := votes()
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isLatin(r):
			size = e.word(text[i:], buffer[:0], table)
		case r < 0x250:
		case r >= 0x3400 && r <= 0x9fff, r >= 0x20000 && r <= 0x3ffff:
			e.han++
		case r >= 0x3041 && r <= 0x30ff:
			e.kana++
		case r >= 0xac00 && r <= 0xd7a3, r >= 0x1100 && r <= 0x11ff, r >= 0x3131 && r <= 0x318e:
			e.hangul++
		case unicode.IsLetter(r):
			e.foreign++
		}
		i += size
	}
	return e
}

func isLatin(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0xc0 && r < 0x250 && r != '×' && r != '÷' || r >= 0x1e00 && r < 0x1f00
}

// word takes the word that text starts with, and returns its length in bytes.
// into has room for longestWord bytes.
func (e *evidence) word(text string, into []byte, table map[string][]vote) int {
	length, apostrophe := wordEnd(text)
	e.words++
	word, capitals := lower(text[:length], into)
	first, width := utf8.DecodeRuneInString(text)
	switch {
	case length > longestWord:
	case width == length && unicode.IsUpper(first) && first != 'I': // a variable, an initial, a choice
	case capitals > 1 && capitals == utf8.RuneCount(word): // an abbreviation
	case e.look(word, table), apostrophe > 0 && e.lookParts(word, table):
		if !unicode.IsUpper(first) {
			e.small++
		}
	case len(word) > 3:
		e.content(word, unicode.IsUpper(first))
		if !unicode.IsUpper(first) {
			e.spell(word)
		}
	}
	return length
}

// wordEnd returns the length in bytes of the word that text starts with, and
// where in it the last apostrophe is, 0 if there is none. Hyphens, digits, and
// points between small letters are part of a word, so that "state-of-the-art"
// is no English in a German sentence and "e.g." no Italian "e".
func wordEnd(text string) (end, apostrophe int) {
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		switch {
		case isLatin(r), r == '-', r == '_', r >= '0' && r <= '9':
		case r == '.' && end+1 < len(text) && text[end+1] >= 'a' && text[end+1] <= 'z':
		case (r == '\'' || r == '’') && startsLatin(text[end+size:]):
			apostrophe = end
		default:
			return end, apostrophe
		}
		end += size
	}
	return end, apostrophe
}

func startsLatin(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLatin(r)
}

// lower appends the word in small letters and with straight apostrophes to
// into, as far as there is room, and counts the capitals in it.
func lower(word string, into []byte) (small []byte, capitals int) {
	for _, r := range word {
		switch {
		case r == '’':
			r = '\''
		case unicode.IsUpper(r):
			capitals++
			r = unicode.ToLower(r)
		}
		if len(into)+utf8.RuneLen(r) > cap(into) {
			break
		}
		into = utf8.AppendRune(into, r)
	}
	return into, capitals
}

// lookParts looks up what is before and after an apostrophe: Italian "l'autore"
// and English "that's".
func (e *evidence) lookParts(word []byte, table map[string][]vote) bool {
	at := bytes.LastIndexByte(word, '\'')
	before, after := e.look(word[:at+1], table), e.look(word[at:], table)
	rest := e.look(word[at+1:], table)
	return before || after || rest
}

// look counts word for the languages that list it, and reports whether one does.
func (e *evidence) look(word []byte, table map[string][]vote) bool {
	list := table[string(word)]
	bit := uint64(0)
	if len(word) > 1 && list != nil {
		bit = 1 << (hash(word) % 64)
	}
	for _, v := range list {
		e.score[v.language] += v.weight
		e.hits[v.language]++
		e.seen[v.language] |= bit
	}
	return list != nil
}

// hash is FNV-1a.
func hash(word []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range word {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h
}

// spell takes words with letters that a language does not have from its score.
func (e *evidence) spell(word []byte) {
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		word = word[size:]
		if r < utf8.RuneSelf {
			continue
		}
		for i, has := range letters {
			if !strings.ContainsRune(has, r) {
				e.score[i] -= foreignLetter
			}
		}
		return // one letter of a word
	}
}

// content counts a word that no list has.
func (e *evidence) content(word []byte, capital bool) {
	if capital {
		e.upper++
	} else {
		e.lower++
	}
	for _, end := range endings {
		if len(word) > len(end.text)+2 && bytes.HasSuffix(word, []byte(end.text)) {
			for _, i := range end.sources {
				e.score[i] += endingWeight
			}
		}
	}
	if bytes.Contains(word, []byte("ß")) {
		e.score[german] += endingWeight
	}
}
