package lexical

import (
	"strings"

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
