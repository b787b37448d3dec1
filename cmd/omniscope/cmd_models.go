package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"omniscope/internal/bytesize"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/internal/version"
	"omniscope/internal/visible"
	"omniscope/metric/neural/models"
	"omniscope/session/benchdata"
)

// modelsOptions are the flags that all models commands share.
type modelsOptions struct {
	Dir        string
	NoProgress bool
}

func newModels() *cobra.Command {
	o := &modelsOptions{}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "models",
		Short: "The networks of BERTScore and COMET: list, download, import, verify, remove",
		Long: `The networks that BERTScore and COMET compare texts with. Without a further command: which there
are, which are here, how large they are and under which licence.

They are kept as folders under one root: --models-dir, else $` + models.RootEnv + `, else omniscope/models in
the user's folder for caches. Downloads go through the cache of huggingface_hub (HF_HOME), where
Python programs may have put the same files already.`,
		Example: `  omniscope models
  omniscope models get mcif
  omniscope models import ~/models/roberta-large --as bert_score/en --link
  omniscope models import model.ckpt --out model.safetensors`,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.list(cmd, asJSON) },
	}
	cmd.PersistentFlags().StringVar(&o.Dir, "models-dir", "", "root of the model folders (default: $"+models.RootEnv+", else in the user's caches)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newModelsGet(o), newModelsImport(o), newModelsVerify(o), newModelsRemove(o))
	return cmd
}

func (o *modelsOptions) root() (string, error) {
	if o.Dir != "" {
		return o.Dir, nil
	}
	return models.Root()
}

func (o *modelsOptions) list(cmd *cobra.Command, asJSON bool) error {
	root, err := o.root()
	if err != nil {
		return err
	}
	entries := models.List(root)
	if asJSON {
		var rows []models.Row
		for _, e := range entries {
			rows = append(rows, e.Row())
		}
		return outfile.JSON(documentOut(cmd), rows)
	}
	t := visible.NewTable(cmd.OutOrStdout(), "model", "published as", "layers", "weights", "licence", "here")
	missing := false
	for _, e := range entries {
		missing = missing || !e.There
		t.AppendRow(table.Row{e.Model.Name, e.Model.Repo(), e.Model.Computed(), bytesize.Format(e.Model.Weights), e.Model.Licence, e.State()})
	}
	t.Render()
	fmt.Fprintf(cmd.OutOrStdout(), "\nfolder: %s\n", root)
	if missing {
		fmt.Fprintln(cmd.OutOrStdout(), "`omniscope models get NAME` downloads one, `omniscope models get mcif` all.")
	}
	return nil
}

// knownModels checks names before anything is done.
func knownModels(_ *cobra.Command, args []string) error {
	_, err := models.Expand(args)
	return err
}

// each does something with every one of the models, in their root, up to an error.
func (o *modelsOptions) each(names []string, do func(root, name string) error) error {
	root, err := o.root()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := do(root, name); err != nil {
			return err
		}
	}
	return nil
}

// watch does something that takes long and shows how far it is.
func (o *modelsOptions) watch(cmd *cobra.Command, do func(models.Options) error) error {
	p := progress.StartBytes(cmd.ErrOrStderr(), o.NoProgress)
	defer p.Stop()
	return do(models.Options{By: "omniscope " + version.Program(), Progress: p.Set})
}

// folder makes the folder of a model, shows how far that is, and prints where it
// is then.
func (o *modelsOptions) folder(cmd *cobra.Command, name string, make func(root string, options models.Options) (models.Folder, error)) error {
	root, err := o.root()
	if err != nil {
		return err
	}
	var f models.Folder
	err = o.watch(cmd, func(options models.Options) (err error) {
		f, err = make(root, options)
		return err
	})
	if err != nil {
		return err
	}
	warn(cmd, f.Warnings...)
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, f)
	return err
}

func newModelsGet(o *modelsOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "get NAME...",
		Short: "Download models; mcif stands for all that MCIF needs",
		Long: `Download models from the Hugging Face hub or a mirror of it (HF_ENDPOINT, HF_TOKEN, HF_HOME,
HF_HUB_OFFLINE). What is in its cache already is not downloaded again; an interrupted download
goes on where it stopped; weights of torch are converted once. A model is there whole or not at
all. Its licence is that of its authors: ` + "`omniscope models`" + ` shows it.`,
		Example: "  omniscope models get mcif\n  omniscope models get bert_score/de comet/wmt22-comet-da",
		Args:    checkedArgs(cobra.MatchAll(cobra.MinimumNArgs(1), knownModels)),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, warning, err := benchdata.Hub()
			if err != nil {
				return err
			}
			if warning != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "warning:", warning)
			}
			names, _ := models.Expand(args) // they were checked
			return o.each(names, func(_, name string) error {
				return o.folder(cmd, name, func(root string, options models.Options) (models.Folder, error) {
					return models.Get(cmd.Context(), client, root, name, options)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	return cmd
}

func newModelsVerify(o *modelsOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Compare the bytes of models with their digests; without a name, of all that are here",
		Args:  checkedArgs(knownModels),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := o.root()
			if err != nil {
				return err
			}
			names, _ := models.Expand(args) // they were checked
			if len(args) == 0 {
				names = models.There(root)
			}
			if len(names) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "no models are in", root)
			}
			var bad error
			err = o.each(names, func(root, name string) error {
				err := o.watch(cmd, func(options models.Options) error {
					_, err := models.Verify(cmd.Context(), root, name, options)
					return err
				})
				switch {
				case errors.Is(err, context.Canceled):
					return err
				case err == nil:
					fmt.Fprintf(cmd.OutOrStdout(), "%s: every byte is as model.json says\n", name)
				}
				bad = errors.Join(bad, err)
				return nil
			})
			return cmp.Or(err, bad)
		},
	}
	cmd.Flags().BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	return cmd
}

func newModelsRemove(o *modelsOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME...",
		Short: "Delete models; what the hub's cache has of them stays there",
		Args:  checkedArgs(cobra.MatchAll(cobra.MinimumNArgs(1), knownModels)),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, _ := models.Expand(args) // they were checked
			return o.each(names, func(root, name string) error {
				err := models.Remove(cmd.Context(), root, name)
				if err == nil {
					fmt.Fprintln(cmd.OutOrStdout(), name+": removed")
				}
				return err
			})
		},
	}
}
