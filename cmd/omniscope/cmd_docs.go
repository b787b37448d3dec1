package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newDocs() *cobra.Command {
	man := ""
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Print the reference of all commands and flags as Markdown, or write manual pages",
		Example: `  omniscope docs
  omniscope docs --man ~/.local/share/man/man1`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if man != "" {
				return manualPages(cmd.Root(), man)
			}
			out := cmd.OutOrStdout()
			fmt.Fprint(out, "# Commands\n\nMade by `omniscope docs`; a test keeps it true.\n")
			reference(out, cmd.Root())
			return nil
		},
	}
	cmd.Flags().StringVar(&man, "man", "", "folder to write a manual page for each command to (default: print Markdown)")
	return cmd
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
