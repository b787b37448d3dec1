package fingerprint

import (
	"math/bits"
	"time"

	"omniscope/media"
)

// compareSounds finds the offset at which the fewest bits of two acoustic fingerprints differ.
func compareSounds(a, b *Fingerprint) Match {
	least := leastWords(a.Words, b.Words)
	best, at := 1., 0
	for offset := 1 - len(b.Words); offset < len(a.Words); offset++ {
		if share, n := differing(a.Words, b.Words, offset); n >= least && share < best {
			best, at = share, offset
		}
	}
	if best > soundBits {
		return Match{}
	}
	return Match{Kind: Sounds, Score: 1 - best, Offset: a.Start - b.Start + time.Duration(at)*media.ChromaprintStep}
}

// leastWords is how many words two files must share for their sound to be compared: half of what
// sounds in the one with less of it, and never so few that chance makes them equal.
func leastWords(a, b []word) int {
	return max(wordsLeast, min(sounding(a), sounding(b))/2)
}

func sounding(words []word) (n int) {
	for _, w := range words {
		if w.Sounds {
			n++
		}
	}
	return n
}

// differing is the share of bits that differ where a[i+offset] meets b[i] and both sound, and
// how many words those are.
func differing(a, b []word, offset int) (share float64, n int) {
	from, to := max(0, -offset), min(len(b), len(a)-offset)
	return differingIn(a, b, offset, from, to)
}

// differingIn is differing for words from to to of b alone.
func differingIn(a, b []word, offset, from, to int) (share float64, n int) {
	sum := 0
	for i := max(from, 0, -offset); i < min(to, len(b), len(a)-offset); i++ {
		x, y := a[i+offset], b[i]
		if x.Sounds && y.Sounds {
			sum += bits.OnesCount32(x.Bits ^ y.Bits)
			n++
		}
	}
	if n == 0 {
		return 1, 0
	}
	return float64(sum) / float64(32*n), n
}
