package wrap

import (
	"context"
	"fmt"

	"omniscope/run"
)

// inLimits names the first limit for which an amount is more than nothing.
func (b *Budget) inLimits(a amount) string {
	switch {
	case b.MaxUSD > 0 && a.NanoUSD > 0:
		return fmt.Sprintf("--max-cost %g, over all processes,", b.MaxUSD)
	case b.MaxTokens > 0 && a.Tokens > 0:
		return fmt.Sprintf("--max-tokens %d, over all processes,", b.MaxTokens)
	case b.MaxCalls > 0 && a.Calls > 0:
		return fmt.Sprintf("--max-calls %d, over all processes,", b.MaxCalls)
	}
	return ""
}

// canDraw reports whether it is only that a slice has to be drawn.
func (b *Budget) canDraw(likely amount) bool {
	return b.account != nil && !b.drawing && !b.dry && b.exceeded(b.spent.Plus(b.reserved).Plus(likely)) == ""
}

// portions is how many slices a budget has: few enough that they are drawn seldom, and so
// many that little is left in those that others have drawn.
const portions = 100

// draw draws a slice of the account. The caller holds the lock, which is given back.
func (b *Budget) draw(ctx context.Context, likely amount) error {
	need := b.spent.Plus(b.reserved).Plus(likely).Minus(b.before).Minus(b.drawn)
	limit := amount{NanoUSD: nano(b.MaxUSD), Tokens: int64(b.MaxTokens), Calls: int64(b.MaxCalls)}
	want := need.Plus(amount{NanoUSD: limit.NanoUSD / portions, Tokens: limit.Tokens / portions, Calls: limit.Calls / portions})
	limit = left(limit, b.before)
	b.drawing = true
	b.mu.Unlock()
	granted, err := b.account.Draw(ctx, need, want, limit)
	b.mu.Lock()
	b.drawing = false
	b.drawn = b.drawn.Plus(granted)
	b.dry = err == nil && granted == amount{}
	b.wake()
	b.mu.Unlock()
	return err
}

// left is what is left of limits, at least the smallest amount, since 0 is no limit.
func left(limit, spent amount) amount {
	for _, l := range []struct{ limit, spent *int64 }{{&limit.NanoUSD, &spent.NanoUSD}, {&limit.Tokens, &spent.Tokens}, {&limit.Calls, &spent.Calls}} {
		if *l.limit > 0 {
			*l.limit = max(1, *l.limit-*l.spent)
		}
	}
	return limit
}

// Share has the budget draw what it spends from an account that other processes draw
// from as well, until Settle is called. It reports false where there is nothing to share,
// for want of limits, or where it is shared already.
func (b *Budget) Share(account run.Account, claimer run.Claimer) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.account != nil || b.MaxUSD == 0 && b.MaxTokens == 0 && b.MaxCalls == 0 {
		return false
	}
	b.account, b.claimer, b.before, b.drawn, b.dry = account, claimer, b.spent, amount{}, false
	return true
}

// Settle gives back to the account what was drawn and not spent, and takes over what the other
// processes spent. Calls must have ended.
func (b *Budget) Settle(ctx context.Context) error {
	all, _ := b.total(ctx)
	b.mu.Lock()
	account := b.account
	unspent := b.drawn.Minus(b.spent.Minus(b.before))
	var releases []func()
	for _, t := range b.bills {
		if t.release != nil {
			releases = append(releases, t.release)
			t.release, t.claimed = nil, false
		}
	}
	b.account, b.claimer, b.spent = nil, nil, all
	b.mu.Unlock()
	for _, release := range releases {
		release()
	}
	if account == nil {
		return nil
	}
	return account.Settle(ctx, unspent)
}
