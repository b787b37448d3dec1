package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/internal/environ"
	"omniscope/internal/spelling"
)

// checkCommandLine finds what the parsers of commands and flags would
// misunderstand: commands that do not exist, whose flags would be blamed
// instead, and long flags with one dash, whose first letter would be a flag.
func checkCommandLine(cmd *cobra.Command, args []string) error {
	if cmd.Name() == "help" && cmd.Parent() == cmd.Root() {
		var err error
		if cmd, args, err = cmd.Root().Find(args); err != nil {
			return usagef("%v", err)
		}
		if len(args) > 0 && !cmd.HasSubCommands() {
			return nil // help takes no notice of them
		}
	}
	if cmd.HasSubCommands() {
		if word := firstWord(cmd, args); word != "" && !strings.HasPrefix(word, "__") { // cobra's own
			return noCommand(cmd, word)
		}
	}
	return singleDash(cmd, args)
}

// firstWord is the first argument that is neither a flag nor, as cobra takes
// it, the value of one.
func firstWord(cmd *cobra.Command, args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--":
			return ""
		case args[i] == "-" || !strings.HasPrefix(args[i], "-"):
			return args[i]
		case takesNext(cmd, args[i]):
			i++
		}
	}
	return ""
}

// takesNext reports whether the argument after a flag is its value.
func takesNext(cmd *cobra.Command, flag string) bool {
	name, long := strings.CutPrefix(flag, "--")
	if strings.Contains(flag, "=") || !long && len(flag) != 2 {
		return false
	}
	var f *pflag.Flag
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
		switch {
		case f != nil:
		case long:
			f = set.Lookup(name)
		default:
			f = set.ShorthandLookup(flag[1:])
		}
	}
	return f == nil || f.NoOptDefVal == ""
}

// noun is what the commands below a command are called.
func noun(cmd *cobra.Command) string {
	switch {
	case cmd == cmd.Root():
		return "command"
	case cmd.Name() == "eval":
		return "benchmark"
	case cmd.Name() == "score":
		return "metric"
	}
	return cmd.Name() + " command"
}

func commandNames(cmd *cobra.Command) (names []string) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

func noCommand(cmd *cobra.Command, word string) error {
	names := commandNames(cmd)
	return usagef("no %s %q%s: %s", noun(cmd), word, spelling.Among(word, names), strings.Join(names, ", "))
}

// singleDash refuses -judge, which would be -j with the value "udge".
func singleDash(cmd *cobra.Command, args []string) error {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, ok := strings.CutPrefix(args[i], "-")
		if ok && !strings.HasPrefix(name, "-") {
			name, _, _ = strings.Cut(name, "=")
			if long, ok := longFlag(cmd, name); ok {
				return usagef("-%s: long flags begin with two dashes: --%s", name, long)
			}
		}
		if ok && takesNext(cmd, args[i]) {
			i++
		}
	}
	return nil
}

// longFlag is the flag that somebody means by its name behind one dash. It is
// as long as no value behind a letter would be by chance.
func longFlag(cmd *cobra.Command, name string) (string, bool) {
	if len(name) < 3 || strings.ContainsAny(name, "./:") {
		return "", false
	}
	long, ok := spelling.Nearest(name, flagNames(cmd))
	return long, ok && (long == name || len(name) > 4)
}

func flagNames(cmd *cobra.Command) (names []string) {
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}

// dashed are the names of flags as they are written.
func dashed(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "--" + name
	}
	return out
}

// flagError explains why flags cannot be read.
func flagError(cmd *cobra.Command, err error) error {
	see := fmt.Sprintf("; `%s --help` lists the flags", cmd.CommandPath())
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if of := cmd.Commands(); len(of) > 0 && cmd != cmd.Root() {
			return usagef("name the %s first: %s", noun(cmd), strings.Join(commandNames(cmd), ", "))
		}
		hint := spelling.Hint(unknown.GetSpecifiedName(), dashed(flagNames(cmd)))
		if hint != "" {
			see = ""
		}
		return usagef("%v%s%s", err, hint, see)
	}
	return usagef("%s%s", valueError(err), see)
}

// valueError says what a flag wants, rather than which function refused it.
func valueError(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	wants := map[string]string{
		"int": "a whole number", "uint64": "a whole number that is not negative", "float64": "a number",
		"bool": "true or false", "duration": "a time with its unit, such as 90s",
	}[bad.GetFlag().Value.Type()]
	if wants == "" {
		return err.Error()
	}
	return fmt.Sprintf("invalid argument %q for --%s: give %s", bad.GetValue(), bad.GetFlag().Name, wants)
}

// checkChoice checks the value of a flag that has a few. Names for the same that other
// commands use may stand in alias.
func checkChoice(flag, value string, allowed []string, alias ...map[string]string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	if value == "" {
		return usagef("give --%s: %s", flag, orList(allowed))
	}
	hint := ""
	for _, known := range alias {
		if meant := known[strings.ToLower(value)]; meant != "" {
			hint = spelling.Offer([]string{meant})
		}
	}
	if hint == "" {
		hint = spelling.Hint(value, allowed)
	}
	return usagef("--%s is %s, not %q%s", flag, orList(allowed), value, hint)
}

// orList is a list in words: a, b or c.
func orList(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// fileHint offers, for a file or folder that is not there, the nearest name in
// its folder.
func fileHint(err error) string {
	var bad *fs.PathError
	if errors.As(err, &bad) && errors.Is(bad, fs.ErrNotExist) && !strings.Contains(err.Error(), "did you mean") {
		return spelling.NearFile(bad.Path)
	}
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ownVariables are those of the program, and of its tests, that set no flag.
var ownVariables = []string{
	"OMNISCOPE_JUDGE_API_KEY", "OMNISCOPE_DETECTIVE_API_KEY", "OMNISCOPE_OBSERVER_API_KEY", "OMNISCOPE_SPLITTER_API_KEY", "OMNISCOPE_ASR_API_KEY",
	"OMNISCOPE_SPEECH_PACK",
	"OMNISCOPE_SOAK", "OMNISCOPE_MEDIA", "OMNISCOPE_GOLDEN", "OMNISCOPE_PROGRAM",
}

// unknownVariables warns of variables that look like ours and have no effect.
func unknownVariables(root *cobra.Command, errOut io.Writer) {
	var found []string
	for _, entry := range os.Environ() {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OMNISCOPE_") && value != "" {
			found = append(found, name)
		}
	}
	if len(found) == 0 {
		return
	}
	known := slices.Clone(ownVariables)
	var gather func(cmd *cobra.Command)
	gather = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { known = append(known, environ.Variable(f.Name)) })
		for _, sub := range cmd.Commands() {
			gather(sub)
		}
	}
	gather(root)
	for _, name := range found {
		if !slices.Contains(known, name) {
			fmt.Fprintf(errOut, "warning: %s sets no flag of any command%s\n", name, spelling.Hint(name, known))
		}
	}
}
