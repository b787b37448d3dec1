package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/perceive/all"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/predict"
)

// perceiveOptions are the flags of perceive.
type perceiveOptions struct {
	calls      session.Calls
	Tools      []string
	Modality   string
	List       string
	Jobs       int
	NoProgress bool
	shard      session.Shard
	engine     engineFlag
}

func newPerceive() *cobra.Command {
	o := &perceiveOptions{calls: clipCalls()}
	cmd := &cobra.Command{
		Use:   "perceive MEDIA...",
		Short: "Have tools look at many clips before anybody asks: what they see is remembered",
		Long: `Have the local tools measure, read and transcribe clips, and remember in the journal what they found. It is the
part of investigations that needs processors and no model: an investigation of the same clips, whoever
asks, then finds these answers and decodes nothing. A folder stands for the video and sound files in it and below.`,
		Example: `  omniscope perceive clips --jobs 8
  omniscope perceive --list clips.txt --shard $SLURM_ARRAY_TASK_ID/32 --journal postgres://db/omniscope
  omniscope perceive --list clips.txt --engine river --journal postgres://db/omniscope`,
		Args: func(_ *cobra.Command, args []string) error {
			return checkRules([]rule{{len(args) == 0 && o.List == "", "name the media files, or a file that lists them with --list; see `omniscope perceive --help`"}})
		},
		RunE: o.run,
	}
	f := cmd.Flags()
	f.StringVar(&o.List, "list", "", "file of paths of further media, one a line")
	f.StringSliceVar(&o.Tools, "tools", nil, "tools to use, with commas between: "+strings.Join(all.Names(), ", ")+" (default: all that work here)")
	f.StringVar(&o.Modality, "modality", "audio-visual", "senses that may be used: audio-visual, audio (hear only) or visual (see only); or av, a, v")
	f.IntVarP(&o.Jobs, "jobs", "j", caption.DefaultJobs, "clips at a time")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	addWorkDir(f, &o.calls.WorkDir)
	addJournal(f, &o.calls.Journal)
	addLease(f, &o.calls.Lease)
	addShard(f, &o.shard)
	o.engine.add(f)
	return cmd
}

func (o *perceiveOptions) run(cmd *cobra.Command, args []string) (err error) {
	modality, err := modalityOf(o.Modality)
	if err != nil {
		return err
	}
	if o.Jobs < 1 {
		return omniscope.Usagef("--jobs must be at least 1")
	}
	if o.List != "" {
		listed, err := linesOf(cmd, o.List)
		if err != nil {
			return err
		}
		args = append(args, listed...)
	}
	files, err := predict.MediaFiles(args, o.calls.WorkDir, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	// Tools are asked what an offline investigation asks them, closer looks included.
	s := &caption.Spec{Modality: modalityLetters[modality], Detective: session.Offline, Tools: o.Tools, Inquiries: detective.DefaultBudget}
	m := session.Machine{Calls: &o.calls, Warnings: cmd.ErrOrStderr()}
	open := opener(func() (session.Units, error) {
		return caption.Open(cmd.Context(), s, &caption.Options{Machine: m, Files: files, Jobs: o.Jobs})
	})
	closeWork, err := o.engine.remotely(cmd, &m, o.NoProgress, open)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeWork()) }()
	w, err := open.part(cmd, &m, o.shard)
	if err != nil {
		return err
	}
	w.Then = "`omniscope investigate` finds there what was seen"
	failed, err := doPart(cmd, w, o.shard, o.NoProgress)
	if err == nil && failed.Units > 0 {
		err = omniscope.Invalidf("of %d clips something failed, such as of %s", failed.Units, failed.Such)
	}
	return err
}

// linesOf reads a file of one name a line.
func linesOf(cmd *cobra.Command, path string) (lines []string, err error) {
	f, err := input.Open(cmd.Context(), path, input.Texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = rows.EachLine(f, func(_ int, text []byte) error {
		if line := strings.TrimSpace(string(text)); line != "" {
			lines = append(lines, line)
		}
		return nil
	})
	return lines, err
}
