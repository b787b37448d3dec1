package wrap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"omniscope"
	"omniscope/model"
	"omniscope/run"
)

// A Price is what a model costs, in US dollars per million tokens, or per minute of sound where it transcribes and is
// paid for by time.
type Price struct {
	In     float64  `yaml:"in"`
	Out    float64  `yaml:"out"`
	Cached *float64 `yaml:"cached"` // of tokens in that the provider read from its cache of prompts; nil = as In
	Minute float64  `yaml:"minute"`
}

// Cost returns the price of the given tokens in US dollars.
func (p *Price) Cost(tokensIn, tokensOut int) float64 {
	return (p.In*float64(tokensIn) + p.Out*float64(tokensOut)) / 1e6
}

// costOf returns the price of an answer in US dollars.
func (p *Price) costOf(u *model.Usage) float64 {
	cost := p.Cost(u.TokensIn, u.TokensOut)
	if p.Cached != nil {
		cost -= (p.In - *p.Cached) * float64(u.Cached) / 1e6
	}
	return cost
}

// A Budget bounds what one invocation may spend. Zero limits are no limits. It
// is safe for concurrent use.
//
// It counts answers, and tries that brought nothing usable but may have to be
// paid for (see model.Lost); it does not count tries that were refused.
//
// What a try takes at most is reserved before it is sent, as far as it is known: see bills. A
// try that would exceed the budget waits for those on the wire, which often cost less than they
// reserved, and is refused when there are no others. Calls that cost more than any call of their model
// before them may pass the budget.
type Budget struct {
	MaxUSD    float64
	MaxTokens int // tokens in and out together
	MaxCalls  int // tries that may have to be paid for

	mu       sync.Mutex
	spent    amount
	reserved amount
	refused  bool          // a call was refused, and its error has the sums
	lost     int           // tries of spent that brought nothing usable
	lastWhy  string        // why the last of them did not
	charged  chan struct{} // closed and renewed when a try is charged
	bills    map[[2]string]*bills
	history  history

	// Where other processes spend the same budget, what this one may spend was drawn from
	// their account.
	account run.Account
	claimer run.Claimer
	before  amount // spent when the account was opened
	drawn   amount
	drawing bool
	dry     bool // there was not enough left to draw
}

// billsOf returns what is known of a model's bills.
func (b *Budget) billsOf(model, source string, price *Price) *bills {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := [2]string{model, source}
	if b.bills[key] == nil {
		if b.bills == nil {
			b.bills = make(map[[2]string]*bills)
		}
		b.bills[key] = &bills{model: model, source: source, price: price}
	}
	return b.bills[key]
}

// Consult has the budget learn from a journal what calls of its models took earlier.
func (b *Budget) Consult(h history) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.history = h
}

// amount is what tries take.
type amount = run.Amount

// nano returns US dollars as amounts have them, so that ten calls at $0.10 fit a budget
// of $1.
func nano(usd float64) int64 { return int64(math.Round(usd * 1e9)) }

// inWords returns money as text, "" if there is none.
func inWords(nano int64) string {
	if nano == 0 {
		return ""
	}
	return fmt.Sprintf(", $%.4f", float64(nano)/1e9)
}

// exceeded names the limit that a breaks, "" if none.
func (b *Budget) exceeded(a amount) string {
	switch {
	case b.MaxUSD > 0 && a.NanoUSD > nano(b.MaxUSD):
		return fmt.Sprintf("--max-cost %g", b.MaxUSD)
	case b.MaxTokens > 0 && a.Tokens > int64(b.MaxTokens):
		return fmt.Sprintf("--max-tokens %d", b.MaxTokens)
	case b.MaxCalls > 0 && a.Calls > int64(b.MaxCalls):
		return fmt.Sprintf("--max-calls %d", b.MaxCalls)
	}
	return ""
}

// reserve reserves what a try is likely to take, and returns it. It waits for calls on the wire
// if their end may make the budget sufficient, or their bills are not known yet.
func (b *Budget) reserve(ctx context.Context, t *bills, g guess) (amount, error) {
	counts := (b.MaxUSD > 0 || b.MaxTokens > 0) && !g.exact // not calls alone: each is one
	if counts {
		if err := b.know(ctx, t); err != nil {
			return amount{}, err
		}
	}
	for {
		b.mu.Lock()
		likely := t.atMost(g)
		if b.reserved.Calls == 0 && b.account == nil {
			likely = t.usual(g)
		}
		broken := b.broken(likely)
		switch free := !counts || t.free(); {
		case free && broken == "":
			b.reserved = b.reserved.Plus(likely)
			t.inFlight++
			b.mu.Unlock()
			return likely, nil
		case free && b.canDraw(likely):
			if err := b.draw(ctx, likely); err != nil {
				return amount{}, err
			}
			continue
		case free && !b.drawing && b.reserved.Calls == 0:
			b.mu.Unlock()
			return amount{}, b.usedUp(ctx, broken, likely)
		}
		if b.charged == nil {
			b.charged = make(chan struct{})
		}
		charged := b.charged
		b.mu.Unlock()
		select {
		case <-charged:
		case <-run.Stopping(ctx).Done():
			return amount{}, ended(ctx)
		case <-ctx.Done():
			return amount{}, ended(ctx)
		}
	}
}

// broken names the limit that a further try would break, "" if none.
func (b *Budget) broken(likely amount) string {
	total := b.spent.Plus(b.reserved).Plus(likely)
	if broken := b.exceeded(total); broken != "" || b.account == nil {
		return broken
	}
	return b.inLimits(total.Minus(b.before).Minus(b.drawn))
}

// usedUp returns the error of a call that does not fit into the budget any more. No call is on the wire.
func (b *Budget) usedUp(ctx context.Context, broken string, likely amount) error {
	spent, who := b.total(ctx)
	if spent.Calls == 0 {
		return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
			"%s is less than one call is likely to take (about %d tokens%s): raise it", broken, likely.Tokens, inWords(likely.NanoUSD))}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refused = true
	lost := ""
	if b.lost > 0 {
		lost = fmt.Sprintf("; %d of the calls brought nothing usable and may have to be paid for, the last: %s", b.lost, b.lastWhy)
	}
	next := ""
	if b.exceeded(spent.Plus(amount{NanoUSD: 1, Tokens: 1, Calls: 1})) == "" { // there is something left
		next = fmt.Sprintf(", and a further call takes about %d tokens%s", likely.Tokens, inWords(likely.NanoUSD))
	}
	return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
		"%s is used up (%s made %d calls, %d tokens%s%s)%s: run the same command again to go on",
		broken, who, spent.Calls, spent.Tokens, inWords(spent.NanoUSD), lost, next)}
}

// total is what was spent, over all processes that share the budget.
func (b *Budget) total(ctx context.Context) (spent amount, who string) {
	b.mu.Lock()
	spent, account, before := b.spent, b.account, b.before
	b.mu.Unlock()
	if account == nil {
		return spent, "this command"
	}
	if of, err := account.Spent(ctx); err == nil {
		return before.Plus(of), "this command and its workers"
	}
	return spent, "this process"
}

// Spent describes what was spent, over all models; "" = nothing. Answers without a price count as tokens alone.
func (b *Budget) Spent() string {
	if b == nil {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%d calls, %d tokens%s", b.spent.Calls, b.spent.Tokens, inWords(b.spent.NanoUSD))
}

// Passed returns an error of kind Budget if more was spent than the budget allows and no call was
// refused for it, as where the last call of a run cost more than was left.
func (b *Budget) Passed() error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	broken := b.exceeded(b.spent)
	if broken == "" || b.refused {
		return nil
	}
	return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf("%s was passed: this command made %d calls, %d tokens%s",
		broken, b.spent.Calls, b.spent.Tokens, inWords(b.spent.NanoUSD))}
}

// charge replaces the reserved cost of a try by what it cost. why is the error
// of a lost try. billed are its tokens in and out; nil = not known.
func (b *Budget) charge(t *bills, likely, spent amount, billed *[2]int, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = b.reserved.Minus(likely)
	b.spent = b.spent.Plus(spent)
	t.inFlight--
	if billed != nil {
		t.add(int64(billed[0]), int64(billed[1]))
	}
	if why != nil {
		b.lost += int(spent.Calls)
		b.lastWhy = why.Error()
	}
	b.wake()
}

// wake wakes those who wait for the budget. The caller holds the lock.
func (b *Budget) wake() {
	if b.charged != nil {
		close(b.charged)
		b.charged = nil
	}
}

// metered counts what each try costs, whether it brings an answer or not.
type metered struct {
	inner  model.Model
	budget *Budget
	bills  *bills
	price  *Price
	meter  *Meter
}

func (m *metered) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	var likely amount
	if m.budget != nil {
		in, out := Estimate(req)
		var err error
		if likely, err = m.budget.reserve(ctx, m.bills, guess{in: in, out: out, limited: req.Params.MaxTokens > 0 || req.Embed}); err != nil {
			return nil, err
		}
	}
	resp, err := m.inner.Generate(ctx, req)
	var spent amount
	var billed *[2]int
	var why error
	if err == nil {
		spent = m.answered(req, resp)
		billed = &[2]int{resp.Usage.TokensIn, resp.Usage.TokensOut}
	} else if spent = m.failed(req, err); spent.Calls > 0 {
		why = err
	}
	if m.budget != nil {
		m.budget.charge(m.bills, likely, spent, billed, why)
	}
	return resp, err
}

// answered notes what an answer cost.
func (m *metered) answered(req *model.Request, resp *model.Response) amount {
	u := &resp.Usage
	believe(req, resp)
	if m.price != nil {
		u.CostUSD = m.price.costOf(u)
	}
	m.meter.Answers.Add(1)
	m.meter.TokensIn.Add(int64(u.TokensIn))
	m.meter.Cached.Add(int64(u.Cached))
	m.meter.TokensOut.Add(int64(u.TokensOut))
	m.meter.spend(u.CostUSD)
	return amount{Calls: 1, Tokens: int64(u.TokensIn + u.TokensOut), NanoUSD: nano(u.CostUSD)}
}

// failed notes what a try without an answer may have cost, and completes the
// error's own count of it. The length of an answer that cannot be used is not
// known, so it is estimated.
func (m *metered) failed(req *model.Request, err error) amount {
	var e *model.LostError
	if !errors.As(err, &e) {
		return amount{}
	}
	lost := &e.Lost
	if lost.TokensIn+lost.TokensOut == 0 {
		in, out := Estimate(req)
		lost.TokensIn, lost.TokensOut = in*lost.Tries, out*lost.Tries
	}
	if m.price != nil {
		lost.CostUSD = m.price.Cost(lost.TokensIn, lost.TokensOut)
	}
	m.meter.lose(*lost)
	return amount{Calls: int64(lost.Tries), Tokens: int64(lost.TokensIn + lost.TokensOut), NanoUSD: nano(lost.CostUSD)}
}
