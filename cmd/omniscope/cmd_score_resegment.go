package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/metric"
	"omniscope/results/score/filter"
)

func newResegment() *cobra.Command {
	var plain, characters bool
	var profile string
	cmd := &cobra.Command{
		Use:   "resegment [--plain REF]",
		Short: "Cut a text into the lines of its reference",
		Long: `Cut the text "hyp" into as many lines as the list "ref_lines" has, where that costs the fewest word
errors, as RWTH's mwerSegmenter does. Each line gets "segments", the list of lines, and "as_wer",
the word errors of the cut in percent of the reference's words, to 6 digits.

Words are separated by blanks. With "char_level": true each character is a word, and blanks are removed. Without
that field, "lang": "zh", "ja", "th", "lo", "km" or "my" sets it. Texts with hardly a blank that are cut at blanks
anyway get a "warning".

Scoring official is the published program, which crashes at a reference line without words or with
a # by itself: such lines get "error" instead of the result. Scoring strict cuts them too (no
words fall to an empty line, # is a word), and keeps single blanks between characters.

With --plain, REF is a file with the lines of the reference, the text is read from standard input,
and its lines are written.

` + aboutFilters,
		Example: `  echo '{"hyp": "one two three", "ref_lines": ["one too", "three"]}' | omniscope score resegment
  omniscope score resegment --plain reference.zh.txt --characters < talk.zh.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, plain, args, "REF"); err != nil {
				return err
			}
			if err := spelling.CheckChoice("scoring", profile, profiles); err != nil {
				return err
			}
			strict := profile == bench.Strict.String()
			switch {
			case characters && !plain:
				return omniscope.Usagef("--characters needs --plain: JSON Lines say so with \"char_level\": true")
			case !plain:
				return runFilter(cmd, filter.Resegment(strict))
			}
			if !characters {
				unsplit, err := filter.UnsplitFile(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if unsplit {
					fmt.Fprintln(cmd.ErrOrStderr(), "warning: "+filter.Unsplit+" (--characters)")
				}
			}
			lines, err := filter.ResegmentText(cmd.Context(), input.Stdin, args[0], metric.Resegmenting{Characters: characters, Strict: strict})
			if err != nil {
				return err
			}
			for _, line := range lines {
				if _, err := fmt.Fprintln(documentOut(cmd), line); err != nil {
					return fmt.Errorf("write the lines: %w", err)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&profile, "scoring", "official", "official is mwerSegmenter, crashes included; strict cuts what it cannot")
	cmd.Flags().BoolVar(&plain, "plain", false, "cut a text by a file of lines")
	cmd.Flags().BoolVar(&characters, "characters", false, "with --plain: each character is a word, as for Chinese, Japanese, Thai, Lao, Khmer and Burmese")
	return cmd
}
