package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/internal/outfile"
	"omniscope/session"
	"omniscope/session/catalog"
	"omniscope/session/doctor"
)

func newDoctor() *cobra.Command {
	var judgeSpec, workDir string
	role := session.Role{Name: session.Judge}
	var offline, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [" + strings.Join(doctor.Jobs, "|") + "]...",
		Short: "Check programs, keys, endpoints and models, and give a verdict on each job",
		Long: `Check keys, endpoints, models and outside programs, and give a verdict on each job (score, run, caption, people, train):
whether it works here, and the line that installs or sets what is missing. Also list which settings came from which file. Keys
are never printed. Asking an endpoint for its list of models costs nothing.

Exit code 1: a job named as an argument does not work, or the judge named with --judge cannot be used.`,
		Example: "  omniscope doctor\n  omniscope doctor caption --no-network",
		Args:    func(_ *cobra.Command, args []string) error { return doctor.CheckJobs(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, _, err := catalog.SplitModel(judgeSpec); err != nil {
				return err
			}
			e := doctor.Examine(cmd.Context(), workDir)
			role.BaseURLFrom = flagSource(cmd.Flags(), "judge-base-url")
			err := e.ExamineJudge(cmd.Context(), judgeSpec, &role, offline)
			e.JudgeJobs(cmd.Context(), offline)
			if interrupted := cmd.Context().Err(); interrupted != nil { // programs that did not answer are not broken
				return interrupted
			}
			err = cmp.Or(err, e.Requested(args))
			if !asJSON {
				e.Text(cmd.OutOrStdout())
				return err
			}
			return errors.Join(outfile.JSON(documentOut(cmd), e), err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&judgeSpec, "judge", "offline", "the judge to examine")
	f.StringVar(&role.BaseURL, "judge-base-url", "", "the judge's address")
	addGatewayFlags(f, &role, session.Judge, session.Judge)
	f.StringVar(&workDir, "work-dir", "omniscope-work", "folder of the journal and the runs")
	f.BoolVar(&offline, "no-network", false, "contact no endpoint")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
