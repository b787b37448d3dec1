package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope/bench/demo"
	"omniscope/media"
	people "omniscope/people/demo"
)

func newDemo() *cobra.Command {
	o := &peopleDemo{}
	cmd := &cobra.Command{
		Use:   "demo FOLDER",
		Short: "Write a small benchmark, captions and clips to try",
		Long: `Write data to try omniscope with into FOLDER: a cloze benchmark of twelve imaginary clips and the captions of four
imaginary systems. Where ffmpeg is, it also makes four clips of 12 seconds, a list of them, a cloze benchmark
about them, and rules that let them into a benchmark of one's own. FOLDER/README.md describes each file.

With --people it makes a project of people's work about four such clips in FOLDER (default: ` + usualDemoFolder + `), and serves it: open the address that
is printed.

Run again, it writes the missing files, or serves the project again.`,
		Example: `  omniscope demo try
  omniscope eval omni-cloze -d try/cloze/clips.jsonl -p try/captions/careful.jsonl
  omniscope demo --people
  omniscope demo --people=captions`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := strings.Join(args, "")
			if o.kind != "" {
				return o.run(cmd, folder)
			}
			if err := checkRules([]rule{
				{folder == "", "name the folder to write to, such as `omniscope demo try`"},
				{cmd.Flags().Changed("listen"), "--listen goes with --people"},
			}); err != nil {
				return err
			}
			return writeDemo(cmd, folder)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.kind, "people", "", "make and serve a project of people's work: "+strings.Join(people.Kinds, ", "))
	f.Lookup("people").NoOptDefVal = people.Kinds[0]
	f.StringVar(&o.Listen, "listen", usualServeAddress, "HOST:PORT of the pages of --people; if the port of the default is taken, another one")
	return cmd
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
