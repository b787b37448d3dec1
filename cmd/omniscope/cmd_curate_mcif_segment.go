package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/curate/segment"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/media/pdac"
	"omniscope/perceive/speech"
	"omniscope/results/score/filter"
)

// The detectors that find speech where there are no probabilities of SHAS's model.
const (
	energyDetector = "energy"
	speechDetector = "speech-pack"
)

// segmentOptions are the flags of curate mcif segment.
type segmentOptions struct {
	pdac.Options
	Filter   bool
	Probs    string
	Detector string
	Force    bool
}

func newCurateMCIFSegment() *cobra.Command {
	o := &segmentOptions{Options: pdac.Default}
	cmd := &cobra.Command{
		Use:   "segment SOURCE | segment --pdac",
		Short: "Cut talks into segments where speakers pause",
		Long: `Cut each talk SOURCE/AUDIO/NAME.wav into segments by SHAS's probabilistic divide and conquer (pDAC). Write

  SOURCE/SEGMENTED_AUDIO/shas_segmentation.yaml        the list of segments, byte for byte as SHAS writes it
  SOURCE/SEGMENTED_AUDIO/shas_segments/NAME_0.wav ...  their sound: the samples of the talk as they are
  SOURCE/SEGMENTED_AUDIO/segmentation.json             how they were made, and of which files
  SOURCE/SEGMENTED_VIDEO/NAME_0.mp4 ...                their pictures, where there is SOURCE/VIDEO/NAME.mp4

The list is written last: where it is, all segments are. A call that was interrupted goes on where it stopped, and
one that was finished does nothing again. Segments that were made with other options, or of other files, are
replaced with --force only.

Where speakers pause is read off probabilities of speech, 49.95 a second. Name where they come from:

  --probs FILE            a file of JSON Lines, {"wav": "NAME.wav", "probs": [0.01, 0.98, ...]}, such as SHAS's own
                          model gives; as many as the talk has frames, round(samples / rate * 49.95), or one more or less
  --detector speech-pack  the voice detector of the speech pack (` + "`omniscope data get speech`" + `)
  --detector energy       loudness alone, for recordings with little noise and no music

Detectors are substitutes for SHAS's model: their segments are not those that MCIF published, which a warning and
segmentation.json say. A talk without speech has no segments; SHAS lists one of no length.

A segment begins and ends at the sample that is nearest to its offset and to offset + duration. Pictures are
encoded anew, at full size and with sound. That and detectors need ffmpeg.

With --pdac it is a filter that divides frames only: JSON Lines on standard input, each with "probs" and, if not
as usual, "max" (18), "min" (0.2), "threshold" (0.5), "not_strict" (false) and "wav" (talk.wav). Added are
"segments" and "yaml". The results equal those of SHAS, with the one of no length; among equal
probabilities, where SHAS depends on the machine, the first frame counts as the lowest.`,
		Example: `  omniscope curate mcif segment talks --probs shas.jsonl
  omniscope curate mcif segment talks --detector speech-pack --max 16
  echo '{"probs": [0.1, 0.9, 0.8, 0.1]}' | omniscope curate mcif segment --pdac`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Filter {
				return o.filter(cmd, args)
			}
			return o.run(cmd, args)
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *segmentOptions) addFlags(f *pflag.FlagSet) {
	f.BoolVar(&o.Filter, "pdac", false, "read frames on standard input and add their segments")
	f.StringVar(&o.Probs, "probs", "", "file of the probabilities of speech")
	f.StringVar(&o.Detector, "detector", "", "find speech without them: speech-pack or energy")
	f.Float64Var(&o.Max, "max", o.Max, "length in seconds under which a segment is not divided")
	f.Float64Var(&o.Min, "min", o.Min, "seconds that a segment has more than")
	f.Float64Var(&o.Threshold, "threshold", o.Threshold, "least probability of a frame with speech")
	f.BoolVar(&o.NotStrict, "not-strict", false, "keep a segment longer than --max rather than divide within speech")
	f.BoolVar(&o.Force, "force", false, "replace segments that were made otherwise")
}

// filter divides the frames of standard input.
func (o *segmentOptions) filter(cmd *cobra.Command, args []string) error {
	if err := checkFiles(cmd, false, args); err != nil {
		return err
	}
	if name := firstGiven(cmd.Flags(), "probs", "detector", "max", "min", "threshold", "not-strict", "force"); name != "" {
		return omniscope.Usagef("with --pdac each line has its own options, such as \"max\": 16; leave out --%s", name)
	}
	return runFilter(cmd, filter.PDAC())
}

// run segments the talks of a folder.
func (o *segmentOptions) run(cmd *cobra.Command, args []string) error {
	if err := exactArgs(1)(cmd, args); err != nil {
		return err
	}
	probabilities, err := o.probabilities(cmd)
	if err != nil {
		return err
	}
	result, err := segment.Run(cmd.Context(), segment.Options{
		Source: args[0], Probabilities: probabilities, PDAC: o.Options, Program: version.Program(), Force: o.Force,
		Report: func(wav string, segments int) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d segments\n", wav, segments)
		},
	})
	if err != nil {
		return err
	}
	warn(cmd, result.Warnings...)
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d talks, %d segments", result.List, result.Talks, result.Segments)
	if result.Segments > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), " of %.1f s on average", result.Seconds/float64(result.Segments))
	}
	if result.Unchanged {
		fmt.Fprint(cmd.OutOrStdout(), "; nothing was left to do")
	}
	fmt.Fprintln(cmd.OutOrStdout())
	return nil
}

// probabilities opens what the flags name.
func (o *segmentOptions) probabilities(cmd *cobra.Command) (segment.Probabilities, error) {
	switch {
	case o.Probs != "" && o.Detector != "":
		return nil, omniscope.Usagef("give --probs or --detector, not both")
	case o.Probs != "":
		return segment.OpenFile(cmd.Context(), o.Probs)
	case o.Detector == "":
		return nil, omniscope.Usagef("say where probabilities of speech come from: --probs FILE, --detector speech-pack or --detector energy")
	}
	if err := spelling.CheckChoice("detector", o.Detector, []string{speechDetector, energyDetector}); err != nil {
		return nil, err
	}
	if o.Detector == energyDetector {
		return segment.Energy{}, nil
	}
	pack, err := speech.Open(speech.Folder())
	if err != nil {
		return nil, err
	}
	return segment.VoiceDetector{Name: speechDetector, Voice: pack, Frame: speech.Frame}, nil
}
