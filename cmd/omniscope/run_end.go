package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/results/compare"
	"omniscope/session"
	"omniscope/session/eval"
	"omniscope/session/predict"
)

// conclude prints the end of a run: scores, failures, what the entire command took, where the results are, and what to run next.
func (o *runOptions) conclude(cmd *cobra.Command, done *scoredAnswers, shared *session.Shared) error {
	to := cmd.OutOrStdout()
	if o.eval.JSON {
		to = cmd.ErrOrStderr()
	}
	fmt.Fprintln(to)
	for _, r := range done.results {
		concludeScores(to, o.eval.info, r, len(done.results) > 1)
	}
	concludeAnswers(to, done.Summary)
	for _, r := range done.results {
		line(to, "judging", eval.Failures(r))
	}
	line(to, "took", tookText(shared))
	o.concludePlace(to, done)
	return nil
}

func line(to io.Writer, label, text string) {
	if text != "" {
		fmt.Fprintf(to, "%-9s  %s\n", label, text)
	}
}

// concludeScores prints the scores of the headline.
func concludeScores(to io.Writer, info bench.Info, r *document.Results, several bool) {
	for _, d := range info.Metric.Scores {
		s, ok := r.Headline.Scores[d.Name]
		if !ok || s.Value == nil {
			continue
		}
		text := fmt.Sprintf("%s %s, n %d, %s", compare.Heading(d), compare.Scored(d, s), s.N, r.Headline.Scoring)
		if several {
			text += ", judged by " + r.Judge.Shown()
		}
		line(to, "score", text)
	}
}

// concludeAnswers prints how many samples were answered, and the commonest reason why others were not.
func concludeAnswers(to io.Writer, s *predict.Summary) {
	line(to, "answers", fmt.Sprintf("%d of %d samples", len(s.Words), s.Samples))
	line(to, "failures", s.Failures())
}

func tookText(shared *session.Shared) string {
	if text := shared.Spent(); text != "" {
		return text
	}
	return "no calls"
}

// concludePlace prints where the results are, and a command to run next.
func (o *runOptions) concludePlace(to io.Writer, done *scoredAnswers) {
	if len(done.scored) == 0 {
		line(to, "answers in", done.File)
		line(to, "next", strings.Join(o.evalCommand(done.Summary), " "))
		return
	}
	var dirs []string
	for _, r := range done.scored {
		dirs = append(dirs, r.Dir)
	}
	line(to, "folder", strings.Join(dirs, " "))
	if len(dirs) > 1 {
		line(to, "next", "omniscope compare "+strings.Join(dirs, " "))
		return
	}
	line(to, "next", "omniscope view "+filepath.Dir(dirs[0]))
}

// evalCommand is the command that scores the answers.
func (o *runOptions) evalCommand(s *predict.Summary) []string {
	return []string{"omniscope eval", o.predict.spec.Benchmark, "--data", o.predict.spec.Data, "--predictions", s.File}
}
