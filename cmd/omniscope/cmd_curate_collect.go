package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"omniscope"
	"omniscope/curate/collect"
	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/internal/spelling"
	"omniscope/internal/version"
	"omniscope/perceive/ocr"
)

// collectFlags are the flags of curate collect.
type collectFlags struct {
	collect.Options
	rules, segment, languages string
	quiet, asJSON             bool
}

// Choices of --segment.
const (
	segmentAuto = "auto"
	segmentNone = "none"
)

func newCurateCollect() *cobra.Command {
	o := &collectFlags{}
	cmd := &cobra.Command{
		Use:   "collect SOURCES --out DIR",
		Short: "Choose clips by rules, and leave out copies",
		Long: `Choose clips for a benchmark from files of media. SOURCES is a folder, or JSON Lines with one file a row: "path", and
"id", "url", "licence", "origin", "category" and "source_id" where they are known. Other columns are kept.

Each file is measured and checked against rules, a YAML file in which each rule that is missing has its default:

` + aboutRules() + `
The first rule that refuses a file is the reason why it is left out. Copies are found by digest, decoded sound, acoustic
fingerprints and picture hashes, recoded, scaled, louder, shortened, mirrored and cropped ones too; a copy of a file of --against is
left out as contamination. Of each accepted file one segment is chosen, between cuts and silences and not amid speech, and cut.

DIR gets collected.jsonl, rejected.jsonl, the funnel (funnel.md, funnel.json), collect.json (rules, seed, versions) and clips/.
What was measured of a file is remembered there: the same command goes on after an interruption, and other rules
decode nothing again. docs/curate-collect.md says more.`,
		Example: `  omniscope curate collect sources.jsonl --out clips-1 --against benchmarks/daily-omni
  omniscope curate collect recordings --out clips-2 --rules rules.yaml --no-cut`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.Dir, "out", "o", "", "folder of the results")
	f.StringVar(&o.rules, "rules", "", "YAML file with rules; what it does not name has its default")
	f.StringArrayVar(&o.Against, "against", nil, "folder with media of a benchmark, of which no copy is accepted; several times for several")
	f.StringVar(&o.segment, "segment", segmentAuto, "auto chooses a segment of each file; none takes files whole")
	f.BoolVar(&o.NoCut, "no-cut", false, "write no clips: the results name files and spans")
	f.Uint64Var(&o.Seed, "seed", 0, "what decides where a limit leaves a choice")
	f.IntVarP(&o.Jobs, "concurrency", "j", 2, "files that are decoded at a time")
	f.StringVar(&o.languages, "ocr-languages", "eng", "languages in which subtitles are looked for, as tesseract names them, such as eng+deu")
	f.BoolVar(&o.asJSON, "json", false, "print the tables as one JSON document")
	addQuiet(f, &o.quiet)
	addForce(f, &o.Force)
	return cmd
}

// aboutRules lists the rules for help.
func aboutRules() string {
	var b strings.Builder
	for _, r := range collect.RuleNames {
		fmt.Fprintf(&b, "  %-20s %s\n", r.Name, r.About)
	}
	return b.String()
}

func (o *collectFlags) run(cmd *cobra.Command, sources string) (err error) {
	if err := spelling.CheckChoice("segment", o.segment, []string{segmentAuto, segmentNone}); err != nil {
		return err
	}
	if err := checkRules([]rule{{o.Dir == "", "name the folder of the results with --out"}, {o.Jobs < 1, "--concurrency is a number from 1 on"}}); err != nil {
		return err
	}
	for _, folder := range o.Against {
		if !ondisk.IsFolder(folder) {
			return omniscope.Usagef("--against %s: there is no such folder", printable(folder))
		}
	}
	o.Whole, o.Program = o.segment == segmentNone, version.Program()
	if o.Rules = collect.DefaultRules(); o.rules != "" {
		if o.Rules, err = collect.ReadRules(cmd.Context(), o.rules); err != nil {
			return err
		}
	}
	if o.Rules.MaxSubtitleShare < 1 {
		text := ocr.New(ocr.Options{Languages: o.languages})
		if err := text.Check(cmd.Context()); err != nil {
			return fmt.Errorf("%w; or set max_subtitle_share: 1 in --rules, and no text is looked for", err)
		}
		o.Text = text
	}
	if o.Sources, err = collect.ReadSources(cmd.Context(), sources, o.Dir); err != nil {
		return err
	}
	o.Progress = noteProgressOf(cmd, o.quiet)
	r, err := collect.Run(cmd.Context(), &o.Options)
	if err != nil {
		return err
	}
	return o.show(cmd, r)
}

func (o *collectFlags) show(cmd *cobra.Command, r *collect.Results) error {
	tables, out := r.Tables(), cmd.OutOrStdout()
	if o.asJSON {
		return outfile.JSON(documentOut(cmd), tables)
	}
	tables.Rest = filepath.Join(o.Dir, "funnel.md")
	if err := printTables(cmd, *tables); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nclips: %s\nleft out: %s\n", printable(filepath.Join(o.Dir, "collected.jsonl")), printable(filepath.Join(o.Dir, "rejected.jsonl")))
	return err
}
