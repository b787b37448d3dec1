package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/memory"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
	"omniscope/results/report"
	"omniscope/results/score"
)

// scoreOptions are the flags that all metrics of score have.
type scoreOptions struct {
	score.Files
	Lang       string
	Seed       uint64
	PerSegment bool
	Format     string
	JSON       bool
}

// formatTable is for people, the other formats are for programs.
const formatTable = "table"

var (
	formats = []string{formatTable, score.FormatJSON, score.FormatLines, score.FormatTSV, score.FormatPython, score.FormatPythonText}
	asForms = []string{score.AsText, score.AsLines, score.AsTSV}
)

// filterGroup is the group of the filters in the help of score.
const filterGroup = "Filters:"

func newScore() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "score MEASURE --hyp FILE --ref FILE",
		Short: "Score texts: wer, bleu, chrf, bertscore, comet; text filters",
		Long: `Score what a system wrote against references, as jiwer, sacrebleu, bert_score and COMET do, without
Python. Each score comes with its number of segments, a 95 % interval and a signature of how it was made.

--hyp and --ref are files of text, one segment per line, or, by their ending, JSON Lines (.jsonl),
a JSON list (.json), a table with tabs and a header (.tsv) or Parquet; --data is such a file for everything
without a file of its own. A file named - is standard input. Fields are called hypothesis, hyp, mt or pred_text;
reference, ref or text; source or src; the flags --hyp-field, --ref-field and --src-field name others. Several
systems (--hyp or --hyp-field several times) are scored on the same references and compared.

Texts are UTF-8, or UTF-16 with a byte order mark; files may be packed by gzip or bzip2. Files must have the same
number of lines. Lines of text end as in the published programs: at a line feed for BLEU and chrF, also at a
carriage return for the others; blanks at the end of a line (for the others at both ends) are removed. An empty
hypothesis is scored like any other. NUL is a character.

Intervals come from resampling segments, or, if segments belong together, complete documents: --cluster names the
field with the document of a segment, --cluster-file a file with a document per line. A single cluster has no
interval. Differences of systems are paired: the same resamples for both. They are percentiles of the resampled
scores, which is not what sacrebleu prints as "±".

--format: table; json, a document; jsonl and tsv, a line for each system or, with --per-segment,
for each segment; python and python-text, what the published program prints.

normalize, resegment, choice, plant and wer --each-line are filters: they add fields to JSON Lines. The results of
normalize, wer and resegment equal those of whisper-normalizer 0.0.10, jiwer 3.0.5 and RWTH's mwerSegmenter, which the
MCIF benchmark uses; tests compare them.`,
		Example: `  omniscope score bleu --hyp out.de.txt --ref ref.de.txt
  omniscope score chrf --hyp a.txt --hyp b.txt --ref ref.txt --cluster-file talks.txt
  omniscope score wer --data rows.jsonl --lang en --cluster talk --per-segment
  omniscope score normalize --scheme whisper-basic --plain < talk.de.txt`,
	}
	addGroup(cmd, "Measures:", newScoreWER(), newScoreBLEU(), newScoreChrF(), newScoreBERTScore(), newScoreCOMET())
	addGroup(cmd, filterGroup, newNormalize(), newResegment(), newChoice(), newPlant())
	return withCommands(cmd)
}

func (o *scoreOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.Hyps, "hyp", nil, "file of hypotheses; several times for several systems")
	f.StringArrayVar(&o.Refs, "ref", nil, "file of references; for BLEU and chrF several times for several references")
	f.StringVar(&o.Data, "data", "", "file that holds what has no file of its own, .jsonl, .tsv or Parquet")
	f.StringArrayVar(&o.HypFields, "hyp-field", nil, "field of the hypotheses (default hypothesis, hyp, mt or pred_text); several times for several systems")
	f.StringArrayVar(&o.RefFields, "ref-field", nil, "field of the references (default reference, ref or text)")
	f.StringVar(&o.As, "as", "", "read all files as text, jsonl or tsv, whatever their ending")
	f.StringVar(&o.Cluster, "cluster", "", "field that says to which document a segment belongs")
	f.StringVar(&o.ClusterFile, "cluster-file", "", "file of text that says so line by line")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.BoolVar(&o.PerSegment, "per-segment", false, "print the score of each segment as well")
	f.StringVar(&o.Format, "format", formatTable, "table, json, jsonl, tsv, python or python-text")
	f.BoolVar(&o.JSON, "json", false, "the same as --format json")
}

// addLanguage is for metrics that do not treat all languages alike.
func (o *scoreOptions) addLanguage(f *pflag.FlagSet) {
	f.StringVar(&o.Lang, "lang", "", "language of the hypotheses, such as de")
}

// addSource is for metrics that read the source as well.
func (o *scoreOptions) addSource(f *pflag.FlagSet) {
	f.StringVar(&o.Src, "src", "", "file of sources")
	f.StringVar(&o.SrcField, "src-field", "", "field of the sources (default source or src)")
}

// noArguments refuses files without a flag, which could be any of them.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	flags := "--hyp FILE and --ref FILE"
	if cmd.Flags().Lookup("src") != nil {
		flags = "--src FILE, --hyp FILE and --ref FILE"
	}
	return omniscope.Usagef("%s takes no argument, got %q: name the files with %s; see `%s --help`", cmd.CommandPath(), args[0], flags, cmd.CommandPath())
}

// check is of the flags. most is how many references the metric takes.
func (o *scoreOptions) check(format bool, most int) error {
	if o.JSON && !format {
		o.Format = score.FormatJSON
	}
	switch {
	case o.JSON && o.Format != score.FormatJSON:
		return omniscope.Usagef("--json and --format %s are two formats: give one of them", o.Format)
	case !slices.Contains(formats, o.Format):
		return spelling.CheckChoice("format", o.Format, formats)
	case o.As != "" && !slices.Contains(asForms, o.As):
		return spelling.CheckChoice("as", o.As, asForms)
	}
	return o.Files.Check(most)
}

// runE checks the flags and scores with the measure that they ask for.
func (o *scoreOptions) runE(mostReferences int, measure func() (*score.Measure, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if err := o.check(cmd.Flags().Changed("format"), mostReferences); err != nil {
			return err
		}
		m, err := measure()
		if err != nil {
			return err
		}
		if err := o.CheckFormat(o.Format, o.PerSegment, m); err != nil {
			return err
		}
		memory.CollectEarlier() // counts of each segment are held: a million of them take half a gigabyte
		in, err := o.Files.Read(cmd.Context(), m)
		if err != nil {
			return err
		}
		s, err := m.Score(cmd.Context(), in, o.Seed)
		if err != nil {
			return err
		}
		return o.print(cmd.OutOrStdout(), cmd.ErrOrStderr(), s)
	}
}

// print prints scores in the format that is asked for. Warnings go elsewhere where
// the format has no place for them.
func (o *scoreOptions) print(w, errOut io.Writer, s *score.Scored) error {
	if o.Format == formatTable {
		return printScores(w, s, o.PerSegment)
	}
	if o.Format != score.FormatJSON {
		for _, warning := range s.Warnings {
			fmt.Fprintln(errOut, "warning:", warning)
		}
	}
	out := bufio.NewWriter(visible.Unwrapped(w))
	if err := s.Write(out, o.Format, o.PerSegment); err != nil {
		return err
	}
	return out.Flush()
}

// printScores prints tables for people.
func printScores(w io.Writer, s *score.Scored, perSegment bool) error {
	width, color := visible.Terminal(w)
	out := bufio.NewWriter(w)
	c := report.Comparison{Title: s.Title(), Tables: s.Tables(), Warnings: s.Warnings}
	options := report.TextOptions{Width: width, Color: color}
	if err := c.Text(out, options); err != nil {
		return err
	}
	if perSegment {
		segments := omniscope.Table{Title: "Segments"}
		segments.Columns, segments.Rows = s.Segments()
		if s.SegmentSignature != s.Signature {
			segments.Note = "signature: " + s.SegmentSignature
		}
		for i := len(segments.Columns) - len(s.Systems)*len(s.Measure.Scores); i < len(segments.Columns); i++ {
			segments.Numbers = append(segments.Numbers, i)
		}
		if err := report.Rows(out, segments, "--format tsv", options); err != nil {
			return err
		}
	}
	return out.Flush() // with the first error of those writes
}
