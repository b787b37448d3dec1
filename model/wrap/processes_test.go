package wrap_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
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

// A sharedJournal is that of several processes.
type sharedJournal struct {
	*runtest.Memory
	mu     sync.Mutex
	left   int64    // tokens of the budget
	holder *process // of the claim
}

// A process shares a journal.
type process struct{ *sharedJournal }

func (j *process) Bills(context.Context, string, string) (b run.Bills, err error) {
	for _, e := range j.Entries() {
		b.Calls++
		b.MostOut = max(b.MostOut, int64(e.Cost.TokensOut))
	}
	return b, nil
}

func (j *process) Draw(_ context.Context, need, want, _ run.Amount) (run.Amount, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.left < need.Tokens {
		return run.Amount{}, nil
	}
	want.Tokens = min(want.Tokens, j.left)
	j.left -= want.Tokens
	return want, nil
}

func (j *process) Settle(_ context.Context, unspent run.Amount) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.left += unspent.Tokens
	return nil
}

func (j *process) Spent(context.Context) (run.Amount, error) { return run.Amount{Calls: 1}, nil }

func (j *process) Claim(context.Context, run.Key, string) (run.Claim, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.holder == nil {
		j.holder = j
	}
	return run.Claim{Mine: j.holder == j}, nil
}

func (j *process) Renew(ctx context.Context, key run.Key, source string) (run.Claim, error) {
	return j.Claim(ctx, key, source)
}

func (j *process) Release(run.Key, string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.holder == j {
		j.holder = nil
	}
}

// A process that may make the first call, and has no budget left for it, lets others try.
func TestFirstCallIsGivenUp(t *testing.T) {
	j := &process{&sharedJournal{Memory: runtest.NewMemory()}}
	budget := &wrap.Budget{MaxTokens: 1000}
	budget.Consult(j)
	budget.Share(j, j)
	for range 2 {
		_, err := wrap.Stack(provider(instant), wrap.Options{Budget: budget}).Generate(t.Context(), small("7"))
		fixture.WantError(t, err, omniscope.Budget)
		if j.holder != nil {
			t.Error("the first call is still claimed")
		}
	}
}

// TestBudgetOverProcesses has three processes with many callers each spend one budget of 100,000 tokens.
func TestBudgetOverProcesses(t *testing.T) {
	const most = 100_000
	for name, c := range map[string]struct {
		tokens    []int // out, of one call after the other, the last for all further ones
		limit     int   // of the request
		least, to int   // tokens spent
	}{
		"short ones":                {[]int{1000}, 0, 95_000, most},
		"short ones with a limit":   {[]int{1000}, 1000, 95_000, most},
		"long ones":                 {[]int{20_000}, 0, 80_000, most},
		"longer than the budget":    {[]int{200_000}, 0, 200_000, 201_000},
		"short ones, then long":     {append(slices.Repeat([]int{1000}, 20), 200_000), 0, 220_000, 221_000},
		"short, long, very long":    {[]int{1000, 20_000, 200_000}, 0, 221_000, 222_000},
		"a limit that is not kept":  {[]int{20_000}, 1000, 80_000, most},
		"the limit of the last one": {[]int{30_000}, 30_000, 90_000, most},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				calls, spent := 0, 0
				server := provider(func(context.Context, *model.Request) (*model.Response, error) {
					mu.Lock()
					out := c.tokens[min(calls, len(c.tokens)-1)]
					calls++
					spent += 10 + out
					mu.Unlock()
					time.Sleep(time.Second)
					return &model.Response{Text: "a", Usage: model.Usage{TokensIn: 10, TokensOut: out}, Report: model.Report{Reasoning: out - 1}}, nil
				})
				journal := &sharedJournal{Memory: runtest.NewMemory(), left: most}
				var all sync.WaitGroup
				for i := range 3 {
					j, budget := &process{journal}, &wrap.Budget{MaxTokens: most}
					budget.Consult(j)
					budget.Share(j, j)
					m := wrap.Stack(server, wrap.Options{Once: &run.Once{Journal: journal}, Budget: budget})
					for n := range 100 {
						all.Go(func() {
							req := small(fmt.Sprint(i, " ", n))
							req.Messages[0].Parts[0].Text += req.Step
							req.Params.MaxTokens = c.limit
							if _, err := m.Generate(t.Context(), req); err != nil && omniscope.KindOf(err) != omniscope.Budget {
								t.Error(err)
							}
						})
					}
				}
				all.Wait()
				if spent < c.least || spent > c.to {
					t.Errorf("%d calls took %d tokens, want %d to %d", calls, spent, c.least, c.to)
				}
				if journal.holder != nil {
					t.Error("a call is still claimed")
				}
			})
		})
	}
}
