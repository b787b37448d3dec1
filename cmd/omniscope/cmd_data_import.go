package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/internal/progress"
	"omniscope/metric/neural/models"
	"omniscope/session/benchdata"
)

func newDataImport(o *dataOptions) *cobra.Command {
	i := &benchdata.Import{}
	cmd := &cobra.Command{
		Use:   "import PATH",
		Short: "Make a network of files on this machine, or convert a file of weights",
		Long: `Make a network of files on this machine, without a connection: of a folder of transformers or COMET (config.json, the
tokenizer's files, model.safetensors or pytorch_model.bin; for COMET hparams.yaml and checkpoints/model.ckpt next to
config.json and tokenizer.json of xlm-roberta-large), or of a file of weights with the others next to it. Sizes, names and
tokenizer are checked first.

Without --as, PATH is a .bin, .pt or .ckpt file, which is converted to safetensors, once. No code in such a file is ever
run: anything but plain tensors is refused. The data of a benchmark need no import: name your copy with --data and --media.`,
		Example: `  omniscope data import /mnt/stick/bert-base-multilingual-cased --as bert_score/de
  omniscope data import wmt22-comet-da/ --as comet/wmt22-comet-da
  omniscope data import pytorch_model.bin --out model.safetensors`,
		Args: exactArgs(1),
		PreRunE: func(*cobra.Command, []string) error {
			return checkRules([]rule{
				{i.As == "" && i.Link, "--link goes with --as NAME"},
				{i.As != "" && i.Out != "", "--out is for a file that does not become a network: leave out --as, or --out"},
			})
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p := progress.StartBytes(cmd.ErrOrStderr(), o.Quiet)
			i.Path, i.Networks, i.Progress = args[0], o.Networks, p.Set
			made, warnings, err := i.Do(cmd.Context())
			p.Stop()
			warn(cmd, warnings...)
			if err == nil {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), made)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringVar(&i.As, "as", "", "the network: "+strings.Join(models.Names(), ", "))
	f.BoolVar(&i.Link, "link", false, "leave the bytes of safetensors where they are, under a second name, instead of copying\nthem; do not change them there")
	f.StringVarP(&i.Out, "out", "o", "", "file to write, without --as (default: PATH with the ending .safetensors)")
	addForce(f, &i.Force)
	addQuietData(cmd, o)
	return cmd
}
