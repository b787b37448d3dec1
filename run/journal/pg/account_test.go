package pg_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/pgtest"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
	"omniscope/run/journal/pg"
)

func TestBudgetOfSeveralProcesses(t *testing.T) {
	address := pgtest.New(t)
	for name, c := range map[string]struct {
		budget  func() *wrap.Budget
		answers int64 // of 10 tokens and 0.1 cent each
		atLeast int64
	}{
		"calls":  {func() *wrap.Budget { return &wrap.Budget{MaxCalls: 500} }, 500, 470},
		"tokens": {func() *wrap.Budget { return &wrap.Budget{MaxTokens: 5000} }, 500, 440},
		"money":  {func() *wrap.Budget { return &wrap.Budget{MaxUSD: 0.5} }, 500, 440},
	} {
		t.Run(name, func(t *testing.T) {
			var sent, onTheWire, most atomic.Int64
			var all sync.WaitGroup
			for range 4 {
				j := openRun(t, address, name, pg.Options{})
				budget := c.budget()
				budget.Consult(j)
				budget.Share(j, j)
				m := wrap.Stack(modelFunc(func() {
					sent.Add(1)
					most.Store(max(most.Load(), onTheWire.Add(1)))
					time.Sleep(time.Millisecond)
					onTheWire.Add(-1)
				}), wrap.Options{Name: "openai/m " + name, Budget: budget, Price: &wrap.Price{In: 100, Out: 100}})
				for range 10 {
					all.Go(func() {
						for {
							_, err := m.Generate(t.Context(), &model.Request{Model: "m", Params: model.Params{MaxTokens: 5}, Messages: []model.Message{{Parts: []model.Part{{Kind: model.TextPart, Text: "twenty characters..."}}}}})
							if omniscope.KindOf(err) == omniscope.Budget {
								return
							}
							if err != nil {
								t.Error(err)
								return
							}
						}
					})
				}
				t.Cleanup(func() {
					if err := budget.Settle(context.Background()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if n := sent.Load(); n > c.answers || n < c.atLeast {
				t.Errorf("%d calls were sent, want at most %d and not less than %d", n, c.answers, c.atLeast)
			}
		})
	}
}

// modelFunc answers with 5 tokens to 5.
type modelFunc func()

func (f modelFunc) Generate(context.Context, *model.Request) (*model.Response, error) {
	f()
	return &model.Response{Text: "ok", Usage: model.Usage{TokensIn: 5, TokensOut: 5}}, nil
}

func TestBudgetBeginsAnewWhenNobodyIsAtWork(t *testing.T) {
	address := pgtest.New(t)
	draw := func(j run.Account, n int64) int64 {
		granted, err := j.Draw(t.Context(), run.Amount{Calls: n}, run.Amount{Calls: n}, run.Amount{Calls: 10})
		fixture.OK(t, err)
		return granted.Calls
	}
	one, two := openRun(t, address, "run", pg.Options{}), openRun(t, address, "run", pg.Options{})
	if draw(one, 8) != 8 || draw(two, 3) != 0 || draw(two, 2) != 2 || draw(one, 1) != 0 {
		t.Error("a budget of 10 was not drawn as far as it goes")
	}
	if err := two.Settle(t.Context(), run.Amount{Calls: 1}); err != nil || draw(one, 1) != 1 {
		t.Error("what was settled cannot be drawn")
	}
	fixture.OK(t, one.Close())
	three := openRun(t, address, "run", pg.Options{})
	if n := draw(three, 1); n != 0 {
		t.Errorf("while one is still at work, %d are granted to a newcomer", n)
	}
	fixture.OK(t, errors.Join(two.Close(), three.Close()))
	if n := draw(openRun(t, address, "run", pg.Options{}), 10); n != 10 {
		t.Errorf("when nobody was at work any more, %d of 10 are granted", n)
	}
}
