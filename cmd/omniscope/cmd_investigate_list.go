package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/internal/spelling"
	"omniscope/internal/visible"
	"omniscope/session"
	"omniscope/session/caption"
	"omniscope/session/production"
)

// listFlags are the flags of investigate for lists of clips.
type listFlags struct {
	list    string
	passes  []string
	media   string
	pages   string
	pilot   int
	seed    uint64
	maxFile int64 // megabytes
	keep    bool
}

// ofLists are the flags that mean nothing without a list.
var ofLists = []string{"passes", "media", "pages", "pilot", "seed", "max-file-size", "keep-fetched"}

func (l *listFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.list, "list", "", "list of clips in place of MEDIA: JSON Lines, CSV, Parquet, or a folder; captions come in files of\n1,000 rows (docs/production.md)")
	f.StringSliceVar(&l.passes, "passes", nil, "with --list: an investigation of each clip for each of these senses, such as a,v,av")
	f.StringVar(&l.media, "media", "", "with --list: folder that relative paths start from (default: the list's)")
	f.StringVar(&l.pages, "pages", caption.PagesFailures, "with --list: which investigations get a page and a report: "+strings.Join(caption.PagesChoices, ", "))
	f.IntVar(&l.pilot, "pilot", 0, "with --list: investigate so many clips, drawn by --seed, and forecast the rest")
	f.Uint64Var(&l.seed, "seed", 1, "with --pilot: what the clips are drawn by")
	f.Int64Var(&l.maxFile, "max-file-size", 4096, "with --list: megabytes of a file on the web; a larger one is not fetched")
	f.BoolVar(&l.keep, "keep-fetched", false, "with --list: keep files from the web below --work-dir when no clip needs them any more")
}

func (o *investigateOptions) checkList(cmd *cobra.Command, args []string) error {
	l, flags := &o.lists, cmd.Flags()
	rules := []rule{{len(o.own.list) > 0 && flags.Changed("engine"), "--tool works on this machine alone: workers start no program of yours"}}
	if l.list == "" {
		lone := firstGiven(flags, append(ofLists, "dry-run")...)
		return checkRules(append(rules,
			rule{lone != "", "--" + lone + " goes with --list"},
			rule{len(args) == 0, "name the media files to investigate, or a list of them with --list; see `omniscope investigate --help`"}))
	}
	pilot := l.pilot > 0
	if err := checkRules(append(rules, []rule{
		{len(args) > 0, "give --list or media files, not both: " + visible.Line(strings.Join(args[:min(1, len(args))], ""))},
		{flags.Changed("passes") && flags.Changed("modality"), "--passes selects the senses instead of --modality: give one of them"},
		{flags.Changed("engine"), "--list is not handed to workers: leave out --engine, and do a part of the list on each machine with --shard"},
		{o.shard.N > 0 && (pilot || o.calls.DryRun), "--pilot and --dry-run use the complete list: leave out --shard"},
		{l.pilot < 0 || l.maxFile < 1, "--pilot and --max-file-size must not be negative"},
		{flags.Changed("seed") && !pilot, "--seed goes with --pilot"},
		{pilot && o.Force, "--force would remove the captions that are there for a pilot: name another folder with --out"},
		{pilot && o.calls.DryRun, "--pilot asks models, and --dry-run asks nothing: give one of them"},
	}...)); err != nil {
		return err
	}
	return spelling.CheckChoice("pages", l.pages, caption.PagesChoices, nil)
}

// passNames are the passes of the command, each once, by their letters.
func (o *investigateOptions) passNames() ([]string, error) {
	if len(o.lists.passes) == 0 {
		return []string{o.spec.Modality}, nil
	}
	var names []string
	for _, text := range o.lists.passes {
		modality, err := modalityOf(text)
		if err != nil {
			return nil, omniscope.Usagef("--passes has some of a, v, av, as in a,v,av, not %q", text)
		}
		if name := modalityLetters[modality]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (o *investigateOptions) runList(cmd *cobra.Command) error {
	s, l := &o.spec, &o.lists
	if !cmd.Flags().Changed("out") {
		o.Out = "captions"
	}
	var err error
	if s.Passes, err = o.passNames(); err != nil {
		return err
	}
	s.Modality = ""
	list, err := production.ReadList(cmd.Context(), l.list, l.media, o.calls.WorkDir)
	if err != nil {
		return err
	}
	c := &caption.ListOptions{
		Machine: o.machine(cmd, o.NoProgress), List: list, Pages: l.pages, Pilot: l.pilot, Seed: l.seed, Jobs: o.Jobs, MaxFileSize: l.maxFile << 20, KeepFetched: l.keep,
	}
	if o.calls.DryRun {
		return o.listForecast(cmd, c)
	}
	u, err := caption.OpenList(cmd.Context(), s, c)
	if err != nil {
		return err
	}
	if o.shard.N > 0 {
		return doShard(cmd, &c.Machine, o.shard, o.NoProgress, func() (session.Units, error) { return u, nil })
	}
	if err := session.Finish(cmd.Context(), u, &c.Machine); err != nil {
		return err
	}
	if err := o.showList(cmd, u.Captions); err != nil {
		return err
	}
	return u.Captions.Verdict(o.Out)
}

// listForecast says what a list would take, and asks nothing.
func (o *investigateOptions) listForecast(cmd *cobra.Command, c *caption.ListOptions) error {
	f, err := caption.ForecastList(&o.spec, c)
	if err != nil {
		return err
	}
	if o.JSON {
		return json.NewEncoder(cmd.OutOrStdout()).Encode(f)
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), f.Text())
	return err
}

func (o *investigateOptions) showList(cmd *cobra.Command, out *caption.ListSummary) error {
	to := cmd.OutOrStdout()
	if o.JSON {
		return json.NewEncoder(visible.Unwrapped(to)).Encode(out)
	}
	if out.Pilot != nil {
		fmt.Fprint(to, out.Pilot.Text())
	}
	for i := range out.Statistics.Passes {
		p := &out.Statistics.Passes[i]
		if p.Captions == 0 {
			fmt.Fprintf(to, "%s: no caption of %d clips; %s\n", p.Pass, out.Statistics.Rows, filepath.Join(o.Out, p.Pass))
			continue
		}
		fmt.Fprintf(to, "%s: %d captions of %d clips, %s words, %s inquiries, %.1f %% of sentences without evidence; %s\n",
			p.Pass, p.Captions, out.Statistics.Rows, p.Words, p.Inquiries, 100*p.Unfounded, filepath.Join(o.Out, p.Pass))
	}
	_, err := fmt.Fprintf(to, "statistics: %s\n", filepath.Join(o.Out, "statistics.md"))
	return err
}
