package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/curate/cloze"
	"omniscope/internal/quantity"
	"omniscope/metric/stats"
	"omniscope/model"
	"omniscope/model/judge"
	"omniscope/results/report"
)

// clozeTestRun are the flags of curate cloze test.
type clozeTestRun struct {
	rowAsking
	audio, visual, field string
	runs                 int

	tester cloze.Tester
}

func newCurateClozeTest() *cobra.Command {
	o := &clozeTestRun{}
	cmd := &cobra.Command{
		Use:   "test ROWS --judge PROVIDER/NAME --out DIR",
		Short: "Find blanks that can be guessed, or that another sense answers",
		Long: `Have a model answer the blanks of rows without their clips. In the blind test it has the passage and the options alone, --blind-runs
times with the options in another order, and may say that nothing speaks for one: a blank that it answers right every time is guessable. In
the modality test, with --captions-a and --captions-v, it answers from the audio-only or the visual-only caption alone: a blank
that the caption of another sense answers is said to need the wrong one; audio-visual blanks must be answered by neither.

DIR gets tested.jsonl, a line for each row with what was found in which blank, for 'omniscope curate cloze mend --findings'. Answers are
remembered. Step keys: UUID/guess/RUN, UUID/audio/1 and UUID/visual/1.`,
		Example: `  omniscope curate cloze test drafts/omni_cloze.jsonl --judge openai/gpt-4.1 --captions-a captions/a.jsonl --captions-v captions/v.jsonl --out tested`,
		Args:    exactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.addFlags(cmd, bench.RoleInfo{Name: cloze.JudgeRole, Attempts: 2, MaxTokens: 2048, Help: "the model that answers: PROVIDER/NAME such as openai/gpt-4.1, or scripted/FILE"},
		"tested.jsonl", "guess.txt or given.txt")
	o.files = []string{"tested.jsonl"}
	f := cmd.Flags()
	f.IntVar(&o.runs, "blind-runs", 3, "how often the blind test is done; 0 = not")
	f.StringVar(&o.audio, "captions-a", "", "audio-only captions, by uuid or id: a file, or what 'omniscope caption --list' wrote")
	f.StringVar(&o.visual, "captions-v", "", "visual-only captions")
	f.StringVar(&o.field, "caption-field", "", "field with the caption (default: the usual ones)")
	return cmd
}

func (o *clozeTestRun) run(cmd *cobra.Command, path string) (err error) {
	if err := checkRules([]rule{
		{o.runs < 0, "--blind-runs must not be negative"},
		{o.runs == 0 && o.audio == "" && o.visual == "", "there is nothing to test: give --blind-runs, --captions-a or --captions-v"},
	}); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	o.tester = cloze.Tester{Runs: o.runs}
	if err := o.load(&o.tester); err != nil {
		return err
	}
	rows, digest, err := cloze.ReadRows(cmd.Context(), path)
	if err != nil {
		return err
	}
	captions, err := cloze.OpenSenseCaptions(cmd.Context(), o.audio, o.visual, o.field)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, captions.Close()) }()
	for i, row := range rows {
		if !row.Lettered() {
			rows[i] = cloze.Letter(row.Draft(), 0)
		}
	}
	spec := struct {
		Rows     string            `json:"rows"`
		Captions map[string]string `json:"captions,omitempty"`
		Field    string            `json:"field,omitempty"`
		Prompts  [2]string         `json:"prompts"`
		Runs     int               `json:"runs"`
	}{digest, captions.Digests(), o.field, [2]string{o.tester.Guess.Digest(), o.tester.Given.Digest()}, o.runs}
	return askRows(&o.rowAsking, cmd, path, spec, rowWork[*cloze.Row, *cloze.Tested]{
		about: fmt.Sprintf("%d rows, answered by %s", len(rows), printable(o.role.model())),
		items: rows,
		requests: func(ctx context.Context, row *cloze.Row) ([]*model.Request, error) {
			audio, visual, err := captions.Get(ctx, row.UUID)
			return o.tester.Requests(row, audio, visual), err
		},
		ask: func(ctx context.Context, asker *judge.Judge, row *cloze.Row) (*cloze.Tested, error) {
			audio, visual, err := captions.Get(ctx, row.UUID)
			if err != nil {
				return nil, err
			}
			tester := o.tester
			tester.Asker = asker
			return tester.Test(ctx, row, audio, visual)
		},
		write: func(tested []*cloze.Tested) (failed int, err error) {
			for _, t := range tested {
				failed += quantity.If(t.Failed())
			}
			if err := writeLines(&o.rowAsking, "tested.jsonl", tested); err != nil {
				return 0, err
			}
			return failed, printTables(cmd, blindTables(tested, rows))
		},
		failing: "rows were not tested completely", reasons: "tested.jsonl",
	})
}

// blindTables summarizes the results of tests.
func blindTables(tested []*cloze.Tested, rows []*cloze.Row) report.Comparison {
	t := omniscope.Table{Name: "tests", Title: "Tests", Columns: []string{"test", "askings", "failed", "blanks", "option chosen", "of those right", "95% interval"}, Numbers: []int{1, 2, 3, 4, 5},
		Note: "Where nothing can be guessed, a quarter of the chosen options is right by chance. Intervals resample rows."}
	for _, test := range []string{cloze.GuessTest, cloze.AudioTest, cloze.VisualTest} {
		if row := blindRow(test, tested, rows); row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	found := omniscope.Table{Name: "findings", Title: "Findings", Columns: []string{"finding", "blanks", "rows"}, Numbers: []int{1, 2}}
	for _, check := range []string{"guessable", "modality"} {
		blanks, in := 0, 0
		for _, one := range tested {
			n := 0
			for _, f := range one.Findings {
				if f.Check == check {
					n++
				}
			}
			if blanks += n; n > 0 {
				in++
			}
		}
		found.Rows = append(found.Rows, []string{check, fmt.Sprint(blanks), fmt.Sprint(in)})
	}
	return report.Comparison{Schema: "omniscope/cloze-test/1", Title: "Tests without the clip", Warnings: []string{}, Tables: []omniscope.Table{t, found}}
}

// blindRow is the table's row of one test; nil = it was not done.
func blindRow(test string, tested []*cloze.Tested, rows []*cloze.Row) []string {
	sums := stats.Clusters{Width: 2} // of each row: options chosen, of those right
	askings, failed, blanks := 0, 0, 0
	for i, one := range tested {
		chosen, right := 0, 0
		for _, a := range one.Askings {
			if a.Test != test {
				continue
			}
			if askings++; a.Outcome != omniscope.OK {
				failed++
				continue
			}
			blanks, chosen, right = blanks+len(rows[i].Cloze.Blanks), chosen+a.Chosen, right+a.Right
		}
		sums.Rows = append(sums.Rows, float64(chosen), float64(right))
	}
	if askings == 0 {
		return nil
	}
	share, interval := report.Share(sums)
	return []string{test, fmt.Sprint(askings), fmt.Sprint(failed), fmt.Sprint(blanks), fmt.Sprintf("%.0f", sums.Total()[0]), share, interval}
}
