package spelling

import (
	"strings"

	"omniscope"
)

// FirstWord is the first of a command's arguments that is neither a flag nor the
// value of one, "" if there is none. takesNext reports whether the argument after
// a flag is its value.
func FirstWord(args []string, takesNext func(flag string) bool) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return ""
		case args[i] == "-" || !strings.HasPrefix(args[i], "-"):
			return args[i]
		case takesNext(args[i]):
			i++
		}
	}
	return ""
}

// CheckDashes returns an error of kind Usage where a long flag, one of names, has
// one dash: -judge would be -j with the value "udge".
func CheckDashes(args, names []string, takesNext func(flag string) bool) error {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, ok := strings.CutPrefix(args[i], "-")
		if ok && !strings.HasPrefix(name, "-") {
			name, _, _ = strings.Cut(name, "=")
			if long, ok := longFlag(name, names); ok {
				return omniscope.Usagef("-%s: long flags begin with two dashes: --%s", name, long)
			}
		}
		if ok && takesNext(args[i]) {
			i++
		}
	}
	return nil
}

// longFlag is the flag that somebody means by its name behind one dash. It is
// as long as no value behind a letter would be by chance.
func longFlag(name string, names []string) (string, bool) {
	if len(name) < 3 || strings.ContainsAny(name, "./:") {
		return "", false
	}
	long, ok := Nearest(name, names)
	return long, ok && (long == name || len(name) > 4)
}

// FlagHint is Hint for an argument that is no flag, such as --juge, among the
// names of flags.
func FlagHint(written string, names []string) string {
	dashed := make([]string, len(names))
	for i, name := range names {
		dashed[i] = "--" + name
	}
	return Hint(written, dashed)
}
