package wrap

import (
	"context"
	"time"

	"omniscope/model"
	"omniscope/run"
)

// A Bill bounds and counts what is paid for but is no question to a language model: sound that is sent to be transcribed.
// It is safe for concurrent use.
type Bill struct {
	Budget *Budget // shared by all models of a run; must be there
	Pace   *Pace   // of the endpoint; nil = no limit
	Price  *Price  // nil = not known
	Meter  *Meter
}

// Tokens that sound is likely to take where an endpoint charges by the token, and those of the words said in it: so many a
// minute, and some for each request.
const (
	minuteIn, minuteOut = 1000, 300
	least               = 20
)

// Try has a try made that sends some time of sound, once the budget has enough and it is its turn. The try tells the tokens that
// the endpoint counted, 0 where it told none: these are estimated where the price is by the token, and
// where there is none and tokens are bounded.
func (b *Bill) Try(ctx context.Context, sound time.Duration, try func(context.Context) (model.Usage, error)) error {
	if err := ended(ctx); err != nil {
		return err
	}
	guess := b.complete(model.Usage{}, sound)
	likely := amount{Calls: 1, Tokens: int64(guess.TokensIn + guess.TokensOut), NanoUSD: nano(guess.CostUSD)}
	if err := b.Budget.reserve(ctx, likely); err != nil {
		return err
	}
	var spent amount
	var why error
	defer func() { b.Budget.charge(likely, spent, why) }()
	if b.Pace != nil {
		if err := b.Pace.turn(ctx); err != nil {
			return err
		}
	}
	b.Meter.Asked.Add(1)
	usage, err := try(ctx)
	switch lost := model.LostIn(err); {
	case err == nil:
		usage = b.complete(usage, sound)
		b.Meter.Answers.Add(1)
		b.Meter.TokensIn.Add(int64(usage.TokensIn))
		b.Meter.TokensOut.Add(int64(usage.TokensOut))
		b.Meter.spend(usage.CostUSD)
		spent = amount{Calls: 1, Tokens: int64(usage.TokensIn + usage.TokensOut), NanoUSD: nano(usage.CostUSD)}
	case lost.Tries > 0:
		usage, spent, why = guess, likely, err // the sound was sent, and what came of it is of no use
		b.Meter.lose(model.Lost{Tries: 1, TokensIn: guess.TokensIn, TokensOut: guess.TokensOut, CostUSD: guess.CostUSD})
	default:
		return err
	}
	run.TallyOf(ctx).AddModel(run.Cost{TokensIn: usage.TokensIn, TokensOut: usage.TokensOut, USD: usage.CostUSD})
	return err
}

// complete adds what the endpoint did not tell: the cost, and tokens where something depends on them.
func (b *Bill) complete(u model.Usage, sound time.Duration) model.Usage {
	byToken := b.Price != nil && b.Price.Minute == 0 || b.Price == nil && b.Budget.MaxTokens > 0
	if byToken && u.TokensIn+u.TokensOut == 0 {
		u.TokensIn, u.TokensOut = least+int(minuteIn*sound.Minutes()), least+int(minuteOut*sound.Minutes())
	}
	if b.Price != nil {
		u.CostUSD = b.Price.Cost(u.TokensIn, u.TokensOut) + b.Price.Minute*sound.Minutes()
	}
	return u
}
