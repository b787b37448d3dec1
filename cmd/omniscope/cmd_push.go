package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/hub"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/internal/version"
	"omniscope/results/push"
	"omniscope/results/report"
)

// pushOptions are the flags of push.
type pushOptions struct {
	push.Options
	namedRuns
	yes, create, public, json, quiet bool
	force                            bool
	revision                         string
}

func newPush() *cobra.Command {
	o := &pushOptions{}
	cmd := &cobra.Command{
		Use:   "push SOURCE [SOURCE...] hub:ORG/NAME | FOLDER",
		Short: "Publish runs or a release on the Hugging Face hub",
		Long: `Publish the files of runs: in the data set ORG/NAME of the Hugging Face hub, or in a folder of the same layout. A
SOURCE is a folder of runs, the name of a system that has one run below --work-dir, latest, a file or folder of
predictions, or the folder of a release that 'omniscope curate release' made.

Without --yes nothing is sent: it lists what would leave, with sizes and digests, and what of it is new there,
changed or the same. With --yes it is one commit: all of it or nothing. After any failure run the same
command again: large files that arrived are not sent twice. If somebody else commits meanwhile, that is an error.

It also makes data/scores.parquet, tables of questions and answers, and a card (README.md) that the
library datasets reads. They are of the runs of this command. Other files there stay as they are.

Nothing is sent while a file holds what must not leave: media (by content, whatever their names), journals and
other databases, packed files, keys and tokens (their known forms, and the values of your own from the environment
and .env), tables of single people, or links that lead out of the source. Hidden files are left out.

HF_TOKEN, or the token file of huggingface_hub, has the access token, which needs the right to write; HF_ENDPOINT
another hub.`,
		Example: `  omniscope push careful confident hub:my-org/my-results
  omniscope push runs/omni-cloze-* hub:my-org/my-results --create --yes
  omniscope push kitchen-cloze hub:my-org/kitchen-cloze --yes
  omniscope push runs/mine shared/results --leave-out '*.html' --yes`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return omniscope.Usagef("%s takes what to push, and where to: hub:ORG/NAME or a folder; see `%[1]s --help`", cmd.CommandPath())
			}
			return push.CheckPatterns(o.LeaveOut)
		},
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Sources, err = o.paths(cmd, args[:len(args)-1]); err != nil {
				return err
			}
			return o.run(cmd, args[len(args)-1])
		},
	}
	f := cmd.Flags()
	o.addFlags(f)
	f.BoolVar(&o.yes, "yes", false, "really send")
	f.BoolVar(&o.create, "create", false, "make the data set if it is not there, private to yourself and your organization")
	f.BoolVar(&o.public, "public", false, "with --create: a public data set")
	f.StringVar(&o.revision, "revision", "main", "branch to commit to")
	f.StringVar(&o.Message, "message", "", "summary of the commit (default: what is pushed)")
	f.StringArrayVar(&o.LeaveOut, "leave-out", nil, "pattern of names, or of paths in a source, to leave out, such as '*.html'; repeatable")
	f.StringVar(&o.Title, "title", "", "title of the card (default: the benchmarks)")
	f.StringVar(&o.License, "license", "", "licence of the files for the card, as the hub names it, such as cc-by-4.0 (default: other)")
	f.BoolVar(&o.NoCard, "no-card", false, "make no card")
	f.BoolVar(&o.force, "replace-card", false, "replace a card that somebody wrote")
	f.BoolVar(&o.json, "json", false, "print one JSON document")
	addQuiet(f, &o.quiet)
	return cmd
}

func (o *pushOptions) run(cmd *cobra.Command, where string) (err error) {
	if o.Work, err = os.MkdirTemp("", "omniscope-push-*"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.Work)) }()
	p := progress.StartBytes(cmd.ErrOrStderr(), o.quiet || !o.yes)
	stop := sync.OnceFunc(p.Stop)
	defer stop()
	target, err := o.target(where, p.Set)
	if err != nil {
		return err
	}
	o.Program, o.Secrets = version.Program(), keysOfEnvironment()
	o.Home, _ = os.UserHomeDir() // without one there is nothing to warn of
	plan, err := push.Make(cmd.Context(), o.Options)
	if err != nil {
		return err
	}
	if len(plan.Refused) > 0 {
		return refusal(cmd.ErrOrStderr(), plan)
	}
	kept, foreign, err := target.Compare(cmd.Context(), plan)
	if err != nil {
		return err
	}
	if foreign && !o.force {
		return omniscope.Usagef("%s has a README.md that omniscope did not make: keep it with --no-card, or replace it with --replace-card", where)
	}
	if err := o.show(cmd, where, plan, kept); err != nil || !o.yes {
		return err
	}
	moving, _ := plan.Moving()
	if len(moving) == 0 {
		return nil
	}
	at, err := target.Push(cmd.Context(), plan, plan.Summary())
	if err != nil {
		return err
	}
	stop()
	_, err = fmt.Fprintf(cmd.ErrOrStderr(), "pushed to %s\n", at)
	return err
}

// target is where it goes.
func (o *pushOptions) target(where string, told func(file string, done, total int64)) (push.Target, error) {
	name, onHub := strings.CutPrefix(where, "hub:")
	if !onHub {
		if o.create || o.public || o.Message != "" {
			return nil, omniscope.Usagef("--create, --public and --message are for hub:ORG/NAME, not for a folder")
		}
		return push.Folder(where), nil
	}
	if strings.Count(name, "/") != 1 {
		return nil, omniscope.Usagef("hub:%s is no data set: write hub:ORG/NAME", name)
	}
	client, err := hub.FromEnv()
	if err != nil {
		return nil, err
	}
	client.Progress = told
	return &push.Hub{Client: client, Repo: hub.Repo{Kind: "dataset", Name: name, Revision: o.revision}, Create: o.create, Public: o.public}, nil
}

// refusal names what must not leave.
func refusal(w io.Writer, plan *push.Plan) error {
	for _, r := range plan.Refused {
		at := printable(r.File)
		if r.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, r.Line)
		}
		if _, err := fmt.Fprintf(w, "refused: %s: %s\n", at, printable(r.Why)); err != nil {
			return err
		}
	}
	return omniscope.Invalidf("nothing was pushed: there is what must not leave (%d found): take it out, or leave the files out with --leave-out", len(plan.Refused))
}

// show prints the plan.
func (o *pushOptions) show(cmd *cobra.Command, where string, plan *push.Plan, kept int) error {
	warn(cmd, printables(plan.Warnings)...)
	if o.json {
		return outfile.JSON(documentOut(cmd), plan)
	}
	err := printTables(cmd, report.Comparison{Title: "Push to " + where, Tables: plan.Tables(), Warnings: []string{}, Rest: "what --json prints"})
	if err != nil {
		return err
	}
	moving, bytes := plan.Moving()
	text := fmt.Sprintf("\n%d files to send, %s; %d are there already; %d other files there stay as they are\n", len(moving), bytesize.Format(bytes), len(plan.Files)-len(moving), kept)
	if len(moving) > 0 && !o.yes {
		text += "nothing was sent: give --yes to do it\n"
	}
	_, err = io.WriteString(cmd.OutOrStdout(), text)
	return err
}
