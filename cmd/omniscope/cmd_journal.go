package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
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

// withJournal runs do on the journal of a working folder.
func withJournal(workDir string, do func(*store.Store) error) error {
	dir := filepath.Join(workDir, "journal")
	if !store.Exists(dir) {
		return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("there is no journal in %s; name the folder with --work-dir", dir)}
	}
	s, err := store.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(do(s), s.Close())
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
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 && (step != "" || failed) {
				return usagef("name the run whose calls to show; `omniscope journal show` lists the runs")
			}
			return withJournal(workDir, func(s *store.Store) error {
				if len(args) == 0 && asJSON {
					return showRunsJSON(cmd, s)
				}
				if len(args) == 0 {
					return showRuns(cmd, s)
				}
				r, err := findRun(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return showCallsJSON(cmd, s, r.Name, step, failed)
				}
				if step != "" {
					return showStep(cmd, s, r.Name, step)
				}
				return showCalls(cmd, s, r.Name, failed)
			})
		},
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().StringVar(&step, "step", "", "show this step's calls in full, such as a sample's uuid")
	cmd.Flags().BoolVar(&failed, "failed", false, "list only calls that brought no answer")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the runs, a run's calls, or with --step calls in full; docs/journal.md describes it")
	return cmd
}

func showRuns(cmd *cobra.Command, s *store.Store) error {
	runs, err := shownRuns(cmd, s)
	if err != nil {
		return err
	}
	t := visible.NewTable(cmd.OutOrStdout(), "run", "begun", "calls", "answers", "failed", "tokens", "cost", "what", "of", "by")
	for _, r := range runs {
		calls, answers, cost := r.Calls, r.Answers, "?"
		if r.Calls == 0 { // tools cost nothing, and are shown where there is nothing else
			calls, answers, cost = r.Entries, r.usable, ""
		}
		if r.CostUSD != nil {
			cost = fmt.Sprintf("$%.4f", *r.CostUSD)
		}
		what := strings.TrimPrefix(r.Command, "eval ")
		t.AppendRow(table.Row{r.Run, r.Begun.Local().Format("2006-01-02 15:04:05"), calls, answers, calls - answers, r.TokensIn + r.TokensOut, cost,
			what, printable(ofWhat(r.What)), printable(r.By)})
	}
	t.Render()
	return nil
}

// ofWhat shortens a list of files to one.
func ofWhat(files []string) string {
	switch len(files) {
	case 0:
		return ""
	case 1:
		return firstOf(lastPart(files[0]), 40)
	}
	return fmt.Sprintf("%s and %d more", firstOf(lastPart(files[0]), 28), len(files)-1)
}

// lastPart is a file's name without the folders of a whole path.
func lastPart(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Base(path)
	}
	return path
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
		r := resultOf(c)
		says := r.Text + r.Error
		if says == "" {
			says = "(" + r.Response().Problem() + ")"
		}
		fmt.Fprintf(out, "%-24s %7d  %-9s %-24s %8d %8d %9.0f  %s\n", visible.Line(c.Step), c.Attempt, c.Outcome, visible.Line(r.Answered),
			r.TokensIn, r.TokensOut, r.LatencyMS, visible.Line(firstOf(says, 60)))
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
		printRequest(out, c.Request)
		r := resultOf(c)
		fmt.Fprintf(out, "-- answer: %s, %d + %d tokens, %.0f ms, %d tries %s\n%s\n\n", visible.Line(r.Answered), r.TokensIn, r.TokensOut,
			r.LatencyMS, r.Tries, visible.Line(string(r.Finish)), visible.Text(r.Text+r.Refusal+r.Error))
		if problem := r.Response().Problem(); problem != "" && r.Error == "" {
			fmt.Fprintf(out, "(%s)\n\n", visible.Line(problem))
		}
	}
	if !found {
		return noStep(cmd.Context(), s, run, step)
	}
	return nil
}

func printRequest(out io.Writer, request []byte) {
	var r struct {
		Messages []struct {
			Role  string `json:"role"`
			Parts []struct {
				Kind, Text, Digest string
			} `json:"parts"`
		} `json:"messages"`
	}
	if err := json.Unmarshal(request, &r); err != nil {
		fmt.Fprintln(out, "-- the text of the request was lost")
		return
	}
	for _, m := range r.Messages {
		fmt.Fprintf(out, "-- %s\n", m.Role)
		for _, p := range m.Parts {
			if p.Kind == "text" {
				fmt.Fprintln(out, visible.Text(p.Text))
			} else {
				fmt.Fprintf(out, "[%s %s]\n", p.Kind, p.Digest)
			}
		}
	}
}

// firstOf shortens s to one line of at most n characters.
func firstOf(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n]) + "…"
	}
	return s
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
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJournal(workDir, func(s *store.Store) error {
				runs, err := runsToExport(cmd, s, args)
				if err != nil {
					return err
				}
				if path == "" {
					return exportRuns(cmd, s, runs, len(args) == 0, documentOut(cmd))
				}
				if !force {
					if err := outfile.Check(path, exportOf(runs)); err != nil {
						return err
					}
				}
				return outfile.Write(path, func(w io.Writer) error {
					return exportRuns(cmd, s, runs, len(args) == 0, w)
				})
			})
		},
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().StringVarP(&path, "out", "o", "", "file to write (default: standard output)")
	addForce(cmd.Flags(), &force)
	return cmd
}

// exportOf recognises an export of runs by the run of its first call.
func exportOf(runs []store.Run) func(io.Reader) bool {
	return func(f io.Reader) bool {
		var first exportedCall
		return json.NewDecoder(f).Decode(&first) == nil && first.Key != "" && slices.ContainsFunc(runs, func(r store.Run) bool { return r.Name == first.Run })
	}
}

func runsToExport(cmd *cobra.Command, s *store.Store, args []string) ([]store.Run, error) {
	if len(args) == 0 {
		return s.Runs(cmd.Context())
	}
	r, err := findRun(cmd.Context(), s, args[0])
	return []store.Run{r}, err
}

// An exportedCall is one line of an export.
type exportedCall struct {
	Run     string          `json:"run"`
	Step    string          `json:"step"`
	Attempt int             `json:"attempt"`
	Key     string          `json:"key"`
	Kind    string          `json:"kind"`
	Source  string          `json:"source"`
	Outcome string          `json:"outcome"`
	Started string          `json:"started"`
	Request json.RawMessage `json:"request"`
	Result  json.RawMessage `json:"result"`
}

// exportRuns writes the calls that runs rest on; with own, only those that each
// made itself, so that all runs together hold each call once.
func exportRuns(cmd *cobra.Command, s *store.Store, runs []store.Run, own bool, w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	damaged := 0
	for _, r := range runs {
		for c, err := range s.Calls(cmd.Context(), r.Name, "") {
			if err != nil {
				return err
			}
			if own && c.Run != r.Name {
				continue
			}
			if c.Damaged != nil {
				damaged++
				continue
			}
			if err := enc.Encode(exported(c)); err != nil {
				return err
			}
		}
	}
	if damaged > 0 {
		return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%d calls were changed after they were written, and are left out: `omniscope journal verify` lists them", damaged)}
	}
	return nil
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
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJournal(workDir, func(s *store.Store) error {
				r, err := findRun(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				results, info, err := session.Replay(cmd.Context(), s, r, thisProgram())
				if err != nil {
					return err
				}
				return errors.Join(printResults(cmd, asJSON, info, results), session.Verdict(info, results, 1))
			})
		},
	}
	addWorkDir(cmd, &workDir)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the results document instead of the table")
	return cmd
}
