package run

import (
	"context"
	"encoding/hex"
	"time"

	"omniscope"
)

// A Key identifies a call by all that shapes its answer. It is the first 16
// bytes of a SHA-256.
type Key [16]byte

func (k Key) String() string { return hex.EncodeToString(k[:]) }

// An Entry is one remembered call.
type Entry struct {
	Key     Key
	Step    string // readable name of the call within its run
	Attempt int    // 1 for the first asking
	Kind    string // what was called: "model", "tool", "transcript" or "metric"
	Source  string // who answered: an endpoint's URL, a program and its version
	Outcome omniscope.Outcome
	Request []byte // what was asked, as JSON; media by digest
	Result  []byte // what came back, as JSON
	Started time.Time
	Cost    Cost // written by Append, not returned by Lookup and Claim
}

// A Cost is what a call took. Journals add it up for the run's usage.
type Cost struct {
	TokensIn    int // all tries together
	TokensOut   int
	USD         float64
	Tries       int // times the call was sent, 0 if that is not known
	RateLimited int // tries that were refused because there were too many
	Lost        Lost
}

// Plus adds costs.
func (c Cost) Plus(o Cost) Cost {
	l := Lost{c.Lost.Tries + o.Lost.Tries, c.Lost.TokensIn + o.Lost.TokensIn, c.Lost.TokensOut + o.Lost.TokensOut, c.Lost.USD + o.Lost.USD}
	return Cost{c.TokensIn + o.TokensIn, c.TokensOut + o.TokensOut, c.USD + o.USD, c.Tries + o.Tries, c.RateLimited + o.RateLimited, l}
}

// Lost is the part of a Cost for lost tries: they brought nothing usable and may
// have to be paid.
type Lost struct {
	Tries     int
	TokensIn  int
	TokensOut int
	USD       float64
}

// A Journal remembers calls. It is safe for concurrent use.
type Journal interface {
	// Lookup returns the OK entry under key, or nil. With a source it only
	// returns an entry answered by that source, without one the newest. The
	// request's text may be left out.
	Lookup(ctx context.Context, key Key, source string) (*Entry, error)
	// Append makes e durable before it returns, even if ctx has ended. Of OK
	// entries with the same key and source all are kept and the newest is found.
	Append(ctx context.Context, e *Entry) error
}

// A Claimer keeps calls for one of the processes that share a journal, so that no two
// of them make the same call at the same time. It is safe for concurrent use.
//
// A claim ends when its call is appended, when it is released, or some time after its
// process has died. A process that was only slow may find its claim taken over: what
// it appends then is kept, and not found.
type Claimer interface {
	// Claim claims a call for this process. It does not wait for other processes.
	Claim(ctx context.Context, key Key, source string) (Claim, error)
	// Renew is called before a claimed call is sent. A process that slept, as a laptop does, may have
	// lost its claim meanwhile: it claims the call again, as Claim does.
	Renew(ctx context.Context, key Key, source string) (Claim, error)
	// Release gives up the claim of a call that was not made.
	Release(key Key, source string)
}

// A Claim says what became of asking for one. The zero value says that another process
// makes the call: ask again in a while.
type Claim struct {
	Mine bool
	// Entry is the call that was appended meanwhile. One that is not OK is a failure
	// of another process since this one opened the journal, which is not tried again.
	Entry *Entry
}

// An Account is a budget of one run that several processes share. Each draws a slice of
// it before it spends; the slice of one that dies counts as spent. It is safe for
// concurrent use.
type Account interface {
	// Draw takes want of what is left of limit, or as much as there is, but not less than
	// need: then it takes nothing. A limit of 0 is none. granted is zero where what is
	// left does not do.
	Draw(ctx context.Context, need, want, limit Amount) (granted Amount, err error)
	// Settle gives back what was drawn and not spent. A negative amount was spent
	// without being drawn.
	Settle(ctx context.Context, unspent Amount) error
	// Spent adds up what the calls of all processes took since this one opened the run.
	Spent(ctx context.Context) (Amount, error)
}

// Bills are what answers of a model took, in tokens.
type Bills struct {
	Calls           int64
	In, Out         int64 // of all of them
	MostIn, MostOut int64 // of one of them
}

// An Amount is what calls take. Money is in units of 1e-9 US dollars: whole numbers add
// up exactly.
type Amount struct {
	NanoUSD int64
	Tokens  int64
	Calls   int64
}

// Plus adds amounts.
func (a Amount) Plus(b Amount) Amount {
	return Amount{a.NanoUSD + b.NanoUSD, a.Tokens + b.Tokens, a.Calls + b.Calls}
}

// Minus subtracts b.
func (a Amount) Minus(b Amount) Amount {
	return Amount{a.NanoUSD - b.NanoUSD, a.Tokens - b.Tokens, a.Calls - b.Calls}
}

// A Pacer spaces what several processes do at one place, such as an endpoint that takes
// so many calls a minute. It is safe for concurrent use.
type Pacer interface {
	// Turns takes n turns at a place, one interval after each other and after those that
	// were taken before, and returns how long it is until the first.
	Turns(ctx context.Context, place string, n int, interval time.Duration) (time.Duration, error)
}
