package omniscope

import (
	"errors"
	"fmt"
	"time"
)

// A Kind tells a caller what to do about an error. The zero value is a fault
// of ours or of the machine: report it.
type Kind uint8

// The kinds.
const (
	Internal    Kind = iota
	Usage            // the command line is wrong: mend it
	Invalid          // the input is wrong: mend the file, or the request
	NotFound         // something named is not there
	Transient        // the same call may succeed later
	Exhausted        // tried as often as allowed: go on without it, run again another time
	Denied           // key, quota or permission: asking again will not help
	Declined         // the model or its filter refuses to answer
	Malformed        // an answer came, but not one that can be read
	Budget           // a budget of money, tokens or calls is used up: raise it and run again
	Unreachable      // nothing has ever answered at the endpoint: start it, or mend its address, and run again
	Unusable         // the first answers are all of no use, for one reason: mend that and run again
	Unanswered       // a person has not answered yet: run again when they have
)

var kindNames = [...]string{"internal", "usage", "invalid", "not found", "transient", "exhausted", "denied", "declined", "malformed", "budget", "unreachable", "unusable", "unanswered"}

func (k Kind) String() string { return kindNames[k] }

// EndsRun reports whether an error of a call concerns all calls to come, so
// that no more of them should be made.
func (k Kind) EndsRun() bool {
	return k == Denied || k == Budget || k == Unreachable || k == Unusable
}

// An Error is what was being done, the kind of failure, and its cause.
type Error struct {
	Kind       Kind
	Op         string        // what was being done
	Err        error         // the cause; nil = there is no more to say than Kind
	RetryAfter time.Duration // how long the other side asked to wait; 0 = it did not say
}

func (e *Error) Error() string {
	why := e.Kind.String()
	if e.Err != nil {
		why = e.Err.Error()
	}
	if e.Op == "" {
		return why
	}
	return e.Op + ": " + why
}

func (e *Error) Unwrap() error { return e.Err }

// Usagef returns an error of kind Usage with the text of fmt.Errorf. The operand of %w is
// in its chain.
func Usagef(format string, args ...any) error {
	return &Error{Kind: Usage, Err: fmt.Errorf(format, args...)}
}

// Invalidf returns an error of kind Invalid with the text of fmt.Errorf. The operand of %w
// is in its chain.
func Invalidf(format string, args ...any) error {
	return &Error{Kind: Invalid, Err: fmt.Errorf(format, args...)}
}

// NotFoundf returns an error of kind NotFound with the text of fmt.Errorf. The operand of %w
// is in its chain.
func NotFoundf(format string, args ...any) error {
	return &Error{Kind: NotFound, Err: fmt.Errorf(format, args...)}
}

// KindOf returns the kind of the outermost *Error in err's chain, Internal if
// there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// OutcomeOf returns how a call that ended with err ended.
func OutcomeOf(err error) Outcome {
	switch KindOf(err) {
	case Declined:
		return Refused
	case Malformed:
		return Unparsed
	case Unanswered:
		return Pending
	}
	return Failed
}
