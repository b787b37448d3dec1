package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
	"omniscope/session/catalog"
)

func newList() *cobra.Command {
	var asJSON bool
	names := catalog.ListNames
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(names, "|") + "]",
		Short: "List what this binary holds",
		Long: `List what this binary holds, one kind at a time; without a name, which kinds there are. With --json
all that are named, or all: objects with "name", "columns" and "rows".`,
		Example: "  omniscope list benchmarks\n  omniscope list models --json",
		Args: func(cmd *cobra.Command, args []string) error {
			for _, name := range args {
				if !slices.Contains(names, name) {
					if name == "judges" || name == "providers" {
						return omniscope.Usagef("no list %q; did you mean models?", name)
					}
					return omniscope.Usagef("no list %q%s: %s", name, spelling.Among(name, names), strings.Join(names, ", "))
				}
			}
			return nil
		},
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			lists, err := catalog.Lists(cmd.Context())
			if err != nil {
				return err
			}
			if len(args) > 0 {
				lists = slices.DeleteFunc(lists, func(l catalog.List) bool { return !slices.Contains(args, l.Name) })
			}
			if asJSON {
				return outfile.JSON(documentOut(cmd), lists)
			}
			if len(args) == 0 {
				lists = []catalog.List{overview(lists)}
			}
			for _, l := range lists {
				printList(cmd, l)
			}
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "`omniscope list NAME` shows one, `omniscope models` the networks of BERTScore and COMET.")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// overview is the list of the lists.
func overview(lists []catalog.List) catalog.List {
	all := catalog.List{Columns: []string{"list", "entries", "what"}}
	for _, l := range lists {
		all.Rows = append(all.Rows, []string{l.Name, fmt.Sprint(len(l.Rows)), l.About})
	}
	return all
}

// listWidth is how wide a list is at most.
const listWidth = 100

func printList(cmd *cobra.Command, l catalog.List) {
	if l.Name != "" {
		fmt.Fprintln(cmd.OutOrStdout(), l.Name)
	}
	if l.Name == "models" {
		l = stacked(l) // four columns would be too narrow to read
	}
	t := visible.NewTable(cmd.OutOrStdout(), visible.Cells(l.Columns)...)
	t.SetColumnConfigs(visible.Wrap(listWidth, l.Columns, l.Rows))
	for _, row := range l.Rows {
		t.AppendRow(visible.Cells(row))
	}
	t.Render()
	fmt.Fprintln(cmd.OutOrStdout())
}

// stacked puts the cells of the last column below those before them.
func stacked(l catalog.List) catalog.List {
	last := len(l.Columns) - 1
	join := func(row []string) []string {
		below := append(slices.Clone(row[:last-1]), row[last-1]+"\n"+row[last])
		below[last-1] = strings.TrimSpace(below[last-1])
		return below
	}
	rows := make([][]string, len(l.Rows))
	for i, row := range l.Rows {
		rows[i] = join(row)
	}
	return catalog.List{Name: l.Name, Columns: join(l.Columns), Rows: rows}
}
