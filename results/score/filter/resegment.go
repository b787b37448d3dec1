package filter

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/langcode"
	"omniscope/internal/rows"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// Resegment adds to each line of JSON Lines "segments", the text "hyp" cut into
// as many lines as "ref_lines" has, and "as_wer". Whether each character is a
// word, the line says.
func Resegment(strict bool) Work {
	return onRecords(func(r *rows.Record) ([]rows.Field, error) {
		return resegmented(r, metric.Resegmenting{Strict: strict})
	}, "segments", "as_wer", "error", "warning")
}

func resegmented(r *rows.Record, o metric.Resegmenting) ([]rows.Field, error) {
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
		return []rows.Field{rows.String("error", metric.Advice(err))}, nil
	case err != nil:
		return []rows.Field{rows.String("error", crashed)}, nil
	}
	fields := []rows.Field{rows.List("segments", cut.Lines), rateOf(cut)}
	if !o.Characters && unsplit(lines) {
		fields = append(fields, rows.String("warning", Unsplit))
	}
	return fields, nil
}

// Unsplit is the warning of texts that have hardly a blank and are cut at blanks.
const Unsplit = "the text has hardly a blank between words, and is cut at blanks: name its language, or have each character be a word"

func unsplit(lines []string) bool { return textnorm.Unsplit(textnorm.Fields(strings.Join(lines, " "))) }

// UnsplitFile reports whether the lines of a file have hardly a blank between words.
func UnsplitFile(ctx context.Context, path string) (bool, error) {
	lines, err := linesOf(ctx, path)
	return unsplit(lines), err
}

// crashed is how the published program's crash is written down.
const crashed = "mwerSegmenter killed by signal 11; no __segments file"

// byCharacter reads whether each character of a record's texts is a word.
func byCharacter(r *rows.Record) (bool, error) {
	value, ok, err := r.Find("char_level")
	if err != nil {
		return false, err
	}
	if ok {
		if !value.IsBool() {
			return false, rows.WrongType(`"char_level"`, value, "true or false")
		}
		return value.Bool(), nil
	}
	if _, ok, err = r.Find("lang"); !ok || err != nil {
		return false, err
	}
	lang, err := r.Text("lang")
	return textnorm.SpacelessLanguage(langcode.Base(lang)), err
}

// rateOf is the errors in percent as mwerSegmenter prints it, null where the
// reference has no words.
func rateOf(cut metric.Segmentation) rows.Field {
	if cut.Tokens == 0 {
		return rows.Field{Name: "as_wer", JSON: "null"}
	}
	return rows.Float("as_wer", gjson.Parse(cut.ASWER()).Num)
}

// ResegmentText cuts the text of a file by the lines of another.
func ResegmentText(ctx context.Context, path, ref string, o metric.Resegmenting) ([]string, error) {
	refs, err := linesOf(ctx, ref)
	if err != nil {
		return nil, err
	}
	text, err := linesOf(ctx, path)
	if err != nil {
		return nil, err
	}
	cut, err := metric.Resegment(strings.Join(text, "\n"), refs, o)
	if err != nil {
		return nil, omniscope.Invalidf("%s: %s", ref, metric.Advice(err))
	}
	return cut.Lines, nil
}

func linesOf(ctx context.Context, path string) (lines []string, err error) {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = rows.EachText(f, func(_ int, line string) error {
		lines = append(lines, line)
		return nil
	})
	return lines, err
}
