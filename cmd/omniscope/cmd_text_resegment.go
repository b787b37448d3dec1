package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/metric"
	"omniscope/record"
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

Words are what lies between blanks. With "char_level": true each character is one, and blanks
vanish from the text. Without that field, "lang": "zh" says so.

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
			if err := checkChoice("profile", profile, profiles); err != nil {
				return err
			}
			p, _ := bench.ParseProfile(profile)
			o := metric.Resegmenting{Characters: characters, Strict: p == bench.Strict}
			if plain {
				return resegmentPlain(cmd.Context(), documentOut(cmd), args[0], o)
			}
			if characters {
				return usagef("--characters needs --plain: JSON Lines say so with \"char_level\": true")
			}
			work := onRecords(func(r *record.Record) ([]record.Field, error) { return resegmented(r, o) }, "segments", "as_wer", "error")
			return filterLines(cmd.Context(), "stdin", cmd.InOrStdin(), documentOut(cmd), work)
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "official", "official is mwerSegmenter, crashes included; strict cuts what it cannot")
	cmd.Flags().BoolVar(&plain, "plain", false, "cut a text by a file of lines")
	cmd.Flags().BoolVar(&characters, "characters", false, "with --plain: each character is a word, as for Chinese")
	return cmd
}

func resegmented(r *record.Record, o metric.Resegmenting) ([]record.Field, error) {
	text, err := r.Text("hyp")
	if err != nil {
		return nil, err
	}
	lines, err := r.Texts("ref_lines")
	if err != nil {
		return nil, err
	}
	if o.Characters, err = byCharacter(r); err != nil {
		return nil, err
	}
	cut, err := metric.Resegment(text, lines, o)
	switch {
	case err != nil && o.Strict:
		return []record.Field{record.String("error", advice(err))}, nil
	case err != nil:
		return []record.Field{record.String("error", crashed)}, nil
	}
	return []record.Field{record.List("segments", cut.Lines), rateOf(cut)}, nil
}

// crashed is how the published program's crash is written down.
const crashed = "mwerSegmenter killed by signal 11; no __segments file"

// byCharacter reads whether each character of a record's texts is a word.
func byCharacter(r *record.Record) (bool, error) {
	value, ok, err := r.Find("char_level")
	if err != nil {
		return false, err
	}
	if ok {
		if !value.IsBool() {
			return false, record.WrongType(`"char_level"`, value, "true or false")
		}
		return value.Bool(), nil
	}
	if _, ok, err = r.Find("lang"); !ok || err != nil {
		return false, err
	}
	lang, err := r.Text("lang")
	return lang == "zh", err
}

// rateOf is the errors in percent as mwerSegmenter prints it, null where the
// reference has no words.
func rateOf(cut metric.Segmentation) record.Field {
	if cut.Tokens == 0 {
		return record.Field{Name: "as_wer", JSON: "null"}
	}
	return record.Float("as_wer", gjson.Parse(cut.ASWER()).Num)
}

func resegmentPlain(ctx context.Context, out io.Writer, refPath string, o metric.Resegmenting) error {
	refs, err := linesOf(ctx, refPath, nil)
	if err != nil {
		return err
	}
	text, err := linesOf(ctx, input.Stdin, nil)
	if err != nil {
		return err
	}
	cut, err := metric.Resegment(strings.Join(text, "\n"), refs, o)
	if err != nil {
		return invalidf("%s: %s", refPath, advice(err))
	}
	for _, line := range cut.Lines {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return fmt.Errorf("write the lines: %w", err)
		}
	}
	return nil
}
