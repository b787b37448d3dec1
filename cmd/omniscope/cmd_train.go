package main

import (
	"github.com/spf13/cobra"
)

func newTrain() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Make data sets and settings for training captioners, and check them",
		Long: `Make data sets of captions and settings for existing trainers, and check both before a GPU is paid for. omniscope trains nothing
itself. What the paper says and what it leaves open is in docs/train.md.`,
		Args: checkedArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrainExport(), newTrainDecontaminate(), newTrainCheck(), newTrainRecipe(), newTrainVerify())
	return cmd
}
