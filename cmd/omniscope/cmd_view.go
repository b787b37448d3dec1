package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/session/journals"
	"omniscope/web"
	"omniscope/web/view"
)

// usualAddress is where the viewer listens if that is free.
const usualAddress = "127.0.0.1:7460"

func newView() *cobra.Command {
	var address, journal string
	var media []string
	cmd := &cobra.Command{
		Use:   "view [FOLDER]",
		Short: "Look at all runs below a folder in a browser, while they are made and after",
		Long: `Show all runs below a folder (default: this one) in a browser: scores, answers and investigations, and runs that are
still being made. Of each sample: the film or sound, what was asked, the reply, the verdicts, the raw call. Two runs
or more can be compared, and two followed to where they part.

Pages have addresses that stay: they can be sent to somebody who looks at the same folder. Nothing is changed, asked
or sent elsewhere. Only this machine can reach the pages, unless --listen says otherwise.`,
		Example: `  omniscope view
  omniscope view omniscope-work --media clips
  omniscope view --journal postgres://host/omniscope
  omniscope view /data/runs --listen 0.0.0.0:8080`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			folder := "."
			if len(args) == 1 {
				folder = args[0]
			}
			o := view.Options{Folder: folder, Media: media, MetricOf: metricOf}
			if journal != "" {
				if o.Journal, err = journals.All.OpenExisting(cmd.Context(), journal, cmd.ErrOrStderr()); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, o.Journal.Close()) }()
			}
			v, err := view.New(o)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, v.Close()) }()
			s, err := web.Listen(address, cmd.Flags().Changed("listen"))
			if err != nil {
				return err
			}
			if s.Open {
				fmt.Fprintln(cmd.ErrOrStderr(), "warning: everybody who can reach this machine can look at these runs, prompts and media")
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s shows the runs below %s; Ctrl-C ends it\n", s.URL, printable(folder))
			return s.Serve(cmd.Context(), v.Handler(), view.Style)
		},
	}
	cmd.Flags().StringVar(&address, "listen", usualAddress, "HOST:PORT to serve the pages at; if the port of the default is taken, another one")
	cmd.Flags().StringVar(&journal, "journal", "", "journal of runs that have none below the folder, such as postgres://user@host/database")
	cmd.Flags().StringArrayVar(&media, "media", nil, "folder to look for the samples' files in, beside those that runs name; repeatable")
	return cmd
}
