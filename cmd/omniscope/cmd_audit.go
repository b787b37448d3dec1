package main

import (
	"io"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/claims"
	"omniscope/session/eval"
)

// newAudit is the command of the benchmark claims.
func newAudit() *cobra.Command {
	cmd, o := newEvalBenchmark(claims.New())
	cmd.Use = "audit CAPTIONS... --media FOLDER"
	cmd.Short = "Check the claims of captions against the clips"
	o.first = showOneAudit
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		args, err := o.takeClip(args)
		if err != nil {
			return err
		}
		return run(cmd, args)
	}
	return cmd
}

// takeClip takes the clip from the arguments of an audit of one caption, and returns the other arguments.
func (o *evalOptions) takeClip(args []string) ([]string, error) {
	inFolder, withText, last := o.flags.Changed("media"), o.flags.Changed("text"), len(args)-1
	switch {
	case withText && !inFolder && len(args) != 1:
		return nil, omniscope.Usagef(`name one clip after its caption: omniscope audit --text "A dog barks." clip.mp4`)
	case !inFolder && (withText || len(args) == 2 && len(o.Predictions) == 0):
		if err := o.flags.Set("media", args[last]); err != nil {
			return nil, err
		}
		args = args[:last]
	}
	if withText && len(args)+len(o.Predictions) == 0 {
		o.Predictions = []string{bench.NoPredictions}
	}
	return args, nil
}

// showOneAudit shows the claims of a run of one caption.
func showOneAudit(w io.Writer, e *eval.Evaluation) error {
	if e.Read.Of != 1 {
		return nil
	}
	r, err := claims.ReadAudit(e.Dir)
	if err != nil {
		return err
	}
	if err := r.Text(w); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}
