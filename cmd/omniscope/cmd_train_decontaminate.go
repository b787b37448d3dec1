package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/internal/mediafiles"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/version"
	"omniscope/session/benchdata"
	"omniscope/session/catalog"
	"omniscope/train/contamination"
)

// decontaminate are the flags of train decontaminate.
type decontaminate struct {
	contamination.Options
	against, cached []string
	workDir         string
	quiet, asJSON   bool
}

func newTrainDecontaminate() *cobra.Command {
	o := &decontaminate{}
	cmd := &cobra.Command{
		Use:   "decontaminate LIST --against NAME=FOLDER_OR_LIST --out DIR",
		Short: "Find the clips of a training set that are in benchmarks' test media",
		Long: `Find the clips of a training set that are in the test media of benchmarks. LIST is a list of clips as 'omniscope caption --list'
reads it, or a folder of captions that it wrote, such as captions/av.

--against names a benchmark and its media: a folder; a list, in the same forms, whose media are compared where they are there, and
whose sources in any case; or a text file (.txt) with an id or address of a source a line, and perhaps a start and an end
in seconds, such as VGGSound's test split. --benchmark takes the media that 'omniscope data get' downloaded.

The checks, each of which --without-check leaves out:

` + aboutChecks() + `
A clip that is found takes all clips of its source with it: those with the same source_id, address, file or digest. DIR gets
removals.txt (ids, as 'omniscope curate release --without' and 'omniscope train export --without' read them), hits.jsonl,
failures.jsonl, and report.md and report.json with a table by check and benchmark, and the benchmarks that were not checked.

Fingerprints are kept below --work-dir, so that the same command goes on after an interruption. Files that cannot be read are named,
and the exit code is 1 then. docs/train-decontaminate.md says more, and what is found and what is not.`,
		Example: `  omniscope train decontaminate captions/av --against omni-cloze=omni-cloze/videos --against vggsound=vggsound-test.txt --out clean
  omniscope train decontaminate finevideo.jsonl --media videos --benchmark daily-omni --against-texts mcif=passages.jsonl --out clean`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.Dir, "out", "o", "", "folder of the results")
	f.StringVar(&o.Media, "media", "", "folder that relative paths of LIST start from (default: the list's, or that of the list that captions are of)")
	f.StringArrayVar(&o.against, "against", nil, "NAME=FOLDER_OR_LIST of a benchmark's media, or NAME=FILE.txt of its sources; several times for several")
	f.StringSliceVar(&o.cached, "benchmark", nil, "benchmark whose media 'omniscope data get' downloaded; several times for several")
	f.StringArrayVar(&o.AgainstTexts, "against-texts", nil, "[NAME=]FILE of JSON Lines with id and text: a benchmark's passages and texts")
	f.StringArrayVar(&o.Texts, "texts", nil, "JSON Lines with id and text: transcripts of training clips, beside their captions")
	f.StringSliceVar(&o.Without, "without-check", nil, "check that is not made: "+strings.Join(contamination.CheckNames(), ", "))
	f.IntVarP(&o.Jobs, "concurrency", "j", 2, "files that are decoded at a time")
	f.StringVar(&o.workDir, "work-dir", "omniscope-work", "folder in which fingerprints are kept")
	f.BoolVar(&o.asJSON, "json", false, "print the tables as one JSON document")
	addQuiet(f, &o.quiet)
	addForce(f, &o.Force)
	return cmd
}

// aboutChecks lists the checks for help.
func aboutChecks() string {
	var b strings.Builder
	for _, c := range contamination.Checks {
		fmt.Fprintf(&b, "  %-14s %s\n", c.Name, c.About)
	}
	return b.String()
}

func (o *decontaminate) run(cmd *cobra.Command, list string) error {
	o.List = list
	if err := o.check(); err != nil {
		return err
	}
	o.Memory, o.Program, o.Benchmarks = filepath.Join(o.workDir, "fingerprints"), version.Program(), catalog.BenchmarkNames()
	o.Progress = noteProgressOf(cmd, o.quiet)
	r, err := contamination.Run(cmd.Context(), &o.Options)
	if err != nil {
		return err
	}
	if err := o.show(cmd, r); err != nil {
		return err
	}
	if n := len(r.Failures); n > 0 {
		f := r.Failures[0]
		return fmt.Errorf("%d files could not be compared, such as %s: %s; all are in %s: a clip among them may be in a benchmark",
			n, printable(f.ID), printable(f.Why), printable(filepath.Join(o.Dir, contamination.FailuresFile)))
	}
	return nil
}

func (o *decontaminate) check() error {
	if err := checkChoices("without-check", o.Without, contamination.CheckNames()); err != nil {
		return err
	}
	for _, named := range o.against {
		name, path, _ := strings.Cut(named, "=")
		if name == "" || path == "" {
			return omniscope.Usagef("--against is NAME=FOLDER_OR_LIST, such as omni-cloze=videos, not %q", printable(named))
		}
		if !ondisk.Exists(path) {
			return omniscope.Usagef("--against %s: there is no such folder or file", printable(named))
		}
		o.Against = append(o.Against, contamination.Against{Name: name, Path: path})
	}
	for _, name := range o.cached {
		if err := o.addCached(name); err != nil {
			return err
		}
	}
	return checkRules([]rule{
		{o.Dir == "", "name the folder of the results with --out"},
		{o.Jobs < 1, "--concurrency is a number from 1 on"},
		{len(o.Against)+len(o.AgainstTexts) == 0, "name what to compare with: --against NAME=FOLDER_OR_LIST, --benchmark NAME or --against-texts FILE"},
		{len(o.Texts) > 0 && len(o.AgainstTexts) == 0, "--texts goes with --against-texts"},
	})
}

// addCached adds the media of a benchmark that lie in the hub's cache.
func (o *decontaminate) addCached(name string) error {
	b, err := catalog.Benchmark(name)
	if err != nil {
		return err
	}
	rows, err := benchdata.Rows(b.Info())
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Part != "media" || row.Folder == "" {
			continue
		}
		found, _, err := mediafiles.In(row.Folder, "")
		if err != nil {
			return err
		}
		if len(found) > 0 {
			o.Against = append(o.Against, contamination.Against{Name: name, Path: row.Folder})
			return nil
		}
		return omniscope.Usagef("--benchmark %s: what was downloaded to %s holds no media files: unpack it and give --against %[1]s=FOLDER", name, printable(row.Folder))
	}
	return omniscope.Usagef("--benchmark %s: its media are not in the hub's cache: `omniscope data get %[1]s --part media`, or give --against %[1]s=FOLDER", name)
}

func (o *decontaminate) show(cmd *cobra.Command, r *contamination.Results) error {
	tables, out := r.Tables(), cmd.OutOrStdout()
	if o.asJSON {
		return outfile.JSON(documentOut(cmd), tables)
	}
	tables.Rest = filepath.Join(o.Dir, "report.md")
	if err := printTables(cmd, *tables); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nids to leave out: %s\nhits: %s\n", printable(filepath.Join(o.Dir, contamination.RemovalsFile)), printable(filepath.Join(o.Dir, contamination.HitsFile)))
	return err
}
