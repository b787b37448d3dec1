package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/outfile"
	"omniscope/run/journal"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/eval"
	"omniscope/session/journals"
)

func newJournal() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "journal",
		Short: "Show, check, export and replay remembered calls",
		Long: `The journal holds every call that was made: what was asked, what came back, from whom, when,
and what it cost. It lies in WORK-DIR/journal, or in a database (--journal). A run is named by the start of its id.`,
	}, newJournalShow(), newJournalReplay(), newJournalExport(), newJournalMerge(), newJournalPrune(), newJournalVerify(), newJournalRecover())
}

// A place is where a journal is, as flags say it.
type place struct{ workDir, journal string }

func (p *place) add(cmd *cobra.Command) {
	addWorkDir(cmd.Flags(), &p.workDir)
	addJournal(cmd.Flags(), &p.journal)
}

func (p *place) String() string { return session.JournalAt(p.workDir, p.journal) }

// onJournal is a RunE that opens a journal.
func onJournal(p *place, do func(cmd *cobra.Command, args []string, s journal.Store) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := journals.All.OpenExisting(cmd.Context(), p.String(), cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		return errors.Join(do(cmd, args, s), s.Close())
	}
}

func newJournalShow() *cobra.Command {
	var at place
	var step string
	var failed, asJSON bool
	cmd := &cobra.Command{
		Use:   "show [RUN]",
		Short: "List the runs, a run's calls, or one call in full",
		Example: `  omniscope journal show
  omniscope journal show 3fa2 --failed
  omniscope journal show 3fa2 --step 0000001`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		PreRunE: func(_ *cobra.Command, args []string) error {
			return checkRules([]rule{{len(args) == 0 && (step != "" || failed), "name the run to show; `omniscope journal show` lists the runs"}})
		},
		RunE: onJournal(&at, func(cmd *cobra.Command, args []string, s journal.Store) error {
			ctx, out := cmd.Context(), cmd.OutOrStdout()
			if len(args) == 0 {
				runs, err := runKinds.ListRuns(ctx, s)
				switch {
				case err != nil:
					return err
				case asJSON:
					return outfile.JSON(out, map[string]any{"schema": journal.ListSchema, "runs": runs})
				}
				session.WriteRuns(out, runs)
				return nil
			}
			r, err := journal.FindRun(ctx, s, args[0])
			switch {
			case err != nil:
				return err
			case asJSON:
				return journal.WriteCalls(ctx, s, out, r.Name, step, failed)
			case step != "":
				return session.WriteStep(ctx, out, s, r.Name, step)
			case caption.IsRun(r):
				return session.WriteInquiries(ctx, out, s, r.Name, failed)
			}
			return session.WriteCalls(ctx, out, s, r.Name, failed)
		}),
	}
	at.add(cmd)
	cmd.Flags().StringVar(&step, "step", "", "show this step's calls in full, such as a sample's uuid")
	cmd.Flags().BoolVar(&failed, "failed", false, "list only calls that brought no answer")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the runs, a run's calls, or with --step calls in full; docs/journal.md describes it")
	return cmd
}

func newJournalExport() *cobra.Command {
	var at place
	var path string
	var force bool
	cmd := &cobra.Command{
		Use:   "export [RUN]",
		Short: "Write a run's calls, or all, as JSON Lines",
		Long: `Write calls as JSON Lines, one call a line: run, step, attempt, key, kind, source, outcome, started,
request (as asked, media by digest; null if lost) and result (as answered).`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: onJournal(&at, func(cmd *cobra.Command, args []string, s journal.Store) error {
			runs, err := s.Runs(cmd.Context())
			if len(args) > 0 {
				runs = make([]journal.Run, 1)
				runs[0], err = journal.FindRun(cmd.Context(), s, args[0])
			}
			if err != nil {
				return err
			}
			write := func(w io.Writer) error { return journal.Export(cmd.Context(), s, w, runs, len(args) == 0) }
			if path == "" {
				return write(documentOut(cmd))
			}
			if !force {
				if err := outfile.Check(path, func(f io.Reader) bool { return journal.IsExport(f, runs) }); err != nil {
					return err
				}
			}
			return outfile.Write(path, write)
		}),
	}
	at.add(cmd)
	cmd.Flags().StringVarP(&path, "out", "o", "", "file to write (default: standard output)")
	addForce(cmd.Flags(), &force)
	return cmd
}

func newJournalReplay() *cobra.Command {
	var at place
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Recompute a run's scores or captions from its remembered answers, without any call",
		Long: `Read the run's inputs and its remembered answers again and recompute every score, without any
call. An investigation is gone through again: no tool looks at the clips, which have to be where they were, and no
model is asked. Exit code 1 if the inputs have changed since.`,
		Args: exactArgs(1),
		RunE: onJournal(&at, func(cmd *cobra.Command, args []string, s journal.Store) error {
			r, err := journal.FindRun(cmd.Context(), s, args[0])
			if err != nil {
				return err
			}
			if caption.IsRun(r) {
				return caption.Replay(cmd.Context(), s, r, func(report *detective.Report) error { return showReport(cmd, report, asJSON, "") })
			}
			results, info, err := eval.Replay(cmd.Context(), s, r, thisProgram())
			if err != nil {
				return err
			}
			return errors.Join(printResults(cmd, asJSON, info, results, false), eval.Verdict(info, results, 1))
		}),
	}
	at.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results document instead of the table; of an investigation, each report in a line")
	return cmd
}

func newJournalMerge() *cobra.Command {
	var at place
	var quiet bool
	cmd := &cobra.Command{
		Use:   "merge JOURNAL...",
		Short: "Copy what other journals remember into one",
		Long: `Copy the runs and calls of other journals into that of --work-dir or --journal: of the parts of a run
that several machines did (--shard), from a folder into a database, or back. A journal is named by its
working folder, its own folder, or the address of its database. What is there already is not copied again,
and the other journals stay as they are.`,
		Example: `  omniscope journal merge out/w-*
  omniscope journal merge omniscope-work --journal postgres://host/omniscope
  omniscope journal merge postgres://host/omniscope --work-dir here`,
		Args: atLeastOne("name the journals to copy from; see `omniscope journal merge --help`"),
		RunE: func(cmd *cobra.Command, args []string) error {
			sum, err := journals.Merge(cmd.Context(), at.String(), args, cmd.ErrOrStderr(), func(calls int) (func(int), func()) {
				p := startProgress(cmd.ErrOrStderr(), quiet, calls, nil)
				return p.Done, p.Stop
			})
			fmt.Fprintln(cmd.OutOrStdout(), sum)
			if err == nil && sum.Damaged > 0 {
				err = omniscope.Invalidf("%d damaged calls were left out: `omniscope journal verify` lists them", sum.Damaged)
			}
			return err
		},
	}
	at.add(cmd)
	addQuiet(cmd.Flags(), &quiet)
	return cmd
}
