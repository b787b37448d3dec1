package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"omniscope/curate/release"
)

// curateRelease are the flags of curate release.
type curateRelease struct {
	release.Options
	settings string
	example  bool
}

func newCurateRelease() *cobra.Command {
	o := &curateRelease{}
	cmd := &cobra.Command{
		Use:   "release ROWS --settings release.yaml --out DIR",
		Short: "Make the folder in which a benchmark is published: rows, card, licences, version",
		Long: `Make the folder in which a built benchmark is published, in the layout of the Hugging Face hub. Nothing is uploaded.

ROWS are the items in the form in which they are released: those of Omni-Cloze and CapRiCorn-1K are known, of any other form
--id-field and --media-field name the fields. DIR gets the rows of each split to the byte and as Parquet, the card
(README.md), licences.csv, provenance.jsonl, VERSION.json with a digest of each item, and croissant.json. The same input
gives the same files.

--sources are JSON Lines with the fields id, licence, url, origin, attribution, sha256 and span, such as collected.jsonl. A source
belongs to the rows whose media file or id is called like it. Without --sources, rows name these fields themselves. An item
without a licence is refused.

With --previous, items that changed, came or went need a higher version in release.yaml; CHANGES.md lists them.`,
		Example: `  omniscope curate release --example-settings > release.yaml
  omniscope curate release omni_cloze.jsonl --sources collected.jsonl --settings release.yaml --out kitchen-cloze
  omniscope curate release omni_cloze.jsonl --sources collected.jsonl --settings release.yaml --previous kitchen-cloze --out kitchen-cloze-2`,
		Args: checkedArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.Out, "out", "o", "", "folder for the release")
	f.StringVar(&o.settings, "settings", "", "name, version, licence and texts of the set: release.yaml")
	f.BoolVar(&o.example, "example-settings", false, "print a release.yaml to start from, and stop")
	f.StringVar(&o.Sources, "sources", "", "JSON Lines of the sources of the media, with their licences")
	f.StringVar(&o.Provenance, "provenance", "", "JSON Lines of how items were made: an id and anything else")
	f.StringVar(&o.Agreement, "agreement", "", "tables for the card: agreement.json of 'omniscope people agreement'")
	f.StringVar(&o.Funnel, "funnel", "", "tables for the card, in the same form: what was left out at each step")
	f.StringVar(&o.Media, "media", "", "folder with the media to include, linked where possible, else copied")
	f.StringVar(&o.Previous, "previous", "", "folder of the release before this one")
	f.StringVar(&o.Without, "without", "", "file of ids of items or sources to leave out, one a line")
	f.BoolVar(&o.WithoutUnlicensed, "without-unlicensed", false, "leave out items whose source has no licence")
	f.StringVar(&o.IDField, "id-field", "", "field of ROWS with the id (default: uuid or video_id, by the form)")
	f.StringVar(&o.MediaField, "media-field", "", "field of ROWS with the path of the media file (default: video_path)")
	f.BoolVar(&o.Force, "force", false, "replace the release that --out holds")
	return cmd
}

func (o *curateRelease) run(cmd *cobra.Command, args []string) (err error) {
	if o.example {
		_, err := documentOut(cmd).Write(release.SettingsFile)
		return err
	}
	if err := checkRules([]rule{
		{len(args) == 0, "name the file of rows to release"},
		{o.settings == "", "name the settings with --settings; --example-settings prints some to start from"},
		{o.Out == "", "name the folder for the release with --out"},
	}); err != nil {
		return err
	}
	o.Rows = args[0]
	if o.Settings, err = release.ReadSettings(o.settings); err != nil {
		return err
	}
	r, err := release.Build(cmd.Context(), o.Options)
	if err != nil {
		return err
	}
	return o.show(cmd, r)
}

func (o *curateRelease) show(cmd *cobra.Command, r *release.Result) error {
	warn(cmd, printables(r.Warnings)...)
	out := cmd.OutOrStdout()
	for _, split := range release.Splits() {
		if n := r.Items[split]; n > 0 {
			fmt.Fprintf(out, "%-12s %5d items\n", split, n)
		}
	}
	if r.Unlicensed > 0 {
		fmt.Fprintf(out, "%-12s %5d items without a licence\n", "left out", r.Unlicensed)
	}
	if r.Withdrawn > 0 {
		fmt.Fprintf(out, "%-12s %5d items on request\n", "left out", r.Withdrawn)
	}
	if c := r.Changes; c != nil {
		fmt.Fprintf(out, "since %s: %d changed, %d added, %d removed\n", c.From, len(c.Changed), len(c.Added), len(c.Removed))
	}
	_, err := fmt.Fprintf(out, "version %s, digest %s\n%d files in %s\n", r.Version, r.Digest, r.Files, printable(o.Out))
	return err
}
