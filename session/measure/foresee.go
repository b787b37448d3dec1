package measure

import (
	"context"
	"errors"
	"strings"

	"omniscope"
	"omniscope/internal/scratch"
	"omniscope/session/eval"
	"omniscope/session/predict"
)

// Scoring is how answers are scored: a run for each judge.
type Scoring struct {
	Runs    []*eval.PlannedRun
	Options *eval.Options
}

// A Scorer returns how answers are scored; nil = they are not scored.
type Scorer func(*predict.Summary) (*Scoring, error)

// An Outlook is what is known of a measurement before the first call.
type Outlook struct {
	Lacks   []string          // scores that the results will lack, each with the reason
	Asking  *predict.Forecast // nil = not wanted
	Judging []*eval.Forecast  // of each judge that is a model
	tokens  int               // of each stand-in answer
}

// standInTokens are the tokens of a stand-in answer where nothing is forecast.
const standInTokens = 64

// Foresee opens everything that an opened run and its scoring need: data, models, keys, networks, folders. The answers are
// stand-ins. With forecast, the Outlook has forecasts. It calls no model and writes no results.
func Foresee(ctx context.Context, asking predict.Asking, score Scorer, forecast bool) (_ *Outlook, err error) {
	if err := asking.Check(); err != nil {
		return nil, err
	}
	o := &Outlook{tokens: standInTokens}
	if forecast {
		if o.Asking, err = asking.Forecast(ctx); err != nil {
			return nil, err
		}
		if o.tokens = o.Asking.MaxTokens; o.tokens == 0 {
			o.tokens = predict.AssumedTokens
		}
	}
	if score == nil {
		return o, nil
	}
	dir, err := scratch.New()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return o, o.score(ctx, asking, score, dir.Path)
}

// score opens the scoring of stand-in answers.
func (o *Outlook) score(ctx context.Context, asking predict.Asking, score Scorer, dir string) error {
	answers, err := asking.StandIn(dir, o.tokens)
	if err != nil {
		return err
	}
	scoring, err := score(answers)
	if err != nil {
		return err
	}
	for i, r := range scoring.Runs {
		lacks, forecast, err := eval.Foresee(ctx, r, scoring.Options, o.Asking != nil)
		if err != nil {
			return err
		}
		if i == 0 { // a judge changes nothing about the scorers
			o.Lacks = lacks
		}
		if forecast != nil {
			o.Judging = append(o.Judging, forecast)
		}
	}
	return nil
}

// Complete is an error where the results will lack a score.
func (o *Outlook) Complete() error {
	if len(o.Lacks) == 0 {
		return nil
	}
	return omniscope.Usagef("the results will lack scores, and nothing was asked yet: %s. --no-score only asks the model, --anyway continues without these scores", strings.Join(o.Lacks, "; "))
}
