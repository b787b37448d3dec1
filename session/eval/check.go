package eval

import (
	"os"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/filename"
	"omniscope/internal/spelling"
	"omniscope/session"
)

// Check checks, in the words of the flags, what of a Spec does not go together. b
// has its options; folders hold its predictions, if there are any.
func (s *Spec) Check(b bench.Benchmark, folders []string) error {
	if c, ok := b.(bench.Checker); ok {
		in, err := s.inputs()
		if err != nil {
			return err
		}
		in.Folders = folders
		if err := c.Check(in); err != nil {
			return err
		}
	}
	_, collects := b.(bench.Collector)
	info, err := os.Stat(s.System)
	switch {
	case s.Limit < 0:
		return omniscope.Usagef("--limit must not be negative")
	case collects && err == nil && info.IsDir():
		return omniscope.Usagef("--system is a system's name, and %s is a folder: score the files in it with --systems %[1]s", s.System)
	case len(folders) > 0 && s.System != "":
		return omniscope.Usagef("--system names one system: leave it out, the systems under --systems are called by their files")
	}
	return nil
}

// CheckPlan checks, likewise, whether the judges can judge the systems: models, and
// files of predictions. b has the options of base.
func CheckPlan(base *Spec, b bench.Benchmark, judges, systems []string) error {
	several := len(judges)*len(systems) > 1
	for _, o := range bench.OptionsOf(b) {
		if several && o.OneRun != "" && o.Value.String() != "" {
			return omniscope.Usagef("--%s is for one judge and one file of predictions: %s", o.Name, o.OneRun)
		}
	}
	var names []string
	for _, path := range systems {
		names = append(names, strings.ToLower(filename.Safe(bench.SystemName(path))))
	}
	switch {
	case len(systems) == 0 || slices.Contains(systems, ""):
		info := b.Info()
		return omniscope.Usagef("name a file of predictions: omniscope %s FILE", info.ScoredBy())
	case len(systems) > 1 && base.System != "":
		return omniscope.Usagef("--system names one system: leave it out, the systems are called by their files")
	case spelling.Twice(judges) != "":
		return omniscope.Usagef("the judge %s is named twice", spelling.Twice(judges))
	case spelling.Twice(names) != "":
		return omniscope.Usagef("systems are told apart by the names of their files, and two are called %s: rename one", spelling.Twice(names))
	case base.Prompts != "" && slices.Equal(judges, []string{session.Offline}) && !b.Info().Observes:
		return omniscope.Usagef("--prompts has no use here: the offline judge reads none")
	}
	return nil
}
