package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/curate/cloze"
	"omniscope/model/judge"
)

// clozeDescribe are the flags of curate cloze describe.
type clozeDescribe struct {
	rowAsking
	files cloze.Files
	Limit int

	prompt *judge.Prompt
	clips  *cloze.Clips
}

func newCurateClozeDescribe() *cobra.Command {
	o := &clozeDescribe{}
	cmd := &cobra.Command{
		Use:   "describe --captions-a FILE --captions-v FILE --captions-av FILE --validator PROVIDER/NAME --out DIR",
		Short: "Check three captions of each clip against each other, and write one description",
		Long: `Have a model check the audio-only, the visual-only and the audio-visual caption of each clip against each other, and write one
description with all that they say between them (arXiv 2510.12720, section 5.2 and appendix B.1). Where captions conflict it is left out and listed.
Each sentence names the sentences of the captions that it rests on; one that rests on none is left out and counted.

Captions are rows with a uuid or id and a caption, in a file, or what 'omniscope caption --list --passes a,v,av' wrote: its
folders a, v and av. Where it wrote reports, too (--pages), each sentence also names the observations that it rests on.

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
		f.StringVar(c.path, c.name, "", fmt.Sprintf("%s captions: a file of rows, or the folder %s that 'omniscope caption --list' wrote", c.of, c.to))
	}
	f.StringVar(&o.files.Field, "caption-field", "", "field with the caption (default: caption, predicted_caption, prediction, pred, else the end of the trajectory)")
	f.IntVar(&o.Limit, "limit", 0, "the first N clips only; 0 = all")
	o.addFlags(cmd, bench.RoleInfo{Name: cloze.Validator, Attempts: 3, MaxTokens: 8192,
		Help: "the model that checks the captions: PROVIDER/NAME such as openai/gpt-4.1, or scripted/FILE"},
		cloze.DescriptionsFile+", "+cloze.FailuresFile+" and "+cloze.SummaryFile, "describe.txt")
	return cmd
}

func (o *clozeDescribe) check() error {
	for _, c := range []struct{ flag, path string }{{"captions-a", o.files.Audio}, {"captions-v", o.files.Visual}, {"captions-av", o.files.AudioVisual}} {
		if c.path == "" {
			return omniscope.Usagef("name the captions of each kind with --captions-a, --captions-v and --captions-av: --%s is not there", c.flag)
		}
	}
	if o.Limit < 0 {
		return omniscope.Usagef("--limit must not be negative")
	}
	return o.rowAsking.check()
}

func (o *clozeDescribe) run(cmd *cobra.Command) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	folder, err := o.folder()
	if err != nil {
		return err
	}
	if o.prompt, err = cloze.LoadDescribePrompt(folder, o.Prompts); err != nil {
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
	r := o.modelRun(cmd, o.files.AudioVisual, o.spec())
	if o.calls.DryRun {
		return o.forecast(cmd, r)
	}
	return o.describe(cmd, r)
}
