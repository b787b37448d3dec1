package wrap_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/runtest"
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

func TestMeterTokensAndMoney(t *testing.T) {
	var meter wrap.Meter
	m := wrap.Stack(provider(instant), wrap.Options{Price: price, Meter: &meter})
	resp := ask(t, m, "7")
	if resp.Usage.CostUSD != 0.25 {
		t.Errorf("the answer says that it cost $%g", resp.Usage.CostUSD)
	}
	ask(t, m, "8")
	if meter.Answers.Load() != 2 || meter.TokensIn.Load() != 20 || meter.TokensOut.Load() != 10 || meter.CostUSD() != 0.5 {
		t.Errorf("counted %d answers, %d tokens in, %d out, $%g",
			meter.Answers.Load(), meter.TokensIn.Load(), meter.TokensOut.Load(), meter.CostUSD())
	}
}

func TestBudgetUsedUp(t *testing.T) {
	for name, c := range map[string]struct {
		budget *wrap.Budget
		calls  int
		says   string
	}{
		"money":         {&wrap.Budget{MaxUSD: 1}, 4, "--max-cost 1 is used up (this command made 4 calls, 60 tokens, $1.0000)"},
		"a little more": {&wrap.Budget{MaxUSD: 1.2}, 4, "--max-cost 1.2"},
		"tokens":        {&wrap.Budget{MaxTokens: 50}, 3, "--max-total-tokens 50"},
		"calls":         {&wrap.Budget{MaxCalls: 7}, 7, "--max-calls 7"},
		"the first":     {&wrap.Budget{MaxCalls: 7, MaxTokens: 30}, 2, "--max-total-tokens 30"},
		"no limit":      {&wrap.Budget{}, 100, ""},
		"not even once": {&wrap.Budget{MaxUSD: 0.1}, 0, "--max-cost 0.1"},
		"just once":     {&wrap.Budget{MaxTokens: 15}, 1, "--max-total-tokens 15"},
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
			fixture.WantError(t, err, omniscope.Budget)
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("%q does not say %q", err, c.says)
			}
		})
	}
}

// TestCachedTokens has answers of 1,000 tokens in, 900 of them cached by the provider.
func TestCachedTokens(t *testing.T) {
	for name, c := range map[string]struct {
		price wrap.Price
		usd   float64
	}{
		"no price of its own": {wrap.Price{In: 10, Out: 1}, 0.01},
		"a tenth":             {wrap.Price{In: 10, Out: 1, Cached: new(1.0)}, 0.0019},
		"nothing":             {wrap.Price{In: 10, Out: 1, Cached: new(0.0)}, 0.001},
	} {
		j, meter := runtest.NewMemory(), &wrap.Meter{}
		m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
			return &model.Response{Usage: model.Usage{TokensIn: 1000, Cached: 900}}, nil
		}), wrap.Options{Once: &run.Once{Journal: j}, Price: &c.price, Meter: meter})
		for range 2 { // the second is remembered
			resp := ask(t, m, "7")
			if math.Abs(resp.Usage.CostUSD-c.usd) > 1e-12 || resp.Usage.Cached != 900 {
				t.Errorf("%s: got %+v, want $%g", name, resp.Usage, c.usd)
			}
		}
		if math.Abs(meter.CostUSD()-c.usd) > 1e-12 || meter.Cached.Load() != 900 {
			t.Errorf("%s: counted $%g and %d cached", name, meter.CostUSD(), meter.Cached.Load())
		}
	}
}

// TestAudioTokens prices prompts with sound by `audio:`: tokens that the endpoint calls sound, else all but the text of a request
// with sound alone. A budget reserves the dearest price.
func TestAudioTokens(t *testing.T) {
	sound, video := model.Part{Kind: model.AudioPart, MIME: "audio/wav", Data: []byte("x")}, model.Part{Kind: model.VideoPart, MIME: "video/mp4", Data: []byte("y")}
	text := model.Part{Kind: model.TextPart, Text: strings.Repeat("word", 100)}
	for name, c := range map[string]struct {
		parts []model.Part
		audio int // as the endpoint counts; 0 = it does not
		price wrap.Price
		usd   float64
	}{
		"no price of its own":   {[]model.Part{text, sound}, 700, wrap.Price{In: 1, Out: 1}, 0.001},
		"counted":               {[]model.Part{text, sound}, 700, wrap.Price{In: 1, Out: 1, Audio: new(3.0)}, 0.0024},
		"counted in a video":    {[]model.Part{text, video}, 200, wrap.Price{In: 1, Out: 1, Audio: new(3.0)}, 0.0014},
		"not counted":           {[]model.Part{text, sound}, 0, wrap.Price{In: 1, Out: 1, Audio: new(3.0)}, 0.0028},
		"not counted, a video":  {[]model.Part{text, sound, video}, 0, wrap.Price{In: 1, Out: 1, Audio: new(3.0)}, 0.001},
		"text alone":            {[]model.Part{text}, 0, wrap.Price{In: 1, Out: 1, Audio: new(3.0)}, 0.001},
		"more than there is":    {[]model.Part{text, sound}, 5000, wrap.Price{In: 1, Out: 1, Audio: new(3.0)}, 0.003},
		"cheaper than the text": {[]model.Part{text, sound}, 700, wrap.Price{In: 1, Out: 1, Audio: new(0.5)}, 0.00065},
	} {
		meter := &wrap.Meter{}
		m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
			return &model.Response{Usage: model.Usage{TokensIn: 1000}, Report: model.Report{Audio: c.audio}}, nil
		}), wrap.Options{Once: &run.Once{Journal: runtest.NewMemory()}, Price: &c.price, Meter: meter})
		resp, err := m.Generate(t.Context(), &model.Request{Step: "7", Attempt: 1, Messages: []model.Message{{Role: model.User, Parts: c.parts}}})
		if err != nil || math.Abs(resp.Usage.CostUSD-c.usd) > 1e-12 || math.Abs(meter.CostUSD()-c.usd) > 1e-12 {
			t.Errorf("%s: got %+v, %v, want $%g", name, resp, err, c.usd)
		}
	}
	dear := wrap.Price{In: 1, Out: 2, Audio: new(3.0)}
	if most, cost := dear.Most(1e6, 1e6), dear.Cost(1e6, 1e6); most != 5 || cost != 3 {
		t.Errorf("at most $%g and at least $%g, want 5 and 3", most, cost)
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

// The first answer is asked for alone, and then no more at a time than there were answers. Without a limit of its
// length, no two are asked for at the same time that might pass the budget together.
func TestCallsWaitForBills(t *testing.T) {
	for name, c := range map[string]struct {
		limit, budget, top int
		took               time.Duration
	}{
		"a limit":                     {5, 1100, 7, 5 * time.Second}, // 1, 1, 2, 4 and 7 for a second each
		"no limit":                    {0, 1100, 1, 15 * time.Second},
		"no limit, and a high budget": {0, 1 << 20, 7, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &wire{}
				inner := wrap.Stack(w, wrap.Options{Budget: &wrap.Budget{MaxTokens: c.budget}})
				m := provider(func(ctx context.Context, req *model.Request) (*model.Response, error) {
					req.Params.MaxTokens = c.limit
					return inner.Generate(ctx, req)
				})
				started := time.Now()
				for _, err := range crowd(t.Context(), m, 15) {
					if err != nil {
						t.Error(err)
					}
				}
				if took := time.Since(started); w.top != c.top || took != c.took {
					t.Errorf("%d were on the wire together, and all took %s; want %d and %s", w.top, took, c.top, c.took)
				}
			})
		})
	}
}

// A past is a journal that knows what earlier calls took.
type past run.Bills

func (p past) Bills(context.Context, string, string) (run.Bills, error) { return run.Bills(p), nil }

// TestMaxCost has many callers ask at the same time for answers of unknown length. The
// estimate of one is $0.0102.
func TestMaxCost(t *testing.T) {
	perToken := &wrap.Price{Out: 10}
	twenty := past{Calls: 3, In: 30, Out: 30_000, MostIn: 10, MostOut: 20_000}
	for _, c := range []struct {
		name   string
		max    float64
		tokens []int // out, of one call after the other, the last for all further ones
		limit  int   // of the request; 0 = none
		past   past
		calls  int
		usd    float64
	}{
		{name: "a cent", max: 1, tokens: []int{1000}, calls: 100, usd: 1},
		{name: "20 cents", max: 1, tokens: []int{20_000}, calls: 5, usd: 1},
		{name: "2 dollars", max: 1, tokens: []int{200_000}, calls: 1, usd: 2},
		{name: "2 dollars, and the journal knows", max: 1, tokens: []int{200_000}, past: past{Calls: 1, In: 10, Out: 200_000, MostIn: 10, MostOut: 200_000}},
		{name: "20 cents at most and 10 on average, as the journal knows", max: 1, tokens: []int{10_000}, past: twenty, calls: 10, usd: 1},
		{name: "the first is cheap", max: 1, tokens: []int{10, 20_000}, calls: 6, usd: 1.0001},
		{name: "one in the middle is dear", max: 1, tokens: []int{1000, 1000, 1000, 50_000, 1000}, calls: 50, usd: 0.99},
		{name: "the limit is kept", max: 1, tokens: []int{20_000}, limit: 20_000, calls: 5, usd: 1},
		{name: "less than the limit", max: 1, tokens: []int{1000}, limit: 20_000, calls: 81, usd: 0.81},
		{name: "the limit is not kept", max: 1, tokens: []int{60_000}, limit: 20_000, calls: 1, usd: 0.6},
		{name: "two are longer than any before", max: 0.1, tokens: []int{1000, 1000, 30_000}, calls: 3, usd: 0.32},
		{name: "after 20 short ones", max: 1, tokens: append(slices.Repeat([]int{1000}, 20), 200_000), calls: 21, usd: 2.2},
		{name: "a limit that is not kept, after 2 short ones", max: 1, tokens: []int{1000, 20_000, 200_000}, limit: 1024, calls: 3, usd: 2.21},
		{name: "the journal knows short ones of other questions", max: 1, tokens: []int{2000}, past: past{Calls: 1000, In: 10_000, Out: 10_000, MostIn: 10, MostOut: 10}, calls: 50, usd: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				budget := &wrap.Budget{MaxUSD: c.max}
				budget.Consult(c.past)
				var mu sync.Mutex
				calls, usd := 0, 0.0
				m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
					mu.Lock()
					out := c.tokens[min(calls, len(c.tokens)-1)]
					calls++
					usd += perToken.Cost(10, out)
					mu.Unlock()
					time.Sleep(time.Second)
					return &model.Response{Text: "a", Usage: model.Usage{TokensIn: 10, TokensOut: out}, Report: model.Report{Reasoning: out - 1}}, nil
				}), wrap.Options{Budget: budget, Price: perToken})
				var all sync.WaitGroup
				var last atomic.Value
				for range 200 {
					all.Go(func() {
						req := small("7")
						req.Params.MaxTokens = c.limit
						if _, err := m.Generate(t.Context(), req); err != nil {
							last.Store(err)
						}
					})
				}
				all.Wait()
				if calls != c.calls || math.Abs(usd-c.usd) > 1e-9 {
					t.Errorf("%d calls for $%g, want %d for $%g", calls, usd, c.calls, c.usd)
				}
				err, _ := last.Load().(error)
				fixture.WantError(t, err, omniscope.Budget)
				if want := fmt.Sprintf("made %s, %d tokens, $%.4f", quantity.Of(calls, "call", "calls"), int(math.Round(usd*1e5))+10*calls, usd); calls > 0 && !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			})
		})
	}
}

func TestBudgetWithHighEstimates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(5, 6))
		var mu sync.Mutex
		spent := 0
		m := wrap.Stack(provider(func(ctx context.Context, req *model.Request) (*model.Response, error) {
			mu.Lock()
			in, out := 1+random.IntN(10), 1+random.IntN(5)
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

func TestFailedCallReleasesReservation(t *testing.T) {
	var meter wrap.Meter
	fail := true
	m := wrap.Stack(provider(func(ctx context.Context, req *model.Request) (*model.Response, error) {
		if fail {
			return nil, failure(omniscope.Denied, "no")
		}
		return answer("a"), nil
	}), wrap.Options{Budget: &wrap.Budget{MaxTokens: 150}, Meter: &meter})
	for range 50 {
		if _, err := m.Generate(t.Context(), small("x")); omniscope.KindOf(err) != omniscope.Denied {
			t.Fatal(err)
		}
	}
	fail = false
	if n, _ := spendAll(t, m, small("x")); n != 10 || meter.Failed.Load() != 50 {
		t.Errorf("%d answers fit the budget and %d failures were counted, want 10 and 50", n, meter.Failed.Load())
	}
}

func TestLostTriesUseBudget(t *testing.T) {
	unusable := &model.LostError{Lost: model.Lost{Tries: 1}, Err: failure(omniscope.Transient, "no choices")}
	refused := failure(omniscope.Transient, "connection refused")
	for name, c := range map[string]struct {
		budget *wrap.Budget
		err    func() error
		tries  int
		kind   omniscope.Kind
	}{
		"calls":   {&wrap.Budget{MaxCalls: 6}, func() error { e := *unusable; return &e }, 6, omniscope.Budget},
		"tokens":  {&wrap.Budget{MaxTokens: 60}, func() error { e := *unusable; return &e }, 4, omniscope.Budget},
		"money":   {&wrap.Budget{MaxUSD: 1}, func() error { e := *unusable; return &e }, 4, omniscope.Budget},
		"refused": {&wrap.Budget{MaxCalls: 6}, func() error { return refused }, 10, omniscope.Exhausted},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var meter wrap.Meter
				sent := 0
				m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
					sent++
					return nil, c.err()
				}), wrap.Options{Budget: c.budget, Price: price, Meter: &meter, Retry: &wrap.Policy{}})
				_, err := m.Generate(t.Context(), small("7"))
				fixture.WantError(t, err, c.kind)
				lost := model.Lost{}
				if c.kind == omniscope.Budget {
					lost = model.Lost{Tries: c.tries, TokensIn: 10 * c.tries, TokensOut: 5 * c.tries, CostUSD: 0.25 * float64(c.tries)}
				}
				if sent != c.tries || meter.Lost() != lost || model.LostIn(err) != lost || meter.CostUSD() != lost.CostUSD {
					t.Errorf("%d were sent, counted %+v, the error says %+v; want %d and %+v", sent, meter.Lost(), model.LostIn(err), c.tries, lost)
				}
				if c.kind == omniscope.Budget && !strings.Contains(err.Error(), "of the calls brought nothing usable and may have to be paid for, the last: no choices") {
					t.Errorf("it does not say why: %v", err)
				}
			})
		})
	}
}

func TestLostTriesOfAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := runtest.NewMemory()
		unusable := &model.LostError{Lost: model.Lost{Tries: 1, TokensIn: 7, TokensOut: 3}, Err: failure(omniscope.Transient, "cut")}
		s := &script{replies: []error{unusable, rateLimit(0), nil}}
		m := wrap.Stack(s, wrap.Options{Once: &run.Once{Journal: j}, Retry: &wrap.Policy{}, Price: price})
		resp := ask(t, m, "7")
		want := model.Lost{Tries: 1, TokensIn: 7, TokensOut: 3, CostUSD: price.Cost(7, 3)}
		if resp.Lost != want || resp.Usage.TokensIn != 10 {
			t.Errorf("got %+v and %+v, want %+v lost", resp.Lost, resp.Usage, want)
		}
		var r wrap.Result
		if err := json.Unmarshal(j.Entries()[0].Result, &r); err != nil || r.Lost != want {
			t.Errorf("the journal has %+v, %v", r.Lost, err)
		}
		if c := j.Entries()[0].Cost; c.TokensIn != 17 || c.TokensOut != 8 || c.USD != price.Cost(10, 5)+want.CostUSD || c.Lost.Tries != 1 || c.Lost.TokensIn != 7 {
			t.Errorf("the journal adds up %+v", c)
		}
	})
}

func TestLostTriesOfHeldBackCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := runtest.NewMemory()
		m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
			return nil, &model.LostError{Lost: model.Lost{Tries: 1}, Err: failure(omniscope.Transient, "cut")}
		}), wrap.Options{Once: &run.Once{Journal: j}, Retry: &wrap.Policy{}, Budget: &wrap.Budget{MaxCalls: 2}})
		for range 2 {
			_, err := m.Generate(t.Context(), request("7"))
			fixture.WantError(t, err, omniscope.Budget)
		}
		if len(j.Entries()) != 1 || !strings.Contains(string(j.Entries()[0].Result), `"lost":{"tries":2,`) {
			t.Errorf("the journal has %d entries, want the one call that was sent: %s", len(j.Entries()), j.Entries()[0].Result)
		}
	})
}

// TestImplausibleTokens asks with 40 bytes for at most 5
// tokens, which is 10 and 5 at most, and is answered with 8 bytes.
func TestImplausibleTokens(t *testing.T) {
	for name, c := range map[string]struct {
		usage  model.Usage
		report model.Report
		want   model.Usage
	}{
		"plain":              {model.Usage{TokensIn: 12, TokensOut: 3}, model.Report{}, model.Usage{TokensIn: 12, TokensOut: 3}},
		"none":               {model.Usage{}, model.Report{}, model.Usage{TokensIn: 10, TokensOut: 2, Estimated: true}},
		"none, odd":          {model.Usage{}, model.Report{Odd: `{"prompt_tokens":"x"}`}, model.Usage{TokensIn: 10, TokensOut: 2, Estimated: true, Reported: `{"prompt_tokens":"x"}`}},
		"one alone":          {model.Usage{TokensIn: 12}, model.Report{}, model.Usage{TokensIn: 12, TokensOut: 2, Estimated: true, Reported: "12 tokens in, 0 out"}},
		"the other alone":    {model.Usage{TokensOut: 3}, model.Report{}, model.Usage{TokensIn: 10, TokensOut: 3, Estimated: true, Reported: "0 tokens in, 3 out"}},
		"one and the sum":    {model.Usage{TokensIn: 12}, model.Report{Total: 15}, model.Usage{TokensIn: 12, TokensOut: 3}},
		"other and the sum":  {model.Usage{TokensOut: 3}, model.Report{Total: 15}, model.Usage{TokensIn: 12, TokensOut: 3}},
		"huge, cached":       {model.Usage{TokensIn: 1e9, Cached: 1e9, TokensOut: 3}, model.Report{Total: 15}, model.Usage{TokensIn: 12, Cached: 12, TokensOut: 3}},
		"the sum":            {model.Usage{}, model.Report{Total: 15}, model.Usage{TokensIn: 13, TokensOut: 2, Estimated: true}},
		"a sum too small":    {model.Usage{TokensIn: 12}, model.Report{Total: 5}, model.Usage{TokensIn: 12, TokensOut: 2, Estimated: true, Reported: "12 tokens in, 0 out"}},
		"huge":               {model.Usage{TokensIn: 1e9, TokensOut: 1e9}, model.Report{}, model.Usage{TokensIn: 10, TokensOut: 2, Estimated: true, Reported: "1000000000 tokens in, 1000000000 out"}},
		"far over the limit": {model.Usage{TokensIn: 12, TokensOut: 100_000}, model.Report{}, model.Usage{TokensIn: 12, TokensOut: 2, Estimated: true, Reported: "12 tokens in, 100000 out"}},
		"with reasoning":     {model.Usage{TokensIn: 12, TokensOut: 100_000}, model.Report{Reasoning: 99_990}, model.Usage{TokensIn: 12, TokensOut: 100_000}},
		"hidden reasoning":   {model.Usage{TokensIn: 12, TokensOut: 9000}, model.Report{}, model.Usage{TokensIn: 12, TokensOut: 9000}},
		"reasoning, no word": {model.Usage{TokensIn: 12}, model.Report{Reasoning: 50}, model.Usage{TokensIn: 12, TokensOut: 52, Estimated: true, Reported: "12 tokens in, 0 out"}},
	} {
		t.Run(name, func(t *testing.T) {
			var meter wrap.Meter
			m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
				return &model.Response{Text: "12345678", Usage: c.usage, Report: c.report}, nil
			}), wrap.Options{Once: &run.Once{Journal: runtest.NewMemory()}, Price: price, Meter: &meter})
			c.want.CostUSD = price.Cost(c.want.TokensIn, c.want.TokensOut)
			for range 2 { // the second is remembered
				resp, err := m.Generate(t.Context(), small("7"))
				if err != nil || resp.Usage != c.want {
					t.Errorf("got %+v %v, want %+v", resp.Usage, err, c.want)
				}
			}
			if n, said := meter.Estimated(); (n == 2) != c.want.Estimated || said != c.want.Reported {
				t.Errorf("counted %d estimated, reported %q", n, said)
			}
		})
	}
}

func TestTooFewTokens(t *testing.T) {
	req := request("x")
	req.Messages[0].Parts[0].Text = strings.Repeat("word ", 2000)
	m := wrap.Stack(provider(func(context.Context, *model.Request) (*model.Response, error) {
		return &model.Response{Text: strings.Repeat("word ", 2000), Usage: model.Usage{TokensIn: 1, TokensOut: 1}}, nil
	}), wrap.Options{})
	resp, err := m.Generate(t.Context(), req)
	if err != nil || resp.Usage.TokensIn != 2500 || resp.Usage.TokensOut != 2500 || !resp.Usage.Estimated {
		t.Errorf("got %+v %v", resp.Usage, err)
	}
}

func TestBudgetWithoutReportedTokens(t *testing.T) {
	silent := provider(func(context.Context, *model.Request) (*model.Response, error) {
		return &model.Response{Text: strings.Repeat("a", 20)}, nil
	})
	for name, budget := range map[string]*wrap.Budget{"tokens": {MaxTokens: 60}, "money": {MaxUSD: 1}} {
		m := wrap.Stack(silent, wrap.Options{Budget: budget, Price: price})
		if n, _ := spendAll(t, m, small("7")); n != 4 {
			t.Errorf("%s: %d answers fit the budget, want 4", name, n)
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
