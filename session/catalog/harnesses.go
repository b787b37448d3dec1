package catalog

import (
	"strings"

	"omniscope"
	"omniscope/bench/harness"
	"omniscope/bench/harness/inspect"
	"omniscope/bench/harness/lmeval"
	"omniscope/bench/harness/lmmseval"
	"omniscope/bench/harness/vlmevalkit"
	"omniscope/internal/spelling"
)

// Harnesses lists the programs of others whose logs are read.
var Harnesses = []harness.Harness{lmmseval.Harness, vlmevalkit.Harness, lmeval.Harness, inspect.Harness}

// Harness returns the harness called name.
func Harness(name string) (*harness.Harness, error) {
	var names []string
	for i := range Harnesses {
		if Harnesses[i].Name == name {
			return &Harnesses[i], nil
		}
		names = append(names, Harnesses[i].Name)
	}
	return nil, omniscope.Usagef("no harness %q%s: %s", name, spelling.Among(name, names), strings.Join(names, ", "))
}
