package main

import (
	"github.com/spf13/cobra"

	"omniscope/detective/plant"
	"omniscope/results/score/filter"
)

func newPlant() *cobra.Command {
	var field string
	var kinds []string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "plant",
		Short: "Plant false claims in captions, to measure an audit",
		Long: `Change captions so that they say something false: in each, one sentence for each kind of claim that it has, another
colour, another count, before for after, a woman's voice for a man's, another sound, another word in quotes. "planted"
lists the changes: kind, from, to, the old and the new sentence, and the reason why the new one is false if the old one is true.
Sentences with bounds, negations, alternatives or possibilities are left alone. An audit should contradict the planted claims and
no other claim. It reads English, and changes a caption in the same way for the same seed.

` + aboutFilters,
		Example: `  echo '{"clip": "a.mp4", "caption": "Two dogs bark."}' | omniscope score plant --kinds count
  omniscope score plant --seed 7 < captions.jsonl > planted.jsonl`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkChoices("kinds", kinds, plant.Kinds); err != nil {
				return err
			}
			return runFilter(cmd, filter.Plant(field, kinds, seed))
		},
	}
	cmd.Flags().StringSliceVar(&kinds, "kinds", plant.Kinds, "kinds of claims, with commas between")
	cmd.Flags().StringVar(&field, "field", "caption", "field of the caption, which is replaced")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of what is changed")
	return cmd
}
