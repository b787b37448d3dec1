package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/results/report"
	"omniscope/train"
	"omniscope/train/verify"
)

// trainVerify are the flags of train verify.
type trainVerify struct {
	stage       int
	json, quiet bool
}

func newTrainVerify() *cobra.Command {
	o := &trainVerify{}
	cmd := &cobra.Command{
		Use:   "verify BASE CHECKPOINT --stage 1|2",
		Short: "Say whether a checkpoint has changed where its stage trains, and only there",
		Long: `Compare the tensors of a checkpoint with those of the model that its training started from, bit for bit. After stage 1 the visual
encoder must be unchanged, sound encoder and language model changed; after stage 2 all three. Numbers that are NaN or infinite fail.

BASE and CHECKPOINT are folders with model.safetensors, or model.safetensors.index.json and its shards, or such files. The base
of stage 2 is the checkpoint of stage 1. A checkpoint may lack the talker, and "thinker." before its names. Nothing is loaded as
a whole: models larger than the memory are compared, as fast as the disk reads.

The exit code is 1 if the checkpoint is not what the stage should have made; the message says what probably happened.`,
		Example: `  omniscope train verify Qwen2.5-Omni-7B output/v0/checkpoint-1718 --stage 1
  omniscope train verify output/v0/checkpoint-1718 output/v1/checkpoint-1874 --stage 2 --json`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0], args[1]) },
	}
	cmd.Flags().IntVar(&o.stage, "stage", 0, "what was trained: 1 = sound encoder and language model, 2 = everything")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	addQuiet(cmd.Flags(), &o.quiet)
	return cmd
}

func (o *trainVerify) run(cmd *cobra.Command, base, checkpoint string) error {
	stage, err := stageOf(o.stage)
	if err != nil {
		return err
	}
	display := progress.StartBytes(cmd.ErrOrStderr(), o.quiet)
	r, err := verify.Run(cmd.Context(), verify.Options{Base: base, Checkpoint: checkpoint, Stage: stage,
		Progress: func(done, total int64) { display.Set("compare", done, total) }})
	display.Stop()
	if err != nil {
		return err
	}
	if o.json {
		err = outfile.JSON(documentOut(cmd), r)
	} else {
		err = showVerify(cmd, r)
	}
	if err == nil && !r.Passed {
		return omniscope.Invalidf("the checkpoint is not what %s makes", r.Stage)
	}
	return err
}

// stageOf is the stage that --stage names.
func stageOf(n int) (train.Stage, error) {
	if s := train.Stage(n); s.Valid() {
		return s, nil
	}
	return 0, omniscope.Usagef("name the stage with --stage: 1 (sound alone, visual encoder frozen) or 2 (videos with sound, nothing frozen)")
}

func showVerify(cmd *cobra.Command, r *verify.Report) error {
	table := omniscope.Table{Name: "parts", Title: "Tensors", Numbers: []int{1, 2, 3, 4, 5, 6, 7, 8},
		Columns: []string{"part", "tensors", "equal", "changed", "missing", "new", "elements changed", "largest change", "relative change"}}
	for _, p := range r.Parts {
		row := []string{p.Name}
		for _, n := range []int{p.Tensors, p.Equal, p.Changed, p.Missing, p.New} {
			row = append(row, strconv.Itoa(n))
		}
		relative, share, largest := "-", "-", "-"
		if p.Elements > 0 {
			share, largest = fmt.Sprintf("%.2f%%", 100*p.ChangedShare()), fmt.Sprintf("%.3g", p.LargestChange)
		}
		if p.RelativeChange != nil {
			relative = fmt.Sprintf("%.3g", *p.RelativeChange)
		}
		table.Rows = append(table.Rows, append(row, share, largest, relative))
	}
	err := printTables(cmd, report.Comparison{Title: fmt.Sprintf("%s against %s, %s", r.Checkpoint, r.Base, r.Stage), Tables: []omniscope.Table{table}})
	out := cmd.OutOrStdout()
	for _, f := range r.Failures {
		fmt.Fprintln(out, "failed: "+printable(f))
	}
	for _, n := range r.Notes {
		fmt.Fprintln(out, "note: "+printable(n))
	}
	if r.Passed {
		fmt.Fprintf(out, "passed: the checkpoint is what %s makes\n", r.Stage)
	}
	return err
}
