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
	"omniscope/internal/outfile"
	"omniscope/internal/quantity"
	"omniscope/session"
	"omniscope/train"
	"omniscope/train/dataset"
)

// trainExport are the flags of train export.
type trainExport struct {
	dataset.Options
	trainers    []string
	modality    string
	without     string
	card        string
	withMedia   bool
	unlicensed  bool
	shardMB     int64
	MaxFailures float64
	DryRun      bool
	NoProgress  bool
	json        bool
	rules, as   []string
}

// hubFolder is where the publication lies in a data set.
const hubFolder = "hub"

func newTrainExport() *cobra.Command {
	o := &trainExport{Options: dataset.Options{Rules: dataset.DefaultRules()}}
	cmd := &cobra.Command{
		Use:   "export CAPTIONS --for TRAINER --out DIR",
		Short: "Export captions as a data set for a trainer: filtered, with media that it reads without surprises",
		Long: `Export captions as a data set for training a captioner as Omni-Captioner was (arXiv 2510.12720, section 4.1). CAPTIONS is a file of
rows with id, path and caption, as 'omniscope caption' and 'omniscope people export' write them, or a folder of such files, such as
captions/a for stage 1 and captions/av for stage 2.

Rules leave captions out. Each has a name and a count; --rule sets its number or switches it off:
` + dataset.Help() + `
A complete file is linked if its frames are equally far apart and its tracks begin and end together; else, and for a row of a stretch,
it is encoded again. Rows of sound get a WAV file of 16 kHz. Trainers see the files from DIR, or from --media-root.

DIR gets TRAINER/train.jsonl (and validation.jsonl), media/, rows.jsonl, sources.jsonl and provenance.jsonl, removed.jsonl, funnel.json and
dataset.json. With --card it also gets hub/, the folder to publish, with Parquet, card and Croissant, as 'omniscope curate release' makes it;
with --as files that hold rows and media. After any interruption the same command continues; the same input gives the same bytes.`,
		Example: `  omniscope train export captions/a --for ms-swift --out stage1
  omniscope train export review-export/captions.jsonl --for ms-swift,llama-factory --without removals.txt --rule still=off --out stage2`,
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
	f.StringVar(&o.Media, "media", "", "folder that relative paths of clips start from (default: where the rows find them)")
	f.StringVar(&o.modality, "modality", "", "audio or audio-visual, for captions whose rows have no modality")
	f.StringVar(&o.Prefix, "media-root", "", "put before the paths of media in rows, such as /data/stage1/ (default: paths from DIR)")
	f.IntVar(&o.Validation, "validation", 0, "percent of the sources that are kept for validation; the paper names none")
	f.Uint64Var(&o.Seed, "seed", 1, "decides which sources are for validation, and which captions of a category stay")
	f.IntVar(&o.Limit, "limit", 0, "only the first N captions; 0 = all")
	f.IntVarP(&o.Workers, "concurrency", "j", 0, "files of media that are made at a time; 0 = as many as there are processors")
	r := &o.Rules
	f.BoolVar(&r.Unreviewed, "unreviewed", false, "keep unreviewed captions of people's projects; captions that were sent back are never kept")
	f.StringArrayVar(&o.rules, "rule", nil, "NAME=NUMBER, NAME=off or NAME=required of a rule, such as unfounded=0.1, words=20-800, still=off; repeatable")
	f.StringVar(&o.without, "without", "", "file of ids of clips and sources to leave out, one a line: removals, and the results of 'omniscope train decontaminate'")
	f.StringVar(&r.Language, "language", r.Language, `language of captions: en, de, it or zh; "" = any`)
	f.IntVar(&r.PerCategory, "per-category", r.PerCategory, "most captions of a category; 0 = any number")
	f.StringVar(&o.card, "card", "", "settings of a publication, as of 'omniscope curate release': also make DIR/"+hubFolder)
	f.BoolVar(&o.withMedia, "with-media", false, "put the media into the publication; without it, captions, sources and digests alone")
	f.BoolVar(&o.unlicensed, "without-unlicensed", false, "leave clips without a licence out of the publication, instead of an error")
	f.StringSliceVar(&o.as, "as", nil, "also write files with rows and media in one: "+strings.Join(shardForms, ", "))
	f.Int64Var(&o.shardMB, "shard-size", 1000, "megabytes of one of those files, about")
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of clips whose media may be unusable before the exit code is 3")
	f.BoolVar(&o.DryRun, "dry-run", false, "show what the rules that need no media leave out, and stop")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	addQuiet(f, &o.NoProgress)
	addForce(f, &o.Force)
}

// shardForms are the forms with rows and media in one file.
var shardForms = []string{"webdataset", "parquet"}

func (o *trainExport) check(ctx context.Context) (err error) {
	if err := checkRules([]rule{
		{len(o.trainers) == 0, "name a trainer with --for: " + strings.Join(train.FormNames(), ", ")},
		{o.Out == "" && !o.DryRun, "name the folder for the data set with --out"},
		{o.Validation < 0 || o.Validation > 50, "--validation is a percentage from 0 to 50"},
		{o.Workers < 0 || o.shardMB < 1, "--shard-size is at least 1, and -j not negative"},
		{min(o.Rules.PerCategory, o.Limit) < 0, "--per-category and --limit must not be negative"},
		{!isShare(o.MaxFailures), "--max-failures is a share from 0 to 1"},
	}); err != nil {
		return err
	}
	if o.modality != "" {
		if o.modality, err = modalityOf(o.modality); err != nil {
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
	if err := checkChoices("as", o.as, shardForms); err != nil {
		return err
	}
	o.WebDataset, o.Parquet, o.ShardBytes = slices.Contains(o.as, shardForms[0]), slices.Contains(o.as, shardForms[1]), o.shardMB<<20
	for _, text := range o.rules {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return omniscope.Usagef("--rule %s: write NAME=NUMBER, NAME=off or NAME=required", printable(text))
		}
		if err := o.Rules.Set(name, value); err != nil {
			return err
		}
	}
	if o.without != "" {
		o.Rules.Without, err = dataset.ReadWithout(ctx, o.without)
	}
	return err
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
	warn(cmd, printables(r.Warnings)...)
	if o.json {
		return outfile.JSON(documentOut(cmd), r)
	}
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
	if err == nil && kept > 0 && !o.DryRun {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "next      omniscope train check %s --for %s\n", shellWord(o.Out), o.trainers[0])
	}
	return err
}
