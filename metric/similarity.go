package metric

// A Similarity is BERTScore's F1 of a pair, as a fraction. bert_score pads a
// text that is shorter than the longest of its batch with zeros, which count
// where cosines are below zero, so a score may depend on the batch.
type Similarity struct {
	F1                                [2][2]float64 // with the hypothesis padded (1) or not (0), and the reference likewise
	HypothesisTokens, ReferenceTokens int
}

// SimilarityOf is one that does not depend on the batch.
func SimilarityOf(f1 float64) Similarity {
	return Similarity{F1: [2][2]float64{{f1, f1}, {f1, f1}}}
}

// Alone is the F1 of the pair by itself.
func (s Similarity) Alone() float64 { return s.F1[0][0] }

// BatchMatters reports whether padding changes anything.
func (s Similarity) BatchMatters() bool { return s.F1 != SimilarityOf(s.Alone()).F1 }
