package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/session"
)

// addShard adds the flag by which several processes do one run.
func addShard(f *pflag.FlagSet, s *session.Shard) {
	f.Var(s, "shard", "do part I of N of the work and write no results, such as 0/4 to 3/4 on four machines; with --journal on a\nshared database the parts of processes that died are done as well. docs/machines.md shows how")
}

// doShard does a part of a run's work.
func doShard(cmd *cobra.Command, w *session.Work, s session.Shard, workers int, quiet bool) error {
	err := w.DoShard(cmd.Context(), session.Sharding{Shard: s, Workers: workers, Out: cmd.OutOrStdout(),
		Progress: func(units int, state func() []string) (func(int), func()) {
			p := startProgress(cmd.ErrOrStderr(), quiet, units, state)
			return p.Done, p.Stop
		}})
	return errors.Join(err, w.Close())
}
