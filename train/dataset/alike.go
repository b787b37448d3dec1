package dataset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"slices"
)

// Captions are alike that have runs of so many words in common. Which ones may be is found by MinHash (Broder, On the
// resemblance and containment of documents, 1997): bands of equal smallest hashes. With 16 bands of four, two captions that have 0.8
// of all their runs in common are missed twice in ten thousand.
const (
	likeWords = 5
	bands     = 16
	bandRows  = 4
)

// leaveAlike leaves out captions that are nearly an earlier one.
func (b *building) leaveAlike() {
	seen := make(map[string][]*row) // by band and its hashes
	for _, r := range b.kept() {
		runs := runsOf(r.Caption)
		keys := bandsOf(runs)
		if twin, share := b.twin(runs, keys, seen); twin != nil {
			r.rule, r.why = "alike", fmt.Sprintf("it has %.0f %% of all word runs in common with %s", 100*share, twin.ID)
			continue
		}
		for _, key := range keys {
			seen[key] = append(seen[key], r)
		}
	}
}

// twin is an earlier caption that is too much alike; nil = there is none.
func (b *building) twin(runs map[uint64]bool, keys []string, seen map[string][]*row) (*row, float64) {
	var compared []*row
	for _, key := range keys {
		for _, other := range seen[key] {
			if slices.Contains(compared, other) {
				continue
			}
			compared = append(compared, other)
			if share := inCommon(runs, runsOf(other.Caption)); share >= b.Rules.Alike {
				return other, share
			}
		}
	}
	return nil, 0
}

// runsOf are the hashes of the word runs of a text.
func runsOf(text string) map[uint64]bool {
	words := wordsOf(text)
	n := min(likeWords, len(words))
	runs := make(map[uint64]bool)
	for i := 0; i+n <= len(words); i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+n] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		runs[h.Sum64()] = true
	}
	return runs
}

// inCommon is the share of all runs that two texts have in common (Jaccard).
func inCommon(a, b map[uint64]bool) float64 {
	both := 0
	for run := range a {
		if b[run] {
			both++
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return float64(both) / float64(all)
	}
	return 0
}

// bandsOf are the bands of a text's smallest hashes.
func bandsOf(runs map[uint64]bool) (keys []string) {
	for band := range bands {
		key := fmt.Appendf(nil, "%d", band)
		for row := range bandRows {
			least := ^uint64(0)
			for run := range runs {
				least = min(least, mixed(run, uint64(band*bandRows+row+1)))
			}
			key = fmt.Appendf(key, " %x", least)
		}
		keys = append(keys, string(key))
	}
	return keys
}

// mixed is one of many hash functions of a number (the last step of MurmurHash3, Appleby, in the public domain).
func mixed(x, which uint64) uint64 {
	x ^= which * 0x9e3779b97f4a7c15
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

// byLot are rows in the order that the seed draws of their sources.
func (b *building) byLot(rows []*row) []*row {
	lot := func(r *row) []byte {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s", b.Seed, r.source, r.ID))
		return sum[:]
	}
	drawn := slices.Clone(rows)
	slices.SortStableFunc(drawn, func(x, y *row) int { return bytes.Compare(lot(x), lot(y)) })
	return drawn
}
