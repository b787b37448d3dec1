// Package langid guesses which language a text is in: English, German, Italian
// or Chinese, and languages that could be taken for them or for each other.
//
// It goes by script and by function words (naive Bayes over word lists), not by
// letter statistics. So German full of English terms is German, Chinese about
// BERT is Chinese, and a list of names is nothing: where a text says too little,
// it abstains. It is made for answers of models, to warn of the wrong language;
// it is no general detector: a language without a list here is "" if it is
// written in Latin letters, and other if it is not.
//
// Everything is deterministic and safe for concurrent use.
package langid

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// other stands for all languages in scripts that no listed language uses.
const other = "other"

// A guess is the language that most of a text is in, as a BCP 47 tag: en, de,
// it, fr, es, pt, nl, sv, da, no, ca, gl, oc, ro, af, cs, sk, pl, sl, hr, sr, id, ms, zh, ja, ko, or other. Lang is "" if the text does not
// tell. Sure is between 0 and 1, and 0 if there is no language; it orders
// guesses but is no probability: words of a text are not independent.
type guess struct {
	Lang string
	Sure float64
}

// Fits reports whether the text may be in the language of a BCP 47 tag: a guess of
// "" or of a script that is not listed does not contradict languages without a list.
func (g guess) Fits(tag string) bool {
	base := strings.ToLower(tag)
	if i := strings.IndexAny(base, "-_"); i >= 0 {
		base = base[:i]
	}
	if of, ok := listedAs[base]; ok {
		base = of
	}
	switch {
	case g.Lang == "" || g.Lang == base:
		return true
	case base == "sh" || base == "sr": // written in two scripts
		return g.Lang == other || base == "sh" && (g.Lang == "hr" || g.Lang == "sr")
	case g.Lang == other:
		return base != "zh" && base != "ja" && base != "ko" && !slices.Contains(tags[:], base)
	}
	return false
}

// listedAs are the languages that are listed under another tag, or several ("sh": hr and sr).
var listedAs = map[string]string{"nb": "no", "nn": "no", "bs": "sh", "cnr": "sh", "cmn": "zh", "yue": "zh"}

// Detect guesses the language of text. Passages in quotation marks count only
// where there is next to nothing else, and sentences that look like titles or
// names do not count: a German answer may name an English paper.
func Detect(text string) guess {
	var outside, all evidence
	for s := range sentences(text) {
		plain, quoted := weigh(s)
		outside.add(&plain)
		all.add(&plain)
		all.add(&quoted)
	}
	return either(&outside, &all)
}

// either guesses from what is outside of quotations, from all of it only if
// there is next to nothing outside.
func either(outside, all *evidence) guess {
	if outside.units() < leastOutside {
		return all.guess()
	}
	return outside.guess()
}

// Mix returns the share of text in each language, by its sentences; the shares
// add up to 1. What no sentence tells stands under "". Shares are of words, a
// Chinese or Japanese character counting as 0.6. A text without words has no
// shares.
func Mix(text string) map[string]float64 {
	units, total := make(map[string]float64), 0.0
	for s := range sentences(text) {
		plain, quoted := weigh(s)
		both := plain
		both.add(&quoted)
		n := both.units()
		if n == 0 {
			continue
		}
		units[either(&plain, &both).Lang] += n
		total += n
	}
	for lang := range units {
		units[lang] /= total
	}
	return units
}

// evidence is what has been seen of a text. It adds up.
type evidence struct {
	words   int                // in Latin letters
	score   [languages]float64 // sums of log weights
	hits    [languages]int     // words that each language has in its list
	seen    [languages]uint64  // which words of two letters or more: a bit each, by hash
	upper   int                // content words with a capital
	lower   int                // and without
	small   int                // listed words without a capital
	han     int
	kana    int
	hangul  int
	foreign int // letters of other scripts
}

func (e *evidence) add(o *evidence) {
	e.words += o.words
	e.upper += o.upper
	e.lower += o.lower
	e.small += o.small
	if o.words > 0 {
		for i := range e.score {
			e.score[i] += o.score[i]
			e.hits[i] += o.hits[i]
			e.seen[i] |= o.seen[i]
		}
	}
	e.han += o.han
	e.kana += o.kana
	e.hangul += o.hangul
	e.foreign += o.foreign
}

// What the characters of other scripts count in words.
const (
	wordsPerHan     = 0.6
	wordsPerHangul  = 0.4
	wordsPerForeign = 0.2
)

func (e *evidence) units() float64 {
	return float64(e.words) + wordsPerHan*float64(e.han+e.kana) + wordsPerHangul*float64(e.hangul) + wordsPerForeign*float64(e.foreign)
}

// The least that a guess needs, found on answers of models about talks.
const (
	leastHits     = 2    // different words of the language, without single letters
	leastCoverage = 0.12 // of all words; running text has 0.35 to 0.55
	leastMargin   = 3.0  // between the scores of the first and the second language: odds of 20
	nearMargin    = 4.0  // between languages that share most of their words
	leastShare    = 0.15 // of characters of a script where words say nothing
	kanaShare     = 0.1  // of kana among kana and Han characters, to be Japanese
	surelyChinese = 10.0 // Han characters; fewer without kana may be a Japanese name or title
	wordsPerHit   = 2.2  // running words for a word of the list
	leastOutside  = 3.0  // words outside of quotations that make those count for nothing
)

// guess weighs the scripts against each other. Latin words count as text of a
// language only as far as its function words vouch for them.
func (e *evidence) guess() guess {
	best, sure := e.latin()
	running := 0.0
	if best >= 0 {
		running = min(float64(e.words), wordsPerHit*float64(e.hits[best]))
	}
	cjk := wordsPerHan * float64(e.han+e.kana)
	hangul, foreign := wordsPerHangul*float64(e.hangul), wordsPerForeign*float64(e.foreign)
	all := running + cjk + hangul + foreign
	top := max(running, cjk, hangul, foreign)
	switch {
	case all == 0:
		return guess{}
	case top == running:
		return guess{tags[best], sure * running / all}
	case top < 1 || top < leastShare*e.units():
		return guess{}
	case top == hangul:
		return guess{"ko", top / all}
	case top == foreign:
		return guess{other, top / all}
	case float64(e.kana) >= kanaShare*float64(e.han+e.kana):
		return guess{"ja", top / all}
	}
	return guess{"zh", top / all * min(1, float64(e.han)/surelyChinese)}
}

// latin returns the language of the words in Latin letters and how sure that
// is, -1 if they do not tell.
func (e *evidence) latin() (best int, sure float64) {
	if e.words == 0 {
		return -1, 0
	}
	for i := range e.score {
		if e.score[i] > e.score[best] {
			best = i
		}
	}
	second, least := 0.0, leastMargin
	for i := range e.score {
		if i == best {
			continue
		}
		second = max(second, e.score[i])
		if e.score[best]-e.score[i] < nearMargin && areNear(best, i) {
			least = nearMargin
		}
	}
	margin := e.score[best] - second
	if bits.OnesCount64(e.seen[best]) < leastHits || float64(e.hits[best]) < leastCoverage*float64(e.words) || margin < least {
		return -1, 0
	}
	return best, 1 - math.Exp(-margin)
}
