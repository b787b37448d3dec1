package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/bench/document"
	"omniscope/curate/cloze"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/session/rows"
)

// describeSpec is all that shapes a run of descriptions beside the model.
type describeSpec struct {
	Inputs map[string]string `json:"inputs"` // digests
	Files  cloze.Files       `json:"files"`
	Prompt string            `json:"prompt"`
	Limit  int               `json:"limit,omitempty"`
}

func (o *clozeDescribe) spec() describeSpec {
	return describeSpec{o.clips.Digests(), o.files, o.prompt.Digest(), o.Limit}
}

func (o *clozeDescribe) forecast(cmd *cobra.Command, r *rows.Run) error {
	d := &cloze.Describer{Prompt: o.prompt}
	return printForecast(cmd, r, fmt.Sprintf("%d clips, checked by %s", len(o.clips.IDs), printable(o.role.model())), func(yield func(*model.Request, error) bool) {
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
}

// describe does the run and writes its results.
func (o *clozeDescribe) describe(cmd *cobra.Command, r *rows.Run) (err error) {
	name, err := r.Name()
	if err != nil {
		return err
	}
	out, err := cloze.OpenOutput(o.Out, name, o.Force)
	if err != nil {
		return err
	}
	defer func() { err = o.shared.End(errors.Join(err, out.Close())) }()
	s := &out.Summary
	s.Model, s.Inputs = o.role.model(), o.clips.Digests()
	s.Prompt = o.prompt.Info()
	used, err := r.Do(cmd.Context(), func(asker *judge.Judge) (err error) {
		if s.Source, err = r.Sign(o.Out, out.Earlier.Source, o.Force); err != nil {
			return err
		}
		d := &cloze.Describer{Asker: asker, Prompt: o.prompt}
		return o.each(cmd, len(o.clips.IDs), func(ctx context.Context, i int) error {
			c, err := o.clips.Clip(ctx, o.clips.IDs[i])
			if err != nil {
				return err
			}
			done, err := d.Describe(ctx, c)
			if err != nil {
				return err
			}
			return out.Add(i, done)
		})
	})
	if err != nil {
		return err
	}
	if err := out.Write(); err != nil {
		return err
	}
	o.show(cmd, s, used)
	return o.tooMany(s.Failed(), s.Clips, "clips have no description", cloze.FailuresFile)
}

// show says how many clips were described, and what was left out.
func (o *clozeDescribe) show(cmd *cobra.Command, s *cloze.Summary, used document.UsageInfo) {
	if s.Stale > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: of %d clips a report tells of another caption than the one that was checked: what their sentences rest on is not known\n", s.Stale)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%d of %d clips described: %d sentences, %d of them disputed; %d conflicts; %d sentences without a source left out\n",
		s.Clips-s.Failed(), s.Clips, s.Described(), s.Disputed, s.Conflicts, s.Unfounded)
	fmt.Fprintf(out, "of the captions: %d sentences dropped, %d not mentioned\n", s.Dropped, s.Unused)
	showUsed(cmd.OutOrStdout(), used)
	fmt.Fprintf(out, "written to %s\n", printable(o.Out))
}
