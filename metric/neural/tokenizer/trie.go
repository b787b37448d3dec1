package tokenizer

// A trie holds strings byte by byte. Its edges lie in one table that is open to
// the next free place: a quarter million pieces take some 20 MB and a tenth of a
// second, a step is one look into memory. (A double array is as fast to use and
// takes longer to make.)
type trie struct {
	edges []uint64 // parent<<36 | byte<<28 | child; 0 is free, for no child is the root
	value []int32  // by node; negative where no string ends
	first [256]int32
	shift uint
}

const (
	childBits = 28
	maxNodes  = 1 << childBits
)

func newTrie() *trie {
	t := &trie{value: []int32{-1}}
	t.resize(10)
	return t
}

// add gives key a value; the last one counts. It reports false when there is no
// more room.
func (t *trie) add(key string, value int32) bool {
	node := int32(0)
	for i := range len(key) {
		next := t.step(node, key[i])
		if next == 0 {
			if len(t.value) >= maxNodes {
				return false
			}
			next = int32(len(t.value))
			t.value = append(t.value, -1)
			t.put(uint64(node)<<8|uint64(key[i]), uint64(next))
			if node == 0 {
				t.first[key[i]] = next
			}
		}
		node = next
	}
	if node != 0 {
		t.value[node] = value
	}
	return true
}

// step goes from a node along a byte; 0 is nowhere.
func (t *trie) step(node int32, b byte) int32 {
	if node == 0 {
		return t.first[b]
	}
	key := uint64(node)<<8 | uint64(b)
	mask := uint64(len(t.edges) - 1)
	for i := t.place(key); ; i = (i + 1) & mask {
		switch e := t.edges[i]; {
		case e == 0:
			return 0
		case e>>childBits == key:
			return int32(e & (maxNodes - 1))
		}
	}
}

// find returns the value of key, negative when there is none.
func (t *trie) find(key []byte) int32 {
	node := int32(0)
	for _, b := range key {
		if node = t.step(node, b); node == 0 {
			return -1
		}
	}
	return t.value[node]
}

// longest returns the value of the longest string that text starts with, and its
// length; 0 when there is none.
func (t *trie) longest(text []byte) (value int32, n int) {
	node := int32(0)
	for i, b := range text {
		if node = t.step(node, b); node == 0 {
			break
		}
		if v := t.value[node]; v >= 0 {
			value, n = v, i+1
		}
	}
	return value, n
}

// place is where an edge is looked for first: Knuth's multiplicative hash.
func (t *trie) place(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> t.shift }

func (t *trie) put(key, child uint64) {
	if 2*len(t.value) > len(t.edges) {
		t.resize(64 - t.shift + 1)
	}
	mask := uint64(len(t.edges) - 1)
	i := t.place(key)
	for t.edges[i] != 0 {
		i = (i + 1) & mask
	}
	t.edges[i] = key<<childBits | child
}

func (t *trie) resize(bits uint) {
	old := t.edges
	t.edges, t.shift = make([]uint64, 1<<bits), 64-bits
	for _, e := range old {
		if e != 0 {
			t.put(e>>childBits, e&(maxNodes-1))
		}
	}
}
