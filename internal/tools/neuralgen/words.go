package neuralgen

import (
	"math/rand/v2"
	"strings"
)

// A lexicon makes invented words from syllables.
type lexicon struct{ *rand.Rand }

func newLexicon(seed uint64, what uint64) lexicon {
	return lexicon{rand.New(rand.NewPCG(seed, what))}
}

var (
	onsets = strings.Fields("b br c ch d dr f fl g gl h j k kr l m n p pl qu r s sch sp st t tr v w z")
	vowels = strings.Fields("a e i o u ai au ei ie ou ä ö ü à è é ì ò ù")
	codas  = strings.Fields("l m n ng nd r rt s st t ck x")
)

func (l lexicon) pick(list []string) string { return list[l.IntN(len(list))] }

// syllables is a piece of a word of so many syllables.
func (l lexicon) syllables(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(l.pick(onsets))
		b.WriteString(l.pick(vowels))
		if l.IntN(3) == 0 {
			b.WriteString(l.pick(codas))
		}
	}
	return b.String()
}

// common are Chinese characters that almost every text has, most frequent
// first.
const common = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"

// fresh hands out strings, each once.
type fresh struct {
	seen map[string]bool
	list []string
	most int
}

func newFresh(most int, first ...string) *fresh {
	f := &fresh{seen: make(map[string]bool, most), most: most}
	f.add(first...)
	return f
}

func (f *fresh) full() bool { return len(f.list) >= f.most }

// add appends the strings that are not there yet, as far as there is room.
func (f *fresh) add(all ...string) {
	for _, s := range all {
		if !f.full() && !f.seen[s] {
			f.seen[s] = true
			f.list = append(f.list, s)
		}
	}
}

// runes are the characters of some ranges as strings, each range with its ends.
func runes(keep func(rune) bool, ranges ...[2]rune) []string {
	var all []string
	for _, r := range ranges {
		for c := r[0]; c <= r[1]; c++ {
			if keep(c) {
				all = append(all, string(c))
			}
		}
	}
	return all
}
