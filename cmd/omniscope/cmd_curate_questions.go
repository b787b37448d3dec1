package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/curate/questions"
)

func newCurateQuestions() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "questions draft|check|test",
		Short: "Draft and check questions about talks, as MCIF's",
		Long: `Draft questions and answers about recorded talks, check them, and test whether they can be answered without the talk, as MCIF
needs them (arXiv 2507.19634). People decide on them with 'omniscope people new mcif --questions'.`,
		Args: checkedArgs(cobra.NoArgs),
	}, newCurateQuestionsDraft(), newCurateQuestionsCheck(), newCurateQuestionsTest())
}

// talkFiles are the flags for talks of the commands of curate questions.
type talkFiles struct {
	talks string
	seen  string
}

func (o *talkFiles) addSeen(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.seen, "seen", "", "what is to be seen in the talks: a folder of investigations, or lines of JSON with talk, text, start and end")
}

func (o *talkFiles) read(cmd *cobra.Command) (*questions.Talks, error) {
	talks, err := questions.ReadTalks(cmd.Context(), o.talks, o.seen)
	if err != nil {
		return nil, err
	}
	if n := talks.WithoutPictures(); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: for %d of %d talks nothing says what is to be seen (--seen): questions that need it are neither drafted nor tested\n", n, len(talks.All))
	}
	return talks, nil
}

func newCurateQuestionsCheck() *cobra.Command {
	o := &talkFiles{}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "check QUESTIONS --talks TALKS",
		Short: "Find what is wrong with questions and answers, without a model",
		Long: `Find what is wrong with questions and answers about talks. QUESTIONS is JSON Lines in the form that 'omniscope curate questions draft' and
'omniscope people export' write; TALKS as for 'omniscope people new mcif'. Checks of passages need questions that name
them, as drafts do. Those marked (English) know English only, and leave talks in other languages alone.

` + questions.Help() + `
The last three take a model: 'omniscope curate questions test'. The exit code is 1 if anything is found.`,
		Example: `  omniscope curate questions check questions.jsonl --talks talks.jsonl`,
		Args:    exactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return checkQuestions(cmd, o, args[0], asJSON) },
	}
	cmd.Flags().StringVar(&o.talks, "talks", "", "the talks, a line of JSON each")
	o.addSeen(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a line of JSON for each finding")
	return cmd
}

func checkQuestions(cmd *cobra.Command, o *talkFiles, path string, asJSON bool) error {
	if o.talks == "" {
		return omniscope.Usagef("name the talks with --talks")
	}
	talks, err := questions.ReadTalks(cmd.Context(), o.talks, o.seen)
	if err != nil {
		return err
	}
	set, err := questions.ReadSet(cmd.Context(), path, talks)
	if err != nil {
		return err
	}
	n := 0
	for _, d := range set.Drafts {
		found := questions.Check(d)
		n += len(found)
		if err := showFindings(cmd, d.Talk.ID, found, asJSON); err != nil {
			return err
		}
	}
	if n > 0 {
		return omniscope.Invalidf("%d findings in %d questions", n, len(set.Rows))
	}
	if asJSON {
		return nil
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d questions about %d talks, nothing found\n", len(set.Rows), len(set.Drafts))
	return err
}

func showFindings(cmd *cobra.Command, talk string, found []questions.Finding, asJSON bool) error {
	for _, f := range found {
		if !asJSON {
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", printable(talk), printable(f.String()))
			continue
		}
		line := struct {
			Talk string `json:"talk"`
			questions.Finding
		}{talk, f}
		if err := json.NewEncoder(documentOut(cmd)).Encode(line); err != nil {
			return err
		}
	}
	return nil
}
