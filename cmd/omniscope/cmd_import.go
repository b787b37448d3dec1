package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/harness"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/session/catalog"
	"omniscope/session/eval"
)

type importOptions struct {
	Bench, Data, Out string
	Force            bool
	MaxFailures      float64
	MaxDifferences   float64
	request          harness.Request
}

func newImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import HARNESS",
		Short: "Import answers from the logs of other harnesses",
		Long: `Take what a model said from a log of another harness, and write it as predictions that eval reads.
What was no answer is left out and counted: a text that stands where a request failed, an empty or
cut answer, a refusal. Answers that the harness scored although no option can be read in them are kept
and marked. eval reads clear logs without this: see docs/import.md.`,
		RunE: needsCommand,
	}
	for i := range catalog.Harnesses {
		cmd.AddCommand(newImportFrom(&catalog.Harnesses[i]))
	}
	return cmd
}

func newImportFrom(h *harness.Harness) *cobra.Command {
	o := &importOptions{}
	cmd := &cobra.Command{
		Use:   h.Name + " FILES --bench BENCHMARK -o FILE",
		Short: "Take answers from logs of " + h.Title,
		Long: fmt.Sprintf(`Take answers from logs of %s: %s.

FILES are of one model and one benchmark. Next to the predictions, NAME.import.jsonl has each sample's
outcome, its place in the log, and the scores of %[1]s. Exit code 3 means that more samples of the log
have no answer than --max-failures allows.`, h.Title, h.Files),
		Example: "  omniscope import " + h.Name + " " + exampleFile[h.Name] + " --bench mmau --data mmau-test-mini.json -o answers.jsonl\n" +
			"  omniscope eval mmau --data mmau-test-mini.json --predictions answers.jsonl",
		Args: checkedArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.request.Harness, o.request.Paths = h, args
			return o.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Bench, "bench", "", "the benchmark, such as mmau: omniscope docs benchmarks")
	f.StringVarP(&o.Data, "data", "d", "", "the benchmark's file, which says which samples there are (default: the one that\nomniscope data get downloaded)")
	f.StringVarP(&o.Out, "out", "o", "", "file of predictions to write, or a folder that is there, in which it gets its usual name")
	f.StringVar(&o.request.ID, "id", "", "field of the log that has the samples' ids, such as submission.id, or video+question for a\nquestion found by its recording and text (default: a known field, or the only one that fits\nall samples)")
	f.StringVar(&o.request.Row, "row", "", "field of the log that numbers the rows of the benchmark's file from 0, such as doc_id, where\nno field has ids")
	f.IntVar(&o.request.Epoch, "epoch", 0, "which of several answers to a sample to take, from 1")
	f.StringVar(&o.request.System, "system", "", "what the system is called (default: as the log, or its folder, names the model)")
	f.BoolVar(&o.request.KeepTruncated, "keep-truncated", false, "keep answers that a limit of length cut off")
	f.BoolVar(&o.request.AnyQuestions, bench.AnyQuestions, false, "take answers also where the log has another question, other options or another right answer than\nthe benchmark's file")
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of the log's samples that may have no answer before the exit code is 3")
	f.Float64Var(&o.MaxDifferences, "max-differences", 0.02, "share of answers to multiple-choice questions that the harness may judge otherwise than\nstrict scoring before the exit code is 3")
	addForce(f, &o.Force)
	return cmd
}

// exampleFile is a log's name, for help.
var exampleFile = map[string]string{
	"lmms-eval":  "MODEL/20260801_samples_mmau.jsonl",
	"vlmevalkit": "MODEL/MODEL_MMAU.xlsx",
	"lm-eval":    "MODEL/samples_mmau_2026-08-01.jsonl",
	"inspect":    "2026-08-01_mmau_ID.eval",
}

func (o *importOptions) check() error {
	return checkRules([]rule{
		{o.Bench == "", "name the benchmark with --bench, such as --bench mmau: `omniscope docs benchmarks` shows all"},
		{o.Out == "", "name the file to write with --out"},
		{o.request.ID != "" && o.request.Row != "", "--id and --row both select the samples: give one of them"},
		{o.request.Epoch < 0, "--epoch counts from 1"},
		{!isShare(o.MaxFailures), "--max-failures is a share, 0 to 1"},
		{!isShare(o.MaxDifferences), "--max-differences is a share, 0 to 1"},
	})
}

func (o *importOptions) run(cmd *cobra.Command) error {
	if err := o.check(); err != nil {
		return err
	}
	b, err := catalog.Benchmark(o.Bench)
	if err != nil {
		return err
	}
	writer, ok := b.(bench.AnswerWriter)
	if !ok {
		return omniscope.Usagef("%s has no predictions of one answer a sample, which is what logs have", o.Bench)
	}
	o.request.Benchmark = writer
	if o.request.Data, err = findData(cmd, b.Info(), o.Data, true); err != nil {
		return err
	}
	if err := harness.Check(cmd.Context(), catalog.Harnesses, o.request.Harness, o.request.Paths); err != nil {
		return err
	}
	read, err := harness.Read(cmd.Context(), &o.request)
	if err != nil {
		return err
	}
	return o.finish(cmd, writer, read)
}

// finish writes what was read, and says how much it is.
func (o *importOptions) finish(cmd *cobra.Command, writer bench.AnswerWriter, read *harness.Import) error {
	answers, details := o.files(writer, read)
	var changed []string
	write := func(w io.Writer) (err error) {
		changed, err = writer.WriteAnswers(w, read.Answers)
		return err
	}
	if err := outfile.WriteSame(details, o.Force, read.Write); err != nil {
		return err
	}
	if err := outfile.WriteSame(answers, o.Force, write); err != nil {
		return err
	}
	warn(cmd, append(changed, read.Warnings...)...)
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n\n", strings.Join(o.request.Paths, ", "), read.Told())
	printList(cmd, importTable(read))
	if len(read.Scorers) > 0 {
		printList(cmd, scorersTable(read))
	}
	fmt.Fprintf(cmd.OutOrStdout(), "written to %s, and what became of each sample to %s\n", answers, details)
	return eval.ImportVerdict(read, o.MaxFailures, o.MaxDifferences, details)
}

// files names the two files that are written: the answers, and what became of each sample.
func (o *importOptions) files(writer bench.AnswerWriter, read *harness.Import) (answers, details string) {
	answers = o.Out
	if ondisk.IsFolder(o.Out) {
		answers = filepath.Join(o.Out, writer.AnswersName(read.Answers))
	}
	return answers, strings.TrimSuffix(answers, filepath.Ext(answers)) + ".import.jsonl"
}

// mostScorers is how many of a harness's scorers have a column.
const mostScorers = 5

// importTable is what became of a log's samples.
func importTable(read *harness.Import) (l catalog.List) {
	l.Columns = []string{"outcome of the samples", "samples"}
	scorers := read.Scorers[:min(len(read.Scorers), mostScorers)]
	for _, s := range scorers {
		what := ", points"
		if !s.Points {
			what = ", mean"
		}
		l.Columns = append(l.Columns, s.Name+what)
	}
	for _, c := range read.Counts() {
		l.Rows = append(l.Rows, append([]string{c.What, fmt.Sprint(c.Samples)}, c.Scores[:len(scorers)]...))
	}
	if read.Again > 0 {
		l.Rows = append(l.Rows, append([]string{"rows of samples that are there already", fmt.Sprint(read.Again)}, make([]string, len(scorers))...))
	}
	return l
}

// scorersTable is what each scorer, or filter, of the harness gave, and what the log's header says.
func scorersTable(read *harness.Import) (l catalog.List) {
	l.Columns = []string{read.Harness.Title + "'s scorer", "N", "mean", "stderr", "otherwise than strict"}
	for _, s := range read.Scorers {
		differ := ""
		if s.Judged > 0 {
			differ = fmt.Sprintf("%d of %d", s.Differ, s.Judged)
		}
		l.Rows = append(l.Rows, []string{s.Name, fmt.Sprint(s.N), fmt.Sprintf("%.4f", s.Mean), fmt.Sprintf("%.4f", s.Error), differ})
	}
	for _, h := range read.Log.Headline {
		l.Rows = append(l.Rows, []string{h.Scorer + ", " + h.Metric + ", as the log says", "", fmt.Sprintf("%.4f", h.Value), "", ""})
	}
	return l
}
