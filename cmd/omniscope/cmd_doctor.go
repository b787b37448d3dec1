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
	var workDir string
	var judge modelFlag
	var offline, asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor [" + strings.Join(doctor.Jobs, "|") + "]...",
		Short: "Check programs, keys, endpoints: a verdict on each job",
		Long: `Check keys, endpoints, models and outside programs, and give a verdict on each job (score, run, caption, people, train):
whether it works here, and the line that installs or sets what is missing. Also list which settings came from which file. Keys
are never printed. Asking an endpoint for its list of models costs nothing.

Exit code 1: a job named as an argument does not work, or the judge named with --judge cannot be used.`,
		Example: "  omniscope doctor\n  omniscope doctor caption --no-network",
		Args:    func(_ *cobra.Command, args []string) error { return doctor.CheckJobs(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			role := judge.one()
			if _, _, err := catalog.SplitModel(role.Model); err != nil {
				return err
			}
			e := doctor.Examine(cmd.Context(), workDir)
			err := e.ExamineJudge(cmd.Context(), role.Model, role, offline)
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
	judge.add(f, session.Judge, session.Offline, "judge to examine, PROVIDER/NAME with its address as in other commands")
	f.StringVar(&workDir, "work-dir", "omniscope-work", "folder of the journal and the runs")
	f.BoolVar(&offline, "no-network", false, "contact no endpoint")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
