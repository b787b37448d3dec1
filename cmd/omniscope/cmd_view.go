package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/session/journals"
	"omniscope/web"
	"omniscope/web/view"
)

// usualAddress is the address of the viewer if its port is free.
const usualAddress = "127.0.0.1:7460"

// viewOptions are the flags of view.
type viewOptions struct {
	namedRuns
	address, journal string
	media            []string
	html             string
	force            bool
}

func newView() *cobra.Command {
	o := &viewOptions{}
	cmd := &cobra.Command{
		Use:   "view [FOLDER]",
		Short: "View runs in a browser, or write one as an HTML file",
		Long: `View all runs below a folder (default: this one) in a browser: scores, answers and investigations, and runs that are
still being made. Of each sample: the film or sound, the question, the reply, the verdicts, the raw call. Two runs
or more can be compared, and two followed to where they part.

Pages have addresses that stay: they can be sent to somebody who looks at the same folder. Nothing is changed, asked
or sent elsewhere. Only this machine can reach the pages, unless --listen says otherwise.

'omniscope view RUN --html FILE' writes one run as one HTML file that needs nothing else: scores with their intervals,
charts, outcomes, costs, tables, and every case, with question, answer and judgement, to search and to sort. It works
without a network and on paper. If RUN is a folder of an investigated clip, the page has a picture of each shot and the
waveform of the sound, next to the caption, its evidence and the timeline. That needs the clip, and ffmpeg.

` + aboutRuns,
		Example: `  omniscope view
  omniscope view omniscope-work --media clips
  omniscope view /data/runs --listen 0.0.0.0:8080
  omniscope view latest --html run.html`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.html, "html", "", "write the run as one page to this file, and serve nothing")
	f.StringVar(&o.address, "listen", usualAddress, "HOST:PORT to serve the pages at; if the port of the default is taken, another one")
	f.StringVar(&o.journal, "journal", "", "journal of runs without one below the folder, such as postgres://user@host/database")
	f.StringArrayVar(&o.media, "media", nil, "folder to look for the samples' files in, after the folders that runs name; repeatable")
	o.addFlags(f)
	f.BoolVar(&o.force, "force", false, "with --html: replace a file that is something else")
	return cmd
}

func (o *viewOptions) run(cmd *cobra.Command, args []string) error {
	if o.html != "" && len(args) == 0 {
		return omniscope.Usagef("--html writes one run: name it; see `%s --help`", cmd.CommandPath())
	}
	folder := "."
	if len(args) == 1 {
		dirs, err := o.folders(cmd, 1, args)
		if err != nil {
			return err
		}
		folder = dirs[0]
	}
	if o.html != "" {
		return o.writeHTML(cmd, folder)
	}
	return o.serve(cmd, folder)
}

func (o *viewOptions) serve(cmd *cobra.Command, folder string) (err error) {
	options := view.Options{Folder: folder, Media: o.media, MetricOf: metricOf}
	if o.journal != "" {
		if options.Journal, err = journals.All.OpenExisting(cmd.Context(), o.journal, cmd.ErrOrStderr()); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, options.Journal.Close()) }()
	}
	v, err := view.New(options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	s, err := web.Listen(o.address, cmd.Flags().Changed("listen"))
	if err != nil {
		return err
	}
	if s.Open {
		warn(cmd, "everybody who can reach this machine can look at these runs, prompts and media")
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s shows the runs below %s; Ctrl-C ends it\n", s.URL, printable(folder))
	return s.Serve(cmd.Context(), v.Handler(), view.Style)
}
