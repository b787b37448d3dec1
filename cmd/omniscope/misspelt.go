package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/spelling"
)

// checkCommandLine finds what the parsers of commands and flags would
// misunderstand: commands that do not exist, whose flags would be blamed
// instead, and long flags with one dash, whose first letter would be a flag.
func checkCommandLine(cmd *cobra.Command, args []string) error {
	if cmd.Name() == "help" && cmd.Parent() == cmd.Root() {
		var err error
		if cmd, args, err = cmd.Root().Find(args); err != nil {
			return omniscope.Usagef("%v", err)
		}
		if len(args) > 0 && !cmd.HasSubCommands() {
			return nil // help takes no notice of them
		}
	}
	takesNext := func(flag string) bool { return takesNext(cmd, flag) }
	if cmd.HasSubCommands() {
		if word := spelling.FirstWord(args, takesNext); word != "" && !strings.HasPrefix(word, "__") && !isSuite(cmd, word) { // cobra's own
			names := commandNames(cmd)
			if was := removedCommand(cmd.Root(), wordsOf(cmd, args, takesNext)); was != "" {
				return omniscope.Usagef("%s", was)
			}
			return omniscope.Usagef("no %s %q%s: %s", noun(cmd), word, spelling.Among(word, names), strings.Join(names, ", "))
		}
	}
	return spelling.CheckDashes(args, flagNames(cmd), takesNext)
}

// wordsOf are the words of a command line that are no flags, from the first command on.
func wordsOf(cmd *cobra.Command, args []string, takesNext func(flag string) bool) []string {
	words := strings.Fields(strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()))
	for i := 0; i < len(args); i++ {
		switch {
		case !strings.HasPrefix(args[i], "-"):
			words = append(words, args[i])
		case takesNext(args[i]):
			i++
		}
	}
	return words
}

// isSuite reports whether a word after run names the file of a suite.
func isSuite(cmd *cobra.Command, word string) bool {
	return cmd.Name() == "run" && (ondisk.Exists(word) || strings.HasSuffix(word, ".yaml") || strings.HasSuffix(word, ".yml"))
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
	case cmd.Name() == "eval" || cmd.Name() == "run":
		return "benchmark"
	case cmd.Name() == "score":
		return "measure"
	}
	return cmd.Name() + " command"
}

func commandNames(cmd *cobra.Command) (names []string) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	slices.Sort(names)
	return names
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

// needsCommand is the RunE of commands that do nothing by themselves.
func needsCommand(cmd *cobra.Command, _ []string) error {
	return omniscope.Usagef("name the %s first: %s; see `%s --help`", noun(cmd), strings.Join(commandNames(cmd), ", "), cmd.CommandPath())
}

// flagError explains why flags cannot be read.
func flagError(cmd *cobra.Command, err error) error {
	see := fmt.Sprintf("; `%s --help` lists the flags", cmd.CommandPath())
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if now := synonym(cmd, unknown.GetSpecifiedName()); now != "" {
			return omniscope.Usagef("there is no flag --%s: %s", unknown.GetSpecifiedName(), now)
		}
		names := flagNames(cmd)
		if having := commandsWith(cmd, unknown.GetSpecifiedName()); len(having) > 0 {
			if !hasOwnFlags(cmd) || len(having) > 3 {
				return omniscope.Usagef("name the %s first: %s", noun(cmd), strings.Join(commandNames(cmd), ", "))
			}
			return omniscope.Usagef("%v; it is a flag of %s", err, strings.Join(having, " and "))
		}
		if cmd != cmd.Root() && !hasOwnFlags(cmd) {
			names = allFlags(cmd)
		}
		hint := spelling.FlagHint(unknown.GetSpecifiedName(), names)
		if hint != "" {
			see = ""
		}
		return omniscope.Usagef("%v%s%s", err, hint, see)
	}
	if text := valueError(err); strings.HasPrefix(text, "invalid argument") {
		return omniscope.Usagef("%s%s", text, see)
	} else { // a reference of a model, which names its own remedy
		return omniscope.Usagef("%s", text)
	}
}

// commandsWith returns the commands directly below a command that have a flag, as they are typed.
func commandsWith(cmd *cobra.Command, flag string) (having []string) {
	if cmd == cmd.Root() {
		return nil
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && (sub.LocalFlags().Lookup(flag) != nil || len(flag) == 1 && sub.LocalFlags().ShorthandLookup(flag) != nil) {
			having = append(having, "`"+sub.CommandPath()+"`")
		}
	}
	return having
}

// hasOwnFlags reports whether a command with commands below it works by itself, too.
func hasOwnFlags(cmd *cobra.Command) (own bool) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) { own = own || f.Name != "help" })
	return own
}

// valueError says what a flag wants, rather than which function refused it.
func valueError(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	var own *omniscope.Error // its text has no secret; the value may have one
	if errors.As(bad.Unwrap(), &own) {
		return fmt.Sprintf("--%s: %v", bad.GetFlag().Name, own)
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

// allFlags are the names of the flags of a command and of all below it.
func allFlags(cmd *cobra.Command) (names []string) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	for _, sub := range cmd.Commands() {
		names = append(names, allFlags(sub)...)
	}
	return names
}
