package metric

import (
	"errors"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/metric/textnorm"
)

// Edits counts the operations of a cheapest word alignment of a hypothesis
// with its reference. The Edits of several texts may be added.
type Edits struct{ Hits, Substitutions, Deletions, Insertions int }

// Words is the number of words of the reference.
func (e Edits) Words() int { return e.Hits + e.Substitutions + e.Deletions }

// Errors is the edit distance in words.
func (e Edits) Errors() int { return e.Substitutions + e.Deletions + e.Insertions }

// Rate is the word error rate, errors for each word of the reference: a
// fraction that may exceed 1. ok is false where the reference has no words.
func (e Edits) Rate() (rate float64, ok bool) {
	if e.Words() == 0 {
		return 0, false
	}
	return float64(e.Errors()) / float64(e.Words()), true
}

// Add returns the sum of e and o.
func (e Edits) Add(o Edits) Edits {
	return Edits{e.Hits + o.Hits, e.Substitutions + o.Substitutions, e.Deletions + o.Deletions, e.Insertions + o.Insertions}
}

// noWords is what jiwer says of references without words, and of none at all.
const noWords = "After applying the transformation, each reference should be a non-empty list of strings, with each string being a single word."

// WER aligns each hypothesis with the reference at its place, and adds the
// edits up, as jiwer 3.0.5 does for lists of sentences with its default
// transforms. Nothing is normalised but white space, and that in jiwer's way
// (textnorm.Words).
//
// A hypothesis may be empty. A reference without words, no reference at all
// and lists of unequal length are errors of kind omniscope.Invalid that hold a
// *Fault with jiwer's message. No hypotheses at all count as one empty
// hypothesis, as they do there.
func WER(refs, hyps []string) (Edits, error) {
	if slices.Contains(refs, "") {
		return Edits{}, fault("one or more references are empty strings",
			"reference %d is empty: leave it out, or give its words", 1+slices.Index(refs, ""))
	}
	if len(refs) == 0 {
		return Edits{}, fault(noWords, "there are no references: give at least one")
	}
	known := make(vocabulary)
	refWords, hypWords := wordIDs(refs, known), wordIDs(hyps, known)
	for i, words := range refWords {
		if len(words) == 0 {
			return Edits{}, fault(noWords, "reference %d has no words: leave it out, or give its words", i+1)
		}
	}
	if len(refWords) != len(hypWords) {
		return Edits{}, fault(fmt.Sprintf("After applying the transforms on the reference and hypothesis sentences, their lengths must match. Instead got %d reference and %d hypothesis sentences.", len(refWords), len(hypWords)),
			"%d references and %d hypotheses: give one hypothesis for each reference", len(refWords), len(hypWords))
	}
	a := newAligner(len(known))
	var sum Edits
	for i, ref := range refWords {
		sum = sum.Add(countSteps(a.align(ref, hypWords[i])))
	}
	return sum, nil
}

// What references without words count as, where they are not refused.
const (
	SkipEmpty  = "skip"  // they are left out, with their hypotheses
	CountEmpty = "count" // the words of their hypotheses are insertions, as jiwer has it from 4.0 on
)

// WordErrors aligns as WER does, and treats references without words by a rule, SkipEmpty or CountEmpty; "" refuses them. empty is
// how many there are. Where all are empty the edits have no rate.
func WordErrors(refs, hyps []string, rule string) (sum Edits, empty int, err error) {
	if rule == "" || len(refs) != len(hyps) {
		sum, err = WER(refs, hyps)
		return sum, 0, err
	}
	var spoken, said []string
	insertions := 0
	for i, ref := range refs {
		switch {
		case len(textnorm.Words(ref)) > 0:
			spoken, said = append(spoken, ref), append(said, hyps[i])
			continue
		case rule == CountEmpty:
			insertions += len(textnorm.Words(hyps[i]))
		}
		empty++
	}
	if len(spoken) > 0 {
		sum, err = WER(spoken, said)
	}
	sum.Insertions += insertions
	return sum, empty, err
}

// Align counts the edits that turn ref into hyp. The split into kinds is that
// of Operations.
func Align(ref, hyp []string) Edits { return countSteps(Operations(ref, hyp)) }

// Operations returns the steps of a cheapest alignment of ref with hyp, from
// left to right: E equal, S substituted, D a word of ref deleted, I a word of
// hyp inserted. Of several cheapest alignments it is the one that RapidFuzz's
// Levenshtein.editops finds, which jiwer 3.0.5 counts.
func Operations(ref, hyp []string) []byte {
	known := make(vocabulary)
	r, h := known.ids(ref), known.ids(hyp)
	return newAligner(len(known)).align(r, h)
}

func countSteps(steps []byte) (e Edits) {
	for _, s := range steps {
		switch s {
		case stepEqual:
			e.Hits++
		case stepSubstitute:
			e.Substitutions++
		case stepDelete:
			e.Deletions++
		case stepInsert:
			e.Insertions++
		}
	}
	return e
}

// wordIDs numbers the words of each sentence. An empty list is one sentence
// without words, as jiwer's last transform makes it.
func wordIDs(sentences []string, known vocabulary) [][]int32 {
	ids := make([][]int32, max(1, len(sentences)))
	for i, s := range sentences {
		ids[i] = known.ids(textnorm.Words(s))
	}
	return ids
}

// A vocabulary numbers tokens from 0 in the order they come up.
type vocabulary map[string]int32

func (v vocabulary) ids(tokens []string) []int32 {
	ids := make([]int32, len(tokens))
	for i, t := range tokens {
		ids[i] = v.id(t)
	}
	return ids
}

func (v vocabulary) id(token string) int32 {
	id, ok := v[token]
	if !ok {
		id = int32(len(v))
		v[token] = id
	}
	return id
}

// A Fault is an input on which the published program fails. It comes inside an
// *omniscope.Error of kind Invalid.
type Fault struct {
	Message string // what the published program says
	Advice  string // what is wrong, and how to mend it
}

func (f *Fault) Error() string {
	return f.Advice + " (the published program says: " + f.Message + ")"
}

// Advice is an error in our words alone: of a Fault, its advice.
func Advice(err error) string {
	if f, ok := errors.AsType[*Fault](err); ok {
		return f.Advice
	}
	return err.Error()
}

func fault(message, advice string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: &Fault{Message: message, Advice: fmt.Sprintf(advice, args...)}}
}
