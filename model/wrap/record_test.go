package wrap_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// A counter passes calls on and counts them.
type counter struct {
	inner provider
	sent  atomic.Int64
}

func (c *counter) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	c.sent.Add(1)
	return c.inner(ctx, req)
}

func recording(m model.Model, j run.Journal, meter *wrap.Meter) model.Model {
	return wrap.Stack(m, wrap.Options{Name: "p/m", Source: "http://one", Once: &run.Once{Journal: j}, Meter: meter})
}

func TestAnswerPaidOnce(t *testing.T) {
	var meter wrap.Meter
	j := runtest.NewMemory()
	full := &model.Response{
		Text: "\"A\" <狗>\n", Finish: model.Length, Model: "m-1", ID: "id-1", Latency: 1500 * time.Microsecond, Tries: 2,
		Usage: model.Usage{TokensIn: 10, TokensOut: 5, CostUSD: 0.25}, DroppedOptions: []string{"temperature"},
	}
	c := &counter{inner: func(context.Context, *model.Request) (*model.Response, error) { copied := *full; return &copied, nil }}
	m := recording(c, j, &meter)
	first, again := ask(t, m, "7"), ask(t, m, "7")
	if first.Cached || !again.Cached || c.sent.Load() != 1 || len(j.Entries()) != 1 {
		t.Fatalf("first remembered: %v, second: %v, %d sent, %d written", first.Cached, again.Cached, c.sent.Load(), len(j.Entries()))
	}
	again.Cached = false
	if a, b := fixture.JSON(first), fixture.JSON(again); a != b {
		t.Errorf("remembered as\n%s, was\n%s", b, a)
	}
	if meter.Asked.Load() != 2 || meter.Answers.Load() != 1 || meter.Remembered.Load() != 1 || meter.CostUSD() != 0.25 {
		t.Errorf("counted %d asked, %d answered, %d remembered, $%g: a remembered answer costs nothing",
			meter.Asked.Load(), meter.Answers.Load(), meter.Remembered.Load(), meter.CostUSD())
	}
	if meter.Models()["m-1"] != 2 || meter.Sources()["http://one"] != 2 {
		t.Errorf("answered by %v at %v", meter.Models(), meter.Sources())
	}
	e := j.Entries()[0]
	if e.Step != "7" || e.Attempt != 1 || e.Kind != "model" || e.Source != "http://one" || e.Outcome != omniscope.OK || e.Started.IsZero() {
		t.Errorf("written down as %+v", e)
	}
}

// TestRememberedFinishReasonsByMeaning: journals of older versions hold the words of the endpoints.
func TestRememberedFinishReasonsByMeaning(t *testing.T) {
	for word, want := range map[model.Finish]omniscope.Outcome{
		"stop": omniscope.OK, "length": omniscope.Truncated, "MAX_TOKENS": omniscope.Truncated, "SAFETY": omniscope.Refused, "network_error": omniscope.Failed, "weird": omniscope.OK,
	} {
		var meter wrap.Meter
		c := &counter{inner: func(context.Context, *model.Request) (*model.Response, error) {
			return &model.Response{Text: "A dog", Finish: word}, nil
		}}
		m := recording(c, runtest.NewMemory(), &meter)
		ask(t, m, "7")
		if again := ask(t, m, "7"); !again.Cached || again.Outcome() != want || again.Text != "A dog" {
			t.Errorf("%s: remembered as %+v, %s, want %s", word, again, again.Outcome(), want)
		}
		if unknown := meter.UnknownFinishes(); word == "weird" && unknown["weird"] != 2 || word == "stop" && len(unknown) > 0 {
			t.Errorf("%s: counted as unknown: %v", word, unknown)
		}
	}
}

func TestFailuresRecorded(t *testing.T) {
	for _, c := range []struct {
		kind    omniscope.Kind
		outcome omniscope.Outcome
	}{
		{omniscope.Transient, omniscope.Failed},
		{omniscope.Denied, omniscope.Failed},
		{omniscope.Invalid, omniscope.Failed},
		{omniscope.Exhausted, omniscope.Failed},
		{omniscope.Internal, omniscope.Failed},
		{omniscope.Declined, omniscope.Refused},
		{omniscope.Malformed, omniscope.Unparsed},
	} {
		t.Run(c.kind.String(), func(t *testing.T) {
			j := runtest.NewMemory()
			s := &script{replies: []error{failure(c.kind, "what happened"), nil}}
			m := recording(s, j, nil)
			_, err := m.Generate(t.Context(), request("7"))
			fixture.WantError(t, err, c.kind)
			if resp := ask(t, m, "7"); resp.Cached || len(s.tries) != 2 {
				t.Errorf("remembered: %v, sent %d times", resp.Cached, len(s.tries))
			}
			e := j.Entries()[0]
			var r wrap.Result
			fixture.OK(t, json.Unmarshal(e.Result, &r))
			if e.Outcome != c.outcome || r.Error != "what happened" || r.Kind != c.kind.String() || r.Model != "p/m" {
				t.Errorf("written down as %s: %s", e.Outcome, e.Result)
			}
		})
	}
}

// They were paid for, and asking the same again would buy the same again.
func TestRefusalsReused(t *testing.T) {
	for name, reply := range map[string]model.Response{
		"refusal":   {Refusal: "I can't.", Finish: model.Stop},
		"filter":    {Finish: model.ContentFilter},
		"cut off":   {Text: "{\"1\":", Finish: model.Length},
		"not JSON":  {Text: "well, ", Finish: model.Stop},
		"empty":     {Finish: model.Stop},
		"no finish": {Text: "a"},
	} {
		t.Run(name, func(t *testing.T) {
			c := &counter{inner: func(context.Context, *model.Request) (*model.Response, error) { r := reply; return &r, nil }}
			m := recording(c, runtest.NewMemory(), nil)
			first, again := ask(t, m, "7"), ask(t, m, "7")
			if !again.Cached || c.sent.Load() != 1 || again.Outcome() != first.Outcome() || again.Text != first.Text {
				t.Errorf("sent %d times: %+v, then %+v", c.sent.Load(), first, again)
			}
		})
	}
}

func TestConcurrentEqualCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{}
		var meter wrap.Meter
		m := recording(w, runtest.NewMemory(), &meter)
		answers := make(chan *model.Response, 50)
		for range cap(answers) {
			go func() {
				resp, err := m.Generate(t.Context(), request("7"))
				if err != nil {
					t.Error(err)
				}
				answers <- resp
			}()
		}
		paid := 0
		for range cap(answers) {
			if resp := <-answers; !resp.Cached {
				paid++
			}
		}
		if paid != 1 || len(w.came()) != 1 || meter.Answers.Load() != 1 || meter.Remembered.Load() != 49 {
			t.Errorf("%d answers were paid for, %d calls sent", paid, len(w.came()))
		}
	})
}

func TestUnsentCallNotRecorded(t *testing.T) {
	t.Run("budget", func(t *testing.T) {
		j := runtest.NewMemory()
		m := wrap.Stack(provider(instant), wrap.Options{Once: &run.Once{Journal: j}, Budget: &wrap.Budget{MaxTokens: 1}})
		_, err := m.Generate(t.Context(), request("7"))
		fixture.WantError(t, err, omniscope.Budget)
		if n := len(j.Entries()); n != 0 {
			t.Errorf("%d entries", n)
		}
	})
	t.Run("stop", func(t *testing.T) {
		j := runtest.NewMemory()
		soft, stop := context.WithCancel(t.Context())
		stop()
		c := &counter{inner: instant}
		_, err := recording(c, j, nil).Generate(run.WithStop(soft), request("7"))
		if !errors.Is(err, context.Canceled) || len(j.Entries()) != 0 || c.sent.Load() != 0 {
			t.Errorf("%v, %d entries, %d sent", err, len(j.Entries()), c.sent.Load())
		}
	})
}

func TestRememberedAnswerWithoutBudget(t *testing.T) {
	m := wrap.Stack(provider(instant), wrap.Options{Once: &run.Once{Journal: runtest.NewMemory()}, Budget: &wrap.Budget{MaxCalls: 1}})
	ask(t, m, "7")
	if resp := ask(t, m, "7"); !resp.Cached {
		t.Error("paid for twice")
	}
	_, err := m.Generate(t.Context(), request("8"))
	fixture.WantError(t, err, omniscope.Budget)
}

func TestAnswerWhileStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soft, stop := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, stop)
		j := runtest.NewMemory()
		if _, err := recording(&wire{}, j, nil).Generate(run.WithStop(soft), request("7")); err != nil {
			t.Fatal(err)
		}
		if n := len(j.Entries()); n != 1 {
			t.Errorf("%d entries", n)
		}
	})
}

func TestUnreadableEntry(t *testing.T) {
	j := runtest.NewMemory()
	_, key, err := wrap.Canonical("p/m", request("7"))
	fixture.OK(t, err)
	broken := &run.Entry{Key: key, Source: "http://one", Outcome: omniscope.OK, Result: []byte("{")}
	fixture.OK(t, j.Append(t.Context(), broken))
	_, err = recording(provider(instant), j, nil).Generate(t.Context(), request("7"))
	if err == nil || !strings.Contains(err.Error(), "journal entry "+key.String()) {
		t.Errorf("got %v", err)
	}
}
