package main

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/session"
	"omniscope/session/measure"
	"omniscope/session/predict"
)

// scorer returns how answers are scored; nil = they are not scored.
func (o *runOptions) scorer(cmd *cobra.Command, shared *session.Shared) measure.Scorer {
	if o.noScore {
		return nil
	}
	return func(answers *predict.Summary) (*measure.Scoring, error) {
		e, err := o.scoring(cmd, answers)
		if err == nil {
			err = e.prepare(cmd)
		}
		if err != nil {
			return nil, err
		}
		e.calls.DryRun = o.dryRun
		return &measure.Scoring{Runs: e.runs(), Options: e.running(cmd, shared, &tokenProgress{w: io.Discard, quiet: true})}, nil
	}
}

// scoring returns the flags of eval for answers, with the values that this command was given.
func (o *runOptions) scoring(cmd *cobra.Command, answers *predict.Summary) (*evalOptions, error) {
	flags := pflag.NewFlagSet(o.predict.spec.Benchmark, pflag.ContinueOnError)
	e := newEvalOptions(flags, o.bench())
	e.engine, e.inRun = o.predict.engine, true
	values := map[string]string{"predictions": answers.File, "system": answers.System}
	if flags.Lookup("modality") != nil && string(o.predict.spec.Modality) != "text" {
		values["modality"] = string(o.predict.spec.Modality)
	}
	if o.Out != "" {
		values["out"] = filepath.Join(o.Out, "results")
	}
	for name, value := range answers.ScoredWith {
		values[name] = value
	}
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		given := cmd.Flags().Lookup(f.Name)
		own := o.eval.flags.Lookup(f.Name) // also set by its other names
		_, alias := f.Value.(*aliasFlag)
		role, isRole := f.Value.(*modelFlag)
		value, follows := values[f.Name]
		switch {
		case alias:
		case isRole && own.Changed:
			given := own.Value.(*modelFlag)
			role.refs, role.roles, role.files, role.written, role.given = given.refs, given.roles, given.files, given.written, true
		case own.Changed:
			errs = append(errs, setAll(flags, f.Name, valuesOf(own.Value)))
		case follows:
			errs = append(errs, flags.Set(f.Name, value))
		case given != nil && given.Changed && f.Name != "out" && f.Name != "data":
			errs = append(errs, setAll(flags, f.Name, valuesOf(given.Value)))
		}
	})
	return e, errors.Join(errs...)
}

func setAll(flags *pflag.FlagSet, name string, values []string) (err error) {
	for _, value := range values {
		err = errors.Join(err, flags.Set(name, value))
	}
	return err
}

// textsOf returns the values of a flag as they are written, models with their settings.
func textsOf(v pflag.Value) []string {
	if m, ok := v.(*modelFlag); ok {
		return m.written
	}
	return valuesOf(v)
}
