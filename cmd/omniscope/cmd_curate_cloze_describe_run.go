package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/curate/cloze"
	"omniscope/judge"
	"omniscope/model"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/session"
)

// modelRun is the run: named by the captions, the prompt, the model and what limits them.
func (o *clozeDescribe) modelRun(cmd *cobra.Command) *session.ModelRun {
	spec := struct {
		Inputs map[string]string `json:"inputs"` // digests
		Files  cloze.Files       `json:"files"`
		Prompt string            `json:"prompt"`
		Limit  int               `json:"limit,omitempty"`
	}{o.clips.Digests(), o.files, o.prompt.Digest(), o.Limit}
	return &session.ModelRun{Command: "curate cloze describe", Files: o.files.AudioVisual, Spec: spec, Role: o.validator.of(o.validator.model),
		Calls: &o.calls, Warnings: cmd.ErrOrStderr()}
}

func (o *clozeDescribe) forecast(cmd *cobra.Command, r *session.ModelRun) error {
	d := &cloze.Describer{Prompt: o.prompt}
	f, err := r.Forecast(cmd.Context(), func(yield func(*model.Request, error) bool) {
		for _, id := range o.clips.IDs {
			c, err := o.clips.Clip(cmd.Context(), id)
			if err == nil && c.Missing != "" {
				continue
			}
			var req *model.Request
			if err == nil {
				req = &model.Request{Step: cloze.Step(id), Messages: d.Messages(c)}
			}
			if !yield(req, err) || err != nil {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d clips, checked by %s\n", len(o.clips.IDs), printable(o.validator.model))
	return f.Write(cmd.OutOrStdout())
}

// describe does the run and writes what came of it.
func (o *clozeDescribe) describe(cmd *cobra.Command, r *session.ModelRun) (err error) {
	name, err := r.Name()
	if err != nil {
		return err
	}
	out, err := cloze.OpenOutput(o.Out, name, o.Force)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	s := &out.Summary
	s.Model, s.Inputs = o.validator.model, o.clips.Digests()
	s.Prompt = omniscope.PromptInfo{Name: o.prompt.Name, Digest: o.prompt.Digest(), From: o.prompt.From}
	used, err := r.Do(cmd.Context(), func(asker *judge.Judge) error {
		return o.all(cmd, &cloze.Describer{Asker: asker, Prompt: o.prompt}, out)
	})
	if err != nil {
		return err
	}
	if err := out.Write(); err != nil {
		return err
	}
	o.show(cmd, s, used)
	if failed := s.Failed(); failed == s.Clips || float64(failed) > o.MaxFailures*float64(s.Clips) {
		return fmt.Errorf("%w: %d of %d clips have no description, more than --max-failures %g allows: %s says why", session.ErrTooManyFailures, failed, s.Clips, o.MaxFailures, filepath.Join(o.Out, cloze.FailuresFile))
	}
	return nil
}

// all asks about every clip, several at a time.
func (o *clozeDescribe) all(cmd *cobra.Command, d *cloze.Describer, out *cloze.Output) error {
	p := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(o.clips.IDs), nil)
	defer p.Stop()
	var finished atomic.Int64
	engine := &local.Engine{Workers: o.calls.MaxConcurrency}
	return engine.Run(cmd.Context(), func(yield func(run.Job) bool) {
		for i, id := range o.clips.IDs {
			if !yield(run.Job{ID: id, Seq: i}) {
				return
			}
		}
	}, func(ctx context.Context, job run.Job) error {
		c, err := o.clips.Clip(ctx, job.ID)
		if err != nil {
			return err
		}
		done, err := d.Describe(ctx, c)
		if err != nil {
			return err
		}
		p.Done(int(finished.Add(1)))
		return out.Add(job.Seq, done)
	})
}

// show says what came of it.
func (o *clozeDescribe) show(cmd *cobra.Command, s *cloze.Summary, used omniscope.UsageInfo) {
	if s.Stale > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: of %d clips a report tells of another caption than the one that was checked: what their sentences rest on is not known\n", s.Stale)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%d of %d clips described: %d sentences, %d of them disputed; %d conflicts; %d sentences without a source left out\n",
		s.Clips-s.Failed(), s.Clips, s.Described(), s.Disputed, s.Conflicts, s.Unfounded)
	fmt.Fprintf(out, "of the captions: %d sentences dropped, %d not mentioned\n", s.Dropped, s.Unused)
	cost := "cost not known"
	if used.CostUSD != nil {
		cost = fmt.Sprintf("$%.2f", *used.CostUSD)
	}
	fmt.Fprintf(out, "%d calls, %d tokens in, %d out, %s\nwritten to %s\n", used.Calls, used.TokensIn, used.TokensOut, cost, printable(o.Out))
}
