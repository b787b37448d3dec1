package suite

import (
	"fmt"
	"slices"
	"strings"

	"omniscope"
)

// ofAll are flags that concern the runs of a suite together.
var ofAll = []string{"max-cost", "max-tokens", "max-calls", "work-dir", "prices", "quiet"}

// OfCommand are flags of the command that a run of a suite cannot have.
var OfCommand = []string{"out", "json", "sweep", "repeat", "dry-run", "force", "otel", "shard"}

// flags describes the flags of `omniscope run BENCHMARK`.
type flags interface {
	// Benchmark is an error for a benchmark that cannot be run.
	Benchmark(name string) error
	Has(benchmark, flag string) bool
	// Near returns a hint at the flag that was probably meant, such as "; did you mean --modality?".
	Near(benchmark, flag string) string
}

// Check refuses unknown benchmarks and flags in the wrong place.
func (s *Suite) Check(f flags) error {
	for _, b := range s.Benchmarks {
		if err := f.Benchmark(benchmarkOf(b)); err != nil {
			setting, _ := b.Get("benchmark")
			return AtLine(setting, err)
		}
	}
	for _, entry := range slices.Concat([]Settings{s.All}, s.Benchmarks, s.Models) {
		for _, setting := range entry {
			if slices.Contains(OfCommand, setting.Name) {
				return AtLine(setting, omniscope.Usagef("%s is a flag of the whole suite: give it on the command line", setting.Name))
			}
		}
	}
	for _, entry := range slices.Concat(s.Benchmarks, s.Models) {
		for _, setting := range entry {
			if slices.Contains(ofAll, setting.Name) {
				return AtLine(setting, omniscope.Usagef("%s is for all runs together: write it under all", setting.Name))
			}
		}
	}
	for _, setting := range s.All {
		known := slices.ContainsFunc(s.Benchmarks, func(b Settings) bool { return f.Has(benchmarkOf(b), setting.Name) })
		if !known {
			return AtLine(setting, omniscope.Usagef("no benchmark of this suite has a flag --%s%s", setting.Name, f.Near(benchmarkOf(s.Benchmarks[0]), setting.Name)))
		}
	}
	return nil
}

func benchmarkOf(entry Settings) string {
	name, _ := entry.Get("benchmark")
	return strings.Join(name.Values, ",")
}

// AtLine adds the line of a setting to an error.
func AtLine(f Setting, err error) error {
	if f.Line == 0 {
		return err
	}
	return &omniscope.Error{Kind: omniscope.KindOf(err), Err: fmt.Errorf("line %d: %w", f.Line, err)}
}

// Flags returns the flags of a run with their values. Of several with one name the last one counts.
func (r *Run) Flags() (flags Settings) {
	for i, f := range r.Settings {
		later := func(other Setting) bool { return other.Name == f.Name }
		if !slices.ContainsFunc(r.Settings[i+1:], later) {
			flags = append(flags, f)
		}
	}
	return flags
}
