package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/results/compare"
)

// allScores is the value of --fail-if-worse where none is given.
const allScores = "all"

// worseOptions are the flags of compare that make its exit code say whether the new run is worse.
type worseOptions struct {
	FailIfWorse string // scores, with commas; "" = no check
	Level       float64
	Margin      float64
	MaxFailures float64
}

func (o *worseOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.FailIfWorse, "fail-if-worse", "", "exit with code 5 if one of these scores, such as accuracy,score, is worse in the second run, beyond chance; without\na value, all scores")
	f.Lookup("fail-if-worse").NoOptDefVal = allScores
	f.Float64Var(&o.Level, "level", 0.05, "chance of a false alarm of --fail-if-worse, for all scores together")
	f.Float64Var(&o.Margin, "margin", 0, "drop in points that --fail-if-worse allows; a drop that is larger beyond chance fails")
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of what the first run scored that may be unscored in the second before --fail-if-worse ends with exit code 3")
}

// takeScores returns the folders among the arguments. In `compare BASE NEW --fail-if-worse accuracy` the last one is
// the value of the flag, which takes none after a space.
func (o *worseOptions) takeScores(args []string) []string {
	if o.FailIfWorse != allScores || len(args) != 3 {
		return args
	}
	folders := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !ondisk.Exists(arg) && !strings.ContainsAny(arg, `/\`) })
	if len(folders) != 2 { // a folder is misspelt, or all are there
		return args
	}
	for _, arg := range args {
		if !slices.Contains(folders, arg) {
			o.FailIfWorse = arg
		}
	}
	return folders
}

// wanted is the check that the flags ask for; nil = none.
func (o *worseOptions) wanted(cmd *cobra.Command, dirs []string) (*compare.Check, error) {
	if o.FailIfWorse == "" && cmd.Flags().Changed("fail-if-worse") {
		// A build that names its scores by a variable must not pass because the variable is empty.
		return nil, omniscope.Usagef("--fail-if-worse= names no score: give scores, such as accuracy, or --fail-if-worse alone for all")
	}
	if o.FailIfWorse == "" {
		for _, name := range []string{"level", "margin", "max-failures"} {
			// A variable such as OMNISCOPE_MAX_FAILURES may be meant for other commands.
			if cmd.Flags().Changed(name) && flagSource(cmd.Flags(), name).Name == "--"+name {
				return nil, omniscope.Usagef("--%s says when --fail-if-worse fails: give that as well", name)
			}
		}
		return nil, nil
	}
	if len(dirs) != 2 {
		return nil, omniscope.Usagef("--fail-if-worse takes two folders, the base and the new run, and scores behind =, got %d: %s", len(dirs), strings.Join(dirs, " "))
	}
	check := &compare.Check{Level: o.Level, Margin: o.Margin, MaxFailures: o.MaxFailures}
	if o.FailIfWorse != allScores {
		check.Scores = strings.Split(o.FailIfWorse, ",")
	}
	return check, nil
}
