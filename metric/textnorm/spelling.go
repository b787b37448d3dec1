package textnorm

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed english.json
var englishJSON []byte

// A dictionary maps British spellings to American ones.
type dictionary struct {
	spellings map[string]string
	starts    [1 << 15]bool // by three letters: whether a key begins so
}

var american = sync.OnceValue(func() *dictionary {
	d := new(dictionary)
	if err := json.Unmarshal(englishJSON, &d.spellings); err != nil {
		panic("textnorm: english.json: " + err.Error())
	}
	for word := range d.spellings {
		d.starts[startOf(word)] = true
	}
	return d
})

// startOf folds the first three bytes of a word, which has as many, into an
// index.
func startOf[T string | []byte](word T) int {
	return int(word[0]&31)<<10 | int(word[1]&31)<<5 | int(word[2]&31)
}

func (d *dictionary) look(word []byte) (spelling string, ok bool) {
	if len(word) < 3 || !d.starts[startOf(word)] {
		return "", false
	}
	spelling, ok = d.spellings[string(word)]
	return spelling, ok
}

// spellAmerican replaces whole words. src has one blank between two words and
// no other whitespace.
func spellAmerican(dst, src []byte) []byte {
	d := american()
	copied := 0
	for i := 0; i < len(src); {
		end := i
		for end < len(src) && src[end] != ' ' {
			end++
		}
		if spelling, ok := d.look(src[i:end]); ok {
			dst = append(append(dst, src[copied:i]...), spelling...)
			copied = end
		}
		i = end + 1
	}
	return append(dst, src[copied:]...)
}
