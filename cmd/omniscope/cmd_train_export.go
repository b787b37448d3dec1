package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/curate/release"
	"omniscope/internal/quantity"
	"omniscope/internal/spelling"
	"omniscope/session"
	"omniscope/train"
	"omniscope/train/dataset"
)

// trainExport are the flags of train export.
type trainExport struct {
	dataset.Options
	trainers     []string
	modality     string
	without      string
	card         string
	withMedia    bool
	unlicensed   bool
	shardMB      int64
	MaxFailures  float64
	DryRun       bool
	NoProgress   bool
	withoutRules []string
}

// hubFolder is where the publication lies in a data set.
const hubFolder = "hub"

func newTrainExport() *cobra.Command {
	o := &trainExport{Options: dataset.Options{Rules: dataset.DefaultRules()}}
	cmd := &cobra.Command{
		Use:   "export CAPTIONS --for TRAINER --out DIR",
		Short: "Make a data set of captions for a trainer: filtered, with media that it reads without surprises",
		Long: `Make a data set of the captions that 'omniscope caption --list' wrote, for training a captioner as Omni-Captioner was
(arXiv 2510.12720, section 4.1). CAPTIONS is the folder of one pass, such as captions/a for stage 1 and captions/av for stage 2, or a
file of rows with id, url and caption.

Rules leave captions out, each with a name, a count and a switch (--off NAME):
` + dataset.Help() + `
A whole file is linked if its frames are equally far apart and its tracks begin and end together; else, and where a row means a stretch,
it is encoded anew. Rows of sound get a WAV file of 16 kHz. Trainers see the files from DIR, or from --media-prefix.

DIR gets TRAINER/train.jsonl (and validation.jsonl), media/, rows.jsonl, sources.jsonl and provenance.jsonl, removed.jsonl, funnel.json and
dataset.json. With --card it also gets hub/, the folder to publish, with Parquet, card and Croissant, as 'omniscope curate release' makes it;
with --webdataset or --parquet files that hold rows and media. After any interruption the same command goes on; the same input gives the same bytes.`,
		Example: `  omniscope train export captions/a --for ms-swift --out stage1
  omniscope train export captions/av --for ms-swift,llama-factory --without removals.txt --card release.yaml --out stage2`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Captions = args[0]
			return o.run(cmd)
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

func (o *trainExport) addFlags(f *pflag.FlagSet) {
	f.StringVarP(&o.Out, "out", "o", "", "folder for the data set")
	f.StringSliceVar(&o.trainers, "for", nil, "trainers: "+strings.Join(train.FormNames(), ", "))
	f.StringVar(&o.Media, "media", "", "folder that relative paths of clips start from (default: that of the list)")
	f.StringVar(&o.modality, "modality", "", "audio or audio-visual, for captions that do not say from what they were written")
	f.StringVar(&o.Prefix, "media-prefix", "", "put before the paths of media in rows, such as /data/stage1/ (default: paths from DIR)")
	f.IntVar(&o.Validation, "validation", 0, "percent of the sources that are kept for validation; the paper names none")
	f.Uint64Var(&o.Seed, "seed", 1, "decides which sources are for validation, and which captions of a category stay")
	f.IntVarP(&o.Workers, "jobs", "j", 0, "files of media that are made at a time; 0 = as many as there are processors")
	r := &o.Rules
	f.BoolVar(&r.Unreviewed, "unreviewed", false, "keep unreviewed captions of people's projects; captions that were sent back are never kept")
	f.StringSliceVar(&r.Required, "require", nil, "rules that must be applicable to each caption, such as unfounded,contradicted: other captions are an error")
	f.StringSliceVar(&o.withoutRules, "off", nil, "rules that are not applied")
	f.StringVar(&o.without, "without", "", "file of ids of clips and sources to leave out, one a line: removals, and what 'omniscope train decontaminate' found")
	f.Float64Var(&r.Unfounded, "most-unfounded", r.Unfounded, "largest share of sentences that rest on no observation")
	f.Float64Var(&r.Disputed, "most-disputed", r.Disputed, "largest share of sentences that rest on what another observer contradicts")
	f.IntVar(&r.Least, "least-words", r.Least, "fewest words of a caption")
	f.IntVar(&r.Most, "most-words", r.Most, "most words of a caption")
	f.StringVar(&r.Language, "language", r.Language, `language of captions: en, de, it or zh; "" = any`)
	f.Float64Var(&r.Alike, "alike", r.Alike, "share of all runs of five words in common with an earlier caption from which on one is left out")
	f.IntVar(&r.PerCategory, "per-category", r.PerCategory, "most captions of a category; 0 = any number")
	f.Float64Var(&r.Quiet, "most-quiet", r.Quiet, "largest share of a clip without sound")
	f.Float64Var(&r.Still, "most-still", r.Still, "largest share of a clip in which nothing moves")
	f.StringVar(&o.card, "card", "", "settings of a publication, as of 'omniscope curate release': also make DIR/"+hubFolder)
	f.BoolVar(&o.withMedia, "with-media", false, "put the media into the publication; without it, captions, sources and digests alone")
	f.BoolVar(&o.unlicensed, "without-unlicensed", false, "leave clips without a licence out of the publication, in place of an error")
	f.BoolVar(&o.WebDataset, "webdataset", false, "also write tar files of WebDataset, with media")
	f.BoolVar(&o.Parquet, "parquet", false, "also write Parquet files with media, as the library datasets has them")
	f.Int64Var(&o.shardMB, "shard-size", 1000, "megabytes of one of those files, about")
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of clips whose media may be unusable before the exit code is 3")
	f.BoolVar(&o.DryRun, "dry-run", false, "show what the rules that need no media leave out, and stop")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
	addForce(f, &o.Force)
}

func (o *trainExport) check(ctx context.Context) (err error) {
	r, share := &o.Rules, func(flag string, x float64) rule { return rule{!isShare(x), "--" + flag + " is a share from 0 to 1"} }
	if err := checkRules([]rule{
		{len(o.trainers) == 0, "name a trainer with --for: " + strings.Join(train.FormNames(), ", ")},
		{o.Out == "" && !o.DryRun, "name the folder for the data set with --out"},
		{o.Validation < 0 || o.Validation > 50, "--validation is a percentage from 0 to 50"},
		{o.Workers < 0 || o.shardMB < 1, "--shard-size is at least 1, and -j not negative"},
		{min(r.Least, r.PerCategory, r.Most-r.Least) < 0, "--least-words, --most-words and --per-category must not be negative, and the most not below the least"},
		share("most-unfounded", r.Unfounded), share("most-disputed", r.Disputed), share("alike", r.Alike), share("most-quiet", r.Quiet), share("most-still", r.Still),
		share("max-failures", o.MaxFailures),
	}); err != nil {
		return err
	}
	if o.modality != "" {
		if err := spelling.CheckChoice("modality", o.modality, []string{string(omniscope.Audio), string(omniscope.AudioVisual)}); err != nil {
			return err
		}
	}
	o.Modality = omniscope.Modality(o.modality)
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	for _, name := range o.trainers {
		form, err := train.FormOf(name)
		if err != nil {
			return err
		}
		o.Forms = append(o.Forms, form)
	}
	if err := o.checkRuleNames(); err != nil {
		return err
	}
	r.Off, o.ShardBytes = o.withoutRules, o.shardMB<<20
	if o.without != "" {
		r.Without, err = dataset.ReadWithout(ctx, o.without)
	}
	return err
}

// checkRuleNames checks the rules of --off and --require.
func (o *trainExport) checkRuleNames() error {
	if err := checkChoices("off", o.withoutRules, dataset.RuleNames()); err != nil {
		return err
	}
	for _, name := range o.Rules.Required {
		if err := spelling.CheckChoice("require", name, dataset.RuleNames()); err != nil {
			return err
		}
		if slices.Contains(o.withoutRules, name) {
			return omniscope.Usagef("--require and --off both name %s", name)
		}
	}
	return nil
}

func (o *trainExport) run(cmd *cobra.Command) error {
	if err := o.check(cmd.Context()); err != nil {
		return err
	}
	var settings *release.Settings
	if o.card != "" {
		var err error
		if settings, err = release.ReadSettings(o.card); err != nil {
			return err
		}
	}
	if o.DryRun {
		r, err := dataset.Preview(cmd.Context(), o.Options)
		if err != nil {
			return err
		}
		return o.show(cmd, r)
	}
	tell, stop := lateProgress(cmd, o.NoProgress)
	o.Progress = tell
	r, err := dataset.Build(cmd.Context(), o.Options)
	stop()
	if err != nil {
		return err
	}
	if err := o.show(cmd, r); err != nil {
		return err
	}
	if settings != nil {
		if err := o.publish(cmd, settings); err != nil {
			return err
		}
	}
	if tried := r.Failed + r.Kept["train"] + r.Kept["validation"]; r.Failed > 0 && float64(r.Failed) > o.MaxFailures*float64(tried) {
		return fmt.Errorf("%w: the media of %d of %d clips cannot be used, more than --max-failures %g allows: %s says why", session.ErrTooManyFailures, r.Failed, tried, o.MaxFailures,
			filepath.Join(o.Out, dataset.RemovedFile))
	}
	return nil
}

// publish makes the folder to publish.
func (o *trainExport) publish(cmd *cobra.Command, settings *release.Settings) error {
	in := func(name string) string { return filepath.Join(o.Out, name) }
	settings.Split = &release.Split{Seed: o.Seed, Train: 100 - o.Validation, Validation: o.Validation}
	p := &curateRelease{Options: release.Options{
		Rows: in(dataset.RowsFile), Out: in(hubFolder), Settings: settings, Sources: in(dataset.SourcesFile), Provenance: in(dataset.ProvenanceFile), Funnel: in(dataset.FunnelFile),
		IDField: "id", MediaField: "file_name", WithoutUnlicensed: o.unlicensed, Force: true,
	}}
	if o.withMedia {
		p.Media = in("media")
	}
	r, err := release.Build(cmd.Context(), p.Options)
	if err != nil {
		return fmt.Errorf("the data set is written; its publication is not: %w", err)
	}
	return p.show(cmd, r)
}

func (o *trainExport) show(cmd *cobra.Command, r *dataset.Result) error {
	if err := printTables(cmd, dataset.FunnelTables(r.Funnel)); err != nil {
		return err
	}
	what := "rows"
	if o.DryRun {
		what = "rows before their media are looked at"
	}
	kept, hours := r.Kept["train"]+r.Kept["validation"], fmt.Sprintf("%.1f hours", r.Hours)
	switch {
	case kept > 0 && r.Untimed == kept:
		hours = "length not known"
	case r.Untimed > 0:
		hours += fmt.Sprintf(" and %s of unknown length", quantity.Of(r.Untimed, "clip", "clips"))
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%d captions, %d for training, %d for validation, %s: %s\n", r.Captions, r.Kept["train"], r.Kept["validation"], hours, what)
	return err
}
