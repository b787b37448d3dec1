package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/results/report"
	"omniscope/train"
	"omniscope/train/recipe"
)

// trainRecipe are the flags of train recipe.
type trainRecipe struct {
	recipe.Options
	stage    int
	set      []string
	settings bool
}

func newTrainRecipe() *cobra.Command {
	o := &trainRecipe{}
	cmd := &cobra.Command{
		Use:   "recipe TRAINER --stage 1|2 --model MODEL --rows FILE --out DIR",
		Short: "Write the settings with which a trainer runs the published training",
		Long: `Write the settings with which an existing trainer runs a stage of the published training of captioners (arXiv 2510.12720, section
4.1 and A.1). TRAINER is ms-swift, llama-factory, veomni or automodel. Nothing is trained.

Each value in the files is marked: "paper" is stated in the paper, "ours" is not, "yours" was given with --set. The batch of 64
rows (stage 1) or 16 (stage 2) stays with other numbers of GPUs: the accumulation changes. DIR gets the settings and recipe.json,
with digests of rows and settings. The same input gives the same files. What the trainers cannot do is refused: stage 1 with
llama-factory, stage 2 with automodel. Edited settings are checked with 'omniscope train check --recipe DIR'.

All settings, and what each trainer calls them, are in docs/train-recipe.md.`,
		Example: `  omniscope train recipe ms-swift --stage 1 --model Qwen/Qwen2.5-Omni-7B --rows audio.jsonl --out stage1
  omniscope train recipe ms-swift --stage 2 --model stage1/checkpoints/v0/checkpoint-1718 --rows av.jsonl --checked check.json --longest 60 --out stage2
  omniscope train recipe veomni --stage 2 --model stage1 --rows av.jsonl --gpus 4 --set max_frames=240 --out stage2
  omniscope train recipe --settings`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.IntVar(&o.stage, "stage", 0, "what is trained: 1 = sound encoder and language model, 2 = everything")
	f.StringVar(&o.Model, "model", "", "what the training starts from, a folder or a name on a hub; in stage 2 stage 1's last checkpoint")
	f.StringVar(&o.Rows, "rows", "", "file of rows in the trainer's form, as the trainer is to open it")
	f.StringVarP(&o.Out, "out", "o", "", "folder for the recipe")
	f.IntVar(&o.GPUs, "gpus", 8, "GPUs of one machine")
	f.IntVar(&o.Machines, "machines", 1, "machines")
	f.StringArrayVar(&o.set, "set", nil, "another value, as NAME=VALUE; several times for several")
	f.Float64Var(&o.Longest, "longest", 0, "seconds of the longest clip, to see whether the cap on frames cuts it; 0 = not known")
	f.StringVar(&o.Checked, "checked", "", "what 'omniscope train check --out' wrote of these rows (default: none, with a warning)")
	f.BoolVar(&o.settings, "settings", false, "list the settings that --set knows, and stop")
	f.BoolVar(&o.Force, "force", false, "replace the recipe that --out holds, edited or not")
	return cmd
}

func (o *trainRecipe) run(cmd *cobra.Command, args []string) error {
	if o.settings {
		return showSettings(cmd)
	}
	if len(args) == 0 {
		return omniscope.Usagef("name the trainer: ms-swift, llama-factory, veomni or automodel")
	}
	o.Trainer, o.Stage = recipe.Trainer(args[0]), train.Stage(o.stage)
	if o.GPUs < 1 || o.Machines < 1 {
		return omniscope.Usagef("--gpus and --machines are at least 1")
	}
	o.Set = make(map[string]string)
	for _, text := range o.set {
		name, value, ok := strings.Cut(text, "=")
		if _, twice := o.Set[name]; !ok || twice {
			return omniscope.Usagef("--set %s: write NAME=VALUE, each name once%s", text, spelling.Hint(name, settingNames()))
		}
		o.Set[name] = value
	}
	r, err := recipe.Write(cmd.Context(), o.Options)
	if err != nil {
		return err
	}
	warn(cmd, printables(r.Warnings)...)
	counts := make(map[recipe.Source]int)
	for _, v := range r.Settings {
		counts[v.Source]++
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s, %s: %d settings from the paper, %d ours, %d yours\n%d files in %s\n", r.Trainer, r.Stage,
		counts[recipe.Paper], counts[recipe.Ours], counts[recipe.Yours], len(r.Files)+1, printable(o.Out))
	return err
}

func settingNames() (names []string) {
	for _, s := range recipe.Settings() {
		names = append(names, s.Name)
	}
	return names
}

func showSettings(cmd *cobra.Command) error {
	table := omniscope.Table{Name: "settings", Title: "Settings", Columns: []string{"name", "stage 1", "stage 2", "source", "--set", "meaning"}}
	for _, s := range recipe.Settings() {
		set := "yes"
		if s.Fixed != "" {
			set = "no"
		}
		table.Rows = append(table.Rows, []string{s.Name, s.Values[0], s.Values[1], string(s.Source), set, s.Means})
	}
	return printTables(cmd, report.Comparison{Title: "Settings of the published training", Tables: []omniscope.Table{table}})
}
