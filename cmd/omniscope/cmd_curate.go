package main

import (
	"github.com/spf13/cobra"
)

func newCurate() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "curate",
		Short: "Build benchmarks and test sets",
		Long: `Build benchmarks and test sets: from raw media and tables to files that 'omniscope eval' reads. A project (init, run, status,
export, trace) does it step by step, with models that draft and people who decide; the other commands are its steps, which can be
run by hand.`,
		Example: `  omniscope curate init harbour --recipe omni-cloze
  omniscope curate run harbour
  omniscope curate status harbour`,
		Args: checkedArgs(cobra.NoArgs),
	}, newCurateInit(), newCurateRun(), newCurateStatus(), newCurateTrace(), newCurateExport(), newCurateCollect(), newCurateCloze(), newCurateQuestions(), newCurateMCIF(), newCurateRelease())
}
