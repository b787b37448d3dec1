package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/metric/neural/models"
)

func newModelsImport(o *modelsOptions) *cobra.Command {
	var as, out string
	var link, force bool
	cmd := &cobra.Command{
		Use:   "import PATH",
		Short: "Make a model of files that are here, or convert a file of weights",
		Long: `Make a model of files that are here, without a connection: of a folder as transformers and COMET
keep it (config.json, the tokenizer's files, model.safetensors or pytorch_model.bin; for COMET
hparams.yaml and checkpoints/model.ckpt beside config.json and tokenizer.json of xlm-roberta-large),
or of a file of weights with the others beside it. Sizes, names and tokenizer are checked first.

Without --as, PATH is a .bin, .pt or .ckpt file, which is converted to safetensors, once. Nothing
in such a file is ever run: what is no plain tensor is refused.`,
		Example: `  omniscope models import /mnt/stick/bert-base-multilingual-cased --as bert_score/de
  omniscope models import wmt22-comet-da/ --as comet/wmt22-comet-da
  omniscope models import pytorch_model.bin --out model.safetensors`,
		Args: exactArgs(1),
		PreRunE: func(*cobra.Command, []string) error {
			return checkRules([]rule{
				{as == "" && link, "--link goes with --as NAME"},
				{as != "" && out != "", "--out is for a file that becomes no model: leave out --as, or --out"},
			})
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if as != "" {
				return o.folder(cmd, as, func(root string, options models.Options) (models.Folder, error) {
					options.Link = link
					return models.Import(cmd.Context(), root, args[0], as, options)
				})
			}
			var written string
			err := o.watch(cmd, func(options models.Options) (err error) {
				written, err = models.Convert(cmd.Context(), args[0], out, force, options)
				return err
			})
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), "written to", written)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&as, "as", "", "the model that it is: "+strings.Join(models.Names(), ", "))
	f.BoolVar(&link, "link", false, "leave the bytes of safetensors where they are, under a second name, instead of copying\nthem; nobody may change them there")
	f.StringVarP(&out, "out", "o", "", "file to write, without --as (default: PATH with the ending .safetensors)")
	addForce(f, &force)
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	return cmd
}
