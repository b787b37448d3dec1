package wrap_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

// price makes the answers of the tests, 10 tokens in and 5 out, cost 25 cents.
var price = &wrap.Price{In: 15_000, Out: 20_000}

// small asks for at most 5 tokens, so that the likely cost is the true one.
func small(step string) *model.Request {
	req := request(step)
	req.Messages[0].Parts[0].Text = strings.Repeat("x", 40)
	req.Params.MaxTokens = 5
	return req
}

// spendAll calls m until it refuses, at most 100 times, and returns how many
// calls were answered.
func spendAll(t *testing.T, m model.Model, req *model.Request) (answered int, err error) {
	t.Helper()
	for range 100 {
		if _, err = m.Generate(t.Context(), req); err != nil {
			return answered, err
		}
		answered++
	}
	return answered, nil
}

func instant(context.Context, *model.Request) (*model.Response, error) { return answer("a"), nil }

func TestTokensAndMoneyAreCounted(t *testing.T) {
	var tally wrap.Tally
	m := wrap.Stack(provider(instant), wrap.Options{Price: price, Tally: &tally})
	resp := ask(t, m, "7")
	if resp.Usage.CostUSD != 0.25 {
		t.Errorf("the answer says that it cost $%g", resp.Usage.CostUSD)
	}
	ask(t, m, "8")
	if tally.Answers.Load() != 2 || tally.TokensIn.Load() != 20 || tally.TokensOut.Load() != 10 || tally.CostUSD() != 0.5 {
		t.Errorf("counted %d answers, %d tokens in, %d out, $%g",
			tally.Answers.Load(), tally.TokensIn.Load(), tally.TokensOut.Load(), tally.CostUSD())
	}
}

func TestABudgetStopsWhenItIsUsedUp(t *testing.T) {
	for name, c := range map[string]struct {
		budget *wrap.Budget
		calls  int
		says   string
	}{
		"money":         {&wrap.Budget{MaxUSD: 1}, 4, "--max-cost 1 is used up (this command made 4 calls, 60 tokens, $1.0000)"},
		"a little more": {&wrap.Budget{MaxUSD: 1.2}, 4, "--max-cost 1.2"},
		"tokens":        {&wrap.Budget{MaxTokens: 50}, 3, "--max-tokens 50"},
		"calls":         {&wrap.Budget{MaxCalls: 7}, 7, "--max-calls 7"},
		"the first":     {&wrap.Budget{MaxCalls: 7, MaxTokens: 30}, 2, "--max-tokens 30"},
		"no limit":      {&wrap.Budget{}, 100, ""},
		"not even once": {&wrap.Budget{MaxUSD: 0.1}, 0, "--max-cost 0.1"},
		"just once":     {&wrap.Budget{MaxTokens: 15}, 1, "--max-tokens 15"},
	} {
		t.Run(name, func(t *testing.T) {
			m := wrap.Stack(provider(instant), wrap.Options{Budget: c.budget, Price: price})
			n, err := spendAll(t, m, small("7"))
			if n != c.calls {
				t.Errorf("%d calls were answered, want %d", n, c.calls)
			}
			if c.says == "" {
				return
			}
			wantKind(t, err, omniscope.Budget)
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

// In binary fractions ten times 0.1 is less than 1 and three times more than 0.3.
func TestMoneyAddsUpExactly(t *testing.T) {
	for _, c := range []struct {
		budget float64
		calls  int
	}{{0.3, 3}, {0.7, 7}, {1, 10}} {
		m := wrap.Stack(provider(instant), wrap.Options{
			Budget: &wrap.Budget{MaxUSD: c.budget}, Price: &wrap.Price{In: 10_000},
		})
		if n, _ := spendAll(t, m, small("7")); n != c.calls {
			t.Errorf("$%g pay for %d calls at $0.1, want %d", c.budget, n, c.calls)
		}
	}
}

func TestACallWaitsForThoseOnTheWireBeforeItIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wire{}
		m := wrap.Stack(w, wrap.Options{Budget: &wrap.Budget{MaxTokens: 1100}})
		started := time.Now()
		// Each is likely to take over 1,024 tokens, and takes 15.
		refused := 0
		for _, err := range crowd(t.Context(), m, 10) {
			if err != nil {
				wantKind(t, err, omniscope.Budget)
				refused++
			}
		}
		if took := time.Since(started); w.top != 1 || refused != 5 || took != 5*time.Second {
			t.Errorf("%d were on the wire together, %d refused after %s; want 1, 5 and 5 s", w.top, refused, took)
		}
	})
}

func TestSpendingNeverExceedsTheBudgetWhenEstimatesAreHigh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(5, 6))
		var mu sync.Mutex
		spent := 0
		m := wrap.Stack(provider(func(ctx context.Context, req *model.Request) (*model.Response, error) {
			mu.Lock()
			in, out := random.IntN(11), 1+random.IntN(5)
			took, fails := time.Duration(random.IntN(1000)), random.IntN(4) == 0
			if !fails {
				spent += in + out
			}
			mu.Unlock()
			time.Sleep(took)
			if fails {
				return nil, failure(omniscope.Denied, "no")
			}
			return &model.Response{Usage: model.Usage{TokensIn: in, TokensOut: out}}, nil
		}), wrap.Options{Budget: &wrap.Budget{MaxTokens: 1000}})
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() { m.Generate(t.Context(), small("x")) })
		}
		all.Wait()
		if spent > 1000 || spent < 1000-15 {
			t.Errorf("%d tokens were spent of 1,000", spent)
		}
	})
}

func TestAFailedCallGivesBackWhatWasSetAside(t *testing.T) {
	var tally wrap.Tally
	fail := true
	m := wrap.Stack(provider(func(ctx context.Context, req *model.Request) (*model.Response, error) {
		if fail {
			return nil, failure(omniscope.Denied, "no")
		}
		return answer("a"), nil
	}), wrap.Options{Budget: &wrap.Budget{MaxTokens: 150}, Tally: &tally})
	for range 50 {
		if _, err := m.Generate(t.Context(), small("x")); omniscope.KindOf(err) != omniscope.Denied {
			t.Fatal(err)
		}
	}
	fail = false
	if n, _ := spendAll(t, m, small("x")); n != 10 || tally.Failed.Load() != 50 {
		t.Errorf("%d answers fit the budget and %d failures were counted, want 10 and 50", n, tally.Failed.Load())
	}
}

func TestAnEndpointThatReportsNoTokensStillUsesUpTheBudget(t *testing.T) {
	silent := provider(func(context.Context, *model.Request) (*model.Response, error) {
		return &model.Response{Text: "a"}, nil
	})
	for name, budget := range map[string]*wrap.Budget{"tokens": {MaxTokens: 60}, "money": {MaxUSD: 1}} {
		var tally wrap.Tally
		m := wrap.Stack(silent, wrap.Options{Budget: budget, Price: price, Tally: &tally})
		if n, _ := spendAll(t, m, small("7")); n != 4 {
			t.Errorf("%s: %d answers fit the budget, want 4", name, n)
		}
		if tally.TokensIn.Load() != 0 || tally.CostUSD() != 0 {
			t.Errorf("%s: guesses were reported as usage", name)
		}
	}
}

func TestWaitingForTheBudgetEndsWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soft, stop := context.WithCancel(t.Context())
		w := &wire{}
		m := wrap.Stack(w, wrap.Options{Budget: &wrap.Budget{MaxTokens: 1100}})
		time.AfterFunc(500*time.Millisecond, stop)
		answered := 0
		for _, err := range crowd(run.WithStop(soft), m, 5) {
			if err == nil {
				answered++
			} else if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if answered != 1 || len(w.came()) != 1 {
			t.Errorf("%d sent, %d answered; want the one on the wire to arrive", len(w.came()), answered)
		}
	})
}

func TestEstimate(t *testing.T) {
	req := request("x")
	req.Messages[0].Parts = []model.Part{
		{Kind: model.TextPart, Text: "12345"}, {Kind: model.ImagePart, Data: []byte("...")}, {Kind: model.AudioPart, URL: "u"},
	}
	if in, out := wrap.Estimate(req); in != 2002 || out != 1024 {
		t.Errorf("got %d tokens in and %d out", in, out)
	}
	req.Params.MaxTokens = 7
	req.Schema = &model.Schema{JSON: []byte(`{"type": 1}`)}
	if in, out := wrap.Estimate(req); in != 2004 || out != 7 {
		t.Errorf("got %d tokens in and %d out", in, out)
	}
}

func TestCost(t *testing.T) {
	p := wrap.Price{In: 0.15, Out: 0.6}
	if got := p.Cost(2_000_000, 500_000); math.Abs(got-0.6) > 1e-12 {
		t.Errorf("got $%g", got)
	}
}
