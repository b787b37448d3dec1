package symptoms

import (
	"fmt"
	"math/bits"
	"unicode"
)

// A loop is a stretch of tokens that repeats what is right before it. Speakers
// repeat a word or two and slides have lists of the same short entries, so
// a loop counts from 4 rounds on, and a text from 24 looped tokens that make
// a fifth of it; models that are stuck loop until they are cut off.
const (
	loopTimes  = 4
	loopTokens = 24
	loopShare  = 0.2
)

// leastRun is how often in a row one character of any kind, such as the blank of
// a table that never ends, makes a loop. Rules across a page are shorter.
const leastRun = 200

// gramSize is the number of tokens by which a repeat is recognised.
const gramSize = 4

func findRepetition(g *Given) (Symptom, bool) {
	if run, of, r := longestRun(g.Text); run >= leastRun && float64(run) >= loopShare*float64(of) {
		return Symptom{Value: float64(run) / float64(of), Threshold: loopShare, Evidence: fmt.Sprintf("%d times %q", run, r)}, true
	}
	tokens := tokenize(g.Text)
	looped, worst := loops(tokens)
	if looped < loopTokens {
		return Symptom{}, false
	}
	share := float64(looped) / float64(len(tokens))
	at := tokens[worst.start]
	end := tokens[min(worst.start+worst.period, len(tokens)-1)]
	evidence := fmt.Sprintf("%d times %s", worst.times(), quote(g.Text[at.start:max(end.start, at.start)]))
	return Symptom{Value: share, Threshold: loopShare, Evidence: evidence}, share >= loopShare
}

// longestRun returns the length of the longest run of one character, the number
// of all characters, and the character.
func longestRun(text string) (longest, characters int, of rune) {
	run, last := 0, rune(-1)
	for _, r := range text {
		characters++
		if r != last {
			run, last = 0, r
		}
		if run++; run > longest {
			longest, of = run, r
		}
	}
	return longest, characters, of
}

// A token is a word, or a character of a script without blanks. Numbers are all
// the same token, so that a list that loops is a loop though it is numbered.
type token struct {
	start   int    // byte
	id      uint64 // hash
	exact   uint64 // hash that tells numbers apart
	letters int
}

// tokenize leaves out punctuation: models vary it within a loop.
func tokenize(text string) []token {
	tokens := make([]token, 0, len(text)/4+1)
	within := false
	for i, r := range text {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z' || r >= 0x80 && unicode.IsLetter(r)
		digit := r >= '0' && r <= '9'
		alone := isIdeograph(r) || r >= 0xac00 && r <= 0xd7a3
		if !letter && !digit {
			within = false
			continue
		}
		if alone || !within {
			tokens = append(tokens, token{start: i, id: offset, exact: offset})
		}
		t := &tokens[len(tokens)-1]
		t.exact = mix(t.exact, uint64(r))
		if letter {
			t.id = mix(t.id, uint64(r))
			t.letters++
		} else if t.id != mix(offset, '#') { // digits in a row count as one
			t.id = mix(t.id, '#')
		}
		within = !alone
	}
	return tokens
}

// offset and mix make the hash FNV-1a, a character at a time.
const offset = 14695981039346656037

func mix(hash, value uint64) uint64 { return (hash ^ value) * 1099511628211 }

// A loop covers tokens [start, end) and repeats every period tokens.
type loop struct{ start, end, period int }

func (l loop) times() int { return (l.end - l.start) / l.period }

// loops returns how many tokens are in loops, and the longest loop. It looks
// back from each group of gramSize tokens to the last that is equal: where the
// distance stays the same, the text repeats with that period.
func loops(tokens []token) (covered int, longest loop) {
	seen := newPlaces(len(tokens))
	current, done := loop{}, 0
	finish := func() {
		if current.period > 0 && current.times() >= loopTimes && meant(tokens, current) {
			covered += current.end - max(current.start, done)
			done = current.end
			if current.end-current.start > longest.end-longest.start {
				longest = current
			}
		}
		current = loop{}
	}
	for i := 0; i+gramSize <= len(tokens); i++ {
		gram := uint64(offset)
		for _, t := range tokens[i : i+gramSize] {
			gram = mix(gram, t.id)
		}
		before := seen.put(gram, i)
		if before >= 0 && i-before == current.period {
			current.end = i + gramSize
			continue
		}
		finish()
		if before >= 0 {
			current = loop{start: before, end: i + gramSize, period: i - before}
		}
	}
	finish()
	return covered, longest
}

// places is a hash table that remembers where each group of tokens was last.
// It never grows, and is several times as fast as a map.
type places struct {
	grams []uint64
	at    []int32 // 1 more than the place; 0 = free
	mask  uint64
}

func newPlaces(n int) *places {
	size := 1 << bits.Len(uint(2*n))
	return &places{grams: make([]uint64, size), at: make([]int32, size), mask: uint64(size - 1)}
}

// put remembers that gram is at i, and returns where it was before, -1 if
// nowhere.
func (p *places) put(gram uint64, i int) int {
	slot := (gram ^ gram>>32) & p.mask
	for p.at[slot] != 0 && p.grams[slot] != gram {
		slot = (slot + 1) & p.mask
	}
	before := int(p.at[slot]) - 1
	p.grams[slot], p.at[slot] = gram, int32(i+1)
	return before
}

// leastLetters is how many letters a round needs if its numbers change: lists
// such as "T1, T2, T3" or "bin 12, bin 80" are no loops.
const leastLetters = 4

// meant reports whether the loop repeats words, or the same numbers.
func meant(tokens []token, l loop) bool {
	letters := 0
	for _, t := range tokens[l.start : l.start+l.period] {
		letters += t.letters
	}
	if letters >= leastLetters {
		return true
	}
	for i := l.start + l.period; i < l.end; i++ {
		if tokens[i].exact != tokens[i-l.period].exact {
			return false
		}
	}
	return true
}
