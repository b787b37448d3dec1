package neuralgen

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

var (
	ascii     = [2]rune{0x21, 0x7e}
	alphabets = [][2]rune{{0xa1, 0x24f}, {0x370, 0x3ff}, {0x400, 0x52f}} // Latin, Greek, Cyrillic
	signs     = [][2]rune{{0x2010, 0x2027}, {0x20a0, 0x20bf}, {0x3001, 0x3011}, {0xff01, 0xff1f}}
	han       = [2]rune{0x4e00, 0x9fff}
)

// share is a part of the vocabulary that rare characters may take, so that
// words are left room in a tiny one.
func share(list []string, most int) []string { return list[:min(len(list), max(most, 0))] }

// wordPieces is vocab.txt of BERT: special tokens where the published files
// have them, characters, and words, some of them to go on with.
func (s Shape) wordPieces(seed uint64) []byte {
	f := newFresh(s.Vocab, "[PAD]")
	if s.Vocab > 10000 {
		for i := 1; i < 100; i++ {
			f.add(fmt.Sprintf("[unused%d]", i))
		}
	}
	f.add("[UNK]", "[CLS]", "[SEP]", "[MASK]")
	letters := runes(unicode.IsLetter, ascii)
	f.add(runes(unicode.IsPrint, ascii)...)
	f.add(continued(letters)...)
	f.add(strings.Split(common, "")...)
	marks := runes(unicode.IsPrint, signs...)
	f.add(share(marks, s.Vocab/20)...)
	others := share(runes(unicode.IsLetter, alphabets...), s.Vocab/10)
	f.add(others...)
	f.add(continued(others)...)
	f.add(share(runes(unicode.IsPrint, han), s.Vocab/3)...)
	l := newLexicon(seed, 1)
	for !f.full() {
		word := l.syllables(1 + l.IntN(3))
		switch l.IntN(4) {
		case 0:
			f.add("##" + word)
		case 1:
			f.add(capital(word))
		default:
			f.add(word)
		}
	}
	return []byte(strings.Join(f.list, "\n") + "\n")
}

func continued(list []string) []string {
	var all []string
	for _, s := range list {
		all = append(all, "##"+s)
	}
	return all
}

func capital(word string) string {
	r := []rune(word)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// A byteCode has a printable character for each byte.
type byteCode struct {
	of    [256]string
	order []string // in the vocabulary
}

// byteAlphabet is GPT-2's (bytes_to_unicode of github.com/openai/gpt-2):
// printable bytes stand for themselves and come first.
func byteAlphabet() byteCode {
	var code byteCode
	var moved []string
	for i := range code.of {
		b := rune(i)
		if b > ' ' && b < 0x7f || b > 0xa0 && b != 0xad {
			code.of[i] = string(b)
			code.order = append(code.order, string(b))
			continue
		}
		code.of[i] = string(rune(0x100 + len(moved)))
		moved = append(moved, code.of[i])
	}
	code.order = append(code.order, moved...)
	return code
}

// bytePairs are vocab.json and merges.txt of RoBERTa. Each merge joins a token
// that is there before it and a character: words grow from their beginning.
func (s Shape) bytePairs(seed uint64) (vocab, merges []byte) {
	alphabet := byteAlphabet()
	f := newFresh(s.Vocab-1, "<s>", "<pad>", "</s>", "<unk>")
	f.add(alphabet.order...)
	var b strings.Builder
	b.WriteString("#version: 0.2\n")
	l := newLexicon(seed, 2)
	for !f.full() {
		word := l.syllables(1 + l.IntN(2))
		switch l.IntN(4) {
		case 0:
		case 1:
			word = " " + capital(word)
		default:
			word = " " + word
		}
		token := alphabet.of[word[0]]
		for _, next := range []byte(word[1:]) {
			longer := token + alphabet.of[next]
			if !f.full() && !f.seen[longer] {
				f.add(longer)
				b.WriteString(token + " " + alphabet.of[next] + "\n")
			}
			token = longer
		}
	}
	ids := make(map[string]int, s.Vocab)
	for i, token := range append(f.list, "<mask>") {
		ids[token] = i
	}
	vocab, err := json.Marshal(ids)
	if err != nil {
		panic(err) // strings and numbers
	}
	return vocab, []byte(b.String())
}

// unigram is tokenizer.json of XLM-R with what its fast tokenizer is made of, but
// for the table of its normaliser, in whose place plain NFKC stands.
func (s Shape) unigram(seed uint64) []byte {
	const blank = "▁"
	f := newFresh(s.Vocab-1, "<s>", "<pad>", "</s>", "<unk>", blank)
	f.add(runes(unicode.IsPrint, ascii)...)
	f.add(share(runes(unicode.IsLetter, alphabets...), s.Vocab/5)...)
	f.add(strings.Split(common, "")...)
	f.add(share(runes(unicode.IsPrint, signs...), s.Vocab/20)...)
	f.add(share(runes(unicode.IsPrint, han), s.Vocab/4)...)
	characters := len(f.list)
	l := newLexicon(seed, 3)
	for !f.full() {
		word := l.syllables(1 + l.IntN(3))
		switch l.IntN(4) {
		case 0:
			f.add(word)
		case 1:
			f.add(blank + capital(word))
		default:
			f.add(blank + word)
		}
	}
	type piece = [2]any
	vocab := make([]piece, 0, s.Vocab)
	for i, token := range f.list {
		switch {
		case i < 4:
			vocab = append(vocab, piece{token, 0})
		case i < characters: // less likely than any word that has them
			vocab = append(vocab, piece{token, -13 - l.Float64()})
		default: // as frequent as its rank says, after Zipf
			vocab = append(vocab, piece{token, -7 - 5*float64(i-characters)/float64(s.Vocab) - l.Float64()})
		}
	}
	return tokenizerJSON(append(vocab, piece{"<mask>", 0}))
}

func tokenizerJSON(vocab [][2]any) []byte {
	type object = map[string]any
	var added []object
	for i, token := range []string{"<s>", "<pad>", "</s>", "<unk>", "<mask>"} {
		if token == "<mask>" {
			i = len(vocab) - 1
		}
		added = append(added, object{"id": i, "content": token, "single_word": false, "lstrip": token == "<mask>", "rstrip": false, "normalized": false, "special": true})
	}
	special := func(token string) object { return object{"SpecialToken": object{"id": token, "type_id": 0}} }
	sequence := func(id string) object { return object{"Sequence": object{"id": id, "type_id": 0}} }
	metaspace := object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}
	text, err := json.Marshal(object{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added, "normalizer": object{"type": "NFKC"},
		"pre_tokenizer": object{"type": "Sequence", "pretokenizers": []object{{"type": "WhitespaceSplit"}, metaspace}},
		"post_processor": object{"type": "TemplateProcessing",
			"single":         []object{special("<s>"), sequence("A"), special("</s>")},
			"pair":           []object{special("<s>"), sequence("A"), special("</s>"), special("</s>"), sequence("B"), special("</s>")},
			"special_tokens": object{"<s>": object{"id": "<s>", "ids": []int{0}, "tokens": []string{"<s>"}}, "</s>": object{"id": "</s>", "ids": []int{2}, "tokens": []string{"</s>"}}}},
		"decoder": metaspace,
		"model":   object{"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": false},
	})
	if err != nil {
		panic(err) // strings and numbers
	}
	return append(text, '\n')
}
