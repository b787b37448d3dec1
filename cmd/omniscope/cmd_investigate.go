package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/visible"
	"omniscope/model"
	"omniscope/run/local"
	"omniscope/session"
)

// investigateOptions are the flags of investigate.
type investigateOptions struct {
	spec      session.InvestigationSpec
	calls     session.Calls
	detective roleFlags
	tools     toolFlags

	Out         string
	Force       bool
	Jobs        int
	JSON        bool
	NoProgress  bool
	oldMaxCalls int // by the flag's old name
}

func (o *investigateOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.spec.Modality, "modality", "audio-visual", "senses that may be used: audio-visual, audio (hear only) or visual (see only); or av, a, v")
	f.StringVar(&o.spec.Detective, "detective", "offline", "who asks and writes: PROVIDER/NAME of a language model, which never sees the media, or\noffline, a fixed plan through the tools")
	f.IntVar(&o.spec.Inquiries, "max-inquiries", detective.DefaultBudget, "inquiries at most, for each clip")
	f.StringVar(&o.spec.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.StringVarP(&o.Out, "out", "o", "investigations", "folder of the results: one for each clip, and trajectories.jsonl")
	f.IntVarP(&o.Jobs, "jobs", "j", 2, "clips at a time")
	addForce(f, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print each report as a line of JSON instead of its caption")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	o.detective.role.Attempts, o.detective.otherwise = 3, "--"+modelAddress
	o.detective.add(f, session.Detective)
	o.tools.add(f)
	o.calls = clipCalls()
	f.IntVar(&o.calls.MaxConcurrency, "max-concurrency", o.calls.MaxConcurrency, "most calls of one model at a time; fewer while the endpoint complains")
	addCallFlags(f, &o.calls)
	addOldMaxCalls(f, &o.oldMaxCalls)
}

func newInvestigate() *cobra.Command {
	o := &investigateOptions{}
	cmd := &cobra.Command{
		Use:   "investigate MEDIA...",
		Short: "Write captions of clips by investigation, with evidence",
		Long: `Find out what is in clips by asking tools and observers, and write captions whose sentences name
the observations they rest on (Omni-Detective, arXiv 2510.12720). The detective, a language model or a
fixed plan, never sees the media: it asks one tool one question at a time and cross-examines the
answers. What contradicts itself is listed; sentences without evidence are marked.

Every call of a model or tool is remembered in the journal of --work-dir: run the same command again
after any interruption and it goes on where it stopped.`,
		Example: `  omniscope investigate clip.mp4
  omniscope investigate *.mp4 --detective openai/gpt-4.1 --observer openai/gpt-4o --out captions
  omniscope investigate talk.webm --modality audio --tools sound,asr`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the media files to investigate; see `omniscope investigate --help`")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *investigateOptions) check() error {
	modality, err := modalityOf(o.spec.Modality)
	if err != nil {
		return err
	}
	o.spec.Modality = modalityLetters[modality]
	switch {
	case o.spec.Inquiries < 1:
		return usagef("--max-inquiries must be at least 1")
	case o.Jobs < 1:
		return usagef("--jobs must be at least 1")
	}
	return errors.Join(checkModels(append(o.tools.Observers, o.spec.Detective, o.tools.ASR)...), o.detective.check(), o.tools.check(), o.calls.Check())
}

// renameFlags heeds the flags of commands written when --max-calls was the most
// inquiries and --max-model-calls the budget of calls. A command with both of
// them can only mean that; --max-calls alone may be new or old, and counts as
// the budget that it is in every other command: less is spent, and what stops
// can go on.
func (o *investigateOptions) renameFlags(f *pflag.FlagSet, warn io.Writer) error {
	calls, inquiries := f.Changed("max-calls"), f.Changed("max-inquiries")
	switch {
	case calls && !inquiries && f.Changed("max-model-calls"):
		o.spec.Inquiries, o.calls.MaxCalls = o.calls.MaxCalls, o.oldMaxCalls
		fmt.Fprintf(warn, "warning: flags have new names: write --max-inquiries %d --max-calls %d\n", o.spec.Inquiries, o.calls.MaxCalls)
		return nil
	case calls && !inquiries:
		fmt.Fprintf(warn, "warning: --max-calls %d is the most calls of models, of all clips together; the most inquiries for each clip, which it once was, is --max-inquiries (%d)\n", o.calls.MaxCalls, o.spec.Inquiries)
	}
	return renameMaxCalls(f, warn, o.oldMaxCalls, &o.calls)
}

func (o *investigateOptions) run(cmd *cobra.Command, files []string) error {
	if err := o.renameFlags(cmd.Flags(), cmd.ErrOrStderr()); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	s := &o.spec
	s.Tools, s.Observers, s.ASR = o.tools.Tools, o.tools.Observers, o.tools.ASR
	s.Roles = changedRoles(&o.detective, &o.tools.observer)
	return session.Investigate(cmd.Context(), s, &session.Investigating{
		Calls: &o.calls, Files: files, Out: o.Out, Force: o.Force, Engine: &local.Engine{Workers: o.Jobs},
		Detective: o.tools.role(&o.detective, s.Detective), Look: o.tools.look(), Warnings: cmd.ErrOrStderr(),
		Progress: func(reaches []*model.Reach) (func(int), func(string), func()) {
			p := startProgress(cmd.ErrOrStderr(), o.NoProgress, len(files), func() []string { return session.LastErrors(reaches...) })
			return p.Done, p.Note, p.Stop
		},
		Show: func(r *detective.Report, dir string) error { return o.show(cmd, r, dir) },
	})
}

func (o *investigateOptions) show(cmd *cobra.Command, r *detective.Report, dir string) error {
	for _, warning := range r.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: %s\n", r.Clip.ID, visible.Line(warning))
	}
	out := cmd.OutOrStdout()
	if o.JSON {
		return json.NewEncoder(visible.Unwrapped(out)).Encode(r)
	}
	if r.Outcome != omniscope.OK {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d inquiries, %d observations, %d contradictions; %s\n%s\n\n",
		r.Clip.ID, len(r.Turns), len(r.Ledger), len(r.Contradictions), filepath.Join(dir, "index.html"), visible.Text(r.Caption.Text))
	return err
}
