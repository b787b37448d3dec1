package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/bench/predict/probe"
	"omniscope/internal/bytesize"
	"omniscope/internal/outfile"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/predict"
	runprobe "omniscope/session/probe"
)

// probeOptions are the flags of probe. How the model is asked is said as in predict.
type probeOptions struct {
	predictOptions
	Trials       []string
	Clip         string // to preview; "" = do the trials
	JSON, DryRun bool
}

func newProbe() *cobra.Command {
	o := &probeOptions{}
	cmd := &cobra.Command{
		Use:   "probe --model PROVIDER/NAME",
		Short: "Test what an endpoint perceives, or preview what it is sent",
		Long: `Send clips that this command makes, with planted marks (numbers that are shown, beeps, spoken digits, colours), ask the
model what there was, and compare its answers with the marks: whether the picture is seen and the sound is
heard from beginning to end, whether all frames arrive and in their order, how fine a print is read, whether
left and right are told apart, sound and picture brought together, which languages are understood, and whether
speech is invented where there is none. Digits are spoken by flite, if ffmpeg has it, and by espeak-ng, if that is
installed. With --preview CLIP nothing is asked: it prints what the model would be sent of a clip of yours.

It makes about twelve calls. Answers are remembered: the same command again asks only what has no answer.
Exit code 3 says that something was not perceived.`,
		Example: `  omniscope probe --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct
  omniscope probe --model openai/gpt-4o --modality visual --out probe.json
  omniscope probe --model vllm/qwen2.5-omni --trials beeps,alignment --dry-run
  omniscope probe --model vllm/NAME,profile=qwen3-omni --preview clip.mp4`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *probeOptions) addFlags(f *pflag.FlagSet) {
	o.calls = clipCalls()
	o.addModelFlags(f)
	f.StringSliceVar(&o.Trials, "trials", nil, "trials to do, with commas between (default: all of the model's senses):\n"+strings.Join(probe.Names(), ", "))
	f.StringVar(&o.Clip, "preview", "", "print what the model would be sent of this clip, and ask nothing")
	f.Uint64Var(&o.spec.Seed, "seed", 0, "seed of the planted marks")
	f.BoolVar(&o.DryRun, "dry-run", false, "print what the trials would send, and ask nothing")
	f.StringVarP(&o.Out, "out", "o", "", "file to write the report to, as JSON")
	f.BoolVar(&o.JSON, "json", false, "print the report as JSON")
	addForce(f, &o.Force)
	addQuiet(f, &o.NoProgress)
	f.IntVarP(&o.calls.MaxConcurrency, "concurrency", "j", o.calls.MaxConcurrency, "most calls of the model at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
}

func (o *probeOptions) run(cmd *cobra.Command) (err error) {
	shared := &session.Shared{}
	defer func() { err = shared.End(err) }()
	if err := o.checkModel(cmd); err != nil {
		return err
	}
	if o.Clip != "" {
		return o.previewClip(cmd)
	}
	var used *document.UsageInfo
	s := &runprobe.Spec{Modality: o.spec.Modality, Profile: o.spec.Profile, Model: o.model.one(), Trials: o.Trials, Seed: o.spec.Seed}
	p := &predict.Options{
		Machine: session.Machine{Calls: &o.calls, Shared: shared, Warnings: cmd.ErrOrStderr(), Progress: showing(cmd, o.NoProgress), Out: o.Out, Force: o.Force, Used: func(u document.UsageInfo) { used = &u }},
	}
	if o.DryRun {
		return o.preview(cmd, s, p)
	}
	report, err := runprobe.Ask(cmd.Context(), s, &p.Machine)
	if used != nil && omniscope.KindOf(err) != omniscope.Unreachable { // else no call was made
		showUsed(cmd.ErrOrStderr(), *used)
	}
	if err != nil {
		return err
	}
	if o.JSON {
		err = outfile.JSON(documentOut(cmd), report)
	} else {
		showProbe(cmd, report)
	}
	if err != nil {
		return err
	}
	return runprobe.NotPerceived(report)
}

// showProbe prints what was perceived.
func showProbe(cmd *cobra.Command, r *probe.Report) {
	printList(cmd, catalog.List{Columns: probe.Columns, Rows: r.Rows()})
	if line := r.LanguageLine(); line != "" {
		fmt.Fprintln(cmd.OutOrStdout(), "spoken languages", line)
	}
}

// previewClip prints what the model would be sent of a clip.
func (o *probeOptions) previewClip(cmd *cobra.Command) error {
	if o.Trials != nil || o.DryRun || o.Out != "" {
		return omniscope.Usagef("--preview is for one clip: leave out --trials, --dry-run and --out")
	}
	preview, err := predict.Preview(cmd.Context(), o.spec.Profile, o.spec.Modality, o.calls.WorkDir, o.Clip)
	if err != nil {
		return err
	}
	if o.JSON {
		return outfile.JSON(documentOut(cmd), preview)
	}
	warn(cmd, preview.Warnings...)
	printList(cmd, catalog.List{Columns: []string{"sent", "what"}, Rows: preview.Rows()})
	return nil
}

// preview prints what the trials would send.
func (o *probeOptions) preview(cmd *cobra.Command, s *runprobe.Spec, p *predict.Options) error {
	all, err := runprobe.Preview(cmd.Context(), s, p)
	if err != nil {
		return err
	}
	if o.JSON {
		return outfile.JSON(documentOut(cmd), all)
	}
	calls := 0
	l := catalog.List{Columns: []string{"trial", "what it finds out", "sent", "media"}}
	for _, x := range all {
		if x.Preview == nil {
			l.Rows = append(l.Rows, []string{x.Trial, x.Tests, "nothing: " + x.Why, "-"})
			continue
		}
		calls++
		l.Rows = append(l.Rows, []string{x.Trial, x.Tests, x.Sent.Media(), bytesize.Format(int64(x.Bytes))})
	}
	printList(cmd, l)
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d calls to make, one a trial; nothing was asked; --json prints the questions as well\n", calls)
	return err
}
