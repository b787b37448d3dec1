package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/session"
	"omniscope/session/fleet"
)

// addShard adds the flag by which several processes do one run.
func addShard(f *pflag.FlagSet, s *session.Shard) {
	f.Var(s, "shard", "do part I of N of the work and write no results, such as 0/4 to 3/4 on four machines; with --journal on a\nshared database the parts of processes that died are done as well. docs/machines.md shows how")
}

// doShard does a part of a run's work. What of it failed is counted by the command that
// makes the results.
func doShard(cmd *cobra.Command, w *session.Work, s session.Shard, workers int, quiet bool) error {
	_, err := doPart(cmd, w, s, workers, quiet)
	return err
}

// doPart does a part of a run's work, and returns what of it failed.
func doPart(cmd *cobra.Command, w *session.Work, s session.Shard, workers int, quiet bool) (session.Failures, error) {
	failed, err := w.DoShard(cmd.Context(), session.Sharding{Shard: s, Workers: workers, Out: cmd.OutOrStdout(), Progress: showing(cmd, quiet)})
	return failed, errors.Join(err, w.Close())
}

// An engineFlag says where the work of a run is done.
type engineFlag struct{ name string }

func (e *engineFlag) add(f *pflag.FlagSet) {
	f.StringVar(&e.name, "engine", "local", "where the work is done: local, in this process; or river, by the workers ('omniscope worker') of the\ndatabase that --journal names, for which this command waits before it makes the results")
}

// remotely has workers do the work that open opens, if the user wants that. The work
// stays open until the returned function is called, and so does the run's budget.
func (e *engineFlag) remotely(cmd *cobra.Command, c *session.Calls, quiet bool, open func() (*session.Work, error)) (closeWork func() error, err error) {
	nothing := func() error { return nil }
	if err := fleet.CheckEngine(e.name); err != nil || e.name != "river" {
		return nothing, err
	}
	w, err := open()
	if err != nil {
		return nil, err
	}
	err = ordering(cmd, c, quiet).Do(cmd.Context(), w)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w.Close, nil
}

func ordering(cmd *cobra.Command, c *session.Calls, quiet bool) *fleet.Ordering {
	return &fleet.Ordering{Calls: c, Warnings: cmd.ErrOrStderr(), Progress: showing(cmd, quiet)}
}
