package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/curate/cloze"
	"omniscope/judge"
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
