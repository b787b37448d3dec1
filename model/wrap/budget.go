package wrap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/run"
)

// A Price is what a model costs, in US dollars per million tokens, or per minute of sound where it transcribes and is
// paid for by time.
type Price struct {
	In     float64  `yaml:"in"`
	Out    float64  `yaml:"out"`
	Cached *float64 `yaml:"cached"` // of tokens in that the provider read from its cache of prompts; nil = as In
	Audio  *float64 `yaml:"audio"`  // of tokens in that are sound; nil = as In
	Minute float64  `yaml:"minute"`
}

// Cost returns the price of the given tokens in US dollars.
func (p *Price) Cost(tokensIn, tokensOut int) float64 {
	return (p.In*float64(tokensIn) + p.Out*float64(tokensOut)) / 1e6
}

// Most is Cost where any of the tokens in may be sound.
func (p *Price) Most(tokensIn, tokensOut int) float64 {
	if p.Audio != nil && *p.Audio > p.In {
		return (*p.Audio*float64(tokensIn) + p.Out*float64(tokensOut)) / 1e6
	}
	return p.Cost(tokensIn, tokensOut)
}

// costOf returns the price of an answer in US dollars. sound is how many of the tokens in are sound.
func (p *Price) costOf(u *model.Usage, sound int) float64 {
	cost := p.Cost(u.TokensIn, u.TokensOut)
	if p.Cached != nil {
		cost -= (p.In - *p.Cached) * float64(u.Cached) / 1e6
	}
	if p.Audio != nil {
		cost += (*p.Audio - p.In) * float64(sound) / 1e6
	}
	return cost
}

// A Budget bounds what one invocation may spend. Zero limits are no limits. It
// is safe for concurrent use.
//
// It counts answers, and tries that brought nothing usable but may have to be
// paid for (see model.Lost); it does not count tries that were refused.
//
// What a try may take is reserved before it is sent: see bills. A
// try that would exceed the budget waits for those on the wire, which often cost less than they
// reserved, and is refused when there are no others. At each endpoint one call at a time may be sent for which less is
// reserved than it may take: it is the only one that may pass the budget.
type Budget struct {
	MaxUSD    float64
	MaxTokens int // tokens in and out together
	MaxCalls  int // tries that may have to be paid for

	mu       sync.Mutex
	spent    amount
	reserved amount
	told     bool          // a call was refused, and its error has the sums
	lost     int           // tries of spent that brought nothing usable
	lastWhy  string        // why the last of them did not
	charged  chan struct{} // closed and renewed when a try is charged
	bills    map[[2]string]*bills
	alone    map[string]*alone // of each source
	history  history

	// Where other processes spend the same budget, what this one may spend was drawn from
	// their account.
	account run.Account
	claimer run.Claimer
	before  amount // spent when the account was opened
	drawn   amount
	drawing bool
	refused amount // the smallest amount that could not be drawn
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
		if b.alone == nil {
			b.alone = make(map[string]*alone)
		}
		if b.alone[source] == nil {
			b.alone[source] = &alone{}
		}
		b.bills[key] = &bills{model: model, source: source, price: price, alone: b.alone[source]}
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

// callsIn describes an amount: its calls, their tokens and money.
func callsIn(a amount) string {
	return fmt.Sprintf("%s, %d tokens%s", quantity.Of(a.Calls, "call", "calls"), a.Tokens, inWords(a.NanoUSD))
}

// exceeded names the limit that a breaks, "" if none.
func (b *Budget) exceeded(a amount) string {
	switch {
	case b.MaxUSD > 0 && a.NanoUSD > nano(b.MaxUSD):
		return fmt.Sprintf("--max-cost %g", b.MaxUSD)
	case b.MaxTokens > 0 && a.Tokens > int64(b.MaxTokens):
		return fmt.Sprintf("--max-total-tokens %d", b.MaxTokens)
	case b.MaxCalls > 0 && a.Calls > int64(b.MaxCalls):
		return fmt.Sprintf("--max-calls %d", b.MaxCalls)
	}
	return ""
}

// reserve reserves what a try may take, and returns it. It waits for calls on the wire
// if their end may make the budget sufficient, or their bills are not known yet.
func (b *Budget) reserve(ctx context.Context, t *bills, g guess) (reservation, error) {
	counts := (b.MaxUSD > 0 || b.MaxTokens > 0) && !g.exact // not calls alone: each is one
	if counts {
		if err := b.recall(ctx, t, false); err != nil {
			return reservation{}, err
		}
	}
	for {
		b.mu.Lock()
		var wait time.Duration
		switch next := b.next(t, g, counts); next.move {
		case take:
			return b.take(ctx, t, next.reservation), nil
		case draw:
			if err := b.draw(ctx, next.amount, next.spare); err != nil {
				return reservation{}, err
			}
			continue
		case refuse:
			b.mu.Unlock()
			return reservation{}, b.usedUp(ctx, next.broken, next.amount)
		case claim:
			b.mu.Unlock()
			mine, err := b.claim(ctx, t)
			if err != nil {
				return reservation{}, err
			}
			if mine {
				continue
			}
			b.mu.Lock()
			wait = askAgain
		}
		if err := b.await(ctx, wait); err != nil {
			return reservation{}, err
		}
	}
}

// A move is what to do for a try that wants a reservation.
type move int

const (
	await move = iota // until a call on the wire is charged
	take              // the amount from the budget
	draw              // the amount from the account that processes share
	claim             // the endpoint's only call with less than it may take, which another process may have
	refuse
)

// A decision is a move with its amount.
type decision struct {
	move
	reservation
	spare  amount // that may be missing from what is drawn
	broken string // the limit that refuses
}

// next decides on the next move. counts = what the try may take has to be learned from bills. The caller holds the lock.
func (b *Budget) next(t *bills, g guess, counts bool) decision {
	bound, least := b.amounts(t, g, counts)
	known := !counts || t.seen.Calls > 0
	switch broken := b.broken(least); {
	case counts && !t.free():
		return decision{move: await}
	case known && b.broken(bound) == "":
		return decision{move: take, reservation: reservation{bound, false}}
	case known && b.canDraw(bound):
		return decision{move: draw, reservation: reservation{amount: bound}, spare: bound.Minus(least)}
	case t.alone.underWay:
		return decision{move: await}
	case broken == "":
		if b.account == nil || t.alone.claimed {
			return decision{move: take, reservation: reservation{least, true}}
		}
		return decision{move: claim}
	case b.canDraw(least):
		return decision{move: draw, reservation: reservation{amount: least}}
	case !b.drawing && b.reserved.Calls == 0:
		return decision{move: refuse, reservation: reservation{amount: least}, broken: broken}
	}
	return decision{move: await}
}

// amounts returns what a try may take, and the least that may be reserved for one that is alone.
func (b *Budget) amounts(t *bills, g guess, counts bool) (bound, least amount) {
	bound, least = t.atMost(g), t.atMost(g)
	if counts {
		bound = t.bound(g)
	}
	if b.reserved.Calls == 0 && b.account == nil {
		least = t.usual(g)
	}
	return bound, least
}

// take reserves. The caller holds the lock, which is given back.
func (b *Budget) take(ctx context.Context, t *bills, r reservation) reservation {
	defer b.mu.Unlock()
	b.reserved = b.reserved.Plus(r.amount)
	t.inFlight++
	if tries, _ := ctx.Value(aloneKey{}).(*int); r.alone && tries != nil {
		*tries++
		t.alone.unknown++
	}
	t.alone.underWay = t.alone.underWay || r.alone
	return r
}

// await waits until a try is charged, or for so long; 0 = without end. The caller holds the lock, which is given back.
func (b *Budget) await(ctx context.Context, most time.Duration) error {
	if b.charged == nil {
		b.charged = make(chan struct{})
	}
	charged := b.charged
	b.mu.Unlock()
	var over <-chan time.Time
	if most > 0 {
		over = time.After(most)
	}
	select {
	case <-charged:
	case <-over:
	case <-run.Stopping(ctx).Done():
		return ended(ctx)
	case <-ctx.Done():
		return ended(ctx)
	}
	return nil
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
	b.told = true
	lost := ""
	if b.lost > 0 {
		lost = fmt.Sprintf("; %d of the calls brought nothing usable and may have to be paid for, the last: %s", b.lost, b.lastWhy)
	}
	next := ""
	if b.exceeded(spent.Plus(amount{NanoUSD: 1, Tokens: 1, Calls: 1})) == "" { // there is something left
		next = fmt.Sprintf(", and a further call takes about %d tokens%s", likely.Tokens, inWords(likely.NanoUSD))
	}
	return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf(
		"%s is used up (%s made %s%s)%s: run the same command again to go on", broken, who, callsIn(spent), lost, next)}
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
	return callsIn(b.spent)
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
	if broken == "" || b.told {
		return nil
	}
	return &omniscope.Error{Kind: omniscope.Budget, Err: fmt.Errorf("%s was passed: this command made %s", broken, callsIn(b.spent))}
}

// billed are the tokens of an answer.
type billed struct {
	in, out int
	passed  bool // the limit that the request had set, by more than what differs in counting
}

// charge replaces the reservation of a try by its cost. why is the error
// of a lost try. answer is nil without an answer.
func (b *Budget) charge(t *bills, reserved reservation, spent amount, answer *billed, why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reserved = b.reserved.Minus(reserved.amount)
	b.spent = b.spent.Plus(spent)
	t.inFlight--
	t.alone.underWay = t.alone.underWay && !reserved.alone
	if answer != nil {
		t.add(int64(answer.in), int64(answer.out))
		t.passed = t.passed || answer.passed
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
	var reserved reservation
	limit := req.Params.MaxTokens
	if m.budget != nil {
		in, out := Estimate(req)
		var err error
		if reserved, err = m.budget.reserve(ctx, m.bills, guess{in: in, out: out, limited: limit > 0 || req.Embed}); err != nil {
			return nil, err
		}
	}
	resp, err := m.inner.Generate(ctx, req)
	var spent amount
	var answer *billed
	var why error
	if err == nil {
		spent = m.answered(req, resp)
		answer = &billed{resp.Usage.TokensIn, resp.Usage.TokensOut, limit > 0 && resp.Usage.TokensOut > limit+limit/4}
	} else if spent = m.failed(req, err); spent.Calls > 0 {
		why = err
	}
	if m.budget != nil {
		m.budget.charge(m.bills, reserved, spent, answer, why)
	}
	return resp, err
}

// answered notes what an answer cost.
func (m *metered) answered(req *model.Request, resp *model.Response) amount {
	u := &resp.Usage
	believe(req, resp)
	if m.price != nil {
		u.CostUSD = m.price.costOf(u, soundIn(req, resp))
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
		lost.CostUSD = m.price.costOf(&model.Usage{TokensIn: lost.TokensIn, TokensOut: lost.TokensOut}, soundOf(req, lost.TokensIn))
	}
	m.meter.lose(*lost)
	return amount{Calls: int64(lost.Tries), Tokens: int64(lost.TokensIn + lost.TokensOut), NanoUSD: nano(lost.CostUSD)}
}
