package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/session/catalog"
)

// flagSource says who set a flag: the command line, a variable or omniscope.yaml.
func flagSource(f *pflag.FlagSet, name string) environ.Source {
	if flag := f.Lookup(name); flag != nil {
		if source, ok := projectSource(flag); ok {
			return source
		}
		if by := flag.Annotations[setByVariable]; len(by) > 0 {
			return environ.SourceOf(by[0])
		}
	}
	return environ.Source{Name: "--" + name}
}

const setByVariable = "omniscope_set_by_variable"

// mayBeInDotEnv reports whether a .env may set a variable.
func mayBeInDotEnv(name string) bool {
	return environ.MayBeInFile(name) || slices.ContainsFunc(catalog.Providers, func(p catalog.Provider) bool {
		return slices.Contains(p.Variables(), name)
	})
}

// settingsMatter is false for commands that only tell about the program: no
// setting keeps them from doing so.
func settingsMatter(cmd *cobra.Command) bool {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return !slices.Contains([]string{"docs", "help", "version", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, cmd.Name())
}

// readEnvironment reads the nearest .env and sets the flags that the command
// line leaves alone.
func readEnvironment(cmd *cobra.Command) error {
	if !settingsMatter(cmd) {
		environ.WarnUnknown(cmd.ErrOrStderr(), func() []string { return allFlags(cmd.Root()) }) // of the environment alone
		environ.Load(io.Discard, mayBeInDotEnv)
		return flagsFromEnv(cmd, func(name string) bool { return environ.SourceOf(name).File == "" })
	}
	environ.Load(cmd.ErrOrStderr(), mayBeInDotEnv)
	environ.WarnUnknown(cmd.ErrOrStderr(), func() []string { return allFlags(cmd.Root()) })
	if err := flagsFromEnv(cmd, func(string) bool { return true }); err != nil {
		return err
	}
	return flagsFromProject(cmd)
}

// flagsFromEnv sets the flags that the command line leaves alone from
// OMNISCOPE_<FLAG>. A value that cannot be used is an error if strict says so of
// the variable.
func flagsFromEnv(cmd *cobra.Command, strict func(name string) bool) error {
	var bad error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := environ.Variable(f.Name)
		value, ok := os.LookupEnv(name)
		if !ok || value == "" || f.Changed || bad != nil || otherName(cmd, f).Changed {
			return
		}
		if f.Name == "set" { // it was applied before; each setting has a variable of its own
			bad = omniscope.Usagef("%s is not read: set the variable of the setting, such as OMNISCOPE_ENDPOINT_WAIT=2m", name)
			return
		}
		err := cmd.Flags().Set(f.Name, value)
		if err == nil {
			err = cmd.Flags().SetAnnotation(f.Name, setByVariable, []string{name})
		}
		if err != nil && strict(name) {
			where := ""
			if s, line := environ.Line(name); s.File != "" {
				where = fmt.Sprintf("%s:%d: ", s.File, line)
			}
			bad = omniscope.Usagef("%s%s=%q: %s", where, name, value, valueError(err))
		}
	})
	return bad
}
