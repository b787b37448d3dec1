package judge

import (
	"strings"
	"sync"
)

// Reasons counts why questions have no usable answer. The zero value is ready to use; it is safe for concurrent use.
type Reasons struct {
	mu sync.Mutex
	by map[string]int
}

// mostReasons bounds how many different reasons are counted: some quote a reply.
const mostReasons = 1000

// count counts the reason of a question without a usable answer.
func (r *Reasons) count(step string, attempts []Attempt) {
	if r == nil || len(attempts) == 0 {
		return
	}
	last := attempts[len(attempts)-1]
	if !last.Outcome.IsFailure() || last.Err == nil {
		return
	}
	why := strings.ReplaceAll(last.Err.Error(), "call "+step+": ", "")
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.by == nil {
		r.by = make(map[string]int)
	}
	if r.by[why] > 0 || len(r.by) < mostReasons {
		r.by[why]++
	}
}

// Commonest returns the commonest reason, and for how many questions it was given; 0 = every question has an answer.
func (r *Reasons) Commonest() (why string, questions int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for text, n := range r.by {
		if n > questions || n == questions && text < why {
			why, questions = text, n
		}
	}
	return why, questions
}
