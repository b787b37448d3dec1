package wording

import (
	"sync"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// level is how much two words must have in common to count as the same.
type level uint8

const (
	exactLevel level = iota // the same word, British and American spelling alike
	stemLevel               // the same word in any inflection
	senseLevel              // synonyms as well, such as "man" and "male"
	levels
)

// form is a word without its place in a text. It does not change.
type form struct {
	Text     string        // in lower case, without accents, in American spelling; a number in digits
	Stem     string        // equal for the inflections of a word
	sense    string        // equal for synonyms, too
	ids      [levels]int32 // equal at a level for words that are the same there, in one lexicon
	Function bool          // has little content, such as "the"
	Number   bool
}

// A lexicon holds the forms that were met: to find a stem takes longer than all else.
type lexicon struct {
	forms map[string]*form
	ids   map[string]int32
	words []word // memory for split
}

func newLexicon() *lexicon {
	return &lexicon{forms: make(map[string]*form), ids: make(map[string]int32)}
}

// lexicons are kept for the next texts: most of their words are the same.
var lexicons = sync.Pool{New: func() any { return newLexicon() }}

// mostWords bounds the words of a lexicon that is kept, 2 MB.
const mostWords = 8192

func (lex *lexicon) putBack() {
	if len(lex.forms) <= mostWords && cap(lex.words) <= mostWords {
		lexicons.Put(lex)
	}
}

// form returns the form of a folded word.
func (lex *lexicon) form(text string) *form {
	if f, ok := lex.forms[text]; ok {
		return f
	}
	word := americanSpelling(text)
	f := &form{Text: word, Stem: word, sense: word, Function: functionWords[word], Number: isDigit(word[0])}
	if !f.Number {
		f.Stem = stemOf(word)
		f.sense = f.Stem
		if first, ok := synonyms[f.Stem]; ok {
			f.sense = first
		}
	}
	f.ids = [levels]int32{lex.id(word), lex.id(f.Stem), lex.id(f.sense)}
	lex.forms[text] = f
	return f
}

func (lex *lexicon) id(text string) int32 {
	id, ok := lex.ids[text]
	if !ok {
		id = int32(len(lex.ids))
		lex.ids[text] = id
	}
	return id
}

// stemOf reduces irregular forms by table and the others by rule.
func stemOf(word string) string {
	if base, ok := irregular[word]; ok {
		word = base
	}
	return english.Stem(word, true)
}

// addStarts adds the first bytes of all words that may be the same as f at any level: spellings, inflections and
// synonyms with another first letter are in the tables. Words that are not ASCII always may.
func (f *form) addStarts(starts *[256]bool) {
	add := func(b byte) {
		starts[b] = true
		for _, other := range []byte(respelled[b]) {
			starts[other] = true
		}
	}
	add(f.Text[0])
	if f.sense != "" {
		add(f.sense[0])
	}
	for _, b := range []byte(synonymStarts[f.sense]) {
		add(b)
	}
	if !starts[' '] {
		starts[' '] = true // what is left of some Arabic ligatures
		for b := utf8.RuneSelf; b < len(starts); b++ {
			starts[b] = true
		}
	}
}

// synonymStarts are the first bytes of synonyms, by the first synonym of a group. respelled are the first bytes of spellings and
// inflections that begin with another byte than their word, by the first byte of the word.
var synonymStarts, respelled = func() (map[string]string, [256]string) {
	starts, other := make(map[string]string), [256]string{}
	for stem, sense := range synonyms {
		starts[sense] += stem[:1]
	}
	for _, table := range []map[string]string{spellings, irregular} {
		for word, as := range table {
			if word[0] != as[0] {
				other[as[0]] += word[:1]
			}
		}
	}
	return starts, other
}()
