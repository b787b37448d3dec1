package main

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/outfile"
	"omniscope/session/benchdata"
	"omniscope/session/catalog"
)

func newDataSamples() *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{
		Use:   "samples BENCHMARK FILE",
		Short: "List what a benchmark gives a model, and what it asks",
		Long: `List the samples of a benchmark's file: the media that a model is given, and the prompt, language and
track where the benchmark has them. It needs no answers of any system, and shows no key.

FILE is the benchmark's own file: rows with their cloze for omni-cloze, annotations.jsonl for capricorn,
MCIF1.0.IF.TRACK.LANGUAGE.src.fixedprompts.xml and its like for mcif.`,
		Example: `  omniscope data samples capricorn annotations.jsonl --limit 5
  omniscope data samples mcif MCIF1.0.IF.long.de.src.fixedprompts.xml --json`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			dataset, err := datasetOf(args[0])
			if err != nil {
				return err
			}
			samples := first(limit, dataset.Samples(cmd.Context(), args[1]))
			if asJSON {
				return printSampleLines(cmd, samples)
			}
			return printSamples(cmd, samples)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines, one object for each sample")
	cmd.Flags().IntVar(&limit, "limit", 0, "list the first N samples only; 0 = all")
	return cmd
}

func newDataStats() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "stats BENCHMARK [FILE]",
		Short: "Count the samples, media and seconds of a benchmark's file by category, track and language",
		Long: `Count the samples of a benchmark's file, its media, their lengths where the file has them, and the words of its prompts:
of the file, and by category, subcategory, track and language. FILE is the benchmark's own file (default: the
downloaded one).`,
		Example: "  omniscope data stats omni-cloze omni_cloze.jsonl --json",
		Args:    checkedArgs(cobra.RangeArgs(1, 2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dataset, err := datasetOf(args[0])
			if err != nil {
				return err
			}
			file := ""
			if len(args) > 1 {
				file = args[1]
			}
			if file, _, err = benchdata.Resolve(dataset.Info(), file, true); err != nil {
				return err
			}
			s, err := benchdata.Describe(cmd.Context(), dataset, file)
			if err != nil {
				return err
			}
			if asJSON {
				return outfile.JSON(documentOut(cmd), s)
			}
			printList(cmd, s.Table())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// datasetOf returns a benchmark with a file of samples.
func datasetOf(name string) (bench.Dataset, error) {
	b, err := catalog.Benchmark(name)
	if err != nil {
		return nil, err
	}
	dataset, ok := b.(bench.Dataset)
	if !ok {
		return nil, omniscope.Usagef("%s has no file with questions of its own", name)
	}
	return dataset, nil
}

// first yields the first n samples, all if n is not positive.
func first(n int, samples iter.Seq2[omniscope.Sample, error]) iter.Seq2[omniscope.Sample, error] {
	return func(yield func(omniscope.Sample, error) bool) {
		left := n
		for s, err := range samples {
			if left--; !yield(s, err) || left == 0 {
				return
			}
		}
	}
}

func printSampleLines(cmd *cobra.Command, samples iter.Seq2[omniscope.Sample, error]) (err error) {
	written := jsonLines(documentOut(cmd), func(yield func(omniscope.Sample) bool) {
		for s, broken := range samples {
			if err = broken; err != nil || !yield(s) {
				return
			}
		}
	})
	return cmp.Or(err, written)
}

func printSamples(cmd *cobra.Command, samples iter.Seq2[omniscope.Sample, error]) error {
	l := catalog.List{Columns: []string{"sample", "media", "part", "prompt"}}
	for s, err := range samples {
		if err != nil {
			return err
		}
		l.Rows = append(l.Rows, []string{string(s.ID), mediaOf(s), partOf(s), s.Prompt})
	}
	printList(cmd, l)
	return nil
}

// mediaOf names the files of a sample, one on a line.
func mediaOf(s omniscope.Sample) string {
	var names []string
	for _, name := range []string{s.Media.Video, s.Media.Audio, s.Media.Text} {
		if name != "" {
			names = append(names, name)
		}
	}
	if s.Seconds > 0 {
		names = append(names, fmt.Sprintf("%g s", s.Seconds))
	}
	return strings.Join(names, "\n")
}

// partOf names the part of the benchmark that a sample belongs to.
func partOf(s omniscope.Sample) string {
	return strings.Join(strings.Fields(strings.Join([]string{s.Track, s.Language, s.Category, s.Subcategory}, " ")), " ")
}
