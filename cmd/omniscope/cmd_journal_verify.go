package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"omniscope/internal/visible"
	"omniscope/run/journal"
	"omniscope/run/journal/sqlite"
	"omniscope/session"
)

func newJournalVerify() *cobra.Command {
	var at place
	cmd := &cobra.Command{
		Use:   "verify [RUN]",
		Short: "Check that remembered calls are what was written down",
		Long: `Check the file as a whole (SQLite's own check), every call of a run or of all against its checksum,
and the texts of the requests. What is damaged is listed, and the exit code is then 1.

The checksums find accidents and edits by hand. They are no protection against somebody who means
to deceive.`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: onJournal(&at, func(cmd *cobra.Command, args []string, s journal.Store) error {
			var run journal.Run // no name: all runs are checked
			if len(args) > 0 {
				var err error
				if run, err = journal.FindRun(cmd.Context(), s, args[0]); err != nil {
					return err
				}
			}
			sum, err := journal.Verify(cmd.Context(), s, run.Name, func(f journal.Finding) {
				fmt.Fprintln(cmd.OutOrStdout(), visible.Line(f.String()))
			})
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), sum)
			return sum.Err()
		}),
	}
	at.add(cmd)
	return cmd
}

func newJournalRecover() *cobra.Command {
	var workDir, out string
	cmd := &cobra.Command{
		Use:   "recover",
		Short: "Save what can be read of a damaged journal into a new one",
		Long: `Save every answer that can be read in WORK-DIR/journal into a new journal, with its run and its
request's text, and say what was lost. The old journal is left as it is. Calls whose checksum
differs are not saved.

Then use the new one: give --work-dir FOLDER to the commands.`,
		Example: `  omniscope journal recover --out saved
  omniscope journal show --work-dir saved`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" {
				out = filepath.Clean(workDir) + "-recovered"
			}
			r, err := sqlite.Recover(cmd.Context(), session.JournalDir(workDir), session.JournalDir(out))
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), r)
			return err
		},
	}
	addWorkDir(cmd.Flags(), &workDir)
	cmd.Flags().StringVarP(&out, "out", "o", "", "working folder of the new journal (default: WORK-DIR-recovered)")
	return cmd
}
