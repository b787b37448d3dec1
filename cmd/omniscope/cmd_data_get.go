package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/catalog"
	"omniscope/internal/outfile"
	"omniscope/internal/progress"
	"omniscope/session"
)

func newDataList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [BENCHMARK]",
		Short: "List what benchmarks need, and what of it is here",
		Long: `List the annotations, media and references of benchmarks: where they come from, their licence, and where the
hub's cache has them, or what to do to get them. It makes no request.`,
		Example: "  omniscope data list mcif",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var rows []session.DataRow
			for _, open := range catalog.Benchmarks {
				info := open().Info()
				if len(args) == 1 && info.Name != args[0] {
					continue
				}
				of, err := session.DataRows(info)
				if err != nil {
					return err
				}
				rows = append(rows, of...)
			}
			if len(args) == 1 {
				if _, err := catalog.Benchmark(args[0]); err != nil {
					return err
				}
			}
			if asJSON {
				return outfile.JSON(documentOut(cmd), rows)
			}
			l := catalog.List{Columns: []string{"benchmark", "part", "file", "revision", "licence", "here, or what to do"}}
			for _, r := range rows {
				l.Rows = append(l.Rows, []string{r.Benchmark, r.Part, r.Name, r.Revision, r.Licence, r.Path + r.Do})
			}
			printList(cmd, l)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func newDataGet() *cobra.Command {
	var part string
	var quiet bool
	cmd := &cobra.Command{
		Use:   "get BENCHMARK",
		Short: "Download what a benchmark needs",
		Long: `Download a benchmark's files from the Hugging Face hub or a mirror of it (HF_ENDPOINT, HF_TOKEN, HF_HOME,
HF_HUB_OFFLINE). What is in its cache already is not downloaded again; an interrupted download goes on where
it stopped. A part that cannot be downloaded does not stop the others: it is named at the end, with what to do.`,
		Example: "  omniscope data get mcif --part references",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := catalog.Benchmark(args[0])
			if err != nil {
				return err
			}
			p := progress.StartBytes(cmd.ErrOrStderr(), quiet)
			var paths, warnings []string
			err = session.GetData(cmd.Context(), b.Info(), part, p.Set, func(path string, w []string) {
				if warnings = append(warnings, w...); path != "" {
					paths = append(paths, path)
				}
			})
			p.Stop()
			for _, w := range warnings {
				fmt.Fprintln(cmd.ErrOrStderr(), "warning:", w)
			}
			for _, path := range paths {
				fmt.Fprintln(cmd.OutOrStdout(), path)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&part, "part", "", "this part only: annotations, media or references")
	cmd.Flags().BoolVar(&quiet, "no-progress", false, "show no progress")
	return cmd
}
