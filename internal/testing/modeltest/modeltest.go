// Package modeltest is the suite that every adapter of model.Model passes.
//
// It says as plain data what the other side answers; the adapter's own test
// arranges that, with a script or with a server that speaks the protocol. What
// it does not check is how an adapter's requests look on the wire, which
// differs from protocol to protocol.
package modeltest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/model"
)

// A Reply is what the other side gives to one call. The zero value is an
// answer with an empty text.
type Reply struct {
	Text      string
	Refusal   string       // a refusal the protocol marks as such; Text is empty then
	Finish    model.Finish // "" = Stop
	Model     string       // the name of the model that answers; "" = any
	TokensIn  int          // 0 = any number
	TokensOut int

	Failure    omniscope.Kind // the call fails with this kind; Internal = it does not fail
	RetryAfter time.Duration  // whole seconds that a Transient failure asks to wait
	Hang       bool           // nothing is answered until the caller has gone away
}

// A Harness connects the suite with an adapter.
type Harness struct {
	// Start returns the model under test, whose other side answers the only
	// attempt of each step with the reply given for it. A server finds the
	// step of a request with StepOf. Start cleans up with t.Cleanup.
	Start func(t *testing.T, replies map[string]Reply) model.Model

	// Declined names the behaviours the other side cannot be made to show, and
	// why. They are skipped.
	Declined map[string]string
}

// Run checks every behaviour of the suite in a subtest of its own.
func Run(t *testing.T, h Harness) {
	for name := range h.Declined {
		if !known(name) {
			t.Fatalf("the suite has no behaviour %q to decline", name)
		}
	}
	for _, b := range behaviours {
		t.Run(b.name, func(t *testing.T) {
			if why, declined := h.Declined[b.name]; declined {
				t.Skip(why)
			}
			if err := b.check(h.Start(t, b.replies)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A behaviour is one promise of model.Model.
type behaviour struct {
	name    string
	replies map[string]Reply
	check   func(m model.Model) error
}

func known(name string) bool {
	for _, b := range behaviours {
		if b.name == name {
			return true
		}
	}
	return false
}

const stepMark = "[step:"

// StepOf finds the step in a request's text, or in any encoding of the request
// that leaves ASCII letters, digits, brackets and colons as they are. It is ""
// when there is none.
func StepOf(text string) string {
	_, rest, _ := strings.Cut(text, stepMark)
	step, _, closed := strings.Cut(rest, "]")
	if !closed {
		return ""
	}
	return step
}

// request asks for the reply to a step.
func request(step string) *model.Request {
	return &model.Request{
		Step: step, Attempt: 1, Model: "asked-for",
		Messages: []model.Message{
			model.Text(model.System, "You are a careful judge."),
			model.Text(model.User, fmt.Sprintf("%s%s] What do you see?", stepMark, step)),
		},
	}
}
