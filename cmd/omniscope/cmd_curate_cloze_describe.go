package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/curate/cloze"
	"omniscope/judge"
	"omniscope/model"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/session"
)

// clozeDescribe are the flags of curate cloze describe.
type clozeDescribe struct {
	files       cloze.Files
	Out         string
	Prompts     string
	validator   *chainFlags
	calls       session.Calls
	Limit       int
	MaxFailures float64
	Force       bool
	NoProgress  bool

	prompt *judge.Prompt
	clips  *cloze.Clips
}

func newCurateClozeDescribe() *cobra.Command {
	o := &clozeDescribe{calls: evalCalls()}
	cmd := &cobra.Command{
		Use:   "describe --captions-a FILE --captions-v FILE --captions-av FILE --validator PROVIDER/NAME --out DIR",
		Short: "Check three captions of each clip against each other, and write one description",
		Long: `Have a model check the audio-only, the visual-only and the audio-visual caption of each clip against each other, and write one
description with all that they say between them (arXiv 2510.12720, section 5.2 and appendix B.1). Where captions conflict it is left out and listed.
Each sentence names the sentences of the captions that it rests on; one that rests on none is left out and counted.

Captions are rows with a uuid or id and a caption, in a file, or what 'omniscope investigate --list --passes a,v,av' wrote: its
folders a, v and av. Where it wrote reports, too (--pages all), each sentence also names the observations that it rests on.

Answers are remembered: the same command goes on after any interruption. Step keys, for scripts and the journal: CLIP/describe.`,
		Example: `  omniscope curate cloze describe --captions-a captions/a --captions-v captions/v --captions-av captions/av --validator openai/gpt-4.1 --out described
  omniscope curate cloze describe --captions-a a.jsonl --captions-v v.jsonl --captions-av av.jsonl --validator scripted/replies.json --out described --dry-run`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	for _, c := range []struct {
		name, of, to string
		path         *string
	}{
		{"captions-a", "audio-only", "a", &o.files.Audio}, {"captions-v", "visual-only", "v", &o.files.Visual}, {"captions-av", "audio-visual", "av", &o.files.AudioVisual},
	} {
		f.StringVar(c.path, c.name, "", fmt.Sprintf("%s captions: a file of rows, or the folder %s that 'omniscope investigate --list' wrote", c.of, c.to))
	}
	f.StringVar(&o.files.Field, "caption-field", "", "field with the caption (default: caption, predicted_caption, prediction, pred, else the end of the trajectory)")
	o.validator = addChainFlags(f, bench.Role{Name: cloze.Validator, Attempts: 3, MaxTokens: 8192,
		Help: "the model that checks the captions: PROVIDER/NAME such as openai/gpt-4.1, or scripted/FILE"})
	f.StringVarP(&o.Out, "out", "o", "", "folder for "+cloze.DescriptionsFile+", "+cloze.FailuresFile+" and "+cloze.SummaryFile)
	f.StringVar(&o.Prompts, "prompts", "", "folder with a describe.txt that replaces the built-in prompt")
	f.IntVar(&o.Limit, "limit", 0, "the first N clips only; 0 = all")
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of clips that may stay without a description before the exit code is 3")
	f.BoolVar(&o.calls.DryRun, "dry-run", false, "print how many calls, tokens and dollars it would take, and stop")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	f.IntVarP(&o.calls.MaxConcurrency, "max-concurrency", "j", o.calls.MaxConcurrency, "most calls at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	addForce(f, &o.Force)
	return cmd
}

func (o *clozeDescribe) check() error {
	for flag, path := range map[string]string{"captions-a": o.files.Audio, "captions-v": o.files.Visual, "captions-av": o.files.AudioVisual} {
		if path == "" {
			return usagef("name the captions of each kind with --captions-a, --captions-v and --captions-av: --%s is not there", flag)
		}
	}
	switch {
	case o.validator.model == "" || o.validator.model == session.Offline:
		return usagef("name the model that checks the captions with --validator, such as openai/gpt-4.1")
	case o.Out == "" && !o.calls.DryRun:
		return usagef("name the folder for the descriptions with --out")
	case o.Limit < 0:
		return usagef("--limit must not be negative")
	case !(o.MaxFailures >= 0 && o.MaxFailures <= 1):
		return usagef("--max-failures is a share from 0 to 1, such as 0.05")
	}
	return errors.Join(o.validator.check(), o.calls.Check())
}

func (o *clozeDescribe) run(cmd *cobra.Command) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	if o.prompt, err = o.loadPrompt(); err != nil {
		return err
	}
	if o.clips, err = cloze.OpenClips(cmd.Context(), o.files); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.clips.Close()) }()
	if o.Limit > 0 && o.Limit < len(o.clips.IDs) {
		o.clips.IDs = o.clips.IDs[:o.Limit]
	}
	if lacking := o.clips.Lacking(); len(lacking) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d of %d clips lack a caption, such as %s: they will count as failures\n", len(lacking), len(o.clips.IDs), printable(lacking[0]))
	}
	r := o.modelRun(cmd)
	if o.calls.DryRun {
		return o.forecast(cmd, r)
	}
	return o.describe(cmd, r)
}

func (o *clozeDescribe) loadPrompt() (*judge.Prompt, error) {
	var folder fs.FS
	if o.Prompts != "" {
		if info, err := os.Stat(o.Prompts); err != nil || !info.IsDir() {
			return nil, usagef("--prompts %s is no folder", o.Prompts)
		}
		folder = os.DirFS(o.Prompts)
	}
	return cloze.LoadDescribePrompt(folder, o.Prompts)
}

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
