package model

import (
	"context"
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
	Repetitions   Reason = "cut off because they repeat themselves"
	ReasoningOnly Reason = "reasoning without an answer"
	Empty         Reason = "empty"
	TooLarge      Reason = "too large to be read"
	WrongForm     Reason = "in a form that cannot be read"
)

// Reason says why a response is of no use to somebody who could not use it.
func (r *Response) Reason() Reason {
	blank := Blank(r.Text)
	switch {
	case r.Refusal != "" || r.Finish == ContentFilter:
		return Refusals
	case blank && (len(r.ToolCalls) > 0 || r.Finish == calledTool):
		return ToolCalls
	case r.Finish == repetition:
		return Repetitions
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
// and ends the asking once Limit of them are unusable for the same reason. Who
// asks says when a call begins, and what came of its answer: Usable or Unusable.
//
// Answers may be read in another order than they came, as each is written to the
// journal first. Once Limit is reached, calls therefore wait to begin until every
// answer is read that had come by then: a usable one among them lets all go on.
// It is safe for concurrent use; nil counts nothing.
type Streak struct {
	Limit int // 0 = never stop

	// Stop makes the error that ends the run. step names the call of the last
	// answer. It is called once.
	Stop func(reason Reason, answers int, step string) error

	usable  atomic.Bool
	mu      sync.Mutex
	unread  int // answers that came before Limit was reached and are not read
	counts  map[Reason]useless
	full    Reason        // of Limit answers
	decided chan struct{} // closed when it is known whether the run ends; nil = Limit is not reached
	ended   error
}

// useless are the answers of no use for one reason.
type useless struct {
	answers int
	step    string // of the last one
}

// Begin says that a call begins, and waits where answers that are there decide
// whether there should be one. Its error says why not.
func (s *Streak) Begin(ctx context.Context) error {
	if s == nil || s.usable.Load() {
		return nil
	}
	s.mu.Lock()
	decided := s.decided
	s.mu.Unlock()
	if decided == nil {
		return nil
	}
	select {
	case <-decided:
		return s.ended
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Came says that an answer came, and reports whether it is awaited.
func (s *Streak) Came() (awaited bool) {
	if s == nil || s.usable.Load() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.decided != nil {
		return false
	}
	s.unread++
	return true
}

// Usable says that an answer could be used, and so may others.
func (s *Streak) Usable() {
	if s == nil || s.usable.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.usable.Swap(true) && s.decided != nil && s.ended == nil {
		close(s.decided)
	}
}

// HasUsable reports whether an answer could be used.
func (s *Streak) HasUsable() bool { return s != nil && s.usable.Load() }

// Unusable says that an answer could not be used; see Came for awaited. An error
// ends the run.
func (s *Streak) Unusable(reason Reason, awaited bool, step string) error {
	if s == nil || s.usable.Load() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.usable.Load() {
		return nil
	}
	s.add(reason, 1, step)
	if awaited {
		s.unread--
	}
	if s.decided != nil && s.ended == nil && s.unread == 0 {
		s.ended = s.Stop(s.full, s.counts[s.full].answers, s.counts[s.full].step)
		close(s.decided)
	}
	return s.ended
}

// Before counts unusable answers of earlier commands, fewer than Limit.
func (s *Streak) Before(reason Reason, answers int, step string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(reason, answers, step)
}

// add counts answers up to Limit. The caller holds the lock.
func (s *Streak) add(reason Reason, answers int, step string) {
	if s.decided != nil {
		return
	}
	if s.counts == nil {
		s.counts = make(map[Reason]useless)
	}
	s.counts[reason] = useless{s.counts[reason].answers + answers, step}
	if s.Limit > 0 && s.counts[reason].answers >= s.Limit {
		s.full, s.decided = reason, make(chan struct{})
	}
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
