package main

import (
	"github.com/spf13/cobra"
)

func newTrain() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "train",
		Short: "Export captions for trainers: data sets, recipes, checks",
		Long: `Make data sets of captions and settings for existing trainers, and check both before a GPU is paid for. omniscope trains nothing
itself. What the paper says and what it leaves open is in docs/train.md.`,
		Args: checkedArgs(cobra.NoArgs),
	}, newTrainExport(), newTrainDecontaminate(), newTrainCheck(), newTrainRecipe(), newTrainVerify())
}
