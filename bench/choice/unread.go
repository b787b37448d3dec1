package choice

import (
	"fmt"
	"sync"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/model"
	"omniscope/model/judge/letters"
)

// When a run warns that hardly any answer can be read: of so many answers at least, from this share of unread ones on. Such a file
// has another field than the answers, or marks of a model that are not known.
const (
	leastAnswers = 5
	unreadShare  = 0.9
)

// unreadAnswers counts a model's own answers in which strict scoring finds no option. An answer that abstains is read.
type unreadAnswers struct {
	mu              sync.Mutex
	answers, unread int
	letters         int // right by their letter alone, and wrong to a scorer of words
	first           int // unit of the example
	example         string
	why             letters.Why
}

// add counts the answer to a unit.
func (n *unreadAnswers) add(unit int, u *unit) {
	if u.cascade || u.given == nil {
		return
	}
	letter := u.InWords && u.strict == omniscope.Correct && u.official == omniscope.Wrong
	if letter {
		_, letter = bench.InWords(u.answer, u.q.Options)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers++
	if letter {
		n.letters++
	}
	if !u.unread {
		return
	}
	if n.unread++; n.unread == 1 || unit < n.first {
		n.first, n.example, n.why = unit, u.answer, u.why
	}
}

var _ bench.Finisher = (*evaluation)(nil)

// Finish implements bench.Finisher: it warns where hardly any answer can be read, or the published scorer counts letters as wrong.
func (e *evaluation) Finish(r *document.Results) {
	n := &e.unread
	if n.letters > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("official counts %d of %d answers as wrong only because they are letters of options: the published scorer of %s compares the words of options; "+
			"strict reads letters, and `omniscope run %s` writes words", n.letters, n.answers, e.Name, e.Name))
	}
	if n.answers < leastAnswers || float64(n.unread) < unreadShare*float64(n.answers) {
		return
	}
	r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d answers name no option that can be read, such as %q, which %s: see whether the file holds the answers, and in which field; `omniscope score choice` shows how a reply is read",
		n.unread, n.answers, model.FirstWords(n.example), n.why))
}
