package wrap_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model"
	"omniscope/model/wrap"
	"omniscope/run"
)

func TestBillOfTranscriptions(t *testing.T) {
	const sound = 90 * time.Second
	lost := model.WithLost(model.Lost{Tries: 1}, errors.New("what came is no JSON"))
	for _, c := range []struct {
		name     string
		price    *wrap.Price
		tokens   int // bound of them; 0 = none
		usage    model.Usage
		err      error
		in, out  int
		usd      float64
		lostUSD  float64
		tallied  int
		answered int64
	}{
		{name: "by the minute", price: &wrap.Price{Minute: 0.006}, usd: 0.009, tallied: 1, answered: 1},
		{name: "by the token, as the endpoint counts", price: &wrap.Price{In: 6, Out: 10}, usage: model.Usage{TokensIn: 1500, TokensOut: 200}, in: 1500, out: 200, usd: 0.011, tallied: 1, answered: 1},
		{name: "by the token of sound", price: &wrap.Price{In: 1, Audio: new(6.0), Out: 10}, usage: model.Usage{TokensIn: 1500, TokensOut: 200}, in: 1500, out: 200, usd: 0.011, tallied: 1, answered: 1},
		{name: "by the token, and the endpoint counts none", price: &wrap.Price{In: 6, Out: 10}, in: 1520, out: 470, usd: 0.01382, tallied: 1, answered: 1},
		{name: "tokens are bounded", tokens: 10_000, in: 1520, out: 470, tallied: 1, answered: 1},
		{name: "by the minute, and tokens are bounded", price: &wrap.Price{Minute: 0.006}, tokens: 10, usd: 0.009, tallied: 1, answered: 1},
		{name: "no price", tallied: 1, answered: 1},
		{name: "of no use", price: &wrap.Price{Minute: 0.006}, err: lost, usd: 0.009, lostUSD: 0.009, tallied: 1},
		{name: "refused", price: &wrap.Price{Minute: 0.006}, err: errors.New("no such model")},
	} {
		t.Run(c.name, func(t *testing.T) {
			var meter wrap.Meter
			bill := wrap.Bill{Budget: &wrap.Budget{MaxTokens: c.tokens}, Price: c.price, Meter: &meter}
			tally := run.NewTally(time.Now())
			err := bill.Try(run.WithTally(t.Context(), tally), sound, func(context.Context) (model.Usage, error) { return c.usage, c.err })
			if !errors.Is(err, c.err) {
				t.Errorf("error %v", err)
			}
			sum := tally.Sum()
			if meter.Answers.Load() != c.answered || meter.TokensIn.Load() != int64(c.in) || meter.TokensOut.Load() != int64(c.out) ||
				math.Abs(meter.CostUSD()-c.usd) > 1e-12 || math.Abs(meter.Lost().CostUSD-c.lostUSD) > 1e-12 {
				t.Errorf("%d answers, %d and %d tokens, $%g, of them lost $%g", meter.Answers.Load(), meter.TokensIn.Load(), meter.TokensOut.Load(), meter.CostUSD(), meter.Lost().CostUSD)
			}
			if sum.Models != c.tallied || math.Abs(sum.Cost.USD-c.usd) > 1e-12 || sum.Cost.TokensIn != c.in {
				t.Errorf("tallied %+v", sum)
			}
		})
	}
}

// TestBillAndModelsShareABudget has transcriptions and questions to a model stop at one limit.
func TestBillAndModelsShareABudget(t *testing.T) {
	budget := &wrap.Budget{MaxUSD: 0.5}
	asked := 0
	bill := wrap.Bill{Model: "openai/whisper-1", Budget: budget, Price: &wrap.Price{Minute: 0.1}, Meter: &wrap.Meter{}}
	hear := func() error {
		return bill.Try(t.Context(), time.Minute, func(context.Context) (model.Usage, error) { asked++; return model.Usage{}, nil })
	}
	for range 2 {
		fixture.OK(t, hear())
	}
	m := wrap.Stack(provider(instant), wrap.Options{Price: price, Budget: budget})
	if n, err := spendAll(t, m, small("1")); n != 1 || omniscope.KindOf(err) != omniscope.Budget {
		t.Errorf("%d questions after two transcriptions, want the one that $0.30 are enough for; then %v", n, err)
	}
	if err := hear(); omniscope.KindOf(err) != omniscope.Budget || asked != 2 {
		t.Errorf("%v: a third transcription was made with $0.05 left", err)
	}
}
