package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/spelling"
	"omniscope/model/ref"
	"omniscope/session/catalog"
	"omniscope/session/suite"
)

// runFlags are the flags of the commands that run a benchmark.
type runFlags struct{}

// newRunOf is the command that runs a model on a benchmark.
func newRunOf(benchmark string) (*cobra.Command, *runOptions, error) {
	for _, open := range catalog.Benchmarks {
		if b, ok := open().(bench.AnswerWriter); ok && b.Info().Name == benchmark {
			cmd, o := newRunBenchmark(b.Info(), open)
			return cmd, o, nil
		}
	}
	_, err := catalog.Benchmark(benchmark)
	if err == nil {
		err = omniscope.Usagef("omniscope does not run models on %s: see `omniscope run --help`", benchmark)
	}
	return nil, nil, err
}

// Benchmark implements suite.Flags.
func (runFlags) Benchmark(name string) error {
	_, _, err := newRunOf(name)
	return err
}

// Near implements suite.Flags.
func (runFlags) Near(benchmark, flag string) string {
	cmd, _, err := newRunOf(benchmark)
	if err != nil {
		return ""
	}
	return spelling.FlagHint("--"+flag, flagNames(cmd))
}

// Has implements suite.Flags.
func (runFlags) Has(benchmark, flag string) bool {
	cmd, _, err := newRunOf(benchmark)
	return err == nil && (cmd.Flags().Lookup(flag) != nil || isOfModel(cmd, flag))
}

// isOfModel reports whether a setting of a suite is one of the model's reference.
func isOfModel(cmd *cobra.Command, name string) bool {
	_, err := ref.Find(name)
	return cmd.Flags().Lookup(name) == nil && (err == nil || name == suite.ModelProfile)
}

// step makes the command of a run, and checks its flags.
func (w *suiteRun) step(r *suite.Run) (s suiteStep, err error) {
	if s.cmd, s.o, err = newRunOf(r.Benchmark); err != nil {
		return s, err
	}
	s.cmd.SetContext(w.cmd.Context())
	s.cmd.SetErr(io.Discard)
	var ofModel []suite.Setting // once the model is known
	for _, f := range r.Flags() {
		if isOfModel(s.cmd, f.Name) {
			ofModel = append(ofModel, f)
			continue
		}
		for _, value := range f.Values {
			if err := setFlag(s.cmd, f, value); err != nil {
				return s, err
			}
		}
	}
	for _, f := range ofModel {
		setting := ref.Setting{Key: f.Name, Value: strings.Join(f.Values, ",")}
		if setting.Key == suite.ModelProfile {
			setting.Key = "profile"
		}
		if err := s.o.predict.model.with(setting); err != nil {
			return s, suite.AtLine(f, err)
		}
	}
	return s, s.o.check(s.cmd)
}

func setFlag(cmd *cobra.Command, f suite.Setting, value string) error {
	flags := cmd.Flags()
	if flags.Lookup(f.Name) == nil {
		return suite.AtLine(f, omniscope.Usagef("`omniscope run %s` has no flag --%s%s", cmd.Name(), f.Name, runFlags{}.Near(cmd.Name(), f.Name)))
	}
	if err := flags.Set(f.Name, value); err != nil {
		return suite.AtLine(f, omniscope.Usagef("%v", err))
	}
	return nil
}
