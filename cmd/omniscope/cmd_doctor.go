package main

import (
	"errors"

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
		Use:   "doctor",
		Short: "Say which keys, endpoints, models and programs will really be used",
		Long: `Say which keys, endpoints, models and outside programs will really be used, whether they answer,
what is missing for what, and how to install it. Keys are never printed. Asking an endpoint for its
list of models costs nothing. Exit code 1 if the judge named with --judge cannot be used.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, _, err := catalog.SplitModel(judgeSpec); err != nil {
				return err
			}
			e := doctor.Examine(cmd.Context(), workDir)
			role.BaseURLFrom = flagSource(cmd.Flags(), "judge-base-url")
			err := e.ExamineJudge(cmd.Context(), judgeSpec, &role, offline)
			if interrupted := cmd.Context().Err(); interrupted != nil { // programs that did not answer are not broken
				return interrupted
			}
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
