package lexical

import "math"

// weights tells how much each topic says about where in the clip a sentence
// is: rare words more than frequent ones.
type weights []float64

// functionWeight scales the weight of words such as "the".
const functionWeight = 0.15

// newWeights counts in how many sentences of both texts each topic occurs.
// The counts are smoothed because the texts are short.
func newWeights(lex *lexicon, texts ...*text) weights {
	sentences, in := 0, make([]int, lex.size())
	isFunction := make([]bool, lex.size())
	for _, t := range texts {
		last := make([]int, lex.size()) // sentence the topic was last seen in, from 1
		for i := range t.tokens {
			tok := &t.tokens[i]
			if tok.isBlank {
				continue
			}
			id := tok.form.ids[topicLevel]
			isFunction[id] = tok.form.isFunction
			if last[id] != tok.sentence+1 {
				last[id] = tok.sentence + 1
				in[id]++
			}
		}
		if len(t.tokens) > 0 {
			sentences += t.tokens[len(t.tokens)-1].sentence + 1
		}
	}
	const smoothing = 20
	all := float64(sentences + smoothing)
	w := make(weights, lex.size())
	for id, n := range in {
		w[id] = max(0, math.Log(all/float64(n+1))/math.Log(all))
		if isFunction[id] {
			w[id] *= functionWeight
		}
	}
	return w
}
