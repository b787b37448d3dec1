package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective/plant"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/model/judge/letters"
	"omniscope/results/score/filter"
	"omniscope/results/score/measures"
)

func newText() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "text normalize|wer|resegment|choice|plant",
		Short: "Normalise, compare, line up and read texts, as filters for pipelines",
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

The results of the first three equal those of whisper-normalizer 0.0.10, jiwer 3.0.5 and RWTH's mwerSegmenter, which
the MCIF benchmark uses; tests compare them.`,
	}, newNormalize(), newWER(), newResegment(), newChoice(), newPlant())
}

// schemes are the normalisers that can be named.
var schemes = []string{textnorm.WhisperEnglish, textnorm.WhisperBasic}

// aboutSchemes says in help what the schemes are.
const aboutSchemes = `  whisper-en     EnglishTextNormalizer of whisper-normalizer 0.0.10: lower case, no punctuation,
                 contractions and titles in full, numbers in digits, British spelling made American
  whisper-basic  BasicTextNormalizer of the same, for every other language: lower case, marks,
                 symbols and punctuation to blanks`

// checkFiles checks the arguments of a filter: files after --plain, else none.
// It is no cobra.PositionalArgs, for those are asked before the environment is.
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

// filter does a work on the lines of standard input.
func runFilter(cmd *cobra.Command, work filter.Work) error {
	return filter.Lines(cmd.Context(), "stdin", cmd.InOrStdin(), documentOut(cmd), work)
}

func newNormalize() *cobra.Command {
	var plain bool
	var name string
	cmd := &cobra.Command{
		Use:   "normalize --scheme NAME",
		Short: "Bring texts into the form in which words are compared",
		Long: `Add to each line "out", the normal form of the text "in". The schemes are:

` + aboutSchemes + `

A text that the published program cannot read, with a number of more than 4300 digits, gets
"error" (the exception in Python) and "message" in place of "out".

With --plain each line of text becomes one line of text, and such a number ends the command.`,
		Example: `  echo '{"id": 7, "in": "Mr. Park paid twenty-five dollars."}' | omniscope text normalize --scheme whisper-en
  omniscope text normalize --scheme whisper-basic --plain < talk.de.txt`,
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

func newWER() *cobra.Command {
	var plain bool
	var name, empty string
	cmd := &cobra.Command{
		Use:   "wer [--plain REF HYP]",
		Short: "Count word errors",
		Long: `Add to each line the word error rate of the hypotheses "hyps" against the references "refs", two
lists of strings of one length: "wer" (a fraction that may exceed 1), and the words it is made of,
"subs" (put in place of others), "dels" (left out), "ins" (too many) and "hits". Words are counted
over the whole list, as jiwer 3.0.5 does; the split into kinds is RapidFuzz's.

Where jiwer raises an exception (a reference without words, lists of different length) the line
gets "error", the exception in Python, and "message" in its place. --empty-ref skip leaves references
without words out, --empty-ref count takes what was said there for insertions, as jiwer does from 4.0
on; "empty_refs" is how many there are, and "wer" is null where all are.

"refs" may also be as MCIF pools them: {"sample_ids": ["3", "4"], "reference": "..."}, with "hyps"
an object of hypotheses by id. Those of one reference are joined with a blank, after --normalize.

--normalize brings references and hypotheses into normal form first:

` + aboutSchemes + `
  by-lang        whisper-en for lines whose "lang" is "en", whisper-basic for others, as MCIF does

With --plain, REF and HYP are files of text that belong together line by line, and one line tells
the result of the whole.`,
		Example: `  echo '{"refs": ["so it goes"], "hyps": ["So it went."]}' | omniscope text wer --normalize whisper-en
  omniscope text wer --plain --normalize whisper-basic reference.de.txt hypothesis.de.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, plain, args, "REF", "HYP"); err != nil {
				return err
			}
			choices := slices.Concat(schemes, []string{filter.ByLanguage})
			switch {
			case plain && name == filter.ByLanguage:
				return omniscope.Usagef("--plain has no languages: give --normalize whisper-en or whisper-basic")
			case name != "" && !slices.Contains(choices, name):
				return spelling.CheckChoice("normalize", name, choices)
			case checkEmptyRef(empty) != nil:
				return checkEmptyRef(empty)
			case !plain:
				return runFilter(cmd, filter.WordErrors(name, empty))
			}
			e, none, err := measures.WordErrors(cmd.Context(), args[0], args[1], name, empty)
			if err != nil {
				return err
			}
			rate, _ := e.Rate()
			line := fmt.Sprintf("wer %s subs %d dels %d ins %d hits %d", rows.Shortest(rate), e.Substitutions, e.Deletions, e.Insertions, e.Hits)
			if empty != "" {
				line += fmt.Sprintf(" empty_refs %d", none)
			}
			_, err = fmt.Fprintln(documentOut(cmd), line)
			return err
		},
	}
	cmd.Flags().StringVar(&name, "normalize", "", "normalise first: whisper-en, whisper-basic or by-lang")
	cmd.Flags().StringVar(&empty, "empty-ref", "", aboutEmptyRef)
	cmd.Flags().BoolVar(&plain, "plain", false, "compare two files of text, line by line")
	return cmd
}

func newResegment() *cobra.Command {
	var plain, characters bool
	var profile string
	cmd := &cobra.Command{
		Use:   "resegment [--plain REF]",
		Short: "Cut a text into the lines of its reference",
		Long: `Cut the text "hyp" into as many lines as the list "ref_lines" has, where that costs the fewest word
errors, as RWTH's mwerSegmenter does. Each line gets "segments", the list of lines, and "as_wer",
the word errors of the cut in percent of the reference's words, to 6 digits.

Words are what lies between blanks. With "char_level": true each character is one, and blanks
vanish from the text. Without that field, "lang": "zh", "ja", "th", "lo", "km" or "my" says so. Texts with hardly a blank that
are cut at blanks all the same get a "warning".

Profile official is the published program, which crashes at a reference line without words or with
a # by itself: such lines get "error" in place of the result. Profile strict cuts them too (no
words fall to an empty line, # is a word), and keeps single blanks between characters.

With --plain, REF is a file with the lines of the reference, the text is read from standard input,
and its lines are written.`,
		Example: `  echo '{"hyp": "one two three", "ref_lines": ["one too", "three"]}' | omniscope text resegment
  omniscope text resegment --plain reference.zh.txt --characters < talk.zh.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkFiles(cmd, plain, args, "REF"); err != nil {
				return err
			}
			if err := spelling.CheckChoice("profile", profile, profiles); err != nil {
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
	cmd.Flags().StringVar(&profile, "profile", "official", "official is mwerSegmenter, crashes included; strict cuts what it cannot")
	cmd.Flags().BoolVar(&plain, "plain", false, "cut a text by a file of lines")
	cmd.Flags().BoolVar(&characters, "characters", false, "with --plain: each character is a word, as for Chinese, Japanese, Thai, Lao, Khmer and Burmese")
	return cmd
}

func newChoice() *cobra.Command {
	var name string
	names := []string{soundReader}
	about := "  strict                  one sound reader: what is not clear has no letter\n"
	for _, p := range letters.Readers {
		names = append(names, p.Name)
		about += fmt.Sprintf("  %-23s %s\n", p.Name, p.About)
	}
	cmd := &cobra.Command{
		Use:   "choice",
		Short: "Find which option of a multiple-choice question a reply chooses",
		Long: `Add to each line "letter", that of the option which "reply" chooses among the list "options" (without
their letters), or null; and "why" there is none: it is empty, abstains, names several options or none, ends before
its answer, or its letter and its words are of different options. Nothing is guessed. The readers are:

` + about,
		Example: `  echo '{"reply": "The answer is not A but B.", "options": ["a dog", "a train"]}' | omniscope text choice`,
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := spelling.CheckChoice("reader", name, names); err != nil {
				return err
			}
			published, _ := letters.Find(name)
			return runFilter(cmd, filter.Choice(published.Read))
		},
	}
	cmd.Flags().StringVar(&name, "reader", soundReader, "strict, or one of the published readers above")
	return cmd
}

func newPlant() *cobra.Command {
	var field string
	var kinds []string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "plant",
		Short: "Plant false claims in captions, to measure an audit",
		Long: `Change captions so that they say something false: in each, one sentence for each kind of claim that it has, another
colour, another count, before for after, a woman's voice for a man's, another sound, another word in quotes. "planted"
lists the changes: kind, from, to, the old and the new sentence, and the reason why the new one is false if the old one is true.
Sentences with bounds, negations, alternatives or possibilities are left alone. An audit should contradict the planted claims and
no other claim. It reads English, and changes a caption in the same way for the same seed.`,
		Example: `  echo '{"clip": "a.mp4", "caption": "Two dogs bark."}' | omniscope text plant --kinds count
  omniscope text plant --seed 7 < captions.jsonl > planted.jsonl`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkChoices("kinds", kinds, plant.Kinds); err != nil {
				return err
			}
			return runFilter(cmd, filter.Plant(field, kinds, seed))
		},
	}
	cmd.Flags().StringSliceVar(&kinds, "kinds", plant.Kinds, "kinds of claims, with commas between")
	cmd.Flags().StringVar(&field, "field", "caption", "field of the caption, which is replaced")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of what is changed")
	return cmd
}

// soundReader names the reader of profile strict.
const soundReader = "strict"
