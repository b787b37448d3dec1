package catalog

import (
	"omniscope/bench/harness"
	"omniscope/bench/harness/inspect"
	"omniscope/bench/harness/lmeval"
	"omniscope/bench/harness/lmmseval"
	"omniscope/bench/harness/vlmevalkit"
)

// Harnesses lists the programs of others whose logs are read.
var Harnesses = []harness.Harness{lmmseval.Harness, vlmevalkit.Harness, lmeval.Harness, inspect.Harness}
