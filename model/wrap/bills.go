package wrap

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"omniscope/internal/jsonfast"
	"omniscope/run"
)

// A history knows the bills of earlier calls. A journal is one.
type history interface {
	// Bills adds up what the newest answers of a source took. A Result begins with the text if it counts.
	Bills(ctx context.Context, begins, source string) (run.Bills, error)
}

// bills are what the calls of one model at one endpoint took, as far as this process and the
// journal know it. The lock of their Budget guards them, except for recalling.
type bills struct {
	model, source string
	price         *Price
	recalling     sync.Mutex // guards recalled
	recalled      bool       // the journal was asked
	seen          run.Bills
	here          int64 // of seen, bills of this process
	passed        bool  // an answer was longer than the limit that its request had set
	inFlight      int64
	alone         *alone
}

// alone is the one call at an endpoint that may take more than was reserved for it. Processes that share a budget
// claim it, so that they make no two such calls at the same time.
type alone struct {
	claiming sync.Mutex // held while it is claimed and released; the lock of the Budget guards the rest
	claimed  bool
	underWay bool
	unknown  int // such calls of this process with bills that the journal may not have yet
}

type aloneKey struct{}

// noting returns the context of a call, and counts its tries that may take more than is reserved for them.
func noting(ctx context.Context) (context.Context, *int) {
	tries := new(int)
	return context.WithValue(ctx, aloneKey{}, tries), tries
}

// guess is what a call may take by the size of its request.
type guess struct {
	in, out int     // tokens
	limited bool    // out is the limit that the request sets
	exact   bool    // the cost is known, as that of so many minutes
	usd     float64 // in addition to tokens
}

// A reservation is what a try has of the budget until its bill comes.
type reservation struct {
	amount
	alone bool
}

// amount converts tokens to what a budget counts.
func (t *bills) amount(in, out int64, usd float64) amount {
	a := amount{Calls: 1, Tokens: in + out, NanoUSD: nano(usd)}
	if t.price != nil {
		a.NanoUSD += nano(t.price.Most(int(in), int(out)))
	}
	return a
}

// atMost is what a call takes if it is as long as the longest before: the limit of its output or, without
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

// What an answer without a limit is taken to be able to reach, in tokens.
const (
	longest   = 128 << 10 // the longest outputs that providers offer
	enough    = 100       // bills, after which answers are taken to be less than longer times the longest of them
	longer    = 4
	shortMost = 8 << 10 // short answers say little about the next kind of question
)

// bound is what a call may take that is longer than all before. It is reserved for all calls but one, so that
// several long answers at the same time cannot pass a budget together.
func (t *bills) bound(g guess) amount {
	switch {
	case g.limited && !t.passed:
		return t.atMost(g)
	case t.seen.Calls < enough:
		return t.amount(max(int64(g.in), t.seen.MostIn), max(int64(g.out), longest, t.seen.MostOut), g.usd)
	}
	return t.amount(longer*max(int64(g.in), t.seen.MostIn), max(int64(g.out), shortMost, longer*t.seen.MostOut), g.usd)
}

// free reports whether a further call may be sent: one at a time until the first bill, then as
// many as there were bills, so that a cheap first answer does not send all others at once.
func (t *bills) free() bool { return t.inFlight < max(1, t.here) }

// add notes a bill.
func (t *bills) add(in, out int64) {
	t.here++
	t.seen.Calls++
	t.seen.In, t.seen.Out = t.seen.In+in, t.seen.Out+out
	t.seen.MostIn, t.seen.MostOut = max(t.seen.MostIn, in), max(t.seen.MostOut, out)
}

// recall asks the journal what calls of a model took, once, or again for the bills of other processes.
func (b *Budget) recall(ctx context.Context, t *bills, again bool) error {
	t.recalling.Lock()
	defer t.recalling.Unlock()
	b.mu.Lock()
	history := b.history
	b.mu.Unlock()
	if history == nil || t.recalled && !again {
		return nil
	}
	seen, err := history.Bills(ctx, string(append(jsonfast.Append([]byte(`{"model":`), t.model), ',')), t.source)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	t.recalled = true
	seen.MostIn, seen.MostOut = max(seen.MostIn, t.seen.MostIn), max(seen.MostOut, t.seen.MostOut)
	if seen.Calls >= t.seen.Calls { // it may lack bills of this process
		t.seen = seen
	}
	return nil
}

// aloneAt is the key under which one of several processes claims the call that may take more than is reserved for it.
var aloneAt = func() run.Key {
	sum := sha256.Sum256([]byte("the one call that may pass a budget"))
	return run.Key(sum[:16])
}()

// askAgain is how often a process asks whether another one's call has ended.
const askAgain = time.Second

// claim claims the call of an endpoint that may take more than is reserved for it, if processes share the budget, and
// recalls the bills that others got for theirs. It reports false where another process makes such a call.
func (b *Budget) claim(ctx context.Context, t *bills) (bool, error) {
	t.alone.claiming.Lock()
	defer t.alone.claiming.Unlock()
	b.mu.Lock()
	claimer, claimed := b.claimer, t.alone.claimed
	b.mu.Unlock()
	if claimer == nil || claimed {
		return true, nil
	}
	claim, err := claimer.Claim(ctx, aloneAt, t.source)
	if err != nil || !claim.Mine {
		return false, err
	}
	if err := b.recall(ctx, t, true); err != nil {
		claimer.Release(aloneAt, t.source)
		return false, err
	}
	b.mu.Lock()
	t.alone.claimed = true
	b.mu.Unlock()
	return true, nil
}

// publish notes the end of a call with so many tries that might take more than was reserved for them. The journal has its
// bill, so that other processes may go by it.
func (b *Budget) publish(t *bills, tries *int) {
	b.balance()
	t.alone.claiming.Lock()
	defer t.alone.claiming.Unlock()
	b.mu.Lock()
	t.alone.unknown -= *tries
	claimer, release := b.claimer, t.alone.claimed && !t.alone.underWay && t.alone.unknown == 0
	t.alone.claimed = t.alone.claimed && !release
	b.mu.Unlock()
	if release {
		claimer.Release(aloneAt, t.source)
	}
}
