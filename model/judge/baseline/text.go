package baseline

import "omniscope/model/judge/wording"

// A text is a passage, a caption or an option as words.
type text struct {
	source string
	words  []wording.Word
	at     map[string][]int // places of a stem, ascending
}

func readText(source string) *text {
	t := &text{source: source, words: wording.Words(source), at: make(map[string][]int)}
	for i, w := range t.words {
		if w.Text != "" {
			t.at[w.Stem] = append(t.at[w.Stem], i)
		}
	}
	return t
}

// isContent reports whether a word is neither a gap nor a function word.
func isContent(w wording.Word) bool { return w.Text != "" && !w.Function }

// runs returns where stems follow each other, at most the first most places.
func (t *text) runs(stems []string, most int) (found []int) {
	if len(stems) == 0 {
		return nil
	}
	for _, i := range t.at[stems[0]] {
		if len(found) < most && t.matches(i, stems) {
			found = append(found, i)
		}
	}
	return found
}

func (t *text) matches(first int, stems []string) bool {
	if first < 0 || first+len(stems) > len(t.words) {
		return false
	}
	for k, stem := range stems {
		if t.words[first+k].Stem != stem {
			return false
		}
	}
	return true
}

// sentenceStep is how many words the end of a sentence counts as in a distance.
const sentenceStep = 6

// distance is how many words b is after a.
func (t *text) distance(a, b int) int {
	return b - a + sentenceStep*(t.words[b].Sentence-t.words[a].Sentence)
}

var negations = map[string]bool{"no": true, "not": true, "never": true, "without": true, "nor": true, "neither": true, "nobody": true, "nothing": true}

// negationReach is how many words before a word a negation is at most.
const negationReach = 4

// isNegated reports whether a negation is shortly before word i in its sentence.
func (t *text) isNegated(i int) bool {
	for k := max(0, i-negationReach); k < i; k++ {
		if negations[t.words[k].Text] && t.words[k].Sentence == t.words[i].Sentence {
			return true
		}
	}
	return false
}

// quote returns the words first to last (exclusive) as the source has them.
func (t *text) quote(first, last int) string {
	return t.source[t.words[first].Start:t.words[last-1].End]
}
