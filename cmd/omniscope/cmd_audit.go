package main

import (
	"github.com/spf13/cobra"

	"omniscope/detective"
	"omniscope/internal/outfile"
	"omniscope/session"
	"omniscope/session/caption"
)

func newAudit() *cobra.Command {
	var (
		c clipFlags
		s caption.AuditSpec
	)
	cmd := &cobra.Command{
		Use:   "audit CAPTION MEDIA",
		Short: "Check a caption claim by claim against its clip",
		Long: `Split a caption, anyone's, into claims and put each to independent observers of the clip:
supported, contradicted, or unsupported, which is no fault of the caption but what nobody here can
tell. CAPTION is a text file.

Without --splitter and --observer only that is checked which local tools measure: quoted text and
speech, numbers and times of cuts, silence, predominant colours. All else is then unsupported, and
the rates say little about the caption.`,
		Example: `  omniscope audit caption.txt clip.mp4
  omniscope audit caption.txt clip.mp4 --splitter openai/gpt-4.1 --observer openai/gpt-4o --observer vllm/qwen3-omni`,
		Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			defer func() { err = c.shared.End(err) }()
			if err := c.check(); err != nil {
				return err
			}
			s.Splitter, s.Tools, s.Observers, s.ASR, s.Prompts, s.Roles = c.asker.model(), c.Tools, c.observer.models(), c.asr.model(), c.Prompts, c.roles()
			a := &caption.AuditOptions{Machine: c.machine(cmd, true), Caption: args[0], Clip: args[1],
				Show: func(r *detective.AuditReport) error {
					if c.JSON {
						return outfile.JSON(documentOut(cmd), r)
					}
					return r.Text(cmd.OutOrStdout())
				}}
			u, err := caption.OpenAudit(cmd.Context(), &s, a)
			if err != nil {
				return err
			}
			return session.Finish(cmd.Context(), u, &a.Machine)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&c.Out, "out", "o", "", "file to write the report to, as JSON")
	f.BoolVar(&c.JSON, "json", false, "print the report as JSON")
	c.add(f, session.Splitter)
	addForce(f, &c.Force)
	return cmd
}
