package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/internal/outfile"
	"omniscope/metric/neural/models"
	"omniscope/metric/neural/weights"
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
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case as == "" && link:
				return usagef("--link goes with --as NAME")
			case as != "" && out != "":
				return usagef("--out is for a file that becomes no model: leave out --as, or --out")
			case as == "":
				return o.convert(cmd, args[0], out, force)
			}
			root, err := o.root()
			if err != nil {
				return err
			}
			folder, err := o.watch(cmd, func(options models.Options) (models.Folder, error) {
				options.Link = link
				return models.Import(cmd.Context(), root, args[0], as, options)
			})
			if err != nil {
				return err
			}
			printFolder(cmd, as, folder)
			return nil
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

// convert writes the weights of a file as safetensors.
func (o *modelsOptions) convert(cmd *cobra.Command, path, out string, force bool) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("%s is a folder: say with --as which model it is, such as --as %s", path, models.Names()[0])
	}
	if out == "" {
		out = strings.TrimSuffix(path, filepath.Ext(path)) + ".safetensors"
	}
	if same(path, out) {
		return usagef("%s would be written over: name another file with --out", path)
	}
	if !force {
		if err := outfile.Check(out, func(io.Reader) bool { return false }); err != nil {
			return err
		}
	}
	p := startByteProgress(cmd.ErrOrStderr(), o.NoProgress)
	err := convertWeights(cmd.Context(), path, out, p)
	p.stop()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), "written to", out)
	return err
}

func convertWeights(ctx context.Context, path, out string, p *byteProgress) error {
	f, err := weights.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return weights.Convert(ctx, f, out, func(done, total int64) { p.tell("convert "+filepath.Base(path), done, total) })
}

// same reports whether two paths are one file.
func same(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}
