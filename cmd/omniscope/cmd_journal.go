package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/session"
	"omniscope/store"
)

func newJournal() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "journal",
		Short: "Look at remembered calls, check and save them, recompute scores from them, export them",
		Long: `The journal holds every call that was made: what was asked, what came back, from whom, when,
and what it cost. It lies in WORK-DIR/journal. A run is named by the start of its id.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newJournalShow(), newJournalReplay(), newJournalExport(), newJournalVerify(), newJournalRecover())
	return cmd
}

// onJournal is a RunE that opens the journal of a working folder.
func onJournal(workDir *string, do func(cmd *cobra.Command, args []string, s *store.Store) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := store.OpenExisting(session.JournalDir(*workDir))
		if err != nil {
			return err
		}
		return errors.Join(do(cmd, args, s), s.Close())
	}
}

func addWorkDir(cmd *cobra.Command, workDir *string) {
	cmd.Flags().StringVar(workDir, "work-dir", "omniscope-work", "folder of the journal and the runs")
}

func newJournalShow() *cobra.Command {
	var workDir, step string
	var failed, asJSON bool
	cmd := &cobra.Command{
		Use:   "show [RUN]",
		Short: "List the runs, a run's calls, or one call in full",
		Example: `  omniscope journal show
  omniscope journal show 3fa2 --failed
  omniscope journal show 3fa2 --step 0000001`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		PreRunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && (step != "" || failed) {
				return usagef("name the run whose calls to show; `omniscope journal show` lists the runs")
			}
			return nil
		},
		RunE: onJournal(&workDir, func(cmd *cobra.Command, args []string, s *store.Store) error {
			if len(args) == 0 {
				return showRuns(cmd, s, asJSON)
			}
			r, err := s.FindRun(cmd.Context(), args[0])
			switch {
			case err != nil:
				return err
			case asJSON:
				return s.WriteCalls(cmd.Context(), cmd.OutOrStdout(), r.Name, step, failed)
			case step != "":
				return showStep(cmd, s, r.Name, step)
			}
			return showCalls(cmd, s, r.Name, failed)
		}),
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().StringVar(&step, "step", "", "show this step's calls in full, such as a sample's uuid")
	cmd.Flags().BoolVar(&failed, "failed", false, "list only calls that brought no answer")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the runs, a run's calls, or with --step calls in full; docs/journal.md describes it")
	return cmd
}

func showRuns(cmd *cobra.Command, s *store.Store, asJSON bool) error {
	runs, err := session.ListRuns(cmd.Context(), s)
	if err != nil {
		return err
	}
	if asJSON {
		return outfile.JSON(cmd.OutOrStdout(), map[string]any{"schema": store.ListSchema, "runs": runs})
	}
	t := visible.NewTable(cmd.OutOrStdout(), "run", "begun", "calls", "answers", "failed", "tokens", "cost", "what", "of", "by")
	for _, r := range runs {
		calls, answers, cost := r.Calls, r.Answers, "?"
		if r.Calls == 0 { // tools cost nothing, and are shown where there is nothing else
			calls, answers, cost = r.Entries, r.Usable, ""
		}
		if r.CostUSD != nil {
			cost = fmt.Sprintf("$%.4f", *r.CostUSD)
		}
		t.AppendRow(table.Row{r.Run, r.Begun.Local().Format("2006-01-02 15:04:05"), calls, answers, calls - answers, r.TokensIn + r.TokensOut, cost,
			strings.TrimPrefix(r.Command, "eval "), shortList(r.What), visible.Line(r.By)})
	}
	t.Render()
	return nil
}

// shortList shortens a list of files to the name of the first.
func shortList(files []string) string {
	if len(files) == 0 {
		return ""
	}
	name, more, most := files[0], "", 40
	if filepath.IsAbs(name) {
		name = filepath.Base(name)
	}
	if len(files) > 1 {
		more, most = fmt.Sprintf(" and %d more", len(files)-1), 28
	}
	return visible.First(name, most) + more
}

func showCalls(cmd *cobra.Command, s *store.Store, run string, failedOnly bool) error {
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%-24s %7s  %-9s %-24s %8s %8s %9s  %s\n", "step", "attempt", "outcome", "answered by", "in", "out", "ms", "says")
	made := false
	for c, err := range s.Calls(cmd.Context(), run, "") {
		if err != nil {
			return err
		}
		made = true
		if failedOnly && c.Outcome == omniscope.OK {
			continue
		}
		r := session.AnswerOf(c)
		says := r.Text + r.Error
		if says == "" {
			says = "(" + r.Response().Problem() + ")"
		}
		fmt.Fprintf(out, "%-24s %7d  %-9s %-24s %8d %8d %9.0f  %s\n", visible.Line(c.Step), c.Attempt, c.Outcome, visible.Line(r.Answered),
			r.TokensIn, r.TokensOut, r.LatencyMS, visible.First(says, 60))
	}
	if !made {
		fmt.Fprintln(out, "This run rests on no call.")
	}
	return nil
}

// showStep prints each attempt of a step: what was asked and what came back.
func showStep(cmd *cobra.Command, s *store.Store, run, step string) error {
	out, found := cmd.OutOrStdout(), false
	for c, err := range s.Calls(cmd.Context(), run, step) {
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(out, "== %s, attempt %d: %s, %s, key %s, %s\n", visible.Line(c.Step), c.Attempt, c.Outcome,
			c.Started.Local().Format("2006-01-02 15:04:05.000"), c.Key, c.Source)
		fmt.Fprint(out, visible.Text(session.RequestText(c.Request)))
		r := session.AnswerOf(c)
		fmt.Fprintf(out, "-- answer: %s, %d + %d tokens, %.0f ms, %d tries %s\n%s\n\n", visible.Line(r.Answered), r.TokensIn, r.TokensOut,
			r.LatencyMS, r.Tries, visible.Line(string(r.Finish)), visible.Text(r.Text+r.Refusal+r.Error))
		if problem := r.Response().Problem(); problem != "" && r.Error == "" {
			fmt.Fprintf(out, "(%s)\n\n", visible.Line(problem))
		}
	}
	if !found {
		return s.NoStep(cmd.Context(), run, step)
	}
	return nil
}

func newJournalExport() *cobra.Command {
	var workDir, path string
	var force bool
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Write a run's calls, or all, as JSON Lines",
		Long: `Write calls as JSON Lines, one call a line: run, step, attempt, key, kind, source, outcome, started,
request (as asked, media by digest; null if lost) and result (as answered).`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: onJournal(&workDir, func(cmd *cobra.Command, args []string, s *store.Store) error {
			runs, err := s.Runs(cmd.Context())
			if len(args) > 0 {
				runs = make([]store.Run, 1)
				runs[0], err = s.FindRun(cmd.Context(), args[0])
			}
			if err != nil {
				return err
			}
			write := func(w io.Writer) error { return s.Export(cmd.Context(), w, runs, len(args) == 0) }
			if path == "" {
				return write(documentOut(cmd))
			}
			if !force {
				if err := outfile.Check(path, func(f io.Reader) bool { return store.IsExport(f, runs) }); err != nil {
					return err
				}
			}
			return outfile.Write(path, write)
		}),
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().StringVarP(&path, "out", "o", "", "file to write (default: standard output)")
	addForce(cmd.Flags(), &force)
	return cmd
}

func newJournalReplay() *cobra.Command {
	var workDir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Recompute a run's scores from its remembered answers, without any call",
		Long: `Read the run's inputs and its remembered answers again and recompute every score, without any
call. Exit code 1 if the inputs have changed since.`,
		Args: exactArgs(1),
		RunE: onJournal(&workDir, func(cmd *cobra.Command, args []string, s *store.Store) error {
			r, err := s.FindRun(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			results, info, err := session.Replay(cmd.Context(), s, r, thisProgram())
			if err != nil {
				return err
			}
			return errors.Join(printResults(cmd, asJSON, info, results), session.Verdict(info, results, 1))
		}),
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results document instead of the table")
	return cmd
}
