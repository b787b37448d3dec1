package model

import (
	"strings"
	"sync"
	"sync/atomic"
)

// A Reason is why an answer is of no use, in the words of a message about
// several of them.
type Reason string

// The reasons.
const (
	Refusals      Reason = "refusals"
	ToolCalls     Reason = "tool calls without a text"
	CutOff        Reason = "cut off by the length limit"
	ReasoningOnly Reason = "reasoning without an answer"
	Empty         Reason = "empty"
	TooLarge      Reason = "too large to be read"
	WrongForm     Reason = "in a form that cannot be read"
)

// Reason says why a response is of no use to somebody who could not use it.
func (r *Response) Reason() Reason {
	blank := strings.TrimSpace(r.Text) == ""
	switch {
	case r.Refusal != "" || r.Finish == ContentFilter:
		return Refusals
	case blank && (len(r.ToolCalls) > 0 || r.Finish == "tool_calls" || r.Finish == "function_call"):
		return ToolCalls
	case r.Finish == Length:
		return CutOff
	case blank && r.Reasoning:
		return ReasoningOnly
	case blank:
		return Empty
	}
	return WrongForm
}

// A Streak counts the unusable answers of a model before its first usable one,
// and stops asking when Limit of them are unusable for the same reason. Those
// who read answers tell it. It is safe for concurrent use; nil counts nothing.
type Streak struct {
	Limit int // 0 = never stop

	// Stop makes the error that ends the run. step names the call of the last
	// answer. It is called once.
	Stop func(reason Reason, answers int, step string) error

	usable atomic.Bool
	mu     sync.Mutex
	counts map[Reason]useless
	ended  error
}

// useless are the answers of no use for one reason.
type useless struct {
	answers int
	step    string // of the last one
}

// Err returns why no more calls should be made, nil if they should.
func (s *Streak) Err() error {
	if s == nil || s.usable.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Usable notes that an answer could be used, and so can others.
func (s *Streak) Usable() {
	if s != nil && !s.usable.Load() {
		s.usable.Store(true)
	}
}

// HasUsable reports whether an answer could be used.
func (s *Streak) HasUsable() bool { return s != nil && s.usable.Load() }

// Unusable notes answers that could not be used. An error ends the run.
func (s *Streak) Unusable(reason Reason, answers int, step string) error {
	if s == nil || s.Limit <= 0 || s.usable.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = make(map[Reason]useless)
	}
	s.counts[reason] = useless{s.counts[reason].answers + answers, step}
	if s.ended == nil && s.counts[reason].answers >= s.Limit {
		s.ended = s.Stop(reason, s.counts[reason].answers, step)
	}
	return s.ended
}

// Most returns the reason of most of the unusable answers, how many they are,
// and the step of one; no answers where one could be used.
func (s *Streak) Most() (reason Reason, answers int, step string) {
	if s == nil || s.usable.Load() {
		return "", 0, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for r, u := range s.counts {
		if u.answers > answers || u.answers == answers && r < reason {
			reason, answers, step = r, u.answers, u.step
		}
	}
	return reason, answers, step
}
