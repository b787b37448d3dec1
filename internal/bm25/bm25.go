// Package bm25 ranks short texts by the words that they share with a query: Okapi BM25, with
// k1 = 1.2 and b = 0.75, and the logarithm that is never negative (Robertson and Zaragoza,
// The Probabilistic Relevance Framework, 2009, section 3.3).
package bm25

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

const k1, b = 1.2, 0.75

// Rank returns the numbers of the texts, the most relevant first. Texts of equal weight stay
// in their order.
func Rank(query string, texts []string) []int {
	documents := make([]map[string]int, len(texts))
	lengths, total := make([]float64, len(texts)), 0.0
	frequency := make(map[string]int) // in how many texts a word occurs
	for i, t := range texts {
		documents[i] = make(map[string]int)
		for _, w := range words(t) {
			documents[i][w]++
			lengths[i]++
			total++
		}
		for w := range documents[i] {
			frequency[w]++
		}
	}
	average := total / float64(max(1, len(texts)))
	weights, order := make([]float64, len(texts)), make([]int, len(texts))
	for i, d := range documents {
		order[i] = i
		for _, w := range words(query) {
			if n := float64(d[w]); n > 0 {
				df := float64(frequency[w])
				idf := math.Log(1 + (float64(len(texts))-df+0.5)/(df+0.5))
				weights[i] += idf * n * (k1 + 1) / (n + k1*(1-b+b*lengths[i]/average))
			}
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(weights[y], weights[x]) })
	return order
}

// words are the words of a text in small letters; of scripts that put no blanks between words
// each letter is one.
func words(text string) (out []string) {
	for _, field := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		start := 0
		for i, r := range field {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				if start < i {
					out = append(out, field[start:i])
				}
				out = append(out, string(r))
				start = i + len(string(r))
			}
		}
		if start < len(field) {
			out = append(out, field[start:])
		}
	}
	return out
}
