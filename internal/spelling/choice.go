package spelling

import (
	"slices"
	"strings"

	"omniscope"
)

// CheckChoice returns an error of kind Usage unless the value of a flag is among
// those that it may have. Names for the same that other commands use may stand in
// alias.
func CheckChoice(flag, value string, allowed []string, alias ...map[string]string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	if value == "" {
		return omniscope.Usagef("give --%s: %s", flag, orList(allowed))
	}
	hint := ""
	for _, known := range alias {
		if meant := known[strings.ToLower(value)]; meant != "" {
			hint = Offer([]string{meant})
		}
	}
	if hint == "" {
		hint = Hint(value, allowed)
	}
	return omniscope.Usagef("--%s is %s, not %q%s", flag, orList(allowed), value, hint)
}

// orList is a list in words: a, b or c.
func orList(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
