package main

import (
	"github.com/spf13/cobra"

	"omniscope/internal/testing/toy/greet"
)

// newGreet is one more command, in a file as each command has.
func newGreet() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "greet",
		Short: "Print a greeting",
		Args:  exactArgs(0),
		RunE:  func(cmd *cobra.Command, _ []string) error { return greet.Write(cmd.OutOrStdout(), name) },
	}
	cmd.Flags().StringVar(&name, "name", "World", "who is greeted")
	return cmd
}
