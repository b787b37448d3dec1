package wrap

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"omniscope/internal/jsonfast"
	"omniscope/run"
)

// A history knows the bills of earlier calls, and lets one of the processes that share it make
// the first call of a model. A journal is one.
type history interface {
	// Bills adds up what the newest answers of a source took. A Result begins with the text if it counts.
	Bills(ctx context.Context, begins, source string) (run.Bills, error)
}

// bills are what the calls of one model at one endpoint took, as far as this process and the
// journal know it. The lock of their Budget guards them, except for knowing.
type bills struct {
	model, source string
	price         *Price
	knowing       sync.Mutex // held by the goroutine that finds out the first bill
	seen          run.Bills
	inFlight      int64
	calls         int    // that are made or wait to be
	claimed       bool   // the first call is this process's to make
	release       func() // gives up the claim of the first call; nil = no claim
}

// guess is what a call may take by the size of its request.
type guess struct {
	in, out int     // tokens
	limited bool    // out is the limit that the request sets
	exact   bool    // the cost is known, as that of so many minutes
	usd     float64 // in addition to tokens
}

// amount converts tokens to what a budget counts.
func (t *bills) amount(in, out int64, usd float64) amount {
	a := amount{Calls: 1, Tokens: in + out, NanoUSD: nano(usd)}
	if t.price != nil {
		a.NanoUSD += nano(t.price.Cost(int(in), int(out)))
	}
	return a
}

// atMost is what a call takes at most, as far as that is known: the limit of its output or, without
// one, the largest output seen of the model.
func (t *bills) atMost(g guess) amount {
	out := int64(g.out)
	if t.seen.Calls > 0 && !g.limited {
		out = 0
	}
	return t.amount(max(int64(g.in), t.seen.MostIn), max(out, t.seen.MostOut), g.usd)
}

// usual is what a call without a limit takes on average.
func (t *bills) usual(g guess) amount {
	if n := t.seen.Calls; n > 0 && !g.limited {
		return t.amount(t.seen.In/n, t.seen.Out/n, g.usd)
	}
	return t.atMost(g)
}

// free reports whether a further call may be sent: one at a time until the first bill, then as
// many as there were bills, so that a cheap first answer does not send all others at once.
func (t *bills) free() bool { return t.inFlight < max(1, t.seen.Calls) }

// add notes a bill.
func (t *bills) add(in, out int64) {
	t.seen.Calls++
	t.seen.In, t.seen.Out = t.seen.In+in, t.seen.Out+out
	t.seen.MostIn, t.seen.MostOut = max(t.seen.MostIn, in), max(t.seen.MostOut, out)
}

// enter notes a call of a model that is about to be made.
func (b *Budget) enter(t *bills) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t.calls++
}

// publish notes the end of a call, and lets other processes ask: once the journal has the first bill, or if no
// call of this process can bring it, as where its budget is used up.
func (b *Budget) publish(t *bills) {
	b.mu.Lock()
	var release func()
	if t.calls--; t.seen.Calls > 0 || t.calls == 0 {
		release, t.release = t.release, nil
		t.claimed = t.seen.Calls > 0
	}
	b.mu.Unlock()
	if release != nil {
		release()
	}
}

// firstBill is the key under which one of several processes claims the first call of a model.
func firstBill(model string) run.Key {
	sum := sha256.Sum256([]byte("first bill of " + model))
	return run.Key(sum[:16])
}

// askAgain is how often a process asks whether another one has the first bill.
const askAgain = time.Second

// know finds out what calls of a model take: the journal may know it. Where it does not, one
// process makes the first call, and the others wait for its bill.
func (b *Budget) know(ctx context.Context, t *bills) error {
	t.knowing.Lock()
	defer t.knowing.Unlock()
	for {
		b.mu.Lock()
		history, known, claimer := b.history, t.seen.Calls > 0 || t.claimed, b.claimer
		b.mu.Unlock()
		if known || history == nil {
			return nil
		}
		seen, err := history.Bills(ctx, string(append(jsonfast.Append([]byte(`{"model":`), t.model), ',')), t.source)
		if err != nil {
			return err
		}
		mine := claimer == nil
		if seen.Calls == 0 && !mine {
			claim, err := claimer.Claim(ctx, firstBill(t.model), t.source)
			if err != nil {
				return err
			}
			mine = claim.Mine
		}
		if seen.Calls > 0 || mine {
			b.mu.Lock()
			t.seen, t.claimed = seen, true
			if seen.Calls == 0 && claimer != nil {
				t.release = func() { claimer.Release(firstBill(t.model), t.source) }
			}
			b.mu.Unlock()
			return nil
		}
		select {
		case <-time.After(askAgain):
		case <-run.Stopping(ctx).Done():
			return ended(ctx)
		case <-ctx.Done():
			return ended(ctx)
		}
	}
}
