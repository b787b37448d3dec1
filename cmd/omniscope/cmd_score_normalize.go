package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/metric/textnorm"
	"omniscope/results/score/filter"
)

// aboutFilters describes in help how filters read and write.
const aboutFilters = `It reads JSON Lines on standard input and writes the same lines on standard output, in order, with its result
added. All other fields stay as they are, byte for byte; a field with the name of a result is replaced, and an old
error is removed. Blank lines are skipped. What the published program refuses gets "error" instead of the value. An
invalid line ends the command with exit code 1 and is named: not a JSON object, not UTF-8, a field that is missing,
of the wrong type or there twice, or more than 16 MiB (--max-row-size). The lines before it have been written.`

// schemes are the normalisers that can be named.
var schemes = []string{textnorm.WhisperEnglish, textnorm.WhisperBasic}

// aboutSchemes describes the schemes in help.
const aboutSchemes = `  whisper-en     EnglishTextNormalizer of whisper-normalizer 0.0.10: lower case, no punctuation,
                 contractions and titles in full, numbers in digits, British spelling made American
  whisper-basic  BasicTextNormalizer of the same, for every other language: lower case, marks,
                 symbols and punctuation to blanks`

// checkFiles checks the arguments of a filter: files after --plain, otherwise none. It is not a
// cobra.PositionalArgs, because cobra calls these before the environment is read.
func checkFiles(cmd *cobra.Command, plain bool, args []string, files ...string) error {
	takes := "no argument"
	if len(files) > 0 {
		takes = fmt.Sprintf("%d argument(s), %s", len(files), strings.Join(files, " and "))
	}
	switch {
	case !plain && len(args) > 0:
		return omniscope.Usagef("%s reads JSON Lines on standard input and takes no argument, got %q; with --plain it takes %s", cmd.CommandPath(), args[0], takes)
	case plain && len(args) != len(files):
		return omniscope.Usagef("%s --plain takes %s, got %d; see `%s --help`", cmd.CommandPath(), takes, len(args), cmd.CommandPath())
	}
	return nil
}

// runFilter applies a filter to the lines of standard input.
func runFilter(cmd *cobra.Command, work filter.Work) error {
	return filter.Lines(cmd.Context(), "stdin", cmd.InOrStdin(), documentOut(cmd), work)
}

func newNormalize() *cobra.Command {
	var plain bool
	var name string
	cmd := &cobra.Command{
		Use:   "normalize --scheme NAME",
		Short: "Normalise texts before words are compared",
		Long: `Add to each line "out", the normal form of the text "in". The schemes are:

` + aboutSchemes + `

A text that the published program cannot read, with a number of more than 4300 digits, gets
"error" (the exception in Python) and "message" instead of "out".

With --plain each line of text becomes one line of text, and such a number ends the command.

` + aboutFilters,
		Example: `  echo '{"id": 7, "in": "Mr. Park paid twenty-five dollars."}' | omniscope score normalize --scheme whisper-en
  omniscope score normalize --scheme whisper-basic --plain < talk.de.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, plain, args); err != nil {
				return err
			}
			scheme, known := textnorm.Schemes[name]
			switch {
			case !known:
				return spelling.CheckChoice("scheme", name, schemes)
			case plain:
				return runFilter(cmd, filter.NormalizeText(scheme))
			}
			return runFilter(cmd, filter.Normalize(scheme))
		},
	}
	cmd.Flags().StringVar(&name, "scheme", "", "how to normalise: whisper-en or whisper-basic")
	cmd.Flags().BoolVar(&plain, "plain", false, "read and write lines of text")
	return cmd
}
