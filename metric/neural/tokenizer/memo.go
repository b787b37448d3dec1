package tokenizer

// A memo remembers the ids of short words, which come again and again. It is
// emptied when it is full, and is not shared: each goroutine at work has its own.
type memo struct {
	spans map[string]place
	ids   []int32
}

// A place is where a word's ids lie.
type place struct{ start, end int32 }

const (
	memoWords   = 1 << 14
	memoLongest = 64 // bytes of a word
)

// append appends the ids of word, and reports whether they are known.
func (m *memo) append(ids []int32, word []byte) ([]int32, bool) {
	s, ok := m.spans[string(word)]
	return append(ids, m.ids[s.start:s.end]...), ok
}

// keep remembers the ids of word.
func (m *memo) keep(word []byte, ids []int32) {
	if len(word) > memoLongest {
		return
	}
	if m.spans == nil || len(m.spans) >= memoWords {
		m.spans, m.ids = make(map[string]place), m.ids[:0]
	}
	start := int32(len(m.ids))
	m.ids = append(m.ids, ids...)
	m.spans[string(word)] = place{start, int32(len(m.ids))}
}
