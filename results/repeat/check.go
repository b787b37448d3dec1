package repeat

import (
	"slices"

	"omniscope"
	"omniscope/results/compare"
)

// varying are the parts of a signature that set repetitions single.
var varying = []string{"seed", "repetition"}

// version is the part in which repetitions may differ with a warning.
const version = "omniscope"

// check refuses runs that are not repetitions of one thing, and returns the parts of their signatures that set them single.
func check(runs []*compare.Run) (differs []compare.Contrast, warnings []string, err error) {
	for i, r := range runs {
		if first := runs[0].Results.System; r.Results.System != first {
			return nil, nil, omniscope.Invalidf("%s is a run of system %s, %s one of %s: repetitions are of one system; compare systems with `omniscope compare`", runs[0].Dir, first, runs[i].Dir, r.Results.System)
		}
	}
	for _, c := range compare.Contrasts(runs) {
		switch {
		case slices.Contains(varying, c.Name):
			differs = append(differs, c)
		case c.Name == version:
			warnings = append(warnings, "the version differs: "+c.Describe(runs)+"; a part of the spread may come from that")
		default:
			return nil, nil, omniscope.Invalidf("these runs are not repetitions of one run, since %s differs: %s: repeat one command with other seeds", c.Name, c.Describe(runs))
		}
	}
	for k, r := range runs {
		for i, before := range runs[:k] {
			if !slices.ContainsFunc(differs, func(c compare.Contrast) bool { return c.Values[i] != c.Values[k] }) {
				return nil, nil, omniscope.Invalidf("%s and %s have the same seed and are one repetition: name each repetition once", before.Dir, r.Dir)
			}
		}
	}
	return differs, warnings, nil
}
