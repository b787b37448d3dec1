package wrap

import (
	"context"
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
// Before a call its likely cost is set aside; a call that would overdraw waits
// while others are still on the wire, since they often cost less than was set
// aside, and is refused when none are.
type Budget struct {
	MaxUSD    float64
	MaxTokens int // tokens in and out together
	MaxCalls  int

	mu      sync.Mutex
	spent   amount
	aside   amount
	settled chan struct{} // closed and renewed whenever a call settles
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

// inWords says what was spent, nothing where nothing is known of it.
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

// reserve sets likely aside, waiting for calls on the wire where that helps.
func (b *Budget) reserve(ctx context.Context, likely amount) error {
	for {
		b.mu.Lock()
		broken := b.exceeded(b.spent.plus(b.aside).plus(likely))
		if broken == "" {
			b.aside = b.aside.plus(likely)
			b.mu.Unlock()
			return nil
		}
		if b.aside.calls == 0 || b.exceeded(b.spent.plus(likely)) != "" {
			spent := b.spent
			b.mu.Unlock()
			if spent.calls == 0 {
				return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
					"%s is less than one call is likely to take (about %d tokens%s): raise it", broken, likely.tokens, likely.money.inWords())}
			}
			return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
				"%s is used up (this command made %d calls, %d tokens%s): run the same command again to go on",
				broken, spent.calls, spent.tokens, spent.money.inWords())}
		}
		if b.settled == nil {
			b.settled = make(chan struct{})
		}
		settled := b.settled
		b.mu.Unlock()
		select {
		case <-settled:
		case <-run.Stopping(ctx).Done():
			return ended(ctx)
		case <-ctx.Done():
			return ended(ctx)
		}
	}
}

// settle turns what was set aside into what was spent.
func (b *Budget) settle(likely, spent amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.aside = b.aside.minus(likely)
	b.spent = b.spent.plus(spent)
	if b.settled != nil {
		close(b.settled)
		b.settled = nil
	}
}

type metered struct {
	inner  model.Model
	budget *Budget
	price  *Price
	tally  *Tally
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
	spent := amount{calls: 1}
	switch {
	case err == nil:
		spent = m.count(resp, likely)
	case ended(ctx) == nil:
		m.tally.Failed.Add(1)
	}
	if m.budget != nil {
		m.budget.settle(likely, spent)
	}
	return resp, err
}

// count notes what an answer cost. An endpoint that does not report tokens is
// taken to have used the likely ones, or no budget would ever stop it.
func (m *metered) count(resp *model.Response, likely amount) amount {
	u := &resp.Usage
	if m.price != nil {
		u.CostUSD = m.price.Cost(u.TokensIn, u.TokensOut)
	}
	m.tally.Answers.Add(1)
	m.tally.TokensIn.Add(int64(u.TokensIn))
	m.tally.TokensOut.Add(int64(u.TokensOut))
	m.tally.spend(u.CostUSD)
	if u.TokensIn == 0 && u.TokensOut == 0 {
		likely.money = max(likely.money, dollars(u.CostUSD))
		return likely
	}
	return amount{calls: 1, tokens: u.TokensIn + u.TokensOut, money: dollars(u.CostUSD)}
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

// Estimate guesses the tokens of a request before it is sent: four bytes of
// text and schema to a token, a round figure for a piece of media, and for the
// answer the limit that was set, or 1,024.
func Estimate(req *model.Request) (tokensIn, tokensOut int) {
	const perMedia = 1000
	bytes := 0
	if req.Schema != nil {
		bytes = len(req.Schema.JSON)
	}
	for _, msg := range req.Messages {
		for _, p := range msg.Parts {
			if p.Kind == model.TextPart {
				bytes += len(p.Text)
			} else {
				tokensIn += perMedia
			}
		}
	}
	tokensOut = req.Params.MaxTokens
	if tokensOut == 0 {
		tokensOut = 1024
	}
	return tokensIn + (bytes+3)/4, tokensOut
}
