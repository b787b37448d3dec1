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
	Model  string  // PROVIDER/NAME
	Source string  // the endpoint's URL
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
	guessed := b.complete(model.Usage{}, sound)
	g := guess{in: guessed.TokensIn, out: guessed.TokensOut, limited: true, exact: guessed.TokensIn+guessed.TokensOut == 0}
	if b.Price != nil {
		g.usd = b.Price.Minute * sound.Minutes()
	}
	t := b.Budget.billsOf(b.Model, b.Source, b.Price)
	ctx, tries := noting(ctx)
	defer b.Budget.publish(t, tries)
	reserved, err := b.Budget.reserve(ctx, t, g)
	if err != nil {
		return err
	}
	var spent amount
	var answer *billed
	var why error
	defer func() { b.Budget.charge(t, reserved, spent, answer, why) }()
	if b.Pace != nil {
		if err := b.Pace.turn(ctx); err != nil {
			return err
		}
	}
	if err := run.Sending(ctx); err != nil {
		return err
	}
	b.Meter.Asked.Add(1)
	var usage model.Usage
	usage, err = try(ctx)
	switch lost := model.LostIn(err); {
	case err == nil:
		usage = b.complete(usage, sound)
		b.Meter.Answers.Add(1)
		b.Meter.TokensIn.Add(int64(usage.TokensIn))
		b.Meter.TokensOut.Add(int64(usage.TokensOut))
		b.Meter.spend(usage.CostUSD)
		spent = amount{Calls: 1, Tokens: int64(usage.TokensIn + usage.TokensOut), NanoUSD: nano(usage.CostUSD)}
		answer = &billed{in: usage.TokensIn, out: usage.TokensOut}
	case lost.Tries > 0:
		usage, why = guessed, err // the sound was sent, and the reply is of no use
		spent = amount{Calls: 1, Tokens: int64(usage.TokensIn + usage.TokensOut), NanoUSD: nano(usage.CostUSD)}
		b.Meter.lose(model.Lost{Tries: 1, TokensIn: usage.TokensIn, TokensOut: usage.TokensOut, CostUSD: usage.CostUSD})
	default:
		return err
	}
	took := run.Cost{TokensIn: usage.TokensIn, TokensOut: usage.TokensOut, USD: usage.CostUSD, Tries: 1}
	if err != nil {
		took.Lost = run.Lost{Tries: 1, TokensIn: usage.TokensIn, TokensOut: usage.TokensOut, USD: usage.CostUSD}
	}
	run.TallyOf(ctx).AddModel(took)
	return err
}

// complete adds what the endpoint did not tell: the cost, and tokens where something depends on them.
func (b *Bill) complete(u model.Usage, sound time.Duration) model.Usage {
	byToken := b.Price != nil && b.Price.Minute == 0 || b.Price == nil && b.Budget.MaxTokens > 0
	if byToken && u.TokensIn+u.TokensOut == 0 {
		u.TokensIn, u.TokensOut = least+int(minuteIn*sound.Minutes()), least+int(minuteOut*sound.Minutes())
	}
	if b.Price != nil {
		u.CostUSD = b.Price.costOf(&u, u.TokensIn) + b.Price.Minute*sound.Minutes()
	}
	return u
}
