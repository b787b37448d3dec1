package eval

import (
	"cmp"
	"context"
	"errors"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/session"
	"omniscope/session/benchdata"
)

// DefaultModality is what captions are of, where nothing says it.
const DefaultModality = omniscope.AudioVisual

// Score does a run and returns its results. Where more samples failed than session.DefaultMaxFailures allows, the error is a
// session.ErrTooManyFailures, and the results are there, too. m may be nil.
func Score(ctx context.Context, s *Spec, m *session.Machine) (*document.Results, error) {
	e, err := openFront(ctx, s, m)
	if err != nil {
		return nil, err
	}
	if err := e.Export(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if err := session.Finish(ctx, e, &e.options.Machine); err != nil {
		return nil, err
	}
	return e.Results, Verdict(e.Info, e.Results, e.options.maxFailures())
}

// Estimate forecasts what Score would still ask, and what that costs. It asks nothing, and needs no key. m may be nil.
func Estimate(ctx context.Context, s *Spec, m *session.Machine) (*Forecast, error) {
	own, calls := *cmp.Or(m, &session.Machine{}), session.Calls{}
	if own.Calls != nil {
		calls = *own.Calls
	}
	calls.DryRun, own.Calls = true, &calls
	e, err := openFront(ctx, s, &own)
	if err != nil {
		return nil, err
	}
	f, err := e.Forecast(ctx)
	return f, errors.Join(err, e.Close())
}

// openFront opens a Spec that a program wrote, which stays as it is.
func openFront(ctx context.Context, s *Spec, m *session.Machine) (*Evaluation, error) {
	own := *s
	own.Roles = copyRoles(s.Roles)
	b, err := own.benchmark()
	if err != nil {
		return nil, err
	}
	own.Options = bench.Given(b) // options that are left out have their defaults
	if err := own.complete(b.Info()); err != nil {
		return nil, err
	}
	if own.Folder == "" {
		if own.Data, _, err = benchdata.Resolve(b.Info(), s.Data, b.Info().Files.DataNeeded); err != nil {
			return nil, err
		}
	}
	if err := own.Check(b, nil); err != nil {
		return nil, err
	}
	return Open(ctx, &own, &Options{Machine: *cmp.Or(m, &session.Machine{})})
}

// DefaultJudge is the judge of a benchmark as it is where no flag changes it.
func DefaultJudge(info bench.Info, model string) *session.Role {
	return &session.Role{Name: session.Judge, Model: model, Temperature: new(float64), Attempts: info.Asking.Attempts, MaxTokens: info.Asking.MaxTokens}
}

// complete fills in what the Spec leaves open, as the command without flags does.
func (s *Spec) complete(info bench.Info) error {
	s.Profile = cmp.Or(s.Profile, bench.DefaultScoring.String())
	if _, ok := bench.ParseScoring(s.Profile); !ok {
		return omniscope.Usagef("a run has scoring official or strict, not %q", s.Profile)
	}
	if info.Judge != "" && s.Modality == "" {
		s.Modality, s.ModalityOfAnswers = string(DefaultModality), true
	}
	return s.completeRoles(info)
}

func (s *Spec) completeRoles(info bench.Info) error {
	judge := s.judge()
	switch {
	case info.Judge == "" && s.Judge != "":
		return omniscope.Usagef("%s asks no judge, and %s is named for it", info.Name, s.Judge)
	case info.Judge != "" && judge == nil:
		if s.Roles == nil {
			s.Roles = make(map[string]*session.Role)
		}
		s.Roles[session.Judge] = DefaultJudge(info, cmp.Or(s.Judge, session.Offline))
	case judge == nil:
	case s.Judge != "" && judge.Model != "" && judge.Model != s.Judge:
		return omniscope.Usagef("the judge is %s by its role, and %s by Judge: give one of them", judge.Model, s.Judge)
	default:
		judge.Model = cmp.Or(judge.Model, s.Judge, session.Offline)
	}
	attempts := map[string]int{session.Judge: info.Asking.Attempts}
	for _, r := range info.Roles {
		attempts[r.Name] = max(1, r.Attempts)
	}
	for name, r := range s.Roles {
		if r == nil {
			return noRole(name)
		}
		r.Name, r.Attempts = name, cmp.Or(r.Attempts, attempts[name])
	}
	return nil
}
