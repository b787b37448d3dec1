package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/session"
	"omniscope/store"
)

func newJournalVerify() *cobra.Command {
	var workDir string
	cmd := &cobra.Command{
		Use:   "verify [RUN]",
		Short: "Check that remembered calls are what was written down",
		Long: `Check the file as a whole (SQLite's own check), every call of a run or of all against its checksum,
and the texts of the requests. What is damaged is listed, and the exit code is then 1.

The checksums find accidents and edits by hand. They are no protection against somebody who means
to deceive.`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJournal(workDir, func(s *store.Store) error {
				name := ""
				if len(args) > 0 {
					r, err := s.FindRun(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					name = r.Name
				}
				return verify(cmd, s, name)
			})
		},
	}
	addWorkDir(cmd, &workDir)
	return cmd
}

func verify(cmd *cobra.Command, s *store.Store, name string) error {
	out := cmd.OutOrStdout()
	var sum store.Verified
	found := 0
	for f, err := range s.Verify(cmd.Context(), name, &sum) {
		if err != nil {
			return err
		}
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		found++
		where := "the file"
		if f.Run != "" {
			where = "run " + f.Run
		}
		if f.ID > 0 {
			where += fmt.Sprintf(", call %d (%s)", f.ID, printable(f.Step))
		}
		fmt.Fprintf(out, "%s: %s\n", where, printable(f.What))
	}
	fmt.Fprintf(out, "checked %d calls and %d texts of requests", sum.Calls, sum.Requests)
	if sum.Without > 0 {
		fmt.Fprintf(out, "; %d calls of an older version carry no checksum", sum.Without)
	}
	if sum.Lost > 0 {
		fmt.Fprintf(out, "; %d texts of requests are lost, which harms no answer", sum.Lost)
	}
	fmt.Fprintln(out)
	if found > 0 {
		return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%d of them damaged: --ask-damaged asks again where a run needs such an answer; "+
			"`omniscope journal recover` saves all others into a new journal", found)}
	}
	return nil
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
			dir := session.JournalDir(workDir)
			if !store.Exists(dir) {
				return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("there is no journal in %s; name the folder with --work-dir", dir)}
			}
			if out == "" {
				out = filepath.Clean(workDir) + "-recovered"
			}
			r, err := store.Recover(cmd.Context(), dir, session.JournalDir(out))
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "saved %d calls (%d usable answers) of %d runs, with %d texts of requests, in %s\n", r.Calls, r.Answers, r.Runs, r.Requests, session.JournalDir(out))
			if r.Named > 0 {
				fmt.Fprintf(w, "of %d runs only calls were left: they are called recovered-N; their own commands find the answers all the same\n", r.Named)
			}
			fmt.Fprintf(w, "lost: %d calls that are not what was written down, %d numbers of calls without a trace (lost, or deleted before), %d texts of requests\n",
				r.Damaged, r.Missing, r.NoText)
			return nil
		},
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().StringVarP(&out, "out", "o", "", "working folder of the new journal (default: WORK-DIR-recovered)")
	return cmd
}
