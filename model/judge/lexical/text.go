package lexical

import "unicode/utf8"

// Distances between words are measured in steps: one step for a content
// word, less for a function word, more where a clause or a sentence ends. A
// word that belongs to the same statement is thus nearer than one that
// happens to stand close by.
const (
	contentStep  = 1.0
	functionStep = 0.4
	linkStep     = 0.8 // extra for a word such as "while" that opens a clause
	clauseStep   = 1.0 // extra for a comma, colon, bracket or dash
	sentenceStep = 4.0 // extra for the end of a sentence or a line
)

// token is one word of a text, or a placeholder.
type token struct {
	start, end int // bytes of the source
	form       *form
	x          float64 // distance from the start of the text in steps
	clause     int     // number of the clause in the text
	sentence   int     // number of the sentence in the text
	thread     int     // number of the run of sentences about one subject
	isBlank    bool
}

// text is a passage or a caption split into words and indexed.
type text struct {
	source  string
	tokens  []token
	bySense [][]int32     // places of every sense, ascending
	byTopic [][]int32     // places of every topic, ascending
	blanks  map[int][]int // places of every placeholder
}

func newText(lex *lexicon, source string) *text {
	t := &text{source: source, blanks: make(map[int][]int)}
	words := joinNumbers(split(nil, source))
	t.tokens = make([]token, len(words))
	x, clause, sentence, thread := 0.0, 0, 0, 0
	for i, w := range words {
		tok := token{start: w.start, end: w.end, isBlank: w.kind == blankWord}
		if tok.isBlank {
			tok.form = lex.placeholder
			t.blanks[w.number] = append(t.blanks[w.number], i)
		} else {
			tok.form = lex.form(w.text)
		}
		x += tok.form.step
		if i > 0 {
			step := boundaryStep[w.boundary]
			if w.boundary >= clauseEnd || tok.form.breaksClause {
				clause++
			}
			if w.boundary == sentenceEnd {
				sentence++
				if tok.form.refersBack {
					step = clauseStep
				} else {
					thread++
				}
			}
			x += step
		}
		tok.x, tok.clause, tok.sentence, tok.thread = x, clause, sentence, thread
		t.tokens[i] = tok
	}
	t.index(lex)
	return t
}

var boundaryStep = [...]float64{noBoundary: 0, clauseEnd: clauseStep, sentenceEnd: sentenceStep}

func (t *text) index(lex *lexicon) {
	t.bySense = make([][]int32, lex.size())
	t.byTopic = make([][]int32, lex.size())
	for i := range t.tokens {
		if tok := &t.tokens[i]; !tok.isBlank {
			sense, topic := tok.form.ids[senseLevel], tok.form.ids[topicLevel]
			t.bySense[sense] = append(t.bySense[sense], int32(i))
			t.byTopic[topic] = append(t.byTopic[topic], int32(i))
		}
	}
}

// places returns where a sense or a topic stands; a text read before the
// word was first met has no entry for it.
func places(index [][]int32, id int32) []int32 {
	if int(id) >= len(index) {
		return nil
	}
	return index[id]
}

// quoteWords is how many words a quote shows on either side of a mention.
const quoteWords = 6

// quote returns the words first to last (exclusive) with some words of the
// same sentence around them, as the source has them.
func (t *text) quote(first, last int) string {
	from, to := first, last
	for from > 0 && first-from < quoteWords && t.tokens[from-1].sentence == t.tokens[first].sentence {
		from--
	}
	for to < len(t.tokens) && to-last < quoteWords && t.tokens[to].sentence == t.tokens[last-1].sentence {
		to++
	}
	return t.source[t.tokens[from].start:t.tokens[to-1].end]
}

// runeAt decodes the rune at i; width is 0 at the end of the text.
func runeAt(s string, i int) (r rune, width int) {
	if i >= len(s) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(s[i:])
}
