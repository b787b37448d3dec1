package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"omniscope/bench/demo"
	"omniscope/media"
)

func newDemo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo FOLDER",
		Short: "Write a small benchmark, captions and clips to try omniscope with",
		Long: `Write data to try omniscope with into FOLDER: a cloze benchmark of twelve imaginary clips and the captions of four
imaginary systems. Where ffmpeg is, it also makes four clips of 12 seconds, a list of them, a cloze benchmark
about them, and rules that let them into a benchmark of one's own.

FOLDER/README.md says what each file is. Run again, it writes what is missing.`,
		Example: `  omniscope demo try
  omniscope eval omni-cloze -d try/cloze/clips.jsonl -p try/captions/careful.jsonl`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return writeDemo(cmd, args[0]) },
	}
}

func writeDemo(cmd *cobra.Command, folder string) error {
	if err := demo.Write(folder); err != nil {
		return err
	}
	ready := true
	for _, p := range media.Programs(cmd.Context()) {
		if p.Problem != "" {
			ready = false
			fmt.Fprintf(cmd.ErrOrStderr(), "left out the clips: %s\n", p.Problem)
			break
		}
	}
	if ready {
		fmt.Fprintln(cmd.ErrOrStderr(), "making four clips")
		if err := demo.WriteClips(cmd.Context(), folder); err != nil {
			return err
		}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "wrote %s. Try: omniscope eval omni-cloze -d %s -p %s\n", folder,
		filepath.Join(folder, "cloze", "clips.jsonl"), filepath.Join(folder, "captions", "careful.jsonl"))
	return nil
}
