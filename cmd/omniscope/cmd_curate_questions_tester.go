package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/bench"
	"omniscope/curate/questions"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/model/judge"
)

// questionsTest are the flags of curate questions test.
type questionsTest struct {
	rowAsking
	talkFiles
	tester questions.Tester
}

const (
	testedFile  = "tested.jsonl"
	testsTables = "tests" // .md and .json
)

func newCurateQuestionsTest() *cobra.Command {
	o := &questionsTest{}
	cmd := &cobra.Command{
		Use:   "test QUESTIONS --talks TALKS --judge PROVIDER/NAME --out DIR",
		Short: "Find questions that can be guessed, or that another sense answers",
		Long: `Have a model answer questions without the talks: without anything (blind test, --blind-runs times with the questions in another
order), from what is said alone, and, with --seen, from what is to be seen alone. It then compares its answers with the right
ones. Found are questions that are answered right blindly in each run, that the wrong sense answers or the right one does not (labels A, V
and AV), and those without an answer (NA) that are answered all the same.

DIR gets tested.jsonl, a line for each talk with all answers and findings; questions.jsonl, the questions with
the findings as notes, which people see with 'omniscope people new mcif --questions'; and the tables as tests.md and tests.json. Answers
are remembered. Step keys: TALK/TEST/answer and TALK/TEST/grade; TEST is blind, sound or sight, and the attempts of the blind test are
numbered on from run to run.`,
		Example: `  omniscope curate questions test drafts/questions.jsonl --talks talks.jsonl --seen seen/reports/v --judge openai/gpt-4.1 --out tested`,
		Args:    exactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	o.about = "talks"
	o.addFlags(cmd, bench.RoleInfo{Name: questions.JudgeRole, Attempts: 2, MaxTokens: 4096, Help: "the model that answers and compares: PROVIDER/NAME such as openai/gpt-4.1, or scripted/FILE"},
		testedFile+", "+questionsFile+" and tables", "answer.txt or grade.txt")
	o.files = []string{testedFile, questionsFile, testsTables + ".md", testsTables + ".json"}
	o.addSeen(cmd)
	cmd.Flags().StringVar(&o.talks, "talks", "", "the talks, a line of JSON each")
	cmd.Flags().IntVar(&o.tester.Runs, "blind-runs", 2, "how often the blind test is done; 0 = not")
	return cmd
}

func (o *questionsTest) run(cmd *cobra.Command, path string) error {
	if err := checkRules([]rule{
		{o.talks == "", "name the talks with --talks"},
		{o.tester.Runs < 0, "--blind-runs must not be negative"},
	}); err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	if err := o.load(&o.tester); err != nil {
		return err
	}
	talks, err := o.read(cmd)
	if err != nil {
		return err
	}
	set, err := questions.ReadSet(cmd.Context(), path, talks)
	if err != nil {
		return err
	}
	spec := struct {
		Talks     []string  `json:"talks"` // digests of files
		Questions string    `json:"questions"`
		Prompts   [2]string `json:"prompts"`
		Runs      int       `json:"runs"`
	}{talks.Digests, set.Digest, [2]string{o.tester.Answer.Digest(), o.tester.Grade.Digest()}, o.tester.Runs}
	return askRows(&o.rowAsking, cmd, path, spec, rowWork[*questions.Draft, *questions.Tested]{
		about: fmt.Sprintf("%d questions about %d talks, answered and compared by %s; the size of the comparisons is an estimate", len(set.Rows), len(set.Drafts), printable(o.role.model())),
		items: set.Drafts,
		requests: func(_ context.Context, d *questions.Draft) (all []*model.Request, _ error) {
			for _, one := range o.tester.Tests(d.Talk) { // right answers are assumed, as the answers to compare are not known yet
				all = append(all, &model.Request{Step: questions.AnswerStep(d.Talk.ID, one.Test), Attempt: one.Run, Messages: o.tester.AnswerMessages(d, one)},
					&model.Request{Step: questions.GradeStep(d.Talk.ID, one.Test), Attempt: one.Run, Messages: o.tester.LikelyGradeMessages(d)})
			}
			return all, nil
		},
		ask: func(ctx context.Context, asker *judge.Judge, d *questions.Draft) (*questions.Tested, error) {
			tester := o.tester
			tester.Asker = asker
			return tester.Test(ctx, d)
		},
		write: func(tested []*questions.Tested) (failed int, err error) {
			for _, t := range tested {
				failed += quantity.If(t.Failed())
			}
			return failed, o.write(cmd, set, tested)
		},
		failing: "talks were not tested completely", reasons: testedFile,
	})
}

// write writes the files and shows the tables.
func (o *questionsTest) write(cmd *cobra.Command, set *questions.Set, tested []*questions.Tested) error {
	set.Annotate(tested)
	for _, t := range tested {
		for _, f := range t.Findings {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", printable(t.Talk), printable(f.String()))
		}
	}
	if err := writeLines(&o.rowAsking, testedFile, tested); err != nil {
		return err
	}
	if err := writeLines(&o.rowAsking, questionsFile, set.Rows); err != nil {
		return err
	}
	return o.writeTables(cmd, testsTables, questions.Tables(set, tested))
}
