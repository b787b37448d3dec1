package tokenizer

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// families opens one tokenizer of each kind.
func families(t testing.TB) map[string]Tokenizer {
	return map[string]Tokenizer{
		"Unigram": unigramOf(t, somePieces, func(file map[string]any) {
			file["normalizer"] = map[string]any{"type": "Precompiled", "precompiled_charsmap": charsmapOf(map[string]string{"e\u0301": "é", "か\u3099": "が", "\u00ad": "", "ﬁ": "xx"})}
		}),
		"byte pairs": gpt2Of(t, []string{"ab", "Ġab", "abab", "ll"}, "a b", "Ġ ab", "ab ab", "l l"),
		"WordPiece":  wordPieceOf(t, "un", "##aff", "a", "##b", "x", "##x", "o", "l", "##l", "hello", ".", "中", "é", "##é"),
	}
}

func TestTruncation(t *testing.T) {
	tok := unigramOf(t, somePieces, nil)
	for limit, want := range map[int][]int32{
		-1: {0, 4, 8, 4, 7, 1, 2},
		0:  {0, 4, 8, 4, 7, 1, 2},
		8:  {0, 4, 8, 4, 7, 1, 2},
		7:  {0, 4, 8, 4, 7, 1, 2},
		6:  {0, 4, 8, 4, 7, 2},
		5:  {0, 4, 8, 4, 2},
		4:  {0, 4, 8, 2},
		3:  {0, 4, 2},
		2:  {0, 2},
		1:  {0},
	} {
		if got := tok.Encode("o l<pad>", limit); !slices.Equal(got, want) {
			t.Errorf("at most %d: got %v, want %v", limit, got, want)
		}
	}
}

func TestEarlyStop(t *testing.T) {
	text := strings.Repeat("hello x<mask> abab [SEP]un. <s>e\u0301 中☃☃ ", 9)
	for name, tok := range families(t) {
		whole := tok.Encode(text, 0)
		for limit := 2; limit < len(whole)+2; limit++ {
			want := whole
			if limit < len(whole) {
				want = slices.Concat(whole[:limit-1], whole[len(whole)-1:])
			}
			if got := tok.Encode(text, limit); !slices.Equal(got, want) {
				t.Errorf("%s, at most %d: got %v, want %v", name, limit, got, want)
			}
		}
	}
}

func TestEncodeConcurrently(t *testing.T) {
	texts := []string{"hello xxx", "abab <mask> ab", "un中un unaff", "☃ o", "", strings.Repeat("ab ", 99)}
	for name, tok := range families(t) {
		var all sync.WaitGroup
		for _, text := range texts {
			want := tok.Encode(text, 0)
			for range 4 {
				all.Go(func() {
					for range 50 {
						if got := tok.Encode(text, 0); !slices.Equal(got, want) {
							t.Errorf("%s, %q: got %v, want %v", name, text, got, want)
							return
						}
					}
				})
			}
		}
		all.Wait()
	}
}

func TestFullMemo(t *testing.T) {
	var m memo
	for i := range 3 * memoWords {
		word := []byte{byte(i), byte(i >> 8), byte(i >> 16)}
		m.keep(word, []int32{int32(i)})
		if ids, known := m.append(nil, word); !known || !slices.Equal(ids, []int32{int32(i)}) {
			t.Fatalf("word %d: got %v, %v", i, ids, known)
		}
		if len(m.spans) > memoWords || len(m.ids) > memoWords {
			t.Fatalf("it holds %d words", len(m.spans))
		}
	}
	long := make([]byte, memoLongest+1)
	m.keep(long, []int32{1})
	if _, known := m.append(nil, long); known {
		t.Error("it holds a long word")
	}
}
