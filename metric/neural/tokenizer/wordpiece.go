package tokenizer

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"omniscope/metric/textnorm"
)

// wordPiece is transformers' slow BertTokenizer for cased models.
type wordPiece struct {
	frame
	special specialTokens
	size    int
	added   *splitter
	unknown int32
	initial *trie // pieces that a word can start with: all
	inner   *trie // those that go on with one, without their "##"
	desks   sync.Pool
}

// OpenWordPiece opens the vocab.txt of a BERT model, for the slow BertTokenizer
// of transformers, which bert_score uses, with do_lower_case off. Of two equal
// lines the last counts.
func OpenWordPiece(vocab string) (Tokenizer, error) {
	text, err := readText(vocab)
	if err != nil {
		return nil, err
	}
	w := &wordPiece{initial: newTrie(), inner: newTrie()}
	names := vocabulary{}
	for id, piece := range strings.Split(strings.TrimSuffix(lineEnds(text), "\n"), "\n") {
		fits := id <= maxID && w.initial.add(piece, int32(id))
		if inner, ok := strings.CutPrefix(piece, "##"); ok && fits {
			fits = w.inner.add(inner, int32(id))
		}
		if !fits {
			return nil, invalid(vocab, "line %d: there are too many pieces", id+1)
		}
		names[piece] = int32(id)
	}
	tokens, err := names.special(vocab, "[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")
	if err != nil {
		return nil, err
	}
	w.added = newSplitter(tokens)
	w.special = specialTokens{CLS: tokens[0].id, SEP: tokens[1].id, PAD: tokens[2].id}
	w.frame = frame{before: []int32{w.special.CLS}, after: []int32{w.special.SEP}}
	w.unknown = tokens[3].id
	w.size = names.size()
	return w, nil
}

func (w *wordPiece) Special() specialTokens { return w.special }
func (w *wordPiece) Size() int              { return w.size }

// Encode splits at special tokens, cleans what lies between, splits it into
// words and punctuation, and those into the longest pieces. No word depends on
// one behind it, so that it stops when there are enough.
func (w *wordPiece) Encode(text string, limit int) []int32 {
	d, ok := w.desks.Get().(*desk)
	if !ok {
		d = &desk{}
	}
	text = repaired(text)
	room := w.room(limit)
	ids := w.open(min(room, len(text)/3))
	w.added.each(text, func(part string, id int32) bool {
		if id >= 0 {
			ids = append(ids, id)
		} else {
			ids = w.appendPart(ids, part, room, d)
		}
		return !w.full(ids, room)
	})
	if len(text) <= longText {
		w.desks.Put(d)
	}
	return w.closed(ids, limit)
}

// appendPart does what lies between special tokens.
func (w *wordPiece) appendPart(ids []int32, part string, room int, d *desk) []int32 {
	d.text = cleaned(d.text[:0], part)
	d.next = canonical.append(d.next[:0], d.text)
	for rest := d.next; !w.full(ids, room); {
		rest = bytes.TrimLeftFunc(rest, textnorm.IsSpace)
		if len(rest) == 0 {
			break
		}
		end := bytes.IndexFunc(rest, textnorm.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		ids = w.appendField(ids, rest[:end])
		rest = rest[end:]
	}
	return ids
}

// appendField splits what lies between spaces at punctuation, unless it is a
// special token, which can have come about by cleaning.
func (w *wordPiece) appendField(ids []int32, field []byte) []int32 {
	if slices.ContainsFunc(w.added.tokens, func(t added) bool { return t.content == string(field) }) {
		return w.appendWord(ids, field)
	}
	start := 0
	for at := 0; at < len(field); {
		r, n := utf8.DecodeRune(field[at:])
		if isPunct(r) {
			if start < at {
				ids = w.appendWord(ids, field[start:at])
			}
			ids = w.appendWord(ids, field[at:at+n])
			start = at + n
		}
		at += n
	}
	if start < len(field) {
		ids = w.appendWord(ids, field[start:])
	}
	return ids
}

// longWord is how many characters a word may have.
const longWord = 100

// appendWord takes the longest piece that fits, and again behind it. Where none
// fits, all of the word is one unknown token.
func (w *wordPiece) appendWord(ids []int32, word []byte) []int32 {
	if utf8.RuneCount(word) > longWord {
		return append(ids, w.unknown)
	}
	from := len(ids)
	pieces := w.initial
	for len(word) > 0 {
		id, n := pieces.longest(word)
		if n == 0 {
			return append(ids[:from], w.unknown)
		}
		ids = append(ids, id)
		word, pieces = word[n:], w.inner
	}
	return ids
}

// cleaned drops control characters, makes spaces of white space, and puts spaces
// around Han characters.
func cleaned(dst []byte, text string) []byte {
	for _, r := range text {
		switch {
		case ' ' <= r && r <= '~':
			dst = append(dst, byte(r))
		case 0xAE <= r && r <= 0x24F: // Latin, and nothing of what follows
			dst = utf8.AppendRune(dst, r)
		case 0x4E00 <= r && r <= 0x9FFF:
			dst = append(utf8.AppendRune(append(dst, ' '), r), ' ')
		case r == '\t', r == '\n', r == '\r', unicode.Is(unicode.Zs, r):
			dst = append(dst, ' ')
		case r == utf8.RuneError, unicode.Is(unicode.C, r):
		case isHan(r):
			dst = append(utf8.AppendRune(append(dst, ' '), r), ' ')
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// isHan is what BERT takes for a Chinese character.
func isHan(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0xF900 <= r && r <= 0xFAFF ||
		0x20000 <= r && r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2CEAF || 0x2F800 <= r && r <= 0x2FA1F
}

// isPunct is what BERT takes for punctuation: all of ASCII that is no letter,
// digit, space or control character, and Unicode's.
func isPunct(r rune) bool {
	return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~' || unicode.Is(unicode.P, r)
}
