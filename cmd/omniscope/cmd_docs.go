package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/session/catalog"
	"omniscope/session/config"
)

// configDocs prints a commented omniscope.yaml.
const configDocs = "config"

func newDocs() *cobra.Command {
	var man string
	var asJSON bool
	names := append(slices.Clone(catalog.ListNames), configDocs)
	cmd := &cobra.Command{
		Use:   "docs [" + strings.Join(names, "|") + "] [PROFILE]",
		Short: "Print the reference, and lists: models, profiles, metrics, tools",
		Long: `Print the reference of all commands and flags as Markdown, or write it as manual pages (--man). With the name of a list,
print that list: models are the providers, how to name their models, whose key they take, and the settings behind a model.
docs config prints a commented omniscope.yaml and all settings of commands. docs profile NAME prints one profile, which describes how a class of models is asked, and checks a file of your own. --json without a name
prints all lists, as objects with "name", "columns" and "rows".`,
		Example: `  omniscope docs models
  omniscope docs profile qwen3-omni
  omniscope docs --man ~/.local/share/man/man1`,
		Args:      checkLists,
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			switch {
			case man != "":
				return manualPages(cmd.Root(), man)
			case len(args) == 2:
				return showProfile(cmd, args[1], asJSON)
			case len(args) == 1 && args[0] == configDocs:
				fmt.Fprint(out, config.Sample, "\n# All settings:\n")
				allSettings(cmd.Root(), func(name, _, usage string) {
					first, _, _ := strings.Cut(usage, ". ")
					fmt.Fprintf(out, "#  %-20s %s\n", name, first)
				})
				return nil
			case len(args) == 1 || asJSON:
				return showLists(cmd, args, asJSON)
			}
			fmt.Fprint(out, "# Commands\n\nMade by `omniscope docs`; a test keeps it true.\n")
			reference(out, cmd.Root())
			fmt.Fprint(out, "\n## Settings\n\nNo command lists these as flags. Set them with `--set NAME=VALUE`, a variable such as `OMNISCOPE_ENDPOINT_WAIT`, or under `settings:` in\nomniscope.yaml.\n\n| setting | default | what |\n|---|---|---|\n")
			allSettings(cmd.Root(), func(name, value, usage string) {
				fmt.Fprintf(out, "| `%s` | %s | %s |\n", name, shownDefault(value), strings.ReplaceAll(usage, "|", `\|`))
			})
			return nil
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "folder to write a manual page for each command to (default: print Markdown)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print lists as JSON")
	return cmd
}

// checkLists refuses names that are not lists.
func checkLists(_ *cobra.Command, args []string) error {
	names := catalog.ListNames
	switch {
	case len(args) == 0:
		return nil
	case len(args) == 1 && args[0] == configDocs:
		return nil
	case args[0] == "judges" || args[0] == "providers":
		return omniscope.Usagef("no list %q; did you mean models?", args[0])
	case !slices.Contains(names, args[0]):
		return omniscope.Usagef("no list %q%s: %s", args[0], spelling.Among(args[0], names), strings.Join(names, ", "))
	case len(args) > 2 || len(args) == 2 && args[0] != catalog.ProfileList:
		return omniscope.Usagef("docs %s takes no argument, got %q; only docs %s NAME does", args[0], args[1], catalog.ProfileList)
	}
	return nil
}

// showLists prints the named list, or all.
func showLists(cmd *cobra.Command, names []string, asJSON bool) error {
	lists, err := catalog.Lists(cmd.Context())
	if err != nil {
		return err
	}
	if len(names) > 0 {
		if names[0] == "models" && !asJSON {
			names = append(slices.Clone(names), catalog.SettingsList)
		}
		lists = slices.DeleteFunc(lists, func(l catalog.List) bool { return !slices.Contains(names, l.Name) })
	}
	if asJSON {
		return outfile.JSON(documentOut(cmd), lists)
	}
	for _, l := range lists {
		printList(cmd, l)
	}
	return nil
}

// allSettings calls do for each setting of all commands once, in the order of their names.
func allSettings(root *cobra.Command, do func(name, value, usage string)) {
	all := make(map[string]*pflag.Flag)
	_ = eachCommand(root, func(cmd *cobra.Command) error {
		for _, f := range settingsOf(cmd) {
			if all[f.Name] == nil {
				all[f.Name] = f
			}
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(all)) {
		do(name, all[name].DefValue, strings.ReplaceAll(all[name].Usage, "\n", " "))
	}
}

// showProfile checks a profile and prints its file.
func showProfile(cmd *cobra.Command, name string, asJSON bool) error {
	p, err := predict.LoadProfile(cmd.Context(), name)
	if err != nil {
		return err
	}
	if asJSON {
		return outfile.JSON(documentOut(cmd), p)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "# %s: %s\n# asked by %s\n%s", p.Name, p.About, p.AskedBy(), p.Text())
	return err
}

// reference prints a command and those below it.
func reference(w io.Writer, cmd *cobra.Command) {
	if cmd.Hidden || cmd.Name() == "help" || cmd.Name() == "completion" {
		return
	}
	fmt.Fprintf(w, "\n## %s\n\n", cmd.CommandPath())
	if cmd.Runnable() {
		fmt.Fprintf(w, "`%s`\n\n", cmd.UseLine())
	}
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(w, "%s\n", text)
	if cmd.Example != "" {
		fmt.Fprintf(w, "\n```\n%s\n```\n", strings.TrimRight(cmd.Example, "\n"))
	}
	flags(w, cmd.LocalNonPersistentFlags())
	if cmd.HasAvailablePersistentFlags() {
		fmt.Fprintf(w, "\nAll commands have these flags:\n")
		flags(w, cmd.PersistentFlags())
	}
	for _, sub := range cmd.Commands() {
		reference(w, sub)
	}
}

func flags(w io.Writer, set *pflag.FlagSet) {
	header := "\n| flag | default | what |\n|---|---|---|\n"
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		usage := strings.NewReplacer("\n", " ", "|", `\|`).Replace(f.Usage)
		fmt.Fprintf(w, "%s| `%s` | %s | %s |\n", header, name, shownDefault(f.DefValue), usage)
		header = ""
	})
}

func shownDefault(value string) string {
	if value == "" || value == "[]" || value == "false" {
		return ""
	}
	return "`" + value + "`"
}
