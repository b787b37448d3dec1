package main

import (
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/spelling"
)

// A rule is a reason to refuse a command line: its message names the flags and what to give instead.
type rule struct {
	broken  bool
	message string
}

// checkRules returns the message of the first broken rule, as an error of kind Usage.
func checkRules(rules []rule) error {
	for _, r := range rules {
		if r.broken {
			return omniscope.Usagef("%s", r.message)
		}
	}
	return nil
}

// isShare reports whether x is from 0 to 1. NaN is not.
func isShare(x float64) bool { return x >= 0 && x <= 1 }

// firstGiven returns the first of the named flags that was given; "" = no one was.
func firstGiven(f *pflag.FlagSet, names ...string) string {
	for _, name := range names {
		if f.Changed(name) {
			return name
		}
	}
	return ""
}

// checkChoices is spelling.CheckChoice for a flag with several values.
func checkChoices(flag string, values, allowed []string) error {
	for _, value := range values {
		if err := spelling.CheckChoice(flag, value, allowed); err != nil {
			return err
		}
	}
	return nil
}
