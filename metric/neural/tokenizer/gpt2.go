package tokenizer

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/metric/textnorm"
)

// gpt2 is transformers' slow RobertaTokenizer with add_prefix_space.
type gpt2 struct {
	frame
	special specialTokens
	size    int
	added   *splitter
	mask    int32
	merger  *merger
	desks   sync.Pool
}

// A gpt2Desk is room to work in. It is not shared.
type gpt2Desk struct {
	text  []byte
	chain chain
	memo  memo
}

// OpenGPT2 opens the vocab.json and merges.txt of a RoBERTa model, for the slow
// RobertaTokenizer of transformers with add_prefix_space, which bert_score uses.
func OpenGPT2(vocab, merges string) (Tokenizer, error) {
	pieces, err := readVocabJSON(vocab)
	if err != nil {
		return nil, err
	}
	pairs, err := readMerges(merges)
	if err != nil {
		return nil, err
	}
	tokens, err := pieces.special(vocab, "<s>", "</s>", "<pad>", "<unk>", "<mask>")
	if err != nil {
		return nil, err
	}
	s := specialTokens{CLS: tokens[0].id, SEP: tokens[1].id, PAD: tokens[2].id}
	return &gpt2{
		frame:   frame{before: []int32{s.CLS}, after: []int32{s.SEP}},
		special: s,
		size:    pieces.size(),
		added:   newSplitter(tokens),
		mask:    tokens[4].id,
		merger:  newMerger(pieces, tokens[3].id, pairs),
	}, nil
}

func readVocabJSON(path string) (vocabulary, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	if !jsonfast.Valid(text) {
		return nil, invalid(path, "it is not JSON, or it is cut off; fetch it again")
	}
	doc := &document{file: path}
	pieces := vocabulary{}
	node{doc: doc, value: gjson.Parse(text)}.eachMember(func(piece string, id node) { pieces[piece] = id.id() })
	return pieces, doc.err
}

// readMerges reads merges.txt. The original passes over the first line and over
// what stands behind the last line end, whatever they are; here they must be a
// heading and nothing.
func readMerges(path string) ([][2]string, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(lineEnds(text), "\n")
	if !strings.HasPrefix(lines[0], "#version") {
		return nil, invalid(path, "line 1 is %q; want a heading such as \"#version: 0.2\"", lines[0])
	}
	if last := lines[len(lines)-1]; last != "" || len(lines) < 2 {
		return nil, invalid(path, "line %d has no end, so that the file may be cut off; fetch it again", len(lines))
	}
	lines = lines[1 : len(lines)-1]
	pairs := make([][2]string, len(lines))
	for i, line := range lines {
		parts := textnorm.Fields(line)
		if len(parts) != 2 {
			return nil, invalid(path, "line %d is %q; want two pieces", i+2, line)
		}
		pairs[i] = [2]string{parts[0], parts[1]}
	}
	return pairs, nil
}

// lineEnds is text with the line ends that Python takes for one as "\n".
func lineEnds(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

func (g *gpt2) Special() specialTokens { return g.special }
func (g *gpt2) Size() int              { return g.size }

// Encode puts a space in front unless there is one, splits at special tokens,
// of which <mask> takes the space on its left along, then into words, and merges
// the bytes of each. No word depends on one behind it, so that it stops when
// there are enough.
func (g *gpt2) Encode(text string, limit int) []int32 {
	d, ok := g.desks.Get().(*gpt2Desk)
	if !ok {
		d = &gpt2Desk{}
	}
	text = repaired(text)
	if r, n := utf8.DecodeRuneInString(text); n > 0 && !textnorm.IsSpace(r) {
		text = " " + text
	}
	short := len(text) <= longText
	room := g.room(limit)
	ids := g.open(min(room, len(text)/3))
	for text != "" && !g.full(ids, room) {
		token, at := g.added.next(text, 0)
		part := text[:at]
		if token.id == g.mask && token.content != "" {
			part = strings.TrimRightFunc(part, textnorm.IsSpace)
		}
		d.text = append(d.text[:0], part...)
		for rest := d.text; len(rest) > 0 && !g.full(ids, room); {
			n := gpt2Word(rest)
			ids = g.appendWord(ids, rest[:n], d)
			rest = rest[n:]
		}
		if token.content != "" {
			ids = append(ids, token.id)
		}
		text = text[at+len(token.content):]
	}
	if short {
		g.desks.Put(d)
	}
	return g.closed(ids, limit)
}

func (g *gpt2) appendWord(ids []int32, word []byte, d *gpt2Desk) []int32 {
	ids, known := d.memo.append(ids, word)
	if !known {
		from := len(ids)
		ids = g.merger.append(ids, word, &d.chain)
		d.memo.keep(word, ids[from:])
	}
	return ids
}

// gpt2Word is the length of the word that text starts with, by GPT-2's pattern:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Its \s is Unicode's White_Space, which Python's isspace is not.
func gpt2Word(text []byte) int {
	if n := contraction(text); n > 0 {
		return n
	}
	start := 0
	if text[0] == ' ' {
		start = 1
	}
	if kind, n := kindOf(text[start:]); n > 0 && kind != white {
		return start + span(text[start:], kind)
	}
	n := span(text, white)
	if n == len(text) {
		return n
	}
	// All white space but the last, which the next word may want. A single one
	// stays, as \s+.
	if _, last := utf8.DecodeLastRune(text[:n]); last < n {
		return n - last
	}
	return n
}

// contraction is the length of the English ending that text starts with, or 0.
func contraction(text []byte) int {
	if text[0] != '\'' {
		return 0
	}
	for _, ending := range [...]string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"} {
		if bytes.HasPrefix(text, []byte(ending)) {
			return len(ending)
		}
	}
	return 0
}

// A charKind is what GPT-2's pattern tells apart.
type charKind uint8

const (
	white charKind = iota
	letter
	number
	other
)

// kindOf is the kind of the first character, and its length; 0 when there is
// none.
func kindOf(text []byte) (charKind, int) {
	r, n := utf8.DecodeRune(text)
	switch {
	case unicode.IsLetter(r):
		return letter, n
	case unicode.IsSpace(r):
		return white, n
	case unicode.IsNumber(r):
		return number, n
	}
	return other, n
}

// span is how far characters of a kind go.
func span(text []byte, kind charKind) int {
	at := 0
	for at < len(text) {
		k, n := kindOf(text[at:])
		if k != kind {
			break
		}
		at += n
	}
	return at
}
