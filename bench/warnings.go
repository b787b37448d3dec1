package bench

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// mostWarnings bounds the warnings about single units.
const mostWarnings = 50

// warnings keeps those of the earliest units, each text once, so that what is
// shown does not depend on which unit came first.
type warnings struct {
	seq  map[string]int // text to the first unit that gave it
	more bool           // some were left out
}

func (w *warnings) add(seq int, texts []string) {
	for _, text := range texts {
		if w.seq == nil {
			w.seq = make(map[string]int)
		}
		if first, known := w.seq[text]; !known || seq < first {
			w.seq[text] = seq
		}
	}
	if len(w.seq) > 2*mostWarnings {
		w.trim()
	}
}

// trim leaves out what is too much, and returns the rest in input order.
func (w *warnings) trim() []string {
	texts := slices.SortedFunc(maps.Keys(w.seq), func(a, b string) int {
		return cmp.Or(cmp.Compare(w.seq[a], w.seq[b]), cmp.Compare(a, b))
	})
	if len(texts) <= mostWarnings {
		return texts
	}
	for _, text := range texts[mostWarnings:] {
		delete(w.seq, text)
	}
	w.more = true
	return texts[:mostWarnings]
}

// list returns the warnings in input order, and says if there were more.
func (w *warnings) list() []string {
	texts := w.trim()
	if w.more {
		texts = append(texts, fmt.Sprintf("there were further warnings; the first %d are shown", mostWarnings))
	}
	return texts
}
