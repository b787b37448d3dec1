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
	In     float64 `yaml:"in"`
	Out    float64 `yaml:"out"`
	Minute float64 `yaml:"minute"`
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

	// Where other processes spend the same budget, what this one may spend was drawn from
	// their account.
	account run.Account
	before  amount // spent when the account was opened
	drawn   amount
	drawing bool
	dry     bool // there was not enough left to draw
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

// reserve reserves the likely cost of a try. It waits for calls on the wire if
// their end may make the budget sufficient.
func (b *Budget) reserve(ctx context.Context, likely amount) error {
	for {
		b.mu.Lock()
		broken := b.broken(likely)
		if broken == "" {
			b.reserved = b.reserved.Plus(likely)
			b.mu.Unlock()
			return nil
		}
		if b.canDraw(likely) {
			if err := b.draw(ctx, likely); err != nil {
				return err
			}
			continue
		}
		if !b.drawing && (b.reserved.Calls == 0 || b.exceeded(b.spent.Plus(likely)) != "") {
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

// broken names the limit that a further try would break, "" if none.
func (b *Budget) broken(likely amount) string {
	total := b.spent.Plus(b.reserved).Plus(likely)
	if broken := b.exceeded(total); broken != "" || b.account == nil {
		return broken
	}
	return b.inLimits(total.Minus(b.before).Minus(b.drawn))
}

// usedUp says which limit is broken and by what. The caller holds the lock.
func (b *Budget) usedUp(broken string, likely amount) error {
	if b.spent.Calls == 0 && b.account == nil {
		return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
			"%s is less than one call is likely to take (about %d tokens%s): raise it", broken, likely.Tokens, inWords(likely.NanoUSD))}
	}
	lost := ""
	if b.lost > 0 {
		lost = fmt.Sprintf("; %d of the calls brought nothing usable and may have to be paid for, the last: %s", b.lost, b.lastWhy)
	}
	return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
		"%s is used up (this command made %d calls, %d tokens%s%s): run the same command again to go on",
		broken, b.spent.Calls, b.spent.Tokens, inWords(b.spent.NanoUSD), lost)}
}

// charge replaces the reserved cost of a try by what it cost. why is the error
// of a lost try.
func (b *Budget) charge(likely, spent amount, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = b.reserved.Minus(likely)
	b.spent = b.spent.Plus(spent)
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
	} else if spent = m.failed(req, err); spent.Calls > 0 {
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

// likely is a high guess of what req will cost.
func (m *metered) likely(req *model.Request) amount {
	in, out := Estimate(req)
	a := amount{Calls: 1, Tokens: int64(in + out)}
	if m.price != nil {
		a.NanoUSD = nano(m.price.Cost(in, out))
	}
	return a
}
