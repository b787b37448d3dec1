package tokenizer

import "strings"

// A merger joins the bytes of a word to pieces, as byte pair encoding does
// (Sennrich and others, "Neural Machine Translation of Rare Words with Subword
// Units", section 3.2): again and again all places, from left to right, of the
// neighbours whose merge stands first in the file.
type merger struct {
	bytes  [256]int32       // the symbol of a byte
	merges map[uint64]merge // by left<<32 | right
	ids    []int32          // by symbol: the id of its piece, or of the unknown one
}

// A merge makes one symbol of two.
type merge struct {
	rank   int32 // its line in the file: lower comes first
	symbol int32
}

// newMerger makes a merger. A piece is written in GPT-2's alphabet, a character
// for each byte. pairs are the merges in their order.
func newMerger(pieces vocabulary, unknown int32, pairs [][2]string) *merger {
	m := &merger{merges: make(map[uint64]merge, len(pairs))}
	symbols := make(map[string]int32, len(pairs)+256)
	symbol := func(s string) int32 {
		if i, ok := symbols[s]; ok {
			return i
		}
		id, ok := pieces[s]
		if !ok {
			id = unknown
		}
		i := int32(len(m.ids))
		symbols[s], m.ids = i, append(m.ids, id)
		return i
	}
	for b, r := range byteAlphabet() {
		m.bytes[b] = symbol(string(r))
	}
	for rank, pair := range pairs {
		left, right := symbol(pair[0]), symbol(pair[1])
		m.merges[key(left, right)] = merge{int32(rank), symbol(strings.Join(pair[:], ""))}
	}
	return m
}

func key(left, right int32) uint64 { return uint64(left)<<32 | uint64(right) }

// byteAlphabet is GPT-2's way to write bytes as characters one can see: those of
// Latin-1 that print stand for themselves, the others for U+0100 and on.
func byteAlphabet() (letters [256]rune) {
	next := rune(0x100)
	for b := range letters {
		r := rune(b)
		if r < '!' || '~' < r && r < '¡' || r == 0xAD {
			r = next
			next++
		}
		letters[b] = r
	}
	return letters
}

// A chain is a word while it is merged: the symbols that are left, each at the
// byte where it starts and linked to its neighbours.
type chain struct {
	links []link
	queue []candidate // a heap, the lowest rank first and then from left to right
	found []candidate
}

type link struct{ symbol, before, after int32 }

// none is where a chain ends, and what a symbol is that was merged into another.
const none = -1

// A candidate is a merge that was possible when it was found. It still is when
// both symbols are still there.
type candidate struct {
	rank, at, left, right int32
}

func (c candidate) less(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

// append appends the ids of a word. It takes n log n steps. What a merge makes
// possible waits until all places of that merge are done, as in the original:
// in an odd file it could come before them.
func (m *merger) append(ids []int32, word []byte, c *chain) []int32 {
	if len(word) == 0 {
		return ids
	}
	m.start(word, c)
	for len(c.queue) > 0 {
		rank := c.queue[0].rank
		c.found = c.found[:0]
		for len(c.queue) > 0 && c.queue[0].rank == rank {
			m.join(c.pop(), c)
		}
		for _, next := range c.found {
			c.push(next)
		}
	}
	for i := int32(0); i != none; i = c.links[i].after {
		ids = append(ids, m.ids[c.links[i].symbol])
	}
	return ids
}

// start links the bytes of a word.
func (m *merger) start(word []byte, c *chain) {
	c.links, c.queue, c.found = c.links[:0], c.queue[:0], c.found[:0]
	for i := range len(word) {
		c.links = append(c.links, link{m.bytes[word[i]], int32(i) - 1, int32(i) + 1})
	}
	c.links[len(word)-1].after = none
	for i := range len(word) - 1 {
		m.consider(int32(i), c)
	}
	for _, next := range c.found {
		c.push(next)
	}
}

// consider notes the merge of the symbol at i with the next one, if there is one.
func (m *merger) consider(i int32, c *chain) {
	left, right := c.links[i].symbol, c.links[c.links[i].after].symbol
	if merge, ok := m.merges[key(left, right)]; ok {
		c.found = append(c.found, candidate{merge.rank, i, left, right})
	}
}

// join does a merge, unless one of its symbols has gone into another.
func (m *merger) join(p candidate, c *chain) {
	left := &c.links[p.at]
	if left.symbol != p.left || left.after == none || c.links[left.after].symbol != p.right {
		return
	}
	right := &c.links[left.after]
	left.symbol = m.merges[key(p.left, p.right)].symbol
	left.after, right.symbol = right.after, none
	if left.after != none {
		c.links[left.after].before = p.at
		m.consider(p.at, c)
	}
	if left.before != none {
		m.consider(left.before, c)
	}
}

func (c *chain) push(p candidate) {
	c.queue = append(c.queue, p)
	for i := len(c.queue) - 1; i > 0; {
		parent := (i - 1) / 2
		if !c.queue[i].less(c.queue[parent]) {
			return
		}
		c.queue[i], c.queue[parent] = c.queue[parent], c.queue[i]
		i = parent
	}
}

func (c *chain) pop() candidate {
	top, last := c.queue[0], len(c.queue)-1
	c.queue[0] = c.queue[last]
	c.queue = c.queue[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && c.queue[child+1].less(c.queue[child]) {
			child++
		}
		if !c.queue[child].less(c.queue[i]) {
			return top
		}
		c.queue[i], c.queue[child] = c.queue[child], c.queue[i]
		i = child
	}
}
