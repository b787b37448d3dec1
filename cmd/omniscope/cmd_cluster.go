package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/session/catalog"
	"omniscope/session/fleet"
)

func newCluster() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "cluster",
		Short: "Look at the machines that share a journal",
		RunE:  needsCommand,
	}, newClusterCheck())
}

func newClusterCheck() *cobra.Command {
	var at place
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check --journal postgres://USER@HOST/DATABASE",
		Short: "Say how the database is, who works with it, and what keeps runs from being done",
		Long: `Look at the database of a journal and at all that work with it: connections, clocks, calls that are being
made, workers with their versions, programs and media folders, and the parts of runs that wait for them. Exit
code 1 if something keeps runs from being done, or from being done alike everywhere.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := fleet.Check(cmd.Context(), at.String(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if asJSON {
				err = outfile.JSON(cmd.OutOrStdout(), c)
			} else {
				showCluster(cmd, &c)
			}
			if err == nil && len(c.Trouble) > 0 {
				err = omniscope.Invalidf("%d things to fix, as listed", len(c.Trouble))
			}
			return err
		},
	}
	at.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was found as JSON")
	return cmd
}

func showCluster(cmd *cobra.Command, c *fleet.State) {
	out := cmd.OutOrStdout()
	for _, line := range c.Summary() {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintln(out)
	workers := catalog.List{Columns: []string{"worker", "version", "machine", "units", "queues", "programs", "media"}}
	for _, w := range c.Workers {
		workers.Rows = append(workers.Rows, []string{w.Name, w.Version, fmt.Sprintf("%s, %d CPUs", w.System, w.CPUs), strconv.Itoa(w.Units), strings.Join(w.Queues, ", "), strings.Join(w.Programs, ", "), strings.Join(w.Media, ", ")})
	}
	if len(workers.Rows) > 0 {
		printList(cmd, workers)
	} else {
		fmt.Fprintln(out, "no worker is alive")
	}
	parts := catalog.List{Columns: []string{"run", "units waiting", "being done", "given up"}}
	for _, p := range c.Parts {
		working := 0
		for _, units := range p.Working {
			working += units
		}
		parts.Rows = append(parts.Rows, []string{p.Run, strconv.Itoa(p.Waiting), strconv.Itoa(working), strconv.Itoa(p.Given)})
	}
	if len(parts.Rows) > 0 {
		printList(cmd, parts)
	}
	for _, note := range c.Notes {
		fmt.Fprintln(out, "note:", visible.Line(note))
	}
	for _, trouble := range c.Trouble {
		fmt.Fprintln(out, "to fix:", visible.Line(trouble))
	}
}
