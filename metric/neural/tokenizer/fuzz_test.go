package tokenizer

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"omniscope/internal/testing/fixture"
)

var fuzzTexts = []string{"", "hello xxx", "<mask> ab<pad>", "un[SEP]aff.", "e\u0301か\u3099 👩\u200d👩", "\xff\x00\u2028", "it's  \n 've", "▁▁ a\r\n"}

// FuzzEncode checks that ids lie within the vocabulary, that a cut keeps the
// first of them, and that nothing panics.
func FuzzEncode(f *testing.F) {
	for _, text := range fuzzTexts {
		f.Add(text, 5)
	}
	all := families(f)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		for name, tok := range all {
			whole := tok.Encode(text, 0)
			for _, id := range whole {
				if id < 0 || int(id) >= tok.Size() {
					t.Fatalf("%s, %q: the id %d is not within %d", name, text, id, tok.Size())
				}
			}
			s := tok.Special()
			if len(whole) < 2 || whole[0] != s.CLS || whole[len(whole)-1] != s.SEP {
				t.Fatalf("%s, %q: got %v", name, text, whole)
			}
			if limit < 2 || limit >= len(whole) {
				continue
			}
			want := slices.Concat(whole[:limit-1], []int32{s.SEP})
			if got := tok.Encode(text, limit); !slices.Equal(got, want) {
				t.Fatalf("%s, %q, at most %d: got %v, want %v", name, text, limit, got, want)
			}
		}
	})
}

// FuzzUnigram checks the best way against all ways.
func FuzzUnigram(f *testing.F) {
	f.Add("xxxhello", uint16(0x1234))
	f.Fuzz(func(t *testing.T, text string, scores uint16) {
		if !utf8.ValidString(text) || len(text) > 200 {
			t.Skip()
		}
		u := &unigram{pieces: newTrie(), unknownScore: -20}
		for i, piece := range []string{"<unk>", "x", "xx", "xxx", "he", "hello", "l", "lo", "e", "é", "中", "中x"} {
			u.pieces.add(piece, int32(i))
			u.scores = append(u.scores, -float64(scores>>i&7))
		}
		ids, _ := u.append(nil, []byte(text), nil)
		ends := u.forward([]byte(text), nil)
		// Backward, from the end, by another order of the same sums: integers,
		// so that the order does not matter.
		rest := make([]float64, len(text)+1)
		for at := len(text) - 1; at >= 0; at-- {
			if !utf8.RuneStart(text[at]) {
				continue
			}
			_, n := utf8.DecodeRuneInString(text[at:])
			rest[at] = -1e9
			if u.pieces.find([]byte(text[at:at+n])) < 0 {
				rest[at] = u.unknownScore + rest[at+n]
			}
			for end := at + 1; end <= len(text); end++ {
				if id := u.pieces.find([]byte(text[at:end])); id >= 0 {
					rest[at] = max(rest[at], u.scores[id]+rest[end])
				}
			}
		}
		if got := ends[len(text)].score; got != rest[0] {
			t.Fatalf("%q: the best score is %v, want %v; ids %v", text, got, rest[0], ids)
		}
	})
}

// FuzzOpenJSON changes one value of a good file, or all of it.
func FuzzOpenJSON(f *testing.F) {
	whole, err := json.Marshal(unigramFile(somePieces, nil))
	fixture.OK(f, err)
	f.Add(string(whole))
	f.Add(`{"normalizer": {"type": "Precompiled", "precompiled_charsmap": "BAAAAAAAAAAA"}}`)
	f.Add(`{"pre_tokenizer": {"type": "Metaspace", "replacement": "a", "prepend_scheme": "first", "split": false}}`)
	f.Add(`{"normalizer": {"type": "Sequence", "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "b"}, {"type": "NFKC"}, {"type": "Nmt"}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var part map[string]any
		if json.Unmarshal([]byte(text), &part) == nil {
			file := unigramFile(somePieces, nil)
			for key, value := range part {
				file[key] = value
			}
			if merged, err := json.Marshal(file); err == nil {
				encodeAll(t, string(merged))
			}
		}
		encodeAll(t, text)
	})
}

// encodeAll opens a file and, if it can be opened, encodes some texts.
func encodeAll(t *testing.T, file string) {
	tok, err := OpenJSON(fixture.File(t, "tokenizer.json", file))
	if err != nil {
		return
	}
	for _, text := range fuzzTexts {
		for _, id := range tok.Encode(text, 0) {
			if id < 0 || int(id) >= tok.Size() {
				t.Fatalf("%q: the id %d is not within %d", text, id, tok.Size())
			}
		}
	}
}

func FuzzCharsmap(f *testing.F) {
	good, err := base64.StdEncoding.DecodeString(charsmapOf(map[string]string{"a": "b", "e\u0301": "é", "ﬁ": "fi"}))
	fixture.OK(f, err)
	f.Add(good, "aﬁe\u0301\r\n")
	f.Add([]byte("\x04\x00\x00\x00\xff\xff\xff\x7fa"), "a")
	f.Fuzz(func(t *testing.T, table []byte, text string) {
		c, err := decodeCharsmap(base64.StdEncoding.EncodeToString(table))
		if err != nil {
			return
		}
		c.append(nil, []byte(repaired(text)))
	})
}

func FuzzOpenGPT2(f *testing.F) {
	f.Add(`{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4, "ab": 5}`, "#version: 0.2\na b\n")
	f.Fuzz(func(t *testing.T, vocab, merges string) {
		tok, err := OpenGPT2(fixture.File(t, "vocab.json", vocab), fixture.File(t, "merges.txt", merges))
		if err != nil {
			return
		}
		for _, text := range append(fuzzTexts, merges) {
			for _, id := range tok.Encode(text, 0) {
				if id < 0 || int(id) >= tok.Size() {
					t.Fatalf("%q: the id %d is not within %d", text, id, tok.Size())
				}
			}
		}
	})
}

func FuzzOpenWordPiece(f *testing.F) {
	f.Add("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n")
	f.Fuzz(func(t *testing.T, vocab string) {
		tok, err := OpenWordPiece(fixture.File(t, "vocab.txt", vocab))
		if err != nil {
			return
		}
		for _, text := range append(fuzzTexts, vocab) {
			for _, id := range tok.Encode(text, 0) {
				if id < 0 || int(id) >= tok.Size() {
					t.Fatalf("%q: the id %d is not within %d", text, id, tok.Size())
				}
			}
		}
	})
}

// FuzzClusters checks the quick way to find a grapheme cluster against uniseg.
func FuzzClusters(f *testing.F) {
	f.Add("a\u0301\r\nか\u3099한\u0600a🇩🇪🇩")
	f.Fuzz(func(t *testing.T, text string) {
		for rest := []byte(repaired(text)); len(rest) > 0; {
			n, want := clusterLen(rest), slowClusterLen(rest)
			if n != want {
				t.Fatalf("%q at %q: got %d, want %d", text, rest, n, want)
			}
			rest = rest[n:]
		}
	})
}
