package omnicloze

import (
	"fmt"
	"sync"

	"omniscope/bench"
)

var _ bench.Explainer = (*evaluation)(nil)

// patterns counts the replies of a judge that look as if it had not read the caption.
type patterns struct {
	mu                        sync.Mutex
	replies                   int
	allE, oneLetter, sequence pattern
}

// A pattern counts replies. The first is the unit of the earliest, whichever came first.
type pattern struct{ n, first int }

func (p *pattern) add(unit int) {
	if p.n == 0 || unit < p.first {
		p.first = unit
	}
	p.n++
}

// fewBlanks is how many blanks a reply has at least in which a pattern is hardly by chance: one letter
// throughout has a probability of 4 in 4^5 or less, a given sequence of 1 in 4^5.
const fewBlanks = 5

// add looks at a readable reply; nil = no reply could be read.
func (p *patterns) add(unit int, r reply) {
	if len(r) < fewBlanks {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replies++
	switch {
	case isPeriodic(r, 1) && r[0].letter == notGiven[0]:
		p.allE.add(unit)
	case isPeriodic(r, 1):
		p.oneLetter.add(unit)
	case isPeriodic(r, len(letters)) || isPeriodic(r, len(letters)+1):
		p.sequence.add(unit)
	}
}

// isPeriodic reports whether the letters are A, B, C and so on, and A again after so many; with a period of 1,
// whether they are equal.
func isPeriodic(r reply, period int) bool {
	start := byte('A')
	if period == 1 {
		start = r[0].letter
	}
	for i, c := range r {
		if c.letter != start+byte(i%period) {
			return false
		}
	}
	return true
}

// Explain implements bench.Explainer. A poor caption has E for all blanks: that is a warning only if all
// replies have it.
func (e *evaluation) Explain() (x bench.Explanation) {
	p := &e.patterns
	p.mu.Lock()
	defer p.mu.Unlock()
	warn := func(found pattern, what string) {
		if found.n > 0 {
			x.Warnings = append(x.Warnings, fmt.Sprintf("%d of %d replies of the judge have %s, the first about uuid %s: check that it reads the captions", found.n, p.replies, what, e.data.samples[found.first].uuid))
		}
	}
	warn(p.oneLetter, "one letter for all blanks")
	warn(p.sequence, "the letters A, B, C and so on in turn")
	if p.allE.n == p.replies {
		warn(p.allE, "E for all blanks")
	}
	return x
}
