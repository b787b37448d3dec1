package main

import (
	"github.com/spf13/cobra"
)

func newCurate() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "curate",
		Short: "Build benchmarks and test sets",
		Long:  `Build benchmarks and test sets: from raw media and tables to files that 'omniscope eval' reads.`,
		Args:  checkedArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCurateCloze(), newCurateMCIF())
	return cmd
}
