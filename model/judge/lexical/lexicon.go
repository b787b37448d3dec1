package lexical

import (
	"strings"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// level says how much two words must have in common to count as the same.
type level uint8

const (
	exactLevel level = iota // the same word, British and American spelling alike
	stemLevel               // the same word in any inflection
	senseLevel              // synonyms as well, such as "man" and "male"
	topicLevel              // words of one topic as well, for context only
	levels
)

// form is everything the reader knows about a word.
type form struct {
	text         string
	sense        string        // the first of its synonyms
	ids          [levels]int32 // equal ids at a level mean the same word there
	step         float64       // distance the word adds, see contentStep
	isFunction   bool          // says little about the topic
	isNumber     bool
	isNegation   bool
	refersBack   bool // at the start of a sentence keeps to the subject of the last one
	breaksClause bool // opens a clause that a negation before it does not reach
}

// lexicon holds the forms met in one call of Read.
type lexicon struct {
	forms       map[string]*form
	ids         map[string]int32
	placeholder *form
	words       []word // memory for readTerms
}

func newLexicon() *lexicon {
	return &lexicon{
		forms:       make(map[string]*form),
		ids:         make(map[string]int32),
		placeholder: &form{step: contentStep},
	}
}

// size is one more than the greatest id.
func (lex *lexicon) size() int { return len(lex.ids) }

func (lex *lexicon) id(key string) int32 {
	id, ok := lex.ids[key]
	if !ok {
		id = int32(len(lex.ids))
		lex.ids[key] = id
	}
	return id
}

// form returns the form of a folded word.
func (lex *lexicon) form(text string) *form {
	if f, ok := lex.forms[text]; ok {
		return f
	}
	f := lex.newForm(text)
	lex.forms[text] = f
	return f
}

func (lex *lexicon) newForm(text string) *form {
	word := americanSpelling(text)
	stem, sense, topic := word, word, word
	number := isDigit(word[0])
	if !number {
		stem = stemOf(word)
		sense = synonymOf(stem)
		topic = topicOf(sense)
	}
	f := &form{
		text:         word,
		sense:        sense,
		isFunction:   functionWords[word],
		isNumber:     number,
		isNegation:   negations[word],
		refersBack:   pronouns[word],
		breaksClause: clauseBreakers[word],
		step:         contentStep,
	}
	f.ids = [levels]int32{lex.id(word), lex.id(stem), lex.id(sense), lex.id(topic)}
	if f.isFunction {
		f.step = functionStep
	}
	if linkWords[word] {
		f.step += linkStep
	}
	return f
}

// addStarts adds the first bytes of all words that may be the same as f at senseLevel or below: spellings, inflections and
// synonyms with another first letter are in the tables. Words that are not ASCII always may.
func (f *form) addStarts(starts *[256]bool) {
	add := func(b byte) {
		starts[b] = true
		for _, other := range []byte(respelled[b]) {
			starts[other] = true
		}
	}
	add(f.text[0])
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

// stemOf reduces irregular forms by table and the others by rule.
func stemOf(word string) string {
	if base, ok := irregular[word]; ok {
		word = base
	}
	return english.Stem(word, true)
}

func synonymOf(stem string) string {
	if first, ok := synonyms[stem]; ok {
		return first
	}
	return stem
}

func topicOf(sense string) string {
	if first, ok := topics[sense]; ok {
		return first
	}
	return sense
}

// americanSpelling maps British spellings to one form. The rules need not
// give real words ("noise" becomes "noize"): both texts pass through them.
func americanSpelling(word string) string {
	if american, ok := spellings[word]; ok {
		return american
	}
	if len(word) < 5 {
		return word
	}
	for _, r := range spellingRules {
		if i := strings.LastIndex(word, r.british); i > 0 && r.endings[word[i+len(r.british):]] {
			return word[:i] + r.american + word[i+len(r.british):]
		}
	}
	return word
}
