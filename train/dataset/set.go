package dataset

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/spelling"
)

// settable are the numbers of rules that have one, by name.
var settable = map[string]func(r *rules, value string) error{
	"unfounded":    share(func(r *rules) *float64 { return &r.Unfounded }),
	"contradicted": share(func(r *rules) *float64 { return &r.Disputed }),
	"alike":        share(func(r *rules) *float64 { return &r.Alike }),
	"silent":       share(func(r *rules) *float64 { return &r.Quiet }),
	"still":        share(func(r *rules) *float64 { return &r.Still }),
	"words":        setWords,
}

// The values of any rule.
const (
	ruleOff      = "off"      // it is not applied
	ruleRequired = "required" // a caption without its fields is an error
)

// Set sets a rule: its number, off or required.
func (r *rules) Set(name, value string) error {
	if name == ruleReturned && value == ruleOff {
		return omniscope.Usagef("--rule %s=off: a caption that people sent back is never kept", name)
	}
	if err := spelling.CheckChoice("rule", name, ruleNames()); err != nil && name != ruleReturned {
		return err
	}
	if slices.Contains(r.Off, name) && value == ruleRequired || slices.Contains(r.Required, name) && value == ruleOff {
		return omniscope.Usagef("--rule %s is both off and required", name)
	}
	switch set := settable[name]; {
	case value == ruleOff:
		r.Off = append(r.Off, name)
	case value == ruleRequired:
		r.Required = append(r.Required, name)
	case set == nil:
		return omniscope.Usagef("--rule %s=%s: this rule has no number, it can only be off or required", name, value)
	default:
		if err := set(r, value); err != nil {
			return omniscope.Usagef("--rule %s=%s: %w", name, value, err)
		}
	}
	return nil
}

func share(of func(*rules) *float64) func(*rules, string) error {
	return func(r *rules, value string) error {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= 0 && x <= 1) {
			return errors.New("write a share from 0 to 1, off or required")
		}
		*of(r) = x
		return nil
	}
}

func setWords(r *rules, value string) error {
	least, most, _ := strings.Cut(value, "-")
	from, err1 := strconv.Atoi(least)
	to, err2 := strconv.Atoi(most)
	if err1 != nil || err2 != nil || from < 0 || to < from {
		return errors.New("write the fewest and the most words, such as 10-2500, or off or required")
	}
	r.Least, r.Most = from, to
	return nil
}
