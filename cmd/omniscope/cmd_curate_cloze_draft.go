package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/bench"
	"omniscope/curate/cloze"
	"omniscope/model"
	"omniscope/model/judge"
)

// clozeDraft are the flags of curate cloze draft and mend.
type clozeDraft struct {
	rowAsking
	descriptions string
	findings     string // of mend
	rounds       int
	seed         uint64

	drafter  cloze.Drafter
	approved *cloze.Descriptions
}

// clozeRowsFile and the other names are the files of drafts.
const (
	clozeRowsFile     = "omni_cloze.jsonl"
	clozeRejectedFile = "rejected.jsonl"
	clozeDraftsFile   = "drafts.jsonl"
)

func newCurateClozeDraft() *cobra.Command {
	o := &clozeDraft{}
	cmd := &cobra.Command{
		Use:   "draft DESCRIPTIONS --drafter PROVIDER/NAME --out DIR",
		Short: "Have a model write a passage with blanks from each description, and mend it",
		Long: `Have a model write a passage with 30 blanks from each description: at least 8 visual, 8 audio and 4 audio-visual, each with three
distractors (arXiv 2510.12720, appendix B). DESCRIPTIONS is what 'omniscope curate cloze describe' wrote, or what people
corrected ('omniscope people export'); those that somebody sent back are left out.

A draft with the wrong number of blanks, marks or senses is asked for again, attempts= of the drafter times in all. Then the checks of
'omniscope curate cloze check' are applied, and each blank in which something is found is mended by itself, in --rounds rounds. What is not
sound then is rejected, with its findings.

DIR gets omni_cloze.jsonl (sound rows in the released form), rejected.jsonl, and drafts.jsonl: what was found in each round, and on which
sentences and evidence each blank rests. Answers are remembered: the same command goes on after any interruption. Step keys, for
scripts and the journal: UUID/draft and UUID/repair/BLANK, whose attempts are numbered on from round to round.`,
		Example: `  omniscope curate cloze draft described/descriptions.jsonl --drafter openai/gpt-4.1 --out drafts
  omniscope curate cloze draft corrected/descriptions.jsonl --drafter openai/gpt-4.1 --out drafts --dry-run`,
		Args: exactArgs(1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.descriptions = args[0]
		return o.draft(cmd)
	}
	o.addDraftFlags(cmd)
	return cmd
}

func (o *clozeDraft) addDraftFlags(cmd *cobra.Command) {
	o.addFlags(cmd, bench.RoleInfo{Name: cloze.DrafterRole, Attempts: 3, MaxTokens: 16384, Help: "the model that writes and mends: PROVIDER/NAME such as openai/gpt-4.1, or scripted/FILE"},
		clozeRowsFile+", "+clozeRejectedFile+" and "+clozeDraftsFile, "draft.txt or repair.txt")
	o.files = []string{clozeRowsFile, clozeRejectedFile, clozeDraftsFile}
	cmd.Flags().IntVar(&o.rounds, "rounds", 3, "most rounds in which blanks are mended")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "decides the order of the options")
}

// open reads what the commands need.
func (o *clozeDraft) open(cmd *cobra.Command) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.rounds < 0 {
		return omniscope.Usagef("--rounds must not be negative")
	}
	o.drafter = cloze.Drafter{Rules: cloze.Paper(), Rounds: o.rounds}
	err := o.load(&o.drafter)
	if err == nil {
		o.approved, err = cloze.ReadDescriptions(cmd.Context(), o.descriptions)
	}
	return err
}

// draftSpec is all that shapes a run of drafts beside the model.
type draftSpec struct {
	Descriptions string      `json:"descriptions"` // digest
	Rows         string      `json:"rows,omitempty"`
	Findings     string      `json:"findings,omitempty"`
	Prompts      [2]string   `json:"prompts"`
	Rules        cloze.Rules `json:"rules"`
	Rounds       int         `json:"rounds"`
	Seed         uint64      `json:"seed"`
}

func (o *clozeDraft) spec() draftSpec {
	return draftSpec{Descriptions: o.approved.Digest, Prompts: [2]string{o.drafter.Draft.Digest(), o.drafter.Repair.Digest()}, Rules: o.drafter.Rules, Rounds: o.rounds, Seed: o.seed}
}

func (o *clozeDraft) draft(cmd *cobra.Command) error {
	if err := o.open(cmd); err != nil {
		return err
	}
	all := o.approved.Approved
	return askRows(&o.rowAsking, cmd, o.descriptions, o.spec(), rowWork[cloze.Approved, *cloze.Drafted]{
		about: fmt.Sprintf("%d descriptions, drafted by %s; repairs take further calls", len(all), printable(o.role.model())),
		items: all,
		requests: func(_ context.Context, a cloze.Approved) ([]*model.Request, error) {
			return []*model.Request{{Step: cloze.DraftStep(a.UUID), Messages: o.drafter.Messages(&a)}}, nil
		},
		ask: func(ctx context.Context, asker *judge.Judge, a cloze.Approved) (*cloze.Drafted, error) {
			drafter := o.drafter
			drafter.Asker = asker
			return drafter.New(ctx, &a)
		},
		write: func(drafts []*cloze.Drafted) (failed int, err error) {
			rows := make([]any, len(all))
			for i, d := range drafts {
				if d.Sound {
					rows[i] = d.Row(all[i].Video, o.seed)
				}
			}
			return o.write(cmd, rows, drafts)
		},
		failing: "drafts are not sound", reasons: clozeRejectedFile,
	})
}

// A rejectedRow is a line of rejected.jsonl.
type rejectedRow struct {
	UUID     string          `json:"uuid"`
	Why      string          `json:"why"`
	Findings []cloze.Finding `json:"findings,omitempty"`
}

// write writes the files. rows are those that are sound, nil for the others; drafts say what was done, nil where nothing was.
func (o *clozeDraft) write(cmd *cobra.Command, rows []any, drafts []*cloze.Drafted) (failed int, err error) {
	var sound, done, rejected []any
	mended := 0
	for i, d := range drafts {
		if rows[i] != nil {
			sound = append(sound, rows[i])
		}
		if d == nil {
			continue
		}
		done, mended = append(done, d), mended+len(d.Mended)
		if rows[i] == nil {
			row := rejectedRow{UUID: d.UUID, Why: d.Why}
			if n := len(d.Rounds); n > 0 {
				row.Findings = d.Rounds[n-1]
			}
			rejected = append(rejected, row)
		}
	}
	failed = len(rejected)
	for _, back := range o.approved.SentBack {
		rejected = append(rejected, back)
	}
	for name, lines := range map[string][]any{clozeRowsFile: sound, clozeDraftsFile: done, clozeRejectedFile: rejected} {
		if err := writeLines(&o.rowAsking, name, lines); err != nil {
			return 0, err
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d rows are sound, %d are not; %d blanks were repaired; %d descriptions were sent back or are empty\n", len(sound), failed, mended, len(o.approved.SentBack))
	return failed, err
}
