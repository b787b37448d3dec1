package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/hub"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/internal/visible"
	"omniscope/metric/neural/models"
	"omniscope/session/benchdata"
)

// dataOptions are the flags that commands of data share.
type dataOptions struct {
	Networks string
	Quiet    bool
}

func newData() *cobra.Command {
	o := &dataOptions{}
	cmd := withCommands(&cobra.Command{
		Use:   "data",
		Short: "List, fetch, import and check benchmarks, networks and packs",
		Long: `List, download, import, remove and check data. A name stands for the published data of a benchmark (omni-cloze), a network
of BERTScore or COMET (bert_score/de), or a pack of files that a tool needs (speech).

Downloads come from the Hugging Face hub or a mirror of it (HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_OFFLINE) and are kept in
the cache of the Python package huggingface_hub. Networks are folders below --models-dir, else $` + models.RootEnv + `,
else omniscope/models in the user's folder for caches. Licences are those of the publishers.`,
		RunE: needsCommand,
	}, newDataList(o), newDataGet(o), newDataImport(o), newDataRemove(o), newDataVerify(o), newDataSamples(), newDataStats())
	cmd.PersistentFlags().StringVar(&o.Networks, "models-dir", "", "folder of the networks (default: $"+models.RootEnv+", else in the user's caches)")
	return cmd
}

// dataNames checks names of data before anything is done.
func dataNames(least int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return omniscope.Usagef("name the data: a benchmark, a network or a pack; `omniscope data list` lists them")
		}
		_, err := benchdata.Find(args...)
		return err
	}
}

func newDataList(o *dataOptions) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [NAME...]",
		Short: "List benchmarks, networks and packs, and which of them are on this machine",
		Long: `List benchmarks, networks and packs, and which of them are on this machine. With names, also show where they come from,
their folders, and how to get what is missing. The flag after each part of a benchmark names a copy of your own.
It makes no request: 'omniscope data get NAME --dry-run' shows the sizes of what is not here.`,
		Example: "  omniscope data list\n  omniscope data list mcif",
		Args:    dataNames(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, _ := benchdata.Find(args...) // they were checked
			l, err := benchdata.List(names, o.Networks)
			switch {
			case err != nil:
				return err
			case asJSON:
				return outfile.JSON(documentOut(cmd), l)
			case len(args) == 0:
				printList(cmd, l.Summary())
				fmt.Fprintln(cmd.OutOrStdout(), "`omniscope data list NAME` shows details, `omniscope data get NAME` downloads.")
			}
			for _, line := range l.Text() {
				if len(args) > 0 {
					fmt.Fprintln(cmd.OutOrStdout(), visible.Text(line))
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newDataGet(o *dataOptions) *cobra.Command {
	g := &benchdata.Options{}
	cmd := &cobra.Command{
		Use:   "get NAME...",
		Short: "Download benchmarks and networks",
		Long: `Download the published data of benchmarks, or networks. What is there already is not downloaded again; an interrupted
download continues where it stopped; bytes are checked against the hub's digests. A part that cannot be downloaded does not
stop the others: it is named at the end, with the files to copy and where to put them.`,
		Example: "  omniscope data get omni-cloze --dry-run\n  omniscope data get mcif --part networks\n  omniscope data get bert_score/de comet/wmt22-comet-da",
		Args:    dataNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, _ := benchdata.Find(args...) // they were checked
			for _, n := range names {
				if g.Part != "" && n.Kind != benchdata.Benchmark {
					return omniscope.Usagef("--part is for benchmarks: %s is a %s and has no parts", n.Name, n.Kind)
				}
			}
			p := progress.StartBytes(cmd.ErrOrStderr(), o.Quiet || g.DryRun)
			g.Progress, g.Networks = p.Set, o.Networks
			g.Plan = func(part string, files []hub.Listed, bytes int64) {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d files, %s\n", part, len(files), bytesize.Format(bytes))
				for _, f := range files {
					if g.DryRun {
						fmt.Fprintln(cmd.OutOrStdout(), f.Path)
					}
				}
			}
			var warnings []string
			g.Got = func(path string, w []string) {
				if warnings = append(warnings, w...); path != "" {
					fmt.Fprintln(cmd.OutOrStdout(), path)
				}
			}
			err := benchdata.Get(cmd.Context(), names, g)
			p.Stop()
			warn(cmd, warnings...)
			return err
		},
	}
	cmd.Flags().StringVar(&g.Part, "part", "", "this part of a benchmark only: annotations, media, references or networks")
	cmd.Flags().BoolVar(&g.DryRun, "dry-run", false, "list the files and their sizes, and download nothing")
	addQuietData(cmd, o)
	return cmd
}

func addQuietData(cmd *cobra.Command, o *dataOptions) {
	addQuiet(cmd.Flags(), &o.Quiet)
}

func newDataRemove(o *dataOptions) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME...",
		Short: "Delete downloaded benchmarks, networks and packs",
		Long: `Delete data: the files of a benchmark in the hub's cache, the folder of a network (what the hub's cache has of it stays
there), or the files of a pack. Files of your own are never deleted.`,
		Example: "  omniscope data remove bert_score/de",
		Args:    dataNames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, _ := benchdata.Find(args...) // they were checked
			for _, n := range names {
				bytes, err := benchdata.Remove(cmd.Context(), n, o.Networks)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: removed, %s\n", n.Name, bytesize.Format(bytes))
			}
			return nil
		},
	}
}

func newDataVerify(o *dataOptions) *cobra.Command {
	var v benchdata.Verifying
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Check the digests of data, and whether a benchmark's media are complete",
		Long: `Compare files with their digests: all data on this machine, or the named. Of a benchmark, also find out whether all media
that its file names are there. Exit code 1: something is damaged or missing. It makes no request.`,
		Example: "  omniscope data verify\n  omniscope data verify omni-cloze --data omni_cloze.jsonl --media clips",
		Args:    dataNames(0),
		RunE: func(cmd *cobra.Command, args []string) error {
			names, _ := benchdata.Find(args...) // they were checked
			if (v.Data != "" || v.Media != "") && (len(names) != 1 || names[0].Kind != benchdata.Benchmark) {
				return omniscope.Usagef("--data and --media are of one benchmark: name it")
			}
			if len(names) == 0 {
				var err error
				if names, err = benchdata.Here(o.Networks); err != nil {
					return err
				}
			}
			v.Networks = o.Networks
			p := progress.StartBytes(cmd.ErrOrStderr(), o.Quiet)
			v.Progress = p.Set
			checks := []*benchdata.Check{}
			var bad []string
			var err error
			for _, n := range names {
				var c *benchdata.Check
				if c, err = benchdata.Verify(cmd.Context(), n, v); err != nil {
					break
				}
				if checks = append(checks, c); c.Bad() {
					bad = append(bad, n.Name)
				}
			}
			p.Stop()
			if shown := showDataChecks(cmd, checks, asJSON); err == nil {
				err = shown
			}
			if err == nil && len(bad) > 0 {
				err = &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New("data are damaged or missing: `omniscope data get " + strings.Join(bad, " ") + "` downloads what the hub has")}
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&v.Data, "data", "d", "", "the benchmark's own file (default: that of the hub's cache)")
	cmd.Flags().StringVar(&v.Media, "media", "", "folder that the media's names start from (default: the folder of the file)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document, a list of checks")
	addQuietData(cmd, o)
	return cmd
}

func showDataChecks(cmd *cobra.Command, checks []*benchdata.Check, asJSON bool) error {
	if asJSON {
		return outfile.JSON(documentOut(cmd), checks)
	}
	for _, c := range checks {
		for _, line := range c.Text() {
			fmt.Fprintln(cmd.OutOrStdout(), visible.Text(line))
		}
		if c.Unlike {
			warn(cmd, c.Data+" is not the file of that name in the hub's cache: another version")
		}
	}
	if len(checks) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "no data are here")
	}
	return nil
}
