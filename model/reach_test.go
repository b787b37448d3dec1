package model_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
)

func transient(err error) error { return &omniscope.Error{Kind: omniscope.Transient, Err: err} }

func status(code int) error { return transient(&model.StatusError{Status: code, Message: "words"}) }

var (
	refused  = transient(model.NewUnanswered(&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, errors.New("connection refused")))
	unnamed  = transient(model.NewUnanswered(&net.DNSError{IsNotFound: true}, errors.New("no such host")))
	reset    = transient(model.NewUnanswered(&net.OpError{Op: "read", Err: syscall.ECONNRESET}, errors.New("connection reset")))
	timedOut = transient(&model.Unanswered{Err: errors.New("no whole answer within 2m"), Connected: true})
)

// TestReachGivesUp tries every second until the endpoint is given up.
func TestReachGivesUp(t *testing.T) {
	for _, c := range []struct {
		name     string
		wait     time.Duration
		errs     []error // in turn
		each     time.Duration
		from, to time.Duration
	}{
		{"refused", 0, []error{refused}, time.Second, 15 * time.Second, 17 * time.Second},
		{"no such name", 0, []error{unnamed}, time.Second, 15 * time.Second, 17 * time.Second},
		{"reset", 0, []error{reset}, time.Second, 120 * time.Second, 122 * time.Second},
		{"never answered", 0, []error{timedOut}, 2 * time.Second, 120 * time.Second, 123 * time.Second},
		{"never answered, one long try after another", 0, []error{timedOut}, 5 * time.Minute, 15 * time.Minute, 16 * time.Minute},
		{"refused, then loading", 0, []error{refused, refused, status(503)}, time.Second, 120 * time.Second, 122 * time.Second},
		{"as long as the user says", 10 * time.Minute, []error{refused}, time.Second, 600 * time.Second, 602 * time.Second},
		{"as short as the user says", time.Second, []error{timedOut}, time.Second, 3 * time.Second, 4 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := model.NewReach("http://there/v1", c.wait)
				began := time.Now()
				for n := 0; ; n++ {
					try, err := r.Begin(t.Context())
					fixture.OK(t, err)
					time.Sleep(c.each)
					patience, away := try.Ended(c.errs[min(n, len(c.errs)-1)])
					if away == nil {
						if patience <= 0 {
							t.Fatalf("after try %d nobody waits", n+1)
						}
						continue
					}
					if took := time.Since(began); took < c.from || took > c.to {
						t.Errorf("given up after %s, want %s to %s", took, c.from, c.to)
					}
					if omniscope.KindOf(away) != omniscope.Unreachable || !strings.Contains(away.Error(), "http://there/v1") {
						t.Errorf("%v", away)
					}
					if _, err := r.Begin(t.Context()); err == nil {
						t.Error("calls go on")
					}
					return
				}
			})
		})
	}
}

// TestReachAfterAnswer waits for nobody and gives nobody up.
func TestReachAfterAnswer(t *testing.T) {
	for name, first := range map[string]error{
		"an answer": nil, "a rate limit": status(429), "a fault of its own": status(500), "a refusal": &omniscope.Error{Kind: omniscope.Denied, Err: &model.StatusError{Status: 401}},
		"an error inside an answer": transient(&model.StatusError{Status: 502, Inside: true}),
		"a page":                    transient(errors.New("the endpoint answered with text/html")),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := model.NewReach("http://there/v1", 0)
				if patience, away := begun(t, r).Ended(first); patience != 0 || away != nil {
					t.Errorf("%s, %v", patience, away)
				}
				for range 1000 {
					time.Sleep(time.Second)
					if patience, away := begun(t, r).Ended(refused); patience != 0 || away != nil {
						t.Fatalf("%s, %v", patience, away)
					}
				}
			})
		})
	}
}

// begun is a try that begins now.
func begun(t *testing.T, r *model.Reach) *model.Try {
	t.Helper()
	try, err := r.Begin(t.Context())
	fixture.OK(t, err)
	return try
}

// TestTryThatBeganBeforeTheFirstAnswer shows that what a loading server says to a try is no failure
// of the call, though others have their answers by then; what it says to a later try is one.
func TestTryThatBeganBeforeTheFirstAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := model.NewReach("http://there/v1", 0)
		early, refusedEarly, other := begun(t, r), begun(t, r), begun(t, r)
		time.Sleep(time.Second)
		other.Ended(nil)
		time.Sleep(time.Second)
		if patience, away := early.Ended(status(503)); patience <= 0 || away != nil {
			t.Errorf("a try of before: %s, %v", patience, away)
		}
		if patience, away := refusedEarly.Ended(status(429)); patience != 0 || away != nil {
			t.Errorf("a try of before that was refused: %s, %v", patience, away)
		}
		if patience, away := begun(t, r).Ended(status(503)); patience != 0 || away != nil {
			t.Errorf("a try of after: %s, %v", patience, away)
		}
	})
}

// TestReachEndsCalls on the wire to an endpoint that is given up.
func TestReachEndsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := model.NewReach("http://there/v1", time.Second)
		try := begun(t, r)
		others := []*model.Try{begun(t, r), begun(t, r), begun(t, r)}
		time.Sleep(time.Minute)
		for _, other := range others {
			other.Ended(refused)
		}
		<-try.Context.Done()
		if _, away := try.Ended(context.Canceled); omniscope.KindOf(away) != omniscope.Unreachable {
			t.Errorf("the call that was ended says %v", away)
		}
	})
}

// TestLastError is shown as long as it matters.
func TestLastError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := model.NewReach("http://there/v1", 0)
		is := func(want string, wantAge time.Duration) {
			t.Helper()
			if text, age := r.LastError(); text != want || age != wantAge {
				t.Errorf("%q, %s ago, want %q, %s ago", text, age, want, wantAge)
			}
		}
		is("", 0)
		begun(t, r).Ended(context.Canceled)
		is("", 0)
		begun(t, r).Ended(status(500))
		time.Sleep(time.Hour)
		is("the endpoint answered 500: words", time.Hour)
		begun(t, r).Ended(status(429))
		time.Sleep(time.Second)
		begun(t, r).Ended(nil)
		is("the endpoint answered 429: words", time.Second)
		time.Sleep(time.Hour)
		is("", 0)
	})
}
