package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/internal/settings"
	"omniscope/internal/spelling"
	"omniscope/model/ref"
	"omniscope/session/config"
)

// setByProject is the annotation of flags that omniscope.yaml set: the file, and "above" if it is in a folder above.
const setByProject = "omniscope_set_by_project"

// resolve reads a reference. file is the file with the settings of its model; zero = the command line.
func resolve(text string) (r ref.Ref, file environ.Source, err error) {
	if r, err = ref.Parse(text); err != nil {
		return r, file, err
	}
	ctx := context.Background() // flags are read before a command runs
	project, err := config.Nearest(ctx)
	if err != nil {
		return r, file, err
	}
	name := "the model " + r.Shown()
	r, at, err := project.Resolve(ctx, r)
	if at != "" {
		file = environ.Source{Name: name, File: at, Above: project != nil && at == project.Path && project.Above}
	}
	return r, file, err
}

// isSystem reports whether omniscope.yaml defines a system of a name. What is wrong with the file, resolve says.
func isSystem(name string) bool {
	project, err := config.Nearest(context.Background())
	if err != nil {
		return false
	}
	_, ok := project.System(name)
	return ok
}

// flagsFromProject sets the flags that neither the command line nor the environment sets by the defaults and settings of
// omniscope.yaml, and says which.
func flagsFromProject(cmd *cobra.Command) error {
	project, err := config.Nearest(cmd.Context())
	if err != nil || project == nil {
		return err
	}
	known := allFlags(cmd.Root())
	var taken []string
	for _, s := range slices.Concat(project.Defaults, project.Settings) {
		where := fmt.Sprintf("%s: line %d: %s", project.Path, s.Line, s.Name)
		if s.Name == "set" {
			return omniscope.Usagef("%s: write each setting under settings:, such as settings: {endpoint-wait: 2m}", where)
		}
		if !slices.Contains(known, s.Name) {
			return omniscope.Usagef("%s: no command has this flag%s", where, spelling.Hint(s.Name, known))
		}
		if !environ.MayBeInFile(environ.Variable(s.Name)) {
			return omniscope.Usagef("%s: a file may not set it, since it starts programs, sends keys or overwrites files: give it on the command line", where)
		}
		set, err := setFromProject(cmd, project, s)
		if err != nil {
			return omniscope.Usagef("%s: %s", where, valueError(err))
		}
		if set {
			taken = append(taken, s.Name+" "+strings.Join(s.Values, ","))
		}
	}
	if len(taken) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "from %s: %s\n", project.Path, printable(strings.Join(taken, "; ")))
	}
	return nil
}

// setFromProject sets a flag that the command has and nothing else has set.
func setFromProject(cmd *cobra.Command, project *config.File, s settings.Setting) (bool, error) {
	f := cmd.Flags().Lookup(s.Name)
	if f == nil || f.Changed || otherName(cmd, f).Changed || os.Getenv(environ.Variable(s.Name)) != "" {
		return false, nil
	}
	for _, value := range s.Values {
		if err := cmd.Flags().Set(s.Name, value); err != nil {
			return false, err
		}
	}
	at := []string{project.Path}
	if project.Above {
		at = append(at, "above")
	}
	return true, cmd.Flags().SetAnnotation(s.Name, setByProject, at)
}

// projectSource is the source of a flag that omniscope.yaml set.
func projectSource(f *pflag.Flag) (environ.Source, bool) {
	at := f.Annotations[setByProject]
	if len(at) == 0 {
		return environ.Source{}, false
	}
	return environ.Source{Name: f.Name, File: at[0], Above: len(at) > 1}, true
}
