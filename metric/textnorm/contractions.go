package textnorm

import (
	"bytes"
	"strings"
)

// expansions are whole words and what is written for them, hesitations and
// titles among them. The blank after a title is the original's. No word of an
// expansion is a key, and none makes a key with its neighbours, so that one pass
// does what the original does in one pass a key.
var expansions = map[string]string{
	"hmm": "", "mm": "", "mhm": "", "mmm": "", "uh": "", "um": "",

	"wanna": "want to", "gotta": "got to", "gonna": "going to", "imma": "i am going to",
	"woulda": "would have", "coulda": "could have", "shoulda": "should have",

	"mr": "mister ", "mrs": "missus ", "st": "saint ", "dr": "doctor ", "prof": "professor ",
	"capt": "captain ", "gov": "governor ", "ald": "alderman ", "gen": "general ", "sen": "senator ",
	"rep": "representative ", "pres": "president ", "rev": "reverend ", "hon": "honorable ",
	"asst": "assistant ", "assoc": "associate ", "lt": "lieutenant ", "col": "colonel ",
	"jr": "junior ", "sr": "senior ", "esq": "esquire ",
}

// contractions are whole words as well, with an apostrophe inside. Two of them
// can share a word only in "i'ma'am", where the first is also the original's
// first.
var contractions = map[string]string{
	"won't": "will not", "can't": "can not", "let's": "let us", "ain't": "aint", "y'all": "you all",
	"i'ma": "i am going to", "ma'am": "madam",
}

// perfects and endings follow an apostrophe, whatever stands before it.
var (
	perfects = []struct{ word, expansion string }{
		{"d been", " had been"}, {"s been", " has been"}, {"d gone", " had gone"},
		{"s gone", " has gone"}, {"d done", " had done"}, {"s got", " has got"},
	}
	endings = map[string]string{
		"re": " are", "s": " is", "d": " would", "ll": " will", "t": " not", "ve": " have", "m": " am",
	}
)

// initials says by first letter how long the keys of expansions and
// contractions are: bit n for a key whose first word has n letters. Most words
// need no closer look.
var initials = func() (t [256]uint16) {
	for _, keys := range []map[string]string{expansions, contractions} {
		for key := range keys {
			first, _, _ := strings.Cut(key, "'")
			t[key[0]] |= 1 << len(first)
		}
	}
	return t
}()

// expand removes hesitations and writes out contractions and titles.
func (t *text) expand() {
	if bytes.IndexByte(t.now, '\'') < 0 {
		t.through(expandWords)
		return
	}
	// Blanks before an apostrophe go after the hesitations have gone and before
	// anything is written out: "won hmm't" is "won't".
	t.through(dropHesitations)
	t.through(dropSpaceBeforeApostrophes)
	t.through(expandWords)
	t.through(expandPerfects)
	t.through(expandNot)
	t.through(expandEndings)
}

func dropHesitations(dst, src []byte) []byte {
	return replaceWords(dst, src, func(start, end int) (string, int, bool) {
		expansion, ok := expansions[string(src[start:end])]
		return "", end, ok && expansion == ""
	})
}

func expandWords(dst, src []byte) []byte {
	return replaceWords(dst, src, func(start, end int) (string, int, bool) {
		if end < len(src) && src[end] == '\'' {
			second := runEnd(src, end+1, isWord)
			if expansion, ok := contractions[string(src[start:second])]; ok {
				return expansion, second, true
			}
		}
		expansion, ok := expansions[string(src[start:end])]
		return expansion, end, ok
	})
}

// replaceWords shows the words of src that could be the first of a key to
// replace, which says what to write instead, and up to where.
func replaceWords(dst, src []byte, replace func(start, end int) (with string, to int, ok bool)) []byte {
	copied := 0
	for i := 0; i < len(src); {
		c, size := classAt(src, i)
		if c&isWord == 0 {
			i += size
			continue
		}
		end := runEnd(src, i+size, isWord)
		if n := end - i; n < 16 && initials[src[i]]>>n&1 != 0 {
			if with, to, ok := replace(i, end); ok {
				dst = append(append(dst, src[copied:i]...), with...)
				copied, end = to, to
			}
		}
		i = end
	}
	return append(dst, src[copied:]...)
}

func dropSpaceBeforeApostrophes(dst, src []byte) []byte {
	for {
		i := bytes.IndexByte(src, '\'')
		if i < 0 {
			return append(dst, src...)
		}
		dst = append(dst, bytes.TrimRightFunc(src[:i], IsSpace)...)
		dst = append(dst, '\'')
		src = src[i+1:]
	}
}

// atApostrophes shows the apostrophes of src, which are replaced, with some of
// what follows, where replace says so; cut is how much before goes with it.
func atApostrophes(dst, src []byte, replace func(i int) (with string, cut, to int, ok bool)) []byte {
	copied := 0
	for i := 0; ; {
		n := bytes.IndexByte(src[i:], '\'')
		if n < 0 {
			return append(dst, src[copied:]...)
		}
		i += n
		if with, cut, to, ok := replace(i); ok {
			dst = append(append(dst, src[copied:i-cut]...), with...)
			copied = to
		}
		i++
	}
}

// The next three are passes of their own, since the second can make words for
// the third, but no longer for the first: "he'sn't" is "he is not".

func expandPerfects(dst, src []byte) []byte {
	return atApostrophes(dst, src, func(i int) (string, int, int, bool) {
		for _, p := range perfects {
			if bytes.HasPrefix(src[i+1:], []byte(p.word)) && endsWord(src, i+1+len(p.word)) {
				return p.expansion, 0, i + 1 + len(p.word), true
			}
		}
		return "", 0, 0, false
	})
}

func expandNot(dst, src []byte) []byte {
	return atApostrophes(dst, src, func(i int) (string, int, int, bool) {
		found := i > 0 && src[i-1] == 'n' && bytes.HasPrefix(src[i+1:], []byte("t")) && endsWord(src, i+2)
		return " not", 1, i + 2, found
	})
}

func expandEndings(dst, src []byte) []byte {
	return atApostrophes(dst, src, func(i int) (string, int, int, bool) {
		end := runEnd(src, i+1, isWord)
		expansion, ok := endings[string(src[i+1:end])]
		return expansion, 0, end, ok
	})
}
