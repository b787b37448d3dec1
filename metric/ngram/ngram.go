// Package ngram counts the n-grams that a hypothesis shares with its references,
// and makes BLEU and chrF of the counts, as sacrebleu 2.4.3 does: same words, same
// smoothing, same numbers.
//
// A segment's counts add up to those of a document or of a corpus: every score is
// a function of summed counts, so that a segment, the corpus and a bootstrap
// resample take one path. The package reads no files and makes no intervals; those
// are in package stats.
//
// Sources: K. Papineni et al., "BLEU: a method for automatic evaluation of machine
// translation", ACL 2002; M. Popović, "chrF: character n-gram F-score for automatic
// MT evaluation", WMT 2015, and "chrF++: words helping character n-grams", WMT 2017;
// M. Post, "A call for clarity in reporting BLEU scores", WMT 2018, whose program
// sacrebleu is.
package ngram

import (
	"strconv"
	"strings"
)

// version stands in signatures where sacrebleu puts its own. The number in it
// changes when a score does; in brackets is the program whose numbers these are.
const version = "omniscope-1(sacrebleu-2.4.3)"

// Varying is the number of references, in signatures, of a corpus in which not
// all segments have the same.
const Varying = -1

// signature joins a score's settings as sacrebleu does. parts are after the
// number of references and before the version.
func signature(refs int, parts ...string) string {
	number := strconv.Itoa(refs)
	if refs == Varying {
		number = "var"
	}
	return "nrefs:" + number + "|" + strings.Join(parts, "|") + "|version:" + version
}

func letterCase(lower bool) string {
	if lower {
		return "case:lc"
	}
	return "case:mixed"
}

func yesNo(name string, yes bool) string {
	if yes {
		return name + ":yes"
	}
	return name + ":no"
}

// grams numbers n-grams: those of one number are the same sequence of tokens.
type grams struct {
	tokens map[string]int32
	longer map[uint64]int32 // by the number of a shorter n-gram and that of the token behind it
	next   int32
}

func newGrams() *grams {
	const usual = 256 // n-grams of two sentences
	return &grams{tokens: make(map[string]int32), longer: make(map[uint64]int32, usual)}
}

// of returns the numbers of all n-grams of tokens, by order from 1 to most.
func (g *grams) of(tokens []string, most int) [][]int32 {
	words := make([]int32, len(tokens))
	for i, t := range tokens {
		id, ok := g.tokens[t]
		if !ok {
			id = g.next
			g.tokens[t] = id
			g.next++
		}
		words[i] = id
	}
	orders := make([][]int32, most)
	for n := range most {
		if n == 0 {
			orders[0] = words
			continue
		}
		orders[n] = make([]int32, max(0, len(words)-n))
		for i := range orders[n] {
			key := uint64(orders[n-1][i])<<32 | uint64(words[i+n]) // numbers are never negative
			id, ok := g.longer[key]
			if !ok {
				id = g.next
				g.longer[key] = id
				g.next++
			}
			orders[n][i] = id
		}
	}
	return orders
}

// A bag says how often each n-gram is there, by number.
type bag []int32

// bagOf counts the n-grams of all orders.
func (g *grams) bagOf(orders [][]int32) bag {
	b := make(bag, g.next)
	for _, ids := range orders {
		for _, id := range ids {
			b[id]++
		}
	}
	return b
}

// atLeast raises b to o where o has more.
func (b bag) atLeast(o bag) bag {
	if len(o) > len(b) {
		b, o = append(bag(nil), o...), b
	}
	for id, n := range o {
		b[id] = max(b[id], n)
	}
	return b
}

// take returns how many of ids are in b, each as often as it is in both, and
// takes them out.
func (b bag) take(ids []int32) (n int) {
	for _, id := range ids {
		if int(id) < len(b) && b[id] > 0 {
			b[id]--
			n++
		}
	}
	return n
}
