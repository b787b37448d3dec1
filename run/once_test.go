package run_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
	"omniscope/run"
)

func TestOnceRemembers(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	for i := range 3 {
		entry, remembered, err := once.Do(t.Context(), ask("a"), succeed)
		if err != nil || string(entry.Result) != "answer" {
			t.Fatalf("got %v, %v", entry, err)
		}
		if remembered != (i > 0) {
			t.Errorf("call %d: remembered is %t", i, remembered)
		}
	}
	if n := len(journal.Entries()); n != 1 {
		t.Errorf("the journal has %d entries, want 1", n)
	}
}

func TestOnceWritesFailuresDownAndDoesNotReuseThem(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	broken := errors.New("broken")
	for range 2 {
		_, remembered, err := once.Do(t.Context(), ask("a"), func(_ context.Context, e *run.Entry) error {
			e.Outcome = omniscope.OK // wrongly, for it failed
			return broken
		})
		if !errors.Is(err, broken) || remembered {
			t.Errorf("remembered %t, %v", remembered, err)
		}
	}
	entries := journal.Entries()
	if len(entries) != 2 || entries[0].Outcome != omniscope.Failed {
		t.Errorf("the journal has %v, want two failures", entries)
	}
}

func TestOnceSource(t *testing.T) {
	for _, c := range []struct {
		name      string
		anySource bool
		calls     int
	}{
		{"each source answers for itself", false, 2},
		{"any source will do", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			once := &run.Once{Journal: runtest.NewMemory(), AnySource: c.anySource}
			for _, source := range []string{"a", "b"} {
				_, _, err := once.Do(t.Context(), ask(source), func(ctx context.Context, e *run.Entry) error {
					calls++
					return succeed(ctx, e)
				})
				fixture.OK(t, err)
			}
			if calls != c.calls {
				t.Errorf("%d calls were made, want %d", calls, c.calls)
			}
		})
	}
}

// Two equal calls at the same time, the first of which ends in many ways.
func TestOnceWithACompanyOfEqualCalls(t *testing.T) {
	refused := &omniscope.Error{Kind: omniscope.Declined, Err: errors.New("refused")}
	crashed := errors.New("crashed")
	for _, c := range []struct {
		name          string
		anySource     bool
		secondSource  string
		firstCall     func(stop, cancel func(), e *run.Entry) error
		calls         int // made in all
		secondFails   bool
		firstFails    error
		rememberedNow int // entries in the journal afterwards
	}{
		{name: "the second gets the first's answer", calls: 1, rememberedNow: 1,
			firstCall: func(_, _ func(), e *run.Entry) error { return succeed(context.Background(), e) }},
		{name: "the second gets the first's failure", calls: 1, rememberedNow: 1, firstFails: refused, secondFails: true,
			firstCall: func(_, _ func(), e *run.Entry) error { e.Outcome = omniscope.Refused; return refused }},
		{name: "a stopped first leaves the call to the second", calls: 2, rememberedNow: 1, firstFails: context.Canceled,
			firstCall: func(stop, _ func(), e *run.Entry) error { stop(); return context.Canceled }},
		{name: "a cancelled first leaves the call to the second", calls: 2, rememberedNow: 1, firstFails: context.Canceled,
			firstCall: func(_, cancel func(), e *run.Entry) error { cancel(); return context.Canceled }},
		{name: "a stopped first that is answered all the same is enough", calls: 1, rememberedNow: 1,
			firstCall: func(stop, cancel func(), e *run.Entry) error {
				stop()
				cancel()
				return succeed(context.Background(), e)
			}},
		{name: "a stopped first that is refused is written down", calls: 1, rememberedNow: 1, firstFails: refused, secondFails: true,
			firstCall: func(stop, _ func(), e *run.Entry) error { stop(); e.Outcome = omniscope.Refused; return refused }},
		{name: "a first that panics lets the second go", calls: 1, firstFails: crashed, secondFails: true,
			firstCall: func(_, _ func(), e *run.Entry) error { panic("oh") }},
		{name: "a first that ends its goroutine lets the second go", calls: 1, firstFails: crashed, secondFails: true,
			firstCall: func(_, _ func(), e *run.Entry) error { runtime.Goexit(); return nil }},
		{name: "another source is another call", secondSource: "other", calls: 2, rememberedNow: 2,
			firstCall: func(_, _ func(), e *run.Entry) error { return succeed(context.Background(), e) }},
		{name: "another source is the same call where any will do", anySource: true, secondSource: "other", calls: 1, rememberedNow: 1,
			firstCall: func(_, _ func(), e *run.Entry) error { return succeed(context.Background(), e) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				journal := runtest.NewMemory()
				once := &run.Once{Journal: journal, AnySource: c.anySource}
				soft, stop := context.WithCancel(t.Context())
				hard, cancel := context.WithCancel(run.WithStop(soft))
				defer cancel()
				defer stop()

				calls := 0
				proceed := make(chan struct{})
				var both sync.WaitGroup
				firstErr := crashed
				both.Go(func() {
					defer func() { recover() }()
					_, _, firstErr = once.Do(hard, ask("first"), func(_ context.Context, e *run.Entry) error {
						calls++
						<-proceed
						firstErr = crashed
						return c.firstCall(stop, cancel, e)
					})
				})
				synctest.Wait()
				second := ask("first")
				if c.secondSource != "" {
					second = ask(c.secondSource)
				}
				var secondErr error
				both.Go(func() {
					_, _, secondErr = once.Do(t.Context(), second, func(ctx context.Context, e *run.Entry) error {
						calls++
						return succeed(ctx, e)
					})
				})
				synctest.Wait()
				close(proceed)
				both.Wait()

				if !errors.Is(firstErr, c.firstFails) {
					t.Errorf("the first ended with %v, want %v", firstErr, c.firstFails)
				}
				if (secondErr != nil) != c.secondFails {
					t.Errorf("the second ended with %v", secondErr)
				}
				if calls != c.calls {
					t.Errorf("%d calls were made, want %d", calls, c.calls)
				}
				if n := len(journal.Entries()); n != c.rememberedNow {
					t.Errorf("the journal has %d entries, want %d", n, c.rememberedNow)
				}
			})
		})
	}
}

func TestOnceWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		once := &run.Once{Journal: runtest.NewMemory()}
		proceed := make(chan struct{})
		go once.Do(t.Context(), ask("a"), func(ctx context.Context, e *run.Entry) error {
			<-proceed
			return succeed(ctx, e)
		})
		synctest.Wait()
		impatient, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := once.Do(impatient, ask("a"), succeed); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v, want the context's", err)
		}
		close(proceed)
	})
}

func TestOnceInAStoppingRun(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	if _, _, err := once.Do(t.Context(), ask("known"), succeed); err != nil {
		t.Fatal(err)
	}
	soft, stop := context.WithCancel(t.Context())
	ctx := run.WithStop(soft)
	stop()

	if _, remembered, err := once.Do(ctx, ask("known"), succeed); err != nil || !remembered {
		t.Errorf("a remembered answer is not given any more: %v", err)
	}
	_, _, err := once.Do(ctx, ask("new"), func(context.Context, *run.Entry) error {
		t.Error("a new call was made")
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the run's", err)
	}
}

func TestOnceDoesNotWriteDownWhatTheBudgetHeldBack(t *testing.T) {
	journal := runtest.NewMemory()
	once := &run.Once{Journal: journal}
	_, _, err := once.Do(t.Context(), ask("a"), func(context.Context, *run.Entry) error {
		return &omniscope.Error{Kind: omniscope.Budget, Err: errors.New("used up")}
	})
	if omniscope.KindOf(err) != omniscope.Budget || len(journal.Entries()) != 0 {
		t.Errorf("%d entries, %v", len(journal.Entries()), err)
	}
}

func TestOnceJournalError(t *testing.T) {
	full, refused := errors.New("disk full"), errors.New("refused")
	once := &run.Once{Journal: &fullJournal{runtest.NewMemory(), full}}
	if _, _, err := once.Do(t.Context(), ask("a"), succeed); !errors.Is(err, full) {
		t.Errorf("the error is %v, want %v", err, full)
	}
	_, _, err := once.Do(t.Context(), ask("a"), func(context.Context, *run.Entry) error { return refused })
	if !errors.Is(err, full) || !errors.Is(err, refused) {
		t.Errorf("the error is %v, want both %v and %v", err, full, refused)
	}
}

type fullJournal struct {
	run.Journal
	err error
}

func (j *fullJournal) Append(context.Context, *run.Entry) error { return j.err }

// ask makes the entry of one and the same question, asked of source.
func ask(source string) *run.Entry {
	key := run.Key{1}
	if source == "new" {
		key = run.Key{2}
	}
	return &run.Entry{Key: key, Step: "step", Attempt: 1, Kind: "model", Source: source, Request: []byte("ask")}
}

func succeed(_ context.Context, e *run.Entry) error {
	e.Outcome, e.Result = omniscope.OK, []byte("answer")
	return nil
}
