// Package plant makes claims of true captions false, to measure an audit: the audit should
// contradict the false claims and no other. It reads English, changes one sentence for each kind
// of claim, and lists what it changed and why that is false. A sentence with a bound, a negation, an alternative or a
// possibility is left as it is: there another word may be as true as the one that was there.
package plant

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"omniscope/detective/claims"
)

// Kinds are what a false claim can be about.
var Kinds = []string{"colour", "count", "order", "speaker", "sound", "text"}

// A Planted claim is a sentence of a caption that was made false.
type Planted struct {
	Kind     string `json:"kind"`
	From     string `json:"from"`     // the words that were there
	To       string `json:"to"`       // those in their place
	Was      string `json:"was"`      // the sentence as it was
	Sentence string `json:"sentence"` // and as it is
	Reason   string `json:"reason"`   // why the sentence is false if what it was is true
}

// In plants a claim of each of the kinds in a caption, where it has anything to change, no two in
// one sentence. The same seed changes the same caption in the same way.
func In(caption string, kinds []string, seed uint64) (changed string, planted []Planted) {
	h := fnv.New64a()
	h.Write([]byte(caption))
	draw := rand.New(rand.NewPCG(seed, h.Sum64()))
	sentences, all := split(caption), newTold(caption)
	taken := make([]bool, len(sentences))
	for i, sentence := range sentences {
		taken[i] = !Sure(sentence)
	}
	at := make(map[int]Planted)
	for _, kind := range Kinds {
		if !slices.Contains(kinds, kind) {
			continue
		}
		for _, i := range draw.Perm(len(sentences)) {
			if taken[i] {
				continue
			}
			if p, ok := falsify(sentences[i], all, kind, draw); ok {
				taken[i], at[i], sentences[i] = true, p, p.Sentence
				break
			}
		}
	}
	for i := range sentences {
		if p, ok := at[i]; ok {
			p.Was, p.Sentence = strings.TrimSpace(p.Was), strings.TrimSpace(p.Sentence)
			planted = append(planted, p)
		}
	}
	return strings.Join(sentences, ""), planted
}

// split cuts a text into sentences, with the blanks that follow them: together they are the text.
func split(text string) (sentences []string) {
	start, quoted := 0, false
	for i, r := range text {
		switch r {
		case '"':
			quoted = !quoted
		case '\n': // a mark that is not closed in its line quotes nothing further
			quoted = false
		}
		if r == '\n' || !quoted && stops(text, i) {
			end := i + 1
			for end < len(text) && (text[end] == ' ' || text[end] == '\n') {
				end++
			}
			if end > start {
				sentences = append(sentences, text[start:end])
				start = end
			}
		}
	}
	if start < len(text) {
		sentences = append(sentences, text[start:])
	}
	return sentences
}

// abbreviation is a word that a full stop follows within a sentence: what comes next belongs to it, as in approx. 20 people.
var abbreviation = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:approx|ca|est|fig|max|min|mr|mrs|ms|dr|no|nr|st|rm|vs)$`)

// stops reports whether the mark at i ends a sentence.
func stops(text string, i int) bool {
	mark := text[i] == '.' && !abbreviation.MatchString(text[max(0, i-8):i]) || text[i] == '!' || text[i] == '?'
	return mark && endsHere(text[i+1:])
}

// endsHere reports whether a sentence can end before rest: a blank and a capital follow, or
// nothing does.
func endsHere(rest string) bool {
	trimmed := strings.TrimLeft(rest, " \n")
	return trimmed == "" || len(trimmed) < len(rest) && !('a' <= trimmed[0] && trimmed[0] <= 'z')
}

// falsify changes a sentence in one of its places for a kind.
func falsify(sentence string, all *told, kind string, draw *rand.Rand) (Planted, bool) {
	found := placesOf(sentence, kind)
	for _, i := range draw.Perm(len(found)) {
		p := found[i]
		from := sentence[p.start:p.end]
		to, reason := p.other(from, all, draw)
		if to == "" || strings.EqualFold(from, to) || kind != "text" && indexOf(stems(sentence), stems(to)) >= 0 {
			continue // a claim with a word that the sentence has anyway may be true
		}
		changed := replaced(sentence, p.start, p.end, to)
		if p.whole != nil {
			changed = p.whole(to)
		}
		return Planted{Kind: kind, From: from, To: to, Was: sentence, Sentence: changed, Reason: reason}, true
	}
	return Planted{}, false
}

// Of finds the planted claim that a claim of its caption repeats, as whoever splits a caption
// may word it. sentence is the one that the claim is of, where that is known: it must be the
// planted one. Where it is "" the claim must quote what was planted, or of its other words at
// least half must be those of the planted sentence. In any case it has the words that were
// planted. -1 = it repeats none.
func Of(claim, sentence string, planted []Planted) int {
	best, most := -1, 0.0
	for i, p := range planted {
		if share := alike(claim, sentence, p); share >= 0.5 && share > most {
			best, most = i, share
		}
	}
	return best
}

// alike is how much of a claim is in a planted sentence, from 0 to 1.
func alike(claim, sentence string, p Planted) float64 {
	said, to := stems(claim), stems(p.To)
	at := indexOf(said, to)
	switch {
	case at < 0:
		return 0
	case sentence != "":
		if whole, part := stems(sentence), stems(p.Sentence); indexOf(whole, part) >= 0 || indexOf(part, whole) >= 0 { // it may be cut elsewhere
			return 1
		}
		return 0
	case slices.ContainsFunc(quotes.FindAllString(claim, -1), func(q string) bool { return slices.Equal(stems(q), to) }):
		return 1
	}
	return claims.Share(slices.Delete(said, at, at+len(to)), stems(p.Sentence))
}

// indexOf is where the words of part follow each other in all, -1 where they do not.
func indexOf(all, part []string) int {
	for i := 0; i+len(part) <= len(all) && len(part) > 0; i++ {
		if slices.Equal(all[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

// stems are the words of a text, without capitals and endings, and numbers in digits: a dog that "barks" is one that
// "is barking", and eight cuts are "8 cuts".
func stems(text string) []string {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range list {
		if n := slices.Index(numbers, w); n >= 0 {
			list[i] = strconv.Itoa(values[n])
			continue
		}
		for _, ending := range []string{"ing", "es", "ed", "s"} {
			if stem, ok := strings.CutSuffix(w, ending); ok && len(stem) >= 3 {
				list[i] = strings.TrimSuffix(stem, "e")
				break
			}
		}
	}
	return list
}
