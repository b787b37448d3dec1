package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/visible"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/predict"
)

// investigateOptions are the flags of investigate.
type investigateOptions struct {
	shard  session.Shard
	engine engineFlag
	clipFlags
	spec       caption.Spec
	lists      listFlags
	own        ownTools
	Jobs       int
	NoProgress bool
}

func (o *investigateOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.spec.Modality, "modality", "audio-visual", "senses that may be used: audio-visual, audio (hear only) or visual (see only); or av, a, v")
	f.IntVar(&o.spec.Inquiries, "max-inquiries", detective.DefaultBudget, "inquiries at most, for each clip")
	f.IntVar(&o.spec.EnoughAfter, "enough-after", 0, "end the inquiries after so many in a row that brought nothing new, by the ledger; 0 = when the\ndetective says so")
	f.IntVar(&o.spec.Confirm, "confirm", 0, "before the caption is written, put at most so many claims that rest on one observer to an observer\nof another model")
	f.IntSliceVar(&o.spec.ConcludeAt, "conclude-at", nil, "write a caption after each of these numbers of inquiries as well, such as 1,2,3,5")
	f.StringVarP(&o.Out, "out", "o", caption.DefaultOut, "folder of the results: one for each clip, and trajectories.jsonl; with --list captions, unless it is given")
	f.IntVarP(&o.Jobs, "jobs", "j", caption.DefaultJobs, "clips at a time")
	f.BoolVar(&o.JSON, "json", false, "print each report as a line of JSON instead of its caption; with --list the statistics")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	f.BoolVar(&o.calls.DryRun, "dry-run", false, "with --list: say what would be done, ask nothing")
	o.add(f, session.Detective)
	addForce(f, &o.Force)
	o.own.add(f, &o.calls)
	o.lists.add(f)
}

func newInvestigate() *cobra.Command {
	o := &investigateOptions{}
	cmd := &cobra.Command{
		Use:   "investigate {MEDIA... | --list FILE}",
		Short: "Write captions of clips by investigation, with evidence",
		Long: `Find out what is in clips by asking tools and observers, and write captions whose sentences name
the observations they rest on (Omni-Detective, arXiv 2510.12720). The detective, a language model or a
fixed plan, never sees the media: it asks one tool one question at a time and cross-examines the
answers. What contradicts itself is listed; sentences without evidence are marked. A folder stands for the
video and sound files in it and below.

--list has the clips of a long list described, with several passes, a pilot that forecasts the rest, and
captions in files of 1,000 rows in the form of the released pipeline: see docs/production.md.

Every call of a model or tool is remembered in the journal of --work-dir: run the same command again
after any interruption and it goes on where it stopped.`,
		Example: `  omniscope investigate clip.mp4
  omniscope investigate *.mp4 --detective openai/gpt-4.1 --observer openai/gpt-4o --out captions
  omniscope investigate talk.webm --modality audio --tools sound,asr
  omniscope investigate --list clips.jsonl --passes a,v,av --pilot 20 -j 32 --detective openai/gpt-4.1 \
    --observer openai/gpt-4o --out captions`,
		Args: o.checkList,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	o.addFlags(cmd.Flags())
	addShard(cmd.Flags(), &o.shard)
	o.engine.add(cmd.Flags())
	return cmd
}

func (o *investigateOptions) check(warn io.Writer) error {
	o.oldInquiries(warn, &o.spec.Inquiries)
	modality, err := modalityOf(o.spec.Modality)
	if err != nil {
		return err
	}
	o.spec.Modality = modalityLetters[modality]
	err = checkRules([]rule{
		{o.spec.Inquiries < 1, "--max-inquiries must be at least 1"},
		{min(o.spec.EnoughAfter, o.spec.Confirm) < 0, "--enough-after and --confirm must not be negative"},
		{slices.ContainsFunc(o.spec.ConcludeAt, func(n int) bool { return n < 1 }), "--conclude-at has numbers of inquiries, from 1 on"},
		{o.Jobs < 1, "--jobs must be at least 1"},
	})
	if err := cmp.Or(err, o.own.check(&o.calls)); err != nil {
		return err
	}
	o.spec.Programs = o.own.list
	slices.Sort(o.spec.ConcludeAt)
	o.spec.ConcludeAt = slices.Compact(o.spec.ConcludeAt)
	return o.clipFlags.check(warn)
}

func (o *investigateOptions) run(cmd *cobra.Command, files []string) (err error) {
	defer func() { err = o.shared.End(err) }()
	if err := o.check(cmd.ErrOrStderr()); err != nil {
		return err
	}
	s := &o.spec
	o.setWho(s)
	if o.lists.list != "" {
		return o.runList(cmd)
	}
	files, err = predict.MediaFiles(files, o.calls.WorkDir, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	m := o.machine(cmd, o.NoProgress)
	open := func() (session.Units, error) {
		return caption.Open(cmd.Context(), s, &caption.Options{Machine: m, Files: files, Jobs: o.Jobs, Show: func(r *detective.Report, dir string) error { return o.show(cmd, r, dir) }})
	}
	if o.shard.N > 0 {
		return doShard(cmd, &m, o.shard, o.NoProgress, open)
	}
	closeWork, err := o.engine.remotely(cmd, &m, o.NoProgress, open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	u, err := open()
	if err != nil {
		return err
	}
	return session.Finish(cmd.Context(), u, &m)
}

func (o *investigateOptions) show(cmd *cobra.Command, r *detective.Report, dir string) error {
	return showReport(cmd, r, o.JSON, filepath.Join(dir, "index.html"))
}

// showReport prints the caption of a clip, or its report as a line of JSON. page says where the page is.
func showReport(cmd *cobra.Command, r *detective.Report, asJSON bool, page string) error {
	for _, warning := range r.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: %s\n", r.Clip.ID, visible.Line(warning))
	}
	out := cmd.OutOrStdout()
	if asJSON {
		return json.NewEncoder(visible.Unwrapped(out)).Encode(r)
	}
	if r.Outcome != omniscope.OK {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s: %d inquiries, %d observations, %d contradictions; %s\n%s\n\n",
		r.Clip.ID, len(r.Turns), len(r.Ledger), len(r.Contradictions), page, visible.Text(r.Caption.Text))
	return err
}
