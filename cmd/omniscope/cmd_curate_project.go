package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/curate"
	"omniscope/internal/outfile"
	"omniscope/internal/version"
	"omniscope/people"
	"omniscope/results/report"
)

func newCurateInit() *cobra.Command {
	var recipe string
	cmd := &cobra.Command{
		Use:   "init PROJECT",
		Short: "Make a project's folder with a file to fill in",
		Long: `Make a folder for a benchmark that is built step by step, with a file curate.yaml that names the steps, the sources, and the
flags that the steps' commands get. Recipes: ` + strings.Join(curate.RecipeNames, ", ") + `.`,
		Example: `  omniscope curate init harbour --recipe omni-cloze`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := curate.OpenRecipe(recipe)
			if err != nil {
				return err
			}
			if err := curate.Init(args[0], r); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "made %s: fill it in, and do the first steps with\n  omniscope curate run %s\n", printable(filepath.Join(args[0], curate.File)), printable(args[0]))
			return err
		},
	}
	cmd.Flags().StringVar(&recipe, "recipe", "omni-cloze", "how the benchmark is built: "+strings.Join(curate.RecipeNames, ", "))
	return cmd
}

func newCurateStatus() *cobra.Command {
	var o tablesOut
	cmd := &cobra.Command{
		Use:     "status PROJECT",
		Short:   "Show how far each step is, and how many items went on from it",
		Long:    `Show how far each step of a project is, how many items went on from it and how many did not, and who is waited for.`,
		Example: `  omniscope curate status harbour`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := curate.Open(args[0])
			if err != nil {
				return err
			}
			c := report.Comparison{Schema: "omniscope/curate-status/1", Title: "Steps of " + filepath.Base(filepath.Clean(args[0])), Warnings: []string{}}
			files := []tableFile{
				{"status.md", func(to io.Writer) error { return c.Markdown(to) }},
				{"status.json", func(to io.Writer) error { return outfile.JSON(to, c) }},
			}
			if err := o.check(files); err != nil {
				return err
			}
			table, err := p.Status(cmd.Context(), curateProgram{cmd})
			if err != nil {
				return err
			}
			c.Tables = []omniscope.Table{table}
			return o.show(cmd, c, files)
		},
	}
	o.addFlags(cmd.Flags(), "status.md", "status.json")
	return cmd
}

// curateProgram is this program, as projects use it.
type curateProgram struct{ cmd *cobra.Command }

// Flags is for the steps of a project.
func (curateProgram) Flags(command string) (names []string, err error) {
	c, _, err := newRoot(nil, nil).Find(strings.Fields(command))
	if err != nil {
		return nil, err
	}
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return names, nil
}

// Do is for the steps of a project.
func (p curateProgram) Do(ctx context.Context, args []string) error {
	root := newRoot(p.cmd.OutOrStdout(), p.cmd.ErrOrStderr())
	root.SetIn(p.cmd.InOrStdin())
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

// People is for the steps of a project.
func (curateProgram) People(ctx context.Context, dir string) (*people.Workplace, error) {
	var l peoplePlace
	return l.look(ctx, dir)
}

// Version is for the steps of a project.
func (curateProgram) Version() string { return version.Program() }

func newCurateRun() *cobra.Command {
	o := &curate.Run{}
	cmd := &cobra.Command{
		Use:   "run PROJECT [STEP]",
		Short: "Do the next steps of a project, until people are waited for",
		Long: `Do the steps of a project that are not done, one after another, or those up to STEP. Each is a command of omniscope, which
--dry-run shows, and which goes on from where an earlier one was interrupted: run the same command again after any crash.
Where people have to work, it stops and says how; once they are done, the same command goes on.

A step whose settings changed after it was done, or that rests on one that was done again, is not done again by itself:
--redo STEP puts its results aside, below PROJECT/put-aside, and does it anew.

A step of which single items failed is not done: run the same command again, and only they are tried again. Where that does not
help, --accept-failures STEP goes on without them.`,
		Example: `  omniscope curate run harbour
  omniscope curate run harbour draft
  omniscope curate run harbour --redo draft`,
		Args: checkedArgs(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				o.Until = args[1]
			}
			o.Program, o.Out, o.ErrOut = curateProgram{cmd}, cmd.OutOrStdout(), cmd.ErrOrStderr()
			var err error
			if o.Project, err = curate.Open(args[0]); err != nil {
				return err
			}
			return o.Do(cmd.Context())
		},
	}
	cmd.Flags().StringVar(&o.Redo, "redo", "", "step to do again; its results are put aside")
	cmd.Flags().StringVar(&o.Accept, "accept-failures", "", "step that counts as done although it failed: items that it did not write are left out")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "show the commands of the steps that are not done, and stop")
	return cmd
}

func newCurateExport() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:     "export PROJECT --out DIR",
		Short:   "Copy a project's results to a folder",
		Long:    `Copy the results of a project whose steps are all done to a folder of its own: the released files, without the project's.`,
		Example: `  omniscope curate export harbour --out harbour-cloze`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return omniscope.Usagef("name the folder with --out")
			}
			p, err := curate.Open(args[0])
			if err != nil {
				return err
			}
			names, err := p.Export(out)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", printable(out), printable(strings.Join(names, " ")))
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder, empty or not there yet")
	return cmd
}

func newCurateTrace() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "trace PROJECT [ITEM...]",
		Short: "Show what each step wrote of an item: where it comes from, what was seen, who agreed",
		Long: `Show all that the steps of a project wrote of items, a line of JSON for each item with the lines of the steps' files, from the
source to the decision of people; of all items where none is named.`,
		Example: `  omniscope curate trace harbour clip-7
  omniscope curate trace harbour --out provenance.jsonl`,
		Args: checkedArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := curate.Open(args[0])
			if err != nil {
				return err
			}
			traces, err := p.Traces(args[1:])
			if err != nil {
				return err
			}
			write := func(to io.Writer) error { return jsonLines(to, slices.Values(traces)) }
			if out == "" {
				return write(documentOut(cmd))
			}
			return outfile.Write(out, write)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write to (default: print)")
	return cmd
}
