package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/hub"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/session/benchdata"
	"omniscope/session/catalog"
)

func newDataList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [BENCHMARK]",
		Short: "List what benchmarks need, and what of it is here",
		Long: `List the annotations, media and references of benchmarks: where they come from, their licence, and where the
hub's cache has them, or what to do to get them. The flag after each part is that by which a copy of yours is
given. It makes no request: the sizes of what is not here are shown by 'omniscope data get BENCHMARK --dry-run'.`,
		Example: "  omniscope data list mcif",
		Args:    checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			rows, err := dataRows(args)
			if err != nil {
				return err
			}
			if asJSON {
				return outfile.JSON(documentOut(cmd), rows)
			}
			printDataRows(cmd.OutOrStdout(), rows)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// printDataRows prints the parts of each data set below its page.
func printDataRows(out io.Writer, rows []benchdata.Row) {
	for i, r := range rows {
		if i == 0 || r.Benchmark != rows[i-1].Benchmark || r.From != rows[i-1].From {
			from := r.From
			if r.Revision != "" {
				from += " at " + r.Revision
			}
			fmt.Fprintf(out, "%s: %s, licence: %s\n", r.Benchmark, from, r.Licence)
		}
		here := "not here: " + r.Do
		if n := len(r.Files); n > 0 {
			here = fmt.Sprintf("%d files, %s, in %s", n, bytesize.Format(r.Bytes), r.Folder)
		}
		fmt.Fprintf(out, "  %-11s  %-12s %s\n", r.Part, r.Flag, here)
	}
}

// dataRows are the parts of the benchmark that is named, else of all.
func dataRows(args []string) (rows []benchdata.Row, err error) {
	if len(args) == 1 {
		b, err := catalog.Benchmark(args[0])
		if err != nil {
			return nil, err
		}
		return benchdata.Rows(b.Info())
	}
	for _, open := range catalog.Benchmarks {
		of, err := benchdata.Rows(open().Info())
		if err != nil {
			return nil, err
		}
		rows = append(rows, of...)
	}
	return rows, nil
}

func newDataGet() *cobra.Command {
	var g benchdata.Options
	var quiet bool
	cmd := &cobra.Command{
		Use:   "get BENCHMARK",
		Short: "Download what a benchmark needs",
		Long: `Download a benchmark's files from the Hugging Face hub or a mirror of it (HF_ENDPOINT, HF_TOKEN, HF_HOME,
HF_HUB_OFFLINE) into the cache that the Python package huggingface_hub keeps. What is there already is not
downloaded again; an interrupted download goes on where it stopped; bytes are checked against the hub's digests.
A part that cannot be downloaded does not stop the others: it is named at the end, with what to do.`,
		Example: "  omniscope data get mcif --part references",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := catalog.Benchmark(args[0])
			if err != nil {
				return err
			}
			p := progress.StartBytes(cmd.ErrOrStderr(), quiet || g.DryRun)
			g.Progress = p.Set
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
			err = benchdata.Get(cmd.Context(), b.Info(), &g)
			p.Stop()
			warn(cmd, warnings...)
			return err
		},
	}
	cmd.Flags().StringVar(&g.Part, "part", "", "this part only: annotations, media or references")
	cmd.Flags().BoolVar(&g.DryRun, "dry-run", false, "say which files there are and how large, and download none")
	cmd.Flags().BoolVar(&quiet, "no-progress", false, "show no progress")
	return cmd
}

func newDataVerify() *cobra.Command {
	var data, media string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify BENCHMARK",
		Short: "Check the data of a benchmark",
		Long: `Compare the files of the hub's cache with their digests, and find out whether all media that the benchmark's file
names are there. Exit code 1 says that something is damaged or missing. It makes no request.`,
		Example: "  omniscope data verify omni-cloze --data omni_cloze.jsonl --media clips",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := catalog.Benchmark(args[0])
			if err != nil {
				return err
			}
			c, err := benchdata.Verify(cmd.Context(), b, data, media)
			if err != nil {
				return err
			}
			if asJSON {
				err = outfile.JSON(documentOut(cmd), c)
			} else {
				showDataCheck(cmd, c)
			}
			if err == nil && c.Bad() {
				err = &omniscope.Error{Kind: omniscope.NotFound, Err: errors.New("data are damaged or missing: `omniscope data get " + args[0] + "` downloads what the hub has")}
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&data, "data", "d", "", "the benchmark's own file (default: that of the hub's cache)")
	cmd.Flags().StringVar(&media, "media", "", "folder that the media's names start from (default: the folder of the file)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// showDataCheck prints what was found. Of many missing files the first are named.
func showDataCheck(cmd *cobra.Command, c *benchdata.Check) {
	const most = 10
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "files of the hub's cache: %d compared with their digests, %d damaged\n", c.Checked, len(c.Damaged))
	for _, path := range c.Damaged {
		fmt.Fprintln(out, "  damaged:", path)
	}
	if c.Data == "" {
		fmt.Fprintln(out, "the benchmark's file is not here: name it with --data")
		return
	}
	fmt.Fprintf(out, "%s\n  SHA-256 %s, %d samples\n", c.Data, c.SHA256, c.Samples)
	if c.Unlike {
		fmt.Fprintln(cmd.ErrOrStderr(), "warning: it is not the file of that name in the hub's cache: another version")
	}
	fmt.Fprintf(out, "media below %s: %d named, %d missing\n", c.Media, c.Files, len(c.Missing))
	if n := min(most, len(c.Missing)); n > 0 {
		fmt.Fprintln(out, "  missing: "+strings.Join(c.Missing[:n], "\n  missing: "))
	}
	if more := len(c.Missing) - most; more > 0 {
		fmt.Fprintf(out, "  and %d more (--json lists all)\n", more)
	}
}
