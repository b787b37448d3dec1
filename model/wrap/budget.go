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

// A Price is what a model costs, in US dollars per million tokens.
type Price struct {
	In  float64 `yaml:"in"`
	Out float64 `yaml:"out"`
}

// Cost returns the price of the given tokens in US dollars.
func (p *Price) Cost(tokensIn, tokensOut int) float64 {
	return (p.In*float64(tokensIn) + p.Out*float64(tokensOut)) / 1e6
}

// A Budget bounds what one invocation may spend. Zero limits are no limits. It
// is safe for concurrent use.
//
// It counts answers, and tries that brought nothing usable but may have to be
// paid for (see model.Lost); it does not count tries that were refused.
//
// The likely cost of a try is reserved before it is sent. A try that would
// exceed the budget waits for those on the wire, which often cost less than they
// reserved, and is refused when there are none.
type Budget struct {
	MaxUSD    float64
	MaxTokens int // tokens in and out together
	MaxCalls  int // tries that may have to be paid for

	mu       sync.Mutex
	spent    amount
	reserved amount
	lost     int           // tries of spent that brought nothing usable
	lastWhy  string        // why the last of them did not
	charged  chan struct{} // closed and renewed when a try is charged
}

type amount struct {
	money  money
	tokens int
	calls  int
}

// money is in units of 1e-9 US dollars. Whole numbers add up exactly, so that
// ten calls at $0.10 fit a budget of $1.
type money int64

func dollars(usd float64) money { return money(math.Round(usd * 1e9)) }

// inWords returns the amount as text, "" if it is zero.
func (m money) inWords() string {
	if m == 0 {
		return ""
	}
	return fmt.Sprintf(", $%.4f", float64(m)/1e9)
}

func (a amount) plus(b amount) amount {
	return amount{a.money + b.money, a.tokens + b.tokens, a.calls + b.calls}
}

func (a amount) minus(b amount) amount {
	return amount{a.money - b.money, a.tokens - b.tokens, a.calls - b.calls}
}

// exceeded names the limit that a breaks, "" if none.
func (b *Budget) exceeded(a amount) string {
	switch {
	case b.MaxUSD > 0 && a.money > dollars(b.MaxUSD):
		return fmt.Sprintf("--max-cost %g", b.MaxUSD)
	case b.MaxTokens > 0 && a.tokens > b.MaxTokens:
		return fmt.Sprintf("--max-tokens %d", b.MaxTokens)
	case b.MaxCalls > 0 && a.calls > b.MaxCalls:
		return fmt.Sprintf("--max-calls %d", b.MaxCalls)
	}
	return ""
}

// reserve reserves the likely cost of a try. It waits for calls on the wire if
// their end may make the budget sufficient.
func (b *Budget) reserve(ctx context.Context, likely amount) error {
	for {
		b.mu.Lock()
		broken := b.exceeded(b.spent.plus(b.reserved).plus(likely))
		if broken == "" {
			b.reserved = b.reserved.plus(likely)
			b.mu.Unlock()
			return nil
		}
		if b.reserved.calls == 0 || b.exceeded(b.spent.plus(likely)) != "" {
			err := b.usedUp(broken, likely)
			b.mu.Unlock()
			return err
		}
		if b.charged == nil {
			b.charged = make(chan struct{})
		}
		charged := b.charged
		b.mu.Unlock()
		select {
		case <-charged:
		case <-run.Stopping(ctx).Done():
			return ended(ctx)
		case <-ctx.Done():
			return ended(ctx)
		}
	}
}

// usedUp says which limit is broken and by what. The caller holds the lock.
func (b *Budget) usedUp(broken string, likely amount) error {
	if b.spent.calls == 0 {
		return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
			"%s is less than one call is likely to take (about %d tokens%s): raise it", broken, likely.tokens, likely.money.inWords())}
	}
	lost := ""
	if b.lost > 0 {
		lost = fmt.Sprintf("; %d of the calls brought nothing usable and may have to be paid for, the last: %s", b.lost, b.lastWhy)
	}
	return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
		"%s is used up (this command made %d calls, %d tokens%s%s): run the same command again to go on",
		broken, b.spent.calls, b.spent.tokens, b.spent.money.inWords(), lost)}
}

// charge replaces the reserved cost of a try by what it cost. why is the error
// of a lost try.
func (b *Budget) charge(likely, spent amount, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = b.reserved.minus(likely)
	b.spent = b.spent.plus(spent)
	if why != nil {
		b.lost += spent.calls
		b.lastWhy = why.Error()
	}
	if b.charged != nil {
		close(b.charged)
		b.charged = nil
	}
}

// metered counts what each try costs, whether it brings an answer or not.
type metered struct {
	inner  model.Model
	budget *Budget
	price  *Price
	meter  *Meter
}

func (m *metered) Generate(ctx context.Context, req *model.Request) (*model.Response, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	var likely amount
	if m.budget != nil {
		likely = m.likely(req)
		if err := m.budget.reserve(ctx, likely); err != nil {
			return nil, err
		}
	}
	resp, err := m.inner.Generate(ctx, req)
	var spent amount
	var why error
	if err == nil {
		spent = m.answered(req, resp)
	} else if spent = m.failed(req, err); spent.calls > 0 {
		why = err
	}
	if m.budget != nil {
		m.budget.charge(likely, spent, why)
	}
	return resp, err
}

// answered notes what an answer cost.
func (m *metered) answered(req *model.Request, resp *model.Response) amount {
	u := &resp.Usage
	believe(req, resp)
	if m.price != nil {
		u.CostUSD = m.price.Cost(u.TokensIn, u.TokensOut)
	}
	m.meter.Answers.Add(1)
	m.meter.TokensIn.Add(int64(u.TokensIn))
	m.meter.TokensOut.Add(int64(u.TokensOut))
	m.meter.spend(u.CostUSD)
	return amount{calls: 1, tokens: u.TokensIn + u.TokensOut, money: dollars(u.CostUSD)}
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
	return amount{calls: lost.Tries, tokens: lost.TokensIn + lost.TokensOut, money: dollars(lost.CostUSD)}
}

// likely is a high guess of what req will cost.
func (m *metered) likely(req *model.Request) amount {
	in, out := Estimate(req)
	a := amount{calls: 1, tokens: in + out}
	if m.price != nil {
		a.money = dollars(m.price.Cost(in, out))
	}
	return a
}
