package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/bench/predict"
	"omniscope/internal/outfile"
	"omniscope/session/catalog"
	runpredict "omniscope/session/predict"
)

func newProfile() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "profile",
		Short: "Look into the ways models are asked",
		RunE:  needsCommand,
	}, newProfileCheck())
}

func newProfileCheck() *cobra.Command {
	var modality, workDir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check PROFILE [MEDIA]",
		Short: "Check a profile, and show what would be sent of a clip",
		Long: `Check a profile, one of 'omniscope list profiles' or a YAML file of your own. With MEDIA, say what a model would be
sent of that clip: how many frames, of which size, taken when, how much sound, which text. Nothing is sent.`,
		Example: `  omniscope profile check qwen3-omni clip.mp4
  omniscope profile check mine.yaml clip.mp4 --modality visual --json`,
		Args: func(_ *cobra.Command, args []string) error {
			return checkRules([]rule{{len(args) == 0 || len(args) > 2, "name a profile, and a clip if you want to see what would be sent of it; see `omniscope profile check --help`"}})
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := predict.LoadProfile(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if len(args) == 1 {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\nasked by %s\n", p.Name, p.About, p.AskedBy())
				return err
			}
			sense := p.Senses[0]
			if modality != "" {
				if sense, err = givenModality(modality); err != nil {
					return err
				}
			}
			preview, err := runpredict.Preview(cmd.Context(), p, sense, workDir, args[1])
			if err != nil {
				return err
			}
			if asJSON {
				return outfile.JSON(documentOut(cmd), preview)
			}
			return printPreview(cmd, preview)
		},
	}
	cmd.Flags().StringVar(&modality, "modality", "", "what the model is given: audio-visual, audio, visual or text (default: the profile's first)")
	cmd.Flags().StringVar(&workDir, "work-dir", "omniscope-work", "folder in which frames and sound are kept")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return cmd
}

func printPreview(cmd *cobra.Command, p *predict.Preview) error {
	warn(cmd, p.Warnings...)
	printList(cmd, catalog.List{Columns: []string{"sent", "what"}, Rows: p.Rows()})
	return nil
}
