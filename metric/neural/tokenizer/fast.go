package tokenizer

import (
	"sync"
)

// fast is a tokenizer as huggingface/tokenizers builds it from tokenizer.json.
type fast struct {
	frame
	special   specialTokens
	size      int
	asWritten *splitter // added tokens that are looked for in the text
	inNormal  *splitter // and those that are looked for when it is normalized
	normalize []normalizer
	split     []preTokenizer
	model     *unigram
	desks     sync.Pool
}

// A desk is room to work in. It is not shared.
type desk struct {
	text, next []byte
	words      [2]words
	best       []best
	memo       memo
}

func (f *fast) Special() specialTokens { return f.special }
func (f *fast) Size() int              { return f.size }

// Encode does in order what the original does: finds added tokens, normalizes
// what lies between, finds the other added tokens, splits into words, and looks
// for each word's best pieces. It stops when there are enough: a word's pieces
// depend on no word behind it.
func (f *fast) Encode(text string, limit int) []int32 {
	d, ok := f.desks.Get().(*desk)
	if !ok {
		d = &desk{}
	}
	text = repaired(text)
	room := f.room(limit)
	ids := f.open(min(room, len(text)/3))
	atStart := true
	f.asWritten.each(text, func(part string, id int32) bool {
		if id >= 0 {
			ids = append(ids, id)
		} else {
			ids = f.appendPart(ids, part, atStart, room, d)
		}
		atStart = false
		return !f.full(ids, room)
	})
	if len(text) <= longText {
		f.desks.Put(d)
	}
	return f.closed(ids, limit)
}

// appendPart does what lies between added tokens.
func (f *fast) appendPart(ids []int32, part string, atStart bool, room int, d *desk) []int32 {
	d.text = append(d.text[:0], part...)
	for _, normalize := range f.normalize {
		if len(d.text) > 0 {
			d.next = normalize(d.next[:0], d.text)
			d.text, d.next = d.next, d.text
		}
	}
	if len(f.inNormal.tokens) == 0 {
		return f.appendText(ids, d.text, atStart, room, d)
	}
	f.inNormal.each(string(d.text), func(part string, id int32) bool {
		if id >= 0 {
			ids = append(ids, id)
		} else {
			ids = f.appendText(ids, []byte(part), false, room, d)
		}
		return !f.full(ids, room)
	})
	return ids
}

// appendText splits and looks up. atStart says that the text starts where the
// whole text does; it matters to the first splitter only, as readers of files see
// to, and not where added tokens are looked for in the normalized text.
func (f *fast) appendText(ids []int32, text []byte, atStart bool, room int, d *desk) []int32 {
	from, to := &d.words[0], &d.words[1]
	from.reset()
	from.text = append(from.text, text...)
	from.end()
	for i, split := range f.split {
		to.reset()
		from.each(func(word []byte) bool {
			split(to, word, atStart && i == 0)
			return true
		})
		from, to = to, from
	}
	from.each(func(word []byte) bool {
		ids = f.appendWord(ids, word, d)
		return !f.full(ids, room)
	})
	return ids
}

func (f *fast) appendWord(ids []int32, word []byte, d *desk) []int32 {
	ids, known := d.memo.append(ids, word)
	if !known {
		from := len(ids)
		ids, d.best = f.model.append(ids, word, d.best)
		d.memo.keep(word, ids[from:])
	}
	return ids
}
