package tokenizer

import (
	"slices"
	"unicode/utf8"
)

// A unigram model gives each piece a score, the logarithm of its probability,
// and a word its most probable pieces (Kudo, "Subword Regularization", section
// 3.2), as the Unigram of huggingface/tokenizers finds them: sums in float64,
// and of two equal ones the first, which is the one with the longer last piece.
type unigram struct {
	pieces       *trie
	scores       []float64 // by id
	unknown      int32
	unknownScore float64 // of one character that is no piece
}

// unknownPenalty is by how much an unknown character is worse than any piece.
const unknownPenalty = 10

// A best is the best way to split what ends at one byte of a word.
type best struct {
	score float64
	start int32 // of its last piece; negative while there is no way
	id    int32 // of its last piece
}

// append appends the ids of a word. Its time and memory grow with the word's
// length and no faster: no piece is longer than the longest in the file.
func (u *unigram) append(ids []int32, word []byte, room []best) ([]int32, []best) {
	ends := u.forward(word, room)
	from := len(ids)
	unknownEnd := -1 // where a run of unknown pieces ends, going back
	for end := len(word); end > 0; {
		last := ends[end]
		switch {
		case last.id != u.unknown:
			if unknownEnd >= 0 {
				ids = append(ids, u.fused(word[end:unknownEnd]))
				unknownEnd = -1
			}
			ids = append(ids, last.id)
		case unknownEnd < 0:
			unknownEnd = end
		}
		end = int(last.start)
	}
	if unknownEnd >= 0 {
		ids = append(ids, u.fused(word[:unknownEnd]))
	}
	slices.Reverse(ids[from:])
	return ids, ends
}

// fused is the id of neighbouring unknown characters, which are one token. The
// original looks it up once more: with strange scores it could be a piece.
func (u *unigram) fused(run []byte) int32 {
	if id := u.pieces.find(run); id >= 0 {
		return id
	}
	return u.unknown
}

// forward finds for each byte of word the best way to it.
func (u *unigram) forward(word []byte, room []best) []best {
	ends := slices.Grow(room[:0], len(word)+1)[:len(word)+1]
	for i := range ends {
		ends[i] = best{start: -1}
	}
	for start := 0; start < len(word); {
		_, n := utf8.DecodeRune(word[start:])
		till, known := ends[start].score, false
		reach := func(end int, id int32, score float64) {
			if e := &ends[end]; e.start < 0 || score > e.score {
				*e = best{score, int32(start), id}
			}
		}
		node := int32(0)
		for at := start; at < len(word); at++ {
			if node = u.pieces.step(node, word[at]); node == 0 {
				break
			}
			if id := u.pieces.value[node]; id >= 0 {
				known = known || at+1 == start+n
				reach(at+1, id, u.scores[id]+till)
			}
		}
		if !known {
			reach(start+n, u.unknown, u.unknownScore+till)
		}
		start += n
	}
	return ends
}
