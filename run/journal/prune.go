package journal

import "fmt"

// A Pruned says what was deleted of a journal, or would be.
type Pruned struct {
	Runs  int
	Calls int
	Kept  int // calls of these runs that other runs rest on: they stay
	Texts int // texts of requests
}

// String says it in a line, of what has been done or would be.
func (p Pruned) String() string {
	text := fmt.Sprintf("%d calls of %d runs", p.Calls, p.Runs)
	if p.Texts > 0 {
		text += fmt.Sprintf(", %d texts of requests", p.Texts)
	}
	if p.Kept > 0 {
		text += fmt.Sprintf("; %d of their answers stay, since other runs rest on them", p.Kept)
	}
	return text
}
