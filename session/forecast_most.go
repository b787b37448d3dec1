package session

import (
	"cmp"

	"omniscope/bench"
	"omniscope/model"
)

// A most is an upper bound of what a run takes of one model, whatever is answered: all
// askings of each question, and of each asking all tries, of which any may have
// to be paid.
type most struct {
	Calls, TokensIn, TokensOut int

	Attempts, Tries int
	UnboundedOut    bool // answers have no limit that we know of
	UnboundedIn     bool // neither have requests, which quote answers
}

func newMost(m *Model, retries int) *most {
	b := &most{Attempts: 1, Tries: 1}
	if m.Judge != nil {
		b.Attempts = max(1, m.Judge.Attempts)
	}
	if !m.Local {
		b.Tries += retries
	}
	return b
}

// wrapping is more tokens than a server puts around a message: its role, and
// what its chat template adds. Inside, byte-level tokenizers make at most a
// token of each byte of UTF-8, in every language.
const wrapping = 64

// add counts a request with its later askings. asked askings are remembered.
func (m *most) add(req *model.Request, b bench.Bound, asked int) {
	size := 0
	for _, msg := range req.Messages {
		size += wrapping
		for _, p := range msg.Parts {
			size += len(p.Text)
			m.UnboundedIn = m.UnboundedIn || p.Kind != model.TextPart
		}
	}
	for n := asked + 1; n <= m.Attempts; n++ {
		in := size
		if n > 1 && b.RepairBytes > 0 {
			in += 2*wrapping + b.RepairBytes + 2*req.Params.MaxTokens // the reply, and what is quoted of it
			m.UnboundedIn = m.UnboundedIn || req.Params.MaxTokens == 0
		}
		m.ask(in, req.Params.MaxTokens)
		m.UnboundedOut = m.UnboundedOut || req.Params.MaxTokens == 0 && !req.Embed // vectors have no tokens
	}
}

// askOnce counts a request without later askings.
func (m *most) AskOnce(req *model.Request) {
	one := *m
	one.Attempts = 1
	one.add(req, bench.Bound{}, 0)
	one.Attempts = m.Attempts
	*m = one
}

// follow counts questions that may follow on the answers.
func (m *most) Follow(f bench.Further) {
	quoted := cmp.Or(f.Quoted, f.MaxTokens)
	m.UnboundedIn = m.UnboundedIn || f.Replies > 0 && quoted == 0
	m.UnboundedOut = m.UnboundedOut || f.Questions > 0 && f.MaxTokens == 0
	for range f.Questions * m.Attempts {
		m.ask(wrapping+f.Bytes+f.Replies*quoted, f.MaxTokens)
	}
}

// ask counts an asking with all its tries.
func (m *most) ask(in, out int) {
	m.Calls += m.Tries
	m.TokensIn += m.Tries * in
	m.TokensOut += m.Tries * out
}

// Bounded returns n, nil where there is no bound.
func Bounded(n int, unbounded bool) *int {
	if unbounded {
		return nil
	}
	return &n
}
