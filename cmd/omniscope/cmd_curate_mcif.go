package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"omniscope/curate/mcif"
)

func newCurateMCIF() *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "mcif segment|build|stats",
		Short: "Build test sets of talks in several languages, as MCIF's",
		Long: `Build test sets in the form of MCIF: questions about recorded talks in several languages, with their answers.
The tables of a set come from 'omniscope people export' of a project of the kind mcif.`,
		Args: checkedArgs(cobra.NoArgs),
	}, newCurateMCIFSegment(), newCurateMCIFBuild(), newCurateMCIFStats())
}

// mcifBuild are the flags of curate mcif build.
type mcifBuild struct {
	mcif.Options
	languages string
	example   bool
	quiet     bool
}

func newCurateMCIFBuild() *cobra.Command {
	o := &mcifBuild{}
	cmd := &cobra.Command{
		Use:   "build --source-dir SOURCE --out OUT",
		Short: "Build a test set: instructions, references, sound, videos and transcripts",
		Long: `Build a test set from a folder of tables and media, file by file the same as MCIF's published builder makes.

The source holds the nine tables of MCIF (tab-separated, no quoting), AUDIO/TALK.wav, VIDEO/TALK.mp4, and how the
talks were cut: SEGMENTED_AUDIO/shas_segmentation.yaml, SEGMENTED_AUDIO/shas_segments/TALK_N.wav and SEGMENTED_VIDEO/TALK_N.mp4.
Out come, for each language, the instructions with fixed and with mixed prompts and the references, for whole talks (long)
and for segments (short), and the media under drawn names. Nothing is written before the whole source is known to be right.

Two faults of the published builder are mended unless --as-published is given: talks that have an abstract only get their
own translated abstract (published: that of the last talk with questions), and the name of a video is right where the
drawn name has "wav" in it. Videos of several segments are joined by ffmpeg and differ from the published builder's.

A set of other languages is built with --languages, a changed copy of the file that --example-languages prints: the spoken language, and any
number of others, each with prompts to draw from; the last one of a list is the fixed prompt. The tables need the columns Question_CODE and
Answer_CODE of each language, and the files "… TRANSCRIPT_TABLE …" and "… SSUM_TABLE …" of each but the spoken one.

MCIF itself was built with --include-video --include-text --threshold-short-audio 100.`,
		Example: `  omniscope curate mcif build -s TEST_SET -o OUT --include-video --include-text --threshold-short-audio 100
  omniscope curate mcif build -s TEST_SET -o OUT --languages languages.yaml --name TALKS1.0
  omniscope curate mcif build --example-languages > languages.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.Source, "source-dir", "s", "", "folder with the tables and media")
	f.StringVar(&o.Tables, "tables", "", "folder with the tables (default: SOURCE)")
	f.StringVarP(&o.Out, "out", "o", "", "folder for the test set")
	f.BoolVar(&o.Video, "include-video", false, "with videos, and questions whose answer is only seen")
	f.BoolVar(&o.Text, "include-text", false, "with transcripts, for models that read")
	f.Float64Var(&o.Longest, "threshold-short-audio", 30, "seconds; a question whose several segments are longer is left out")
	f.StringVar(&o.Name, "name", "MCIF1.0", "name of the test set, with which its files begin")
	f.StringVar(&o.languages, "languages", "", "file of languages and prompts (default: MCIF's)")
	f.BoolVar(&o.example, "example-languages", false, "print MCIF's languages, prompts and fixed answers, and stop")
	f.BoolVar(&o.AsPublished, "as-published", false, "repeat the faults of the published builder")
	f.BoolVar(&o.Force, "force", false, "replace the set that is in the folder")
	addQuiet(f, &o.quiet)
	return cmd
}

func (o *mcifBuild) run(cmd *cobra.Command) (err error) {
	if o.example {
		_, err := documentOut(cmd).Write(mcif.LanguagesFile)
		return err
	}
	if err := checkRules([]rule{
		{o.Source == "", "name the folder with tables and media with --source-dir"},
		{o.Out == "", "name the folder for the test set with --out"},
	}); err != nil {
		return err
	}
	if o.languages != "" {
		if o.Languages, err = mcif.ReadLanguages(o.languages); err != nil {
			return err
		}
	}
	tell, stop := lateProgress(cmd, o.quiet)
	o.Progress = tell
	r, err := mcif.Build(cmd.Context(), o.Options)
	stop()
	if err != nil {
		return err
	}
	return o.show(cmd, r)
}

// show says what was built, and fails if something of it is missing.
func (o *mcifBuild) show(cmd *cobra.Command, r *mcif.Result) error {
	out := cmd.OutOrStdout()
	for _, s := range r.Skipped {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: question %s is left out of the set: its segments last %.2f s, more than --threshold-short-audio %v\n", printable(s.Question), s.Seconds, o.Longest)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Samples)) {
		fmt.Fprintf(out, "%-12s %5d samples\n", name, r.Samples[name])
	}
	if n := len(r.Unjoined); n > 0 {
		return fmt.Errorf("%d videos of several segments could not be joined; all other files are in %s; mend these and build again with --force: %v", n, o.Out, errors.Join(r.Unjoined...))
	}
	_, err := fmt.Fprintf(out, "%d files in %s\n", r.Files, printable(o.Out))
	return err
}

func newCurateMCIFStats() *cobra.Command {
	var references, audio string
	var characters bool
	cmd := &cobra.Command{
		Use:   "stats --reference REF.xml --audio-dir FOLDER",
		Short: "Show samples, seconds of sound and length of references, by task",
		Long: `Show how many samples a test set has of each task and kind of question, how long their sound is, and how long their references
are, in the table of MCIF's published program. Sound in WAV files is counted by their headers.`,
		Example: `  omniscope curate mcif stats -r OUT/MCIF1.0.IF.short.de.ref.xml -d OUT/SHORT_AUDIOS
  omniscope curate mcif stats -r OUT/MCIF1.0.IF.long.zh.ref.xml -d OUT/LONG_AUDIOS --use-chars`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkRules([]rule{
				{references == "", "name the references with --reference, such as OUT/MCIF1.0.IF.short.de.ref.xml"},
				{audio == "", "name the folder with their sound files with --audio-dir, such as OUT/SHORT_AUDIOS"},
			}); err != nil {
				return err
			}
			s, err := mcif.Measure(cmd.Context(), references, audio, characters)
			if err != nil {
				return err
			}
			return s.Write(documentOut(cmd))
		},
	}
	f := cmd.Flags()
	f.StringVarP(&references, "reference", "r", "", "references of a track and language")
	f.StringVarP(&audio, "audio-dir", "d", "", "folder with their sound files")
	f.BoolVar(&characters, "use-chars", false, "count characters of references, not words")
	return cmd
}
