package fingerprint

// A wordIndex finds sound by halves of its words. Where half a word of one file is in another, the words around
// it are compared, and the whole only if those agree.
type wordIndex struct {
	words []uint32
	owner []int32 // number of the file, by word
	at    []int32 // place in the file, by word
	lists [][]word
	low   buckets
	high  buckets
}

// Words on each side of an equal half that are compared first, and most of their bits that may differ. A
// copy in which errors come in bursts is found by another half.
const (
	aroundSeed = 6
	seedBits   = 0.25
)

func newWordIndex(all []*Fingerprint) *wordIndex {
	x := &wordIndex{}
	for i, f := range all {
		x.lists = append(x.lists, f.Words)
		for at, w := range f.Words {
			if w.Sounds {
				x.words, x.owner, x.at = append(x.words, w.Bits), append(x.owner, int32(i)), append(x.at, int32(at))
			}
		}
	}
	x.low = newBuckets(len(x.words), func(i int) uint16 { return uint16(x.words[i]) })
	x.high = newBuckets(len(x.words), func(i int) uint16 { return uint16(x.words[i] >> 16) })
	return x
}

// near adds the files that sound like f somewhere.
func (x *wordIndex) near(f *Fingerprint, found map[int32]bool) {
	tried := make(map[[2]int32]bool) // files and offsets
	for at, w := range f.Words {
		if !w.Sounds {
			continue
		}
		for _, items := range [][]int32{x.low.of(uint16(w.Bits)), x.high.of(uint16(w.Bits >> 16))} {
			for _, i := range items {
				x.try(f.Words, at, i, tried, found)
			}
		}
	}
}

// try compares the words around word at of a file and the indexed word i, then the whole.
func (x *wordIndex) try(words []word, at int, i int32, tried map[[2]int32]bool, found map[int32]bool) {
	owner, offset := x.owner[i], at-int(x.at[i])
	other := x.lists[owner]
	if share, _ := differingIn(words, other, offset, int(x.at[i])-aroundSeed, int(x.at[i])+aroundSeed+1); share > seedBits {
		return
	}
	place := [2]int32{owner, int32(offset)}
	if found[owner] || tried[place] {
		return
	}
	tried[place] = true
	if share, n := differing(words, other, offset); n >= leastWords(words, other) && share <= soundBits {
		found[owner] = true
	}
}
