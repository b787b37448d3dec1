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
func doShard(cmd *cobra.Command, m *session.Machine, s session.Shard, quiet bool, open opener) error {
	w, err := open.part(cmd, m, s)
	if err != nil {
		return err
	}
	_, err = doPart(cmd, w, s, quiet)
	return err
}

// An opener opens a run.
type opener func() (session.Units, error)

// part opens a part of the run.
func (open opener) part(cmd *cobra.Command, m *session.Machine, s session.Shard) (*session.Work, error) {
	u, err := open()
	if err != nil {
		return nil, err
	}
	return session.Part(cmd.Context(), u, m, s)
}

// doPart does a part of a run's work, and returns what of it failed.
func doPart(cmd *cobra.Command, w *session.Work, s session.Shard, quiet bool) (session.Failures, error) {
	failed, err := w.DoShard(cmd.Context(), session.Sharding{Shard: s, Out: cmd.OutOrStdout(), Progress: showing(cmd, quiet)})
	return failed, errors.Join(err, w.Close())
}

// An engineFlag says where the work of a run is done.
type engineFlag struct{ name string }

func (e *engineFlag) add(f *pflag.FlagSet) {
	f.StringVar(&e.name, "engine", "local", "where the work is done: local, in this process; or river, by the workers ('omniscope worker') of the\ndatabase that --journal names, for which this command waits before it makes the results")
}

// remotely has workers do the run that open opens, if the user wants that. The run
// stays open until the returned function is called, and so does its budget.
func (e *engineFlag) remotely(cmd *cobra.Command, m *session.Machine, quiet bool, open opener) (closeWork func() error, err error) {
	nothing := func() error { return nil }
	if err := fleet.CheckEngine(e.name); err != nil || e.name != "river" {
		return nothing, err
	}
	w, err := open.part(cmd, m, session.Shard{})
	if err != nil {
		return nil, err
	}
	err = ordering(cmd, m.Calls, quiet).Do(cmd.Context(), w)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w.Close, nil
}

func ordering(cmd *cobra.Command, c *session.Calls, quiet bool) *fleet.Ordering {
	return &fleet.Ordering{Calls: c, Warnings: cmd.ErrOrStderr(), Progress: showing(cmd, quiet)}
}
