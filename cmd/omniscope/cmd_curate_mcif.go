package main

import "github.com/spf13/cobra"

func newCurateMCIF() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mcif",
		Short: "Build test sets of talks in the form of MCIF",
		RunE:  needsCommand,
	}
	cmd.AddCommand(newCurateMCIFSegment())
	return cmd
}
