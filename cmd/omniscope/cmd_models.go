package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/internal/visible"
	"omniscope/metric/neural/models"
	"omniscope/session"
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

// A modelRow is a model in the JSON of the list.
type modelRow struct {
	Name         string      `json:"name"`
	Kind         models.Kind `json:"kind"`
	Language     string      `json:"language,omitempty"`
	Layer        int         `json:"layer,omitempty"`
	Repo         string      `json:"repo"`
	Licence      string      `json:"licence"`
	WeightsBytes int64       `json:"published_weights_bytes"`
	Dir          string      `json:"dir"`
	There        bool        `json:"there"`
	Bytes        int64       `json:"bytes,omitempty"`
	From         string      `json:"from,omitempty"`
	Problem      string      `json:"problem,omitempty"`
}

func (o *modelsOptions) list(cmd *cobra.Command, asJSON bool) error {
	root, err := o.root()
	if err != nil {
		return err
	}
	entries := models.List(root)
	if asJSON {
		var rows []modelRow
		for _, e := range entries {
			m := e.Model
			rows = append(rows, modelRow{m.Name, m.Kind, m.Language, m.Layer, m.Repo(), m.Licence, m.Weights, e.Dir, e.There, e.Info.Bytes(), e.Info.From, e.Problem})
		}
		enc := json.NewEncoder(documentOut(cmd))
		enc.SetIndent("", "  ")
		return enc.Encode(rows)
	}
	t := visible.NewTable(cmd.OutOrStdout(), "model", "published as", "layers", "weights", "licence", "here")
	missing := false
	for _, e := range entries {
		missing = missing || !e.There
		t.AppendRow(table.Row{e.Model.Name, e.Model.Repo(), layers(e.Model), models.Size(e.Model.Weights), e.Model.Licence, here(e)})
	}
	t.Render()
	fmt.Fprintf(cmd.OutOrStdout(), "\nfolder: %s\n", root)
	if missing {
		fmt.Fprintln(cmd.OutOrStdout(), "`omniscope models get NAME` downloads one, `omniscope models get mcif` all.")
	}
	return nil
}

// layers says how many of a network's layers are computed.
func layers(m models.Model) string {
	if m.Kind == models.COMET {
		return fmt.Sprint(m.Network.Layers)
	}
	return fmt.Sprintf("%d of %d", m.Layer, m.Network.Layers)
}

// here says what is there of a model.
func here(e models.Entry) string {
	switch {
	case e.Problem != "":
		return "not whole: " + visible.First(e.Problem, 100)
	case !e.There:
		return "-"
	}
	return models.Size(e.Info.Bytes()) + ", from " + visible.Line(e.Info.From)
}

// namesOf are the models that somebody names; mcif stands for all that its
// scores need.
func namesOf(args []string) []string {
	var names []string
	for _, a := range args {
		if a == "mcif" {
			names = append(names, models.Names()...)
			continue
		}
		names = append(names, a)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// knownModels checks names before anything is done.
func knownModels(cmd *cobra.Command, args []string) error {
	for _, name := range namesOf(args) {
		if _, ok := models.Lookup(name); !ok {
			return fmt.Errorf("no model %q%s: %s, and mcif for all of them", name, spelling.Among(name, append(models.Names(), "mcif")), strings.Join(models.Names(), ", "))
		}
	}
	return nil
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
			root, err := o.root()
			if err != nil {
				return err
			}
			client, warning, err := session.Hub()
			if err != nil {
				return err
			}
			if warning != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "warning:", warning)
			}
			for _, name := range namesOf(args) {
				folder, err := o.watch(cmd, func(options models.Options) (models.Folder, error) {
					return models.Get(cmd.Context(), client, root, name, options)
				})
				if err != nil {
					return err
				}
				printFolder(cmd, name, folder)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	return cmd
}

// watch does something that takes long and shows how far it is.
func (o *modelsOptions) watch(cmd *cobra.Command, do func(models.Options) (models.Folder, error)) (models.Folder, error) {
	p := startByteProgress(cmd.ErrOrStderr(), o.NoProgress)
	defer p.stop()
	return do(models.Options{By: "omniscope " + version.Program(), Progress: p.tell})
}

func printFolder(cmd *cobra.Command, name string, f models.Folder) {
	for _, w := range f.Warnings {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning:", w)
	}
	licence := ""
	if f.Info.Licence != "" {
		licence = ", licence " + f.Info.Licence
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s (%s%s)\n", name, f.Dir, models.Size(f.Info.Bytes()), licence)
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
			names := namesOf(args)
			if len(names) == 0 {
				names = modelsThere(root)
			}
			if len(names) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), "no models are in", root)
			}
			var bad error
			for _, name := range names {
				_, err := o.watch(cmd, func(options models.Options) (models.Folder, error) {
					return models.Verify(cmd.Context(), root, name, options)
				})
				if errors.Is(err, context.Canceled) {
					return err
				}
				if err == nil {
					fmt.Fprintf(cmd.OutOrStdout(), "%s: every byte is as model.json says\n", name)
				}
				bad = errors.Join(bad, err)
			}
			return bad
		},
	}
	cmd.Flags().BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	return cmd
}

// modelsThere are the models of which something is there, whole or not.
func modelsThere(root string) []string {
	var names []string
	for _, e := range models.List(root) {
		if e.There || e.Problem != "" {
			names = append(names, e.Model.Name)
		}
	}
	return names
}

func newModelsRemove(o *modelsOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME...",
		Short: "Delete models; what the hub's cache has of them stays there",
		Args:  checkedArgs(cobra.MatchAll(cobra.MinimumNArgs(1), knownModels)),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, err := o.root()
			if err != nil {
				return err
			}
			for _, name := range namesOf(args) {
				if err := models.Remove(cmd.Context(), root, name); err != nil {
					return err
				}
				fmt.Fprintln(cmd.OutOrStdout(), name+": removed")
			}
			return nil
		},
	}
}
