package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/memory"
	"omniscope/internal/outfile"
	"omniscope/internal/visible"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/fleet"
)

func newWorker() *cobra.Command {
	o := &fleet.Serving{Kinds: runKinds, Calls: evalCalls()}
	cmd := &cobra.Command{
		Use:   "worker --journal postgres://USER@HOST/DATABASE",
		Short: "Work on parts of runs from other machines",
		Long: `Do parts of the runs that commands with --engine river hand out by the database of their journal, until
interrupted. Whatever is asked, observed or computed is in the journal before it counts; the command that
handed the run out then makes the results. 'worker status' lists workers and parts, 'worker check' finds what keeps
runs from being done, 'worker attach' shows the progress of one run.

Keys and addresses of endpoints are those of this machine's environment, files those that are found here
under the same paths. A run that would not be the same run here, since a file, an endpoint or the version
of omniscope differs, is left to other workers, and this one says why. Interrupted, the worker ends the calls
on the wire and puts back what it has not done.`,
		Example: `  omniscope worker --journal postgres://omni@db/omniscope -j 250
  OMNISCOPE_JOURNAL=postgres://omni@db/omniscope omniscope worker --queues cpu -j 16`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Calls.MaxConcurrency < 1 {
				return omniscope.Usagef("--concurrency must be at least 1")
			}
			memory.KeepHeadroom(cmd.Context(), o.Calls.MaxConcurrency)
			o.Units = o.Calls.MaxConcurrency + o.Calls.MaxConcurrency/8
			o.Warnings = cmd.ErrOrStderr()
			return fleet.Serve(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	addWorkDir(f, &o.Calls.WorkDir)
	addJournal(f, &o.Calls.Journal)
	addLease(f, &o.Calls.Lease)
	f.IntVarP(&o.Calls.MaxConcurrency, "concurrency", "j", o.Calls.MaxConcurrency, "most calls of one model at a time, in this process; fewer while the endpoint complains")
	f.StringSliceVar(&o.Queues, "queues", []string{session.CallsQueue, session.CPUQueue}, "what to do, with commas between: calls (models elsewhere), cpu (tools and networks of this machine)")
	f.StringVar(&o.Calls.Prices, "prices", "", "YAML file of prices: PROVIDER/NAME: {in: USD, out: USD} per million tokens, {minute: USD} of sound for --asr")
	f.StringArrayVar(&o.Media, "media", nil, "folder of media that has to be there, such as a mount that all machines have; several times for several")
	addNetworkFlags(f, &o.Calls.Networks)
	return withCommands(cmd, newWorkerStatus(), newWorkerCheck(), newWorkerAttach())
}

func newWorkerAttach() *cobra.Command {
	c := evalCalls()
	var quiet bool
	cmd := &cobra.Command{
		Use:   "attach RUN --journal postgres://USER@HOST/DATABASE",
		Short: "Show the progress of a run until it is done",
		Long: `Show the progress of the workers on a run that a command handed out, until nothing is left to do. RUN is
the start of its id. Interrupting this changes nothing; the run's own command makes the results.`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ordering(cmd, &c, quiet).Attach(cmd.Context(), args[0])
		},
	}
	addWorkDir(cmd.Flags(), &c.WorkDir)
	addJournal(cmd.Flags(), &c.Journal)
	addQuiet(cmd.Flags(), &quiet)
	return cmd
}

func newWorkerStatus() *cobra.Command {
	return newFleet(&cobra.Command{
		Use:   "status --journal postgres://USER@HOST/DATABASE",
		Short: "List the workers that share a journal, and the parts of runs that wait for them",
	}, func(out io.Writer, s *fleet.State) error {
		for _, t := range s.Tables() {
			printListTo(out, catalog.List{Columns: t.Columns, Rows: t.Rows})
		}
		if len(s.Workers) == 0 {
			fmt.Fprintln(out, "no worker is alive")
		}
		return nil
	})
}

func newWorkerCheck() *cobra.Command {
	return newFleet(&cobra.Command{
		Use:   "check --journal postgres://USER@HOST/DATABASE",
		Short: "Check the database and the workers, and list what keeps runs from being done",
		Long: `Check the database of a journal and its workers: connections, clocks, calls in flight, and versions, programs and media
folders of the workers. Exit code 1 if something keeps runs from being done, or from being done alike everywhere.`,
	}, func(out io.Writer, s *fleet.State) error {
		for _, line := range s.Summary() {
			fmt.Fprintln(out, line)
		}
		for _, note := range s.Notes {
			fmt.Fprintln(out, "note:", visible.Line(note))
		}
		for _, trouble := range s.Trouble {
			fmt.Fprintln(out, "to fix:", visible.Line(trouble))
		}
		return s.Err()
	})
}

// newFleet completes a command that shows the state of a journal and its workers.
func newFleet(cmd *cobra.Command, show func(io.Writer, *fleet.State) error) *cobra.Command {
	var at place
	var asJSON bool
	cmd.Args = exactArgs(0)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := fleet.Check(cmd.Context(), at.String(), cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		if !asJSON {
			return show(cmd.OutOrStdout(), &s)
		}
		return errors.Join(outfile.JSON(cmd.OutOrStdout(), s), show(io.Discard, &s))
	}
	at.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the entire state as JSON")
	return cmd
}
