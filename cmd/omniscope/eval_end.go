package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/results/leaderboard"
	"omniscope/session/eval"
)

// showEnd shows the scores once more, where the results of a run are, and why samples could not be judged.
func showEnd(cmd *cobra.Command, e *eval.Evaluation) error {
	fmt.Fprintln(cmd.OutOrStdout())
	concludeScores(cmd.OutOrStdout(), e.Info, e.Results, false)
	text := fmt.Sprintf("written to %s: %s\n", e.Dir, strings.Join(e.Results.Run.Files, " "))
	if failures := eval.Failures(e.Results); failures != "" {
		text += "failures   " + failures + "\n"
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), text)
	return err
}

// showNext shows the command to run next.
func (o *evalOptions) showNext(cmd *cobra.Command) error {
	if o.JSON || len(o.done) == 0 {
		return nil
	}
	next, dir := "view", o.done[0].Dir
	switch {
	case len(o.done) > 1:
		if dir = o.Out; dir == "" {
			dir = filepath.Dir(o.done[0].Dir)
		}
	case leaderboard.Has(o.info.Name):
		next = "leaderboard " + o.info.Name
	}
	if strings.ContainsAny(dir, " '\"$&;()") {
		dir = "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "next       omniscope %s %s\n", next, dir)
	return err
}
