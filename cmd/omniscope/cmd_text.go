package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/internal/textnorm"
	"omniscope/metric"
	"omniscope/record"
)

func newText() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "text normalize|wer|resegment",
		Short: "Normalise, compare and line up texts, as filters for pipelines",
		Long: `Normalise, compare and line up texts as published evaluations of speech do, without a model.

Each command reads JSON Lines on standard input and writes the same lines on standard output, in
order, with its result added. Fields that a command does not write stay as they are, byte for
byte; a field of a result's name is replaced, and one that holds no longer (an old error, say)
is left out. Blank lines are skipped. --plain takes lines of text in place of JSON Lines.

What the published program refuses is a result: "error" in place of the value. What is no such
input ends the command with exit code 1 and names the line: text that is no JSON object or not
UTF-8, a missing field, one of the wrong type or there twice, half of a surrogate pair (\ud800
alone) in a field that is read, or a line of more than 16 MiB (--max-row-size). The lines before it have been
written.

The results equal those of whisper-normalizer 0.0.10, jiwer 3.0.5 and RWTH's mwerSegmenter, which
the MCIF benchmark uses; tests compare them.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newNormalize(), newWER(), newResegment())
	return cmd
}

// aboutSchemes says in help what the schemes are.
const aboutSchemes = `  whisper-en     EnglishTextNormalizer of whisper-normalizer 0.0.10: lower case, no punctuation,
                 contractions and titles in full, numbers in digits, British spelling made American
  whisper-basic  BasicTextNormalizer of the same, for every other language: lower case, marks,
                 symbols and punctuation to blanks`

// A scheme is a published way to normalise a text. The error is what the
// published program raises.
type scheme func(text string) (string, error)

var schemes = map[string]scheme{
	"whisper-en":    textnorm.English,
	"whisper-basic": func(text string) (string, error) { return textnorm.Basic(text), nil },
}

// A raised error is what the published program ends with, and so a result and
// no fault of the input.
type raised struct {
	class   string // of the exception in Python
	message string
}

func (r raised) Error() string { return r.class + ": " + r.message }

// fields are the result that says so.
func (r raised) fields() []record.Field {
	return []record.Field{record.String("error", r.class), record.String("message", r.message)}
}

// asRaised is err as the exception that the published programs raise.
func asRaised(err error) error {
	if err == nil {
		return nil
	}
	if long, ok := errors.AsType[*textnorm.TooLongError](err); ok {
		return raised{class: long.Exception, message: long.Message}
	}
	message := err.Error()
	if fault, ok := errors.AsType[*metric.Fault](err); ok {
		message = fault.Message
	}
	return raised{class: "ValueError", message: message}
}

// advice is err in our own words, for who can mend the input.
func advice(err error) string {
	if fault, ok := errors.AsType[*metric.Fault](err); ok {
		return fault.Advice
	}
	return err.Error()
}

// checkFiles checks the arguments of a filter: files after --plain, else none.
// It is no cobra.PositionalArgs, for those are asked before the environment is.
func checkFiles(cmd *cobra.Command, plain bool, args []string, files ...string) error {
	takes := "no argument"
	if len(files) > 0 {
		takes = fmt.Sprintf("%d argument(s), %s", len(files), strings.Join(files, " and "))
	}
	switch {
	case !plain && len(args) > 0:
		return usagef("%s reads JSON Lines on standard input and takes no argument, got %q; with --plain it takes %s", cmd.CommandPath(), args[0], takes)
	case plain && len(args) != len(files):
		return usagef("%s --plain takes %s, got %d; see `%s --help`", cmd.CommandPath(), takes, len(args), cmd.CommandPath())
	}
	return nil
}
