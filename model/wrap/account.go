package wrap

import (
	"context"
	"fmt"
	"time"

	"omniscope/run"
)

// inLimits names the first limit for which an amount is more than nothing.
func (b *Budget) inLimits(a amount) string {
	switch {
	case b.MaxUSD > 0 && a.NanoUSD > 0:
		return fmt.Sprintf("--max-cost %g, over all processes,", b.MaxUSD)
	case b.MaxTokens > 0 && a.Tokens > 0:
		return fmt.Sprintf("--max-total-tokens %d, over all processes,", b.MaxTokens)
	case b.MaxCalls > 0 && a.Calls > 0:
		return fmt.Sprintf("--max-calls %d, over all processes,", b.MaxCalls)
	}
	return ""
}

// canDraw reports whether an amount may be had by drawing a slice: within the limits, and less than the refused amount.
func (b *Budget) canDraw(a amount) bool {
	refused := b.refused != amount{} && a.NanoUSD >= b.refused.NanoUSD && a.Tokens >= b.refused.Tokens
	return b.account != nil && !b.drawing && !refused && b.exceeded(b.spent.Plus(b.reserved).Plus(a)) == ""
}

// portions is how many slices a budget has: few enough that they are drawn seldom, and so
// many that little is left in those that others have drawn.
const portions = 100

// limits returns the budget's limits, and a slice of them.
func (b *Budget) limits() (limit, slice amount) {
	limit = amount{NanoUSD: nano(b.MaxUSD), Tokens: int64(b.MaxTokens), Calls: int64(b.MaxCalls)}
	return limit, amount{NanoUSD: limit.NanoUSD / portions, Tokens: limit.Tokens / portions, Calls: limit.Calls / portions}
}

// draw draws a slice of the account for an amount, if others can have as much as spare after it. The caller holds the lock,
// which is given back.
func (b *Budget) draw(ctx context.Context, a, spare amount) error {
	need := b.spent.Plus(b.reserved).Plus(a).Minus(b.before).Minus(b.drawn)
	limit, slice := b.limits()
	want := need.Plus(slice)
	limit = left(limit, b.before)
	b.drawing = true
	b.mu.Unlock()
	granted, err := b.account.Draw(ctx, need.Plus(spare), want, limit)
	b.mu.Lock()
	b.drawing = false
	b.drawn = b.drawn.Plus(granted)
	if err == nil && granted == (amount{}) {
		b.refused = a
	}
	b.wake()
	b.mu.Unlock()
	return err
}

// balance gives back to the account what was drawn for calls that took much less, and draws what calls took
// beyond their reservation, so that other processes do not spend it.
func (b *Budget) balance() {
	b.mu.Lock()
	account := b.account
	limit, slice := b.limits()
	unspent := b.drawn.Minus(b.spent.Minus(b.before))
	unspent.NanoUSD = toGiveBack(unspent.NanoUSD, b.reserved.NanoUSD, limit.NanoUSD, slice.NanoUSD)
	unspent.Tokens = toGiveBack(unspent.Tokens, b.reserved.Tokens, limit.Tokens, slice.Tokens)
	unspent.Calls = toGiveBack(unspent.Calls, b.reserved.Calls, limit.Calls, slice.Calls)
	if account == nil || b.drawing || unspent == (amount{}) {
		b.mu.Unlock()
		return
	}
	b.drawn = b.drawn.Minus(unspent)
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), balanceWithin)
	defer cancel()
	_ = account.Settle(ctx, unspent) // what cannot be given back counts as spent
}

// balanceWithin is how long the end of a call waits for the account.
const balanceWithin = 10 * time.Second

// toGiveBack returns how much of what is unspent goes back to the account; it is negative where more was spent than drawn.
func toGiveBack(unspent, reserved, limit, slice int64) int64 {
	switch {
	case limit == 0:
		return 0
	case unspent < 0:
		return unspent
	case unspent-reserved > 2*slice+1:
		return unspent - reserved - slice
	}
	return 0
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
	b.account, b.claimer, b.before, b.drawn, b.refused = account, claimer, b.spent, amount{}, amount{}
	return true
}

// Settle gives back to the account what was drawn and not spent, and takes over what the other
// processes spent. Calls must have ended.
func (b *Budget) Settle(ctx context.Context) error {
	all, _ := b.total(ctx)
	b.mu.Lock()
	account := b.account
	unspent := b.drawn.Minus(b.spent.Minus(b.before))
	claimer := b.claimer
	for source, a := range b.alone {
		if a.claimed {
			a.claimed = false
			defer claimer.Release(aloneAt, source)
		}
	}
	b.account, b.claimer, b.spent = nil, nil, all
	b.mu.Unlock()
	if account == nil {
		return nil
	}
	return account.Settle(ctx, unspent)
}
