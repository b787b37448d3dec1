package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/curate/questions"
	"omniscope/model"
	"omniscope/model/judge"
)

// questionsDraft are the flags of curate questions draft.
type questionsDraft struct {
	rowAsking
	talkFiles
	drafter questions.Drafter
}

// questionsFile and the other names are the files of drafts.
const (
	questionsFile = "questions.jsonl"
	rejectedFile  = "rejected.jsonl"
	draftsFile    = "drafts.jsonl"
)

func newCurateQuestionsDraft() *cobra.Command {
	o := &questionsDraft{}
	cmd := &cobra.Command{
		Use:   "draft TALKS --drafter PROVIDER/NAME --out DIR",
		Short: "Have a model ask and answer questions about talks, with the passages that they rest on",
		Long: `Have a model ask and answer questions about each talk, as MCIF's guideline wants them from people: three general ones, three from the
abstract alone, by a model that sees nothing else, and at least four from what is said and seen; at least five of them
AV, seven A or AV, two V and one NA. Each answer names the passages that give it, and so the time. TALKS as for 'omniscope people new mcif':
lines of JSON with id, video or audio, abstract, and lines with source, start and end, or a transcript. What is seen comes with --seen, best from
'omniscope caption --list TALKS --passes v --pages'.

The checks of 'omniscope curate questions check' are applied, and each question in which something is found is mended by itself, in
--rounds rounds. A draft that lacks questions is asked for again, and then kept: people add what is missing. Where a call fails, and not a
reply, the talk counts as a failure: the same command asks again.

DIR gets questions.jsonl (sound questions, for 'omniscope people new mcif --questions'), rejected.jsonl, and drafts.jsonl: what was
found in each round, and how each asking to mend went. Answers are remembered: the same command goes on after any interruption. Step keys, for scripts and
the journal: TALK/abstract, TALK/talk and TALK/repair/NUMBER, whose attempts are numbered on from round to round.`,
		Example: `  omniscope curate questions draft talks.jsonl --seen seen/reports/v --drafter openai/gpt-4.1 --out drafts
  omniscope curate questions draft talks.jsonl --drafter openai/gpt-4.1 --out drafts --dry-run`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.talks = args[0]
			return o.run(cmd)
		},
	}
	o.about = "talks"
	o.addFlags(cmd, bench.RoleInfo{Name: questions.DrafterRole, Attempts: 3, MaxTokens: 16384, Help: "the model that asks and answers: PROVIDER/NAME such as openai/gpt-4.1, or scripted/FILE"},
		questionsFile+", "+rejectedFile+" and "+draftsFile, "abstract.txt, talk.txt or repair.txt")
	o.files = []string{questionsFile, rejectedFile, draftsFile}
	o.addSeen(cmd)
	cmd.Flags().IntVar(&o.drafter.Rounds, "rounds", 3, "most rounds in which questions are mended")
	return cmd
}

func (o *questionsDraft) run(cmd *cobra.Command) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.drafter.Rounds < 0 {
		return omniscope.Usagef("--rounds must not be negative")
	}
	if err := o.load(&o.drafter); err != nil {
		return err
	}
	talks, err := o.read(cmd)
	if err != nil {
		return err
	}
	spec := struct {
		Talks   []string  `json:"talks"` // digests of files
		Prompts [3]string `json:"prompts"`
		Rounds  int       `json:"rounds"`
	}{talks.Digests, [3]string{o.drafter.Abstract.Digest(), o.drafter.Talk.Digest(), o.drafter.Repair.Digest()}, o.drafter.Rounds}
	attempts := o.role.one().Attempts
	return askRows(&o.rowAsking, cmd, o.talks, spec, rowWork[*questions.Talk, *questions.Drafted]{
		about: fmt.Sprintf("%d talks, drafted by %s; repairs take further calls, at most %d for each question with a finding (%d rounds of %d attempts)",
			len(talks.All), printable(o.role.model()), o.drafter.Rounds*attempts, o.drafter.Rounds, attempts),
		items: talks.All,
		requests: func(_ context.Context, t *questions.Talk) ([]*model.Request, error) {
			return []*model.Request{{Step: questions.AbstractStep(t.ID), Messages: o.drafter.Messages(t)},
				{Step: questions.TalkStep(t.ID), Messages: o.drafter.TalkMessages(t, nil)}}, nil
		},
		ask: func(ctx context.Context, asker *judge.Judge, t *questions.Talk) (*questions.Drafted, error) {
			drafter := o.drafter
			drafter.Asker = asker
			return drafter.New(ctx, t)
		},
		write:   func(drafts []*questions.Drafted) (failed int, err error) { return o.write(cmd, drafts) },
		failing: "talks have no draft, or a call to repair one of their questions failed", reasons: rejectedFile,
	})
}

// write writes the files. failed is the number of talks without a draft, or with a question that is unsound after a failed call.
func (o *questionsDraft) write(cmd *cobra.Command, drafts []*questions.Drafted) (failed int, err error) {
	var sound, rejected, done []any
	mended, unsound, without := 0, 0, 0
	for _, d := range drafts {
		if d.Failed() {
			failed++
		}
		done, mended = append(done, d), mended+len(d.Mended)
		kept, left := d.Rows(o.role.model())
		for _, row := range kept {
			sound = append(sound, row)
		}
		for _, row := range left {
			if rejected = append(rejected, row); row.Question == nil {
				without++
			} else {
				unsound++
			}
		}
		if len(d.Short) > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: talk %s has too few questions: %s; people have to add them\n", printable(d.Talk), strings.Join(d.Short, ", "))
		}
	}
	for name, lines := range map[string][]any{questionsFile: sound, rejectedFile: rejected, draftsFile: done} {
		if err := writeLines(&o.rowAsking, name, lines); err != nil {
			return 0, err
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d questions are sound, %d are not; %d were repaired; %d of %d talks have no draft\n", len(sound), unsound, mended, without, len(drafts))
	if err == nil && failed > without {
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "warning: calls to repair questions of %d talks failed, and the questions were rejected: the same command asks again\n", failed-without)
	}
	return failed, err
}
