package score

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
)

// Check refuses files and fields that contradict each other. most is how many
// references the measure takes.
func (o *Files) Check(most int) error {
	refs := max(len(o.Refs), 1) * max(len(o.RefFields), 1)
	switch {
	case o.As == AsText && o.Data != "":
		return omniscope.Usagef("--data has several fields: it is read as jsonl or tsv, not as text")
	case len(o.Hyps) == 0 && o.Data == "":
		return omniscope.Usagef("give the hypotheses with --hyp FILE or --data FILE")
	case len(o.Refs) == 0 && o.Data == "":
		return omniscope.Usagef("give the references with --ref FILE or --data FILE")
	case len(o.Hyps) > 1 && len(o.HypFields) > 1:
		return omniscope.Usagef("several files with several fields each are not told apart: give --hyp or --hyp-field once")
	case len(o.Refs) > 1 && len(o.RefFields) > 1:
		return omniscope.Usagef("several files with several fields each are not told apart: give --ref or --ref-field once")
	case refs > most:
		return omniscope.Usagef("the metric takes one reference, and there are %d: BLEU and chrF take several", refs)
	case o.Cluster != "" && o.ClusterFile != "":
		return omniscope.Usagef("give --cluster or --cluster-file, not both")
	}
	return o.checkNames()
}

// checkNames refuses names of files and fields that are empty or are given twice.
func (o *Files) checkNames() error {
	for _, list := range [][]string{o.Hyps, o.Refs, o.HypFields, o.RefFields} {
		if slices.Contains(list, "") {
			return omniscope.Usagef("the name of a file or field must not be empty")
		}
		if twice := spelling.Twice(list); twice != "" {
			return omniscope.Usagef("%s is named twice", twice)
		}
	}
	if flags := o.stdin(); len(flags) > 1 {
		return omniscope.Usagef("standard input can be one file, and it is named %d times: %s", len(flags), strings.Join(flags, ", "))
	}
	return nil
}

// stdin are the flags that name standard input.
func (o *Files) stdin() (flags []string) {
	for _, f := range []struct {
		name  string
		paths []string
	}{{"--hyp", o.Hyps}, {"--ref", o.Refs}, {"--src", []string{o.Src}}, {"--data", []string{o.Data}}, {"--cluster-file", []string{o.ClusterFile}}} {
		if slices.Contains(f.paths, "-") {
			flags = append(flags, f.name)
		}
	}
	return flags
}

// CheckFormat refuses a format for which the published program of a measure has
// no form.
func (o *Files) CheckFormat(format string, perSegment bool, m *Measure) error {
	switch {
	case format != FormatPython && format != FormatPythonText:
		return nil
	case max(len(o.Hyps), 1)*max(len(o.HypFields), 1) > 1 && !m.Python.Several:
		return omniscope.Usagef("--format %s is for one system, as the published program's", format)
	case perSegment && !m.Python.Segments:
		return omniscope.Usagef("--format %s has no --per-segment here: the published program prints no segments", format)
	case format == FormatPythonText && !m.Python.Text:
		return omniscope.Usagef("--format python-text is for BLEU and chrF; what other programs print is --format python")
	}
	return nil
}
