package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/run/journal"
	"omniscope/session/journals"
)

func newJournalPrune() *cobra.Command {
	var at place
	var olderThan time.Duration
	var texts, yes bool
	cmd := &cobra.Command{
		Use:   "prune [RUN...]",
		Short: "Delete runs that are not needed any more, or the texts of their requests",
		Long: `Delete runs with what was paid for them, or with --texts only the texts of their requests, which can be made
again from the inputs: resume and replay need them not, only what was asked is then no longer shown. Answers that
other runs rest on stay. Runs are named by the start of their ids, or by --older-than.

Without --yes nothing is deleted, and it says what would be. Their answers cost money: merge them into another
journal first if in doubt.`,
		Example: `  omniscope journal prune 3fa2
  omniscope journal prune --older-than 2160h --texts --yes`,
		RunE: onJournal(&at, func(cmd *cobra.Command, args []string, s journal.Store) error {
			runs, err := prunable(cmd, s, args, olderThan)
			if err != nil {
				return err
			}
			sum, err := journals.Prune(cmd.Context(), at.String(), s, runs, texts, yes)
			if err != nil {
				return err
			}
			if yes {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "deleted:", sum)
			} else {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "would delete: %s; give --yes to do it\n", sum)
			}
			return err
		}),
	}
	at.add(cmd)
	f := cmd.Flags()
	f.DurationVar(&olderThan, "older-than", 0, "all runs that were begun longer ago than this, such as 720h")
	f.BoolVar(&texts, "texts", false, "delete only the texts of requests")
	f.BoolVar(&yes, "yes", false, "really delete")
	return cmd
}

// prunable are the runs that are named.
func prunable(cmd *cobra.Command, s journal.Store, named []string, olderThan time.Duration) (runs []string, err error) {
	if (len(named) == 0) == (olderThan == 0) {
		return nil, omniscope.Usagef("name the runs to delete, or give --older-than; `omniscope journal show` lists the runs")
	}
	for _, name := range named {
		r, err := journal.FindRun(cmd.Context(), s, name)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r.Name)
	}
	if olderThan == 0 {
		return runs, nil
	}
	all, err := s.List(cmd.Context())
	for _, r := range all {
		if time.Since(r.Created) > olderThan {
			runs = append(runs, r.Name)
		}
	}
	return runs, err
}
