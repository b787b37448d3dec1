package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/internal/ondisk"
	"omniscope/results"
	"omniscope/session"
)

// aboutRuns describes in help how a run is named.
const aboutRuns = `RUN is a folder with the results of run or eval, the name of a system that has one run below --work-dir, or latest,
the run there that ended last.`

// namedRuns is the flag of commands that read runs.
type namedRuns struct{ WorkDir string }

func (n *namedRuns) addFlags(f *pflag.FlagSet) {
	f.StringVar(&n.WorkDir, "work-dir", session.DefaultWorkDir, "folder below which runs are looked for by name")
}

// folders returns the folders of runs by their names, and warns of files among them if at least so many folders remain.
func (n *namedRuns) folders(cmd *cobra.Command, least int, names []string) ([]string, error) {
	f := results.Finder{WorkDir: n.WorkDir}
	dirs, err := f.Folders(cmd.Context(), least, names...)
	warn(cmd, printables(f.LeftOut)...)
	return dirs, err
}

// paths returns files and folders as they are, and the folders of runs that are named otherwise.
func (n *namedRuns) paths(cmd *cobra.Command, names []string) ([]string, error) {
	paths := slices.Clone(names)
	for i, name := range names {
		if ondisk.Exists(name) {
			continue
		}
		dirs, err := n.folders(cmd, 1, []string{name})
		if err != nil {
			return nil, err
		}
		paths[i] = dirs[0]
	}
	return paths, nil
}

// open opens the results of runs by their names.
func (n *namedRuns) open(cmd *cobra.Command, names []string) ([]*results.Run, error) {
	dirs, err := n.folders(cmd, 1, names)
	if err != nil {
		return nil, err
	}
	return openRuns(cmd.Context(), dirs)
}

// openRuns opens the results of runs in folders.
func openRuns(ctx context.Context, dirs []string) (runs []*results.Run, err error) {
	for _, dir := range dirs {
		run, err := results.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// atLeastOneRun checks the arguments of commands on runs.
func atLeastOneRun(cmd *cobra.Command, names []string) error {
	return checkRules([]rule{{len(names) == 0, fmt.Sprintf("%s takes runs: folders, names of systems, or latest; see `%[1]s --help`", cmd.CommandPath())}})
}
