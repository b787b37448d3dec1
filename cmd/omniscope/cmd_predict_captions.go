package main

import (
	"github.com/spf13/cobra"

	"omniscope/session"
	runpredict "omniscope/session/predict"
)

func newPredict() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "predict",
		Short: "Caption files with a model",
		Long: `Give a model files of your own and write its answers in the form that 'omniscope eval' reads. A profile describes
what a model is sent: how many frames of which size, how much sound, which prompt. 'omniscope docs profile' lists them.

Every answer is remembered in the journal of --work-dir when it arrives: run the same command again after
any interruption to continue; nothing is paid for twice. The file of details keeps refusals, cut and empty answers and
clips that cannot be opened. They are never written as answers.`,
		RunE: needsCommand,
	}
	cmd.AddCommand(newPredictCaptions())
	return cmd
}

func newPredictCaptions() *cobra.Command {
	o := &predictOptions{}
	cmd := &cobra.Command{
		Use:   "captions MEDIA... --model PROVIDER/NAME",
		Short: "Caption files of your own",
		Long: `Ask a model for a caption of each file, and write them as JSON Lines with the fields id and caption, or as CSV
to a file whose name ends so. A folder stands for the video and sound files in it and below. The id is the
file's name without its ending; with it, or with its folder, where files would have the same.`,
		Example: `  omniscope predict captions clips --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct --out captions.csv
  omniscope predict captions clips/*.mp4 --model vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct
  omniscope predict captions talk.wav --model openai/gpt-4o-audio-preview --modality audio --prompt "What is said?"`,
		Args: atLeastOne("name the media files to caption; see `omniscope predict captions --help`"),
		RunE: func(cmd *cobra.Command, args []string) error {
			clips, err := runpredict.MediaFiles(args, o.calls.WorkDir, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			o.spec.Clips = session.WholePaths(clips)
			return o.run(cmd)
		},
	}
	o.addFlags(cmd.Flags(), runpredict.DefaultOut(o.spec.Benchmark))
	addShard(cmd.Flags(), &o.shard)
	o.engine.add(cmd.Flags())
	return cmd
}
