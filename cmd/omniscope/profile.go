package main

import (
	"github.com/spf13/pflag"

	"omniscope/bench"
	"omniscope/internal/spelling"
)

// profiles are the names of the scorings.
var profiles = []string{bench.Official.String(), bench.Strict.String()}

// addProfile adds --scoring. Its default is the same in all commands that show scores of runs.
func addProfile(f *pflag.FlagSet, profile *string, help string) {
	f.StringVar(profile, "scoring", bench.DefaultScoring.String(), help)
}

// scoringOf reads --scoring.
func scoringOf(profile string) (bench.Scoring, error) {
	err := spelling.CheckChoice("scoring", profile, profiles)
	scoring, _ := bench.ParseScoring(profile)
	return scoring, err
}
