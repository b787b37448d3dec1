package wrap_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/testing/runtest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

func TestRetryWaitFreesPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, w := wrap.NewLimiter(1), &wire{}
		w.fate = func(step string) error {
			if step == "bad" && len(w.came()) == 1 {
				return failure(omniscope.Transient, "down")
			}
			return nil
		}
		m := wrap.Stack(w, wrap.Options{Limiter: l, Retry: &wrap.Policy{Base: time.Minute, Most: time.Minute}})
		done := make(chan struct{})
		go func() {
			defer close(done)
			ask(t, m, "bad")
		}()
		synctest.Wait()
		ask(t, m, "good")
		<-done
		if want := []string{"bad", "good", "bad"}; !slices.Equal(w.came(), want) {
			t.Errorf("sent in the order %q, want %q", w.came(), want)
		}
	})
}

func TestWholeStack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var meter wrap.Meter
		j, l := runtest.NewMemory(), wrap.NewLimiter(8)
		s := &script{replies: []error{rateLimit(time.Second), failure(omniscope.Transient, "down"), nil}}
		m := wrap.Stack(s, wrap.Options{Name: "p/m", Source: "http://one", Once: &run.Once{Journal: j}, Limiter: l,
			Retry: &wrap.Policy{}, Budget: &wrap.Budget{MaxCalls: 1}, Price: price, Meter: &meter})
		first, again := ask(t, m, "7"), ask(t, m, "7")
		if first.Tries != 3 || first.Usage.CostUSD != 0.25 || !again.Cached || again.Tries != 3 {
			t.Errorf("first %+v, then %+v", first, again)
		}
		if len(j.Entries()) != 1 || meter.Retries.Load() != 2 || meter.RateLimited.Load() != 1 || meter.Answers.Load() != 1 {
			t.Errorf("%d entries, %d retries, %d refused with 429, %d answers: one call is one entry and one call of the budget",
				len(j.Entries()), meter.Retries.Load(), meter.RateLimited.Load(), meter.Answers.Load())
		}
		if models := sortedKeys(meter.Models()); !slices.Equal(models, []string{"m-1"}) {
			t.Errorf("answered by %q", models)
		}
	})
}

// A server that is away for half a minute costs a run some tries and no answer.
func TestOutageHalfMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var meter wrap.Meter
		var sent atomic.Int64
		began := time.Now().Add(5 * time.Second)
		l := wrap.NewLimiter(200)
		m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
			sent.Add(1)
			if since := time.Since(began); since >= 0 && since < 30*time.Second {
				return nil, failure(omniscope.Transient, "connection refused")
			}
			time.Sleep(time.Second)
			return answer("a"), nil
		}), wrap.Options{Once: &run.Once{Journal: runtest.NewMemory()}, Limiter: l, Retry: &wrap.Policy{}, Meter: &meter})

		const callers, each = 100, 20
		started, failed := time.Now(), atomic.Int64{}
		done := make(chan struct{})
		for i := range callers {
			go func() {
				for k := range each {
					if _, err := m.Generate(t.Context(), request(fmt.Sprint(i, k))); err != nil {
						failed.Add(1)
					}
				}
				done <- struct{}{}
			}()
		}
		for range callers {
			<-done
		}
		took := time.Since(started).Round(time.Second)
		t.Logf("%d calls: %d tries, %d of them again, %s; the limit ends at %d",
			callers*each, sent.Load(), meter.Retries.Load(), took, l.State().Limit)
		if failed.Load() != 0 || meter.Answers.Load() != callers*each {
			t.Errorf("%d calls failed, %d were answered", failed.Load(), meter.Answers.Load())
		}
		if meter.Retries.Load() > 8*callers {
			t.Errorf("%d tries again during the outage, more than 8 a caller", meter.Retries.Load())
		}
		if took > 90*time.Second {
			t.Errorf("took %s; 20 s of work and 30 s of outage should fit in 90 s", took)
		}
		if s := l.State(); s.InUse != 0 {
			t.Errorf("%d places are still held", s.InUse)
		}
	})
}

// writeOnlyJournal takes entries and keeps none, so that every call goes all the way.
type writeOnlyJournal struct{}

func (writeOnlyJournal) Lookup(context.Context, run.Key, string) (*run.Entry, error) { return nil, nil }
func (writeOnlyJournal) Append(context.Context, *run.Entry) error                    { return nil }

// The prompt of 10 KB is a caption with questions, much like a judge's.
func prompt() *model.Request {
	temperature := 0.0
	req := request("7")
	req.Params.Temperature = &temperature
	req.Messages[0].Parts[0].Text = strings.Repeat("At [00:12] a \"red\" car — not the blue one — stops;\nsomebody shouts.\n", 142)
	return req
}

func BenchmarkStack(b *testing.B) {
	answers := provider(func(context.Context, *model.Request) (*model.Response, error) {
		resp := answer("a")
		resp.Usage.TokensIn = 2500
		return resp, nil
	})
	m := wrap.Stack(answers, wrap.Options{Name: "p/m", Source: "http://one", Once: &run.Once{Journal: writeOnlyJournal{}},
		Limiter: wrap.NewLimiter(1000), Retry: &wrap.Policy{}, Budget: &wrap.Budget{MaxUSD: 1e9}, Price: &wrap.Price{In: 1, Out: 1}})
	req := prompt()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Generate(b.Context(), req); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	req := prompt()
	b.ReportAllocs()
	b.SetBytes(int64(len(req.Messages[0].Parts[0].Text)))
	for b.Loop() {
		if _, _, err := wrap.Canonical("p/m", req); err != nil {
			b.Fatal(err)
		}
	}
}
