package main

import "github.com/spf13/cobra"

func newCurateCloze() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cloze describe",
		Short: "Build cloze tests of captions, as Omni-Cloze",
		Long:  `Build cloze tests of captions, as Omni-Cloze was built (arXiv 2510.12720, section 5.2 and appendix B.1).`,
		Args:  checkedArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCurateClozeDescribe())
	return cmd
}
