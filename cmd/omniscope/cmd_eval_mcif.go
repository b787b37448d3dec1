package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif"
	"omniscope/internal/hub"
	"omniscope/internal/mcifxml"
	"omniscope/internal/outfile"
	"omniscope/metric/neural/installed"
	"omniscope/session"
)

// mcifOptions are the flags of eval mcif. Those of the published mcif_eval have
// its names and letters.
type mcifOptions struct {
	Hypothesis []string
	Reference  string
	Track      string
	Language   string
	Version    string
	Modality   string
	Breakdown  bool

	Compat    bool
	Systems   []string
	Pseudo    string
	SampleMap string
	Lenient   bool
	Allow     bool
	Scored    []string
	WriteXML  string
	Scorers   string
	Name      string
	Profile   string
	SampleIDs []string
	Limit     int
	Seed      uint64

	WorkDir    string
	Out        string
	JSON       bool
	NoProgress bool
	Force      bool

	outNamed bool // --out was given
	networks installed.Options
	encoders *encoders // nil = none are asked for
}

func (o *mcifOptions) addFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.Hypothesis, "hypothesis", "s", nil, "XML file of a system's outputs, plain or .gz, several times for outputs in shards;\nor a .jsonl file with the fields id and text")
	f.StringVarP(&o.Reference, "reference", "r", "", "XML file of references, or a folder of them; without it they are taken from the hub's\ncache or downloaded ("+mcif.HubRepo+"; HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_OFFLINE)")
	f.StringVarP(&o.Track, "track", "t", "", "short or long")
	f.StringVarP(&o.Language, "language", "l", "", "language of the prompts and answers: en, de, it or zh")
	f.StringVarP(&o.Version, "mcif-version", "v", "1.0", "version of the references: 1.0 or 1.1. Profile official is mcif_eval 1.0; with 1.1 it\ntakes any number of tasks, and chapters are left out")
	f.StringVarP(&o.Modality, "filter-modality", "m", "", "score only samples that have audio, text or video")
	f.BoolVar(&o.Breakdown, "breakdown-qa-types", false, "score questions by type and origin as well")
	f.BoolVar(&o.Compat, "compat", false, "print the very JSON line of the published mcif_eval and nothing else, with its\nreasons for stopping; the exit code is 0 then, too")
	f.StringArrayVar(&o.Systems, "system", nil, "score every output file under this folder, found by the names of the published\nbaselines, and print the paper's tables; several times for several systems")
	f.StringVar(&o.Pseudo, "pseudo-references", "", "folder of a system whose outputs stand for references, where there are none:\nscores then say how alike two systems are, and no more")
	f.StringVar(&o.SampleMap, "sample-map", "", "CSV file that tells the task, talk and segment of each sample id, for --pseudo-references")
	f.BoolVar(&o.Allow, "allow-unscorable", false, "go on although none of the outputs is of a sample that is scored")
	f.BoolVar(&o.Lenient, "lenient-xml", false, "read files that are not well-formed as far as possible, and list what was mended")
	f.StringArrayVar(&o.Scored, "scored", nil, "pairs.jsonl of an earlier run with its values filled in by BERTScore or COMET")
	f.StringVar(&o.WriteXML, "write-output", "", "write the outputs as one file of the official XML: shards joined, JSON Lines converted")
	f.StringVar(&o.Scorers, "scorers", "published", "published, or lengths: stand-ins that compare lengths, to try a pipeline without models")
	addNetworkFlags(f, &o.networks)
	f.StringVar(&o.Name, "name", "", "name of the system (default: from the file's name)")
	f.StringVar(&o.Profile, "profile", "strict", "scores that the headline shows: strict scores what is there and counts what is not;\nofficial is the published scorer. Reports show both wherever they differ")
	f.StringArrayVar(&o.SampleIDs, "sample-id", nil, "score these only: sample ids or names of references, with commas between")
	f.IntVar(&o.Limit, "limit", 0, "score the first N talks, answers and summaries only; 0 = all")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.StringVar(&o.WorkDir, "work-dir", "omniscope-work", "folder of the runs")
	f.StringVarP(&o.Out, "out", "o", "", "folder of the results (default: WORK-DIR/runs/mcif-SYSTEM-RUN)")
	addForce(f, &o.Force)
	f.BoolVar(&o.JSON, "json", false, "print the results document on standard output instead of tables")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
}

// check is of the flags. named says whether --language was, which may be "" for
// --compat.
func (o *mcifOptions) check(named bool) error {
	switch {
	case len(o.Systems) == 0 && len(o.Hypothesis) == 0:
		return usagef("give a system's outputs with --hypothesis FILE, or a folder of output files with --system DIR")
	case len(o.Systems) > 0 && (len(o.Hypothesis) > 0 || o.Compat || o.WriteXML != "" || o.Track != "" || o.Language != "" || o.Modality != ""):
		return usagef("--system finds its files, tracks, languages and modalities by itself: leave out --hypothesis, --track, --language, --filter-modality, --write-output and --compat")
	case len(o.Systems) == 0 && (o.Track == "" || o.Language == "" && !(o.Compat && named)):
		return usagef("name the --track, short or long, and the --language, such as de")
	case o.Pseudo != "" && (o.SampleMap == "" || o.Reference != "" || len(o.Systems) == 0):
		return usagef("--pseudo-references goes with --system and --sample-map FILE, and without --reference")
	case len(o.Systems) == 0 && o.Reference == "" && !o.Compat && !slices.Contains(mcif.Languages, o.Language):
		return notOnHub(o.Language)
	case !o.Compat && !slices.Contains(mcif.Languages, o.Language) && languageHint(o.Language, mcif.Languages) != "":
		return usagef("--language is %s, not %q%s", orList(mcif.Languages), o.Language, languageHint(o.Language, mcif.Languages))
	case o.Pseudo != "" && o.Breakdown:
		return usagef("--pseudo-references do not know the types of questions: leave out --breakdown-qa-types")
	case o.Scorers == "lengths" && len(o.Scored) > 0:
		return usagef("--scorers lengths compares lengths, and --scored has values of real scorers: leave out one of them")
	case o.Pseudo == "" && o.SampleMap != "":
		return usagef("--sample-map goes with --pseudo-references")
	case o.Compat && (o.Limit != 0 || len(o.SampleIDs) > 0):
		return usagef("--compat scores everything, as the published program does: leave out --limit and --sample-id")
	case o.Limit < 0:
		return usagef("--limit must not be negative")
	}
	return errors.Join(
		o.networks.Check(),
		checkChoice("profile", o.Profile, profiles),
		checkChoice("scorers", o.Scorers, []string{"published", "lengths"}),
		checkChoice("mcif-version", o.Version, []string{"1.0", "1.1"}),
		o.checkTask())
}

func (o *mcifOptions) checkTask() error {
	if len(o.Systems) > 0 {
		return nil
	}
	err := checkChoice("track", o.Track, mcif.Tracks)
	if o.Modality != "" {
		err = errors.Join(err, checkChoice("filter-modality", o.Modality, []string{"audio", "text", "video"}))
	}
	return err
}

func newEvalMCIF() *cobra.Command {
	o := &mcifOptions{}
	info := mcif.Benchmark{}.Info()
	cmd := &cobra.Command{
		Use:   "mcif --hypothesis FILE --reference FILE --track long --language de",
		Short: info.Title,
		Long: fmt.Sprintf(`%s (%s).
%s.

Word error rate of transcripts, after the Whisper normalisers; COMET of translations, cut into the
reference's lines; BERTScore of answers and summaries. Profile official is mcif_eval 1.0, which
stops at the first thing it does not expect; strict scores what is there and counts what is not.

Beside the scores: what a system did wrong otherwise (wrong language, too short, loops, refusals),
alignments.html to look at every talk, and pairs.jsonl with all that a neural scorer compares.`, info.Title, info.Paper, info.Licence),
		Example: `  omniscope eval mcif -s out.xml -r MCIF1.0.IF.long.de.ref.xml -t long -l de --breakdown-qa-types
  omniscope eval mcif -s out.xml -t short -l en --compat
  omniscope eval mcif --system baselines/outputs/mllm/ola -r references/
  omniscope eval mcif --system outputs/ --pseudo-references outputs/phi --sample-map sample_map.csv`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := o.check(cmd.Flags().Changed("language")); err != nil {
				return err
			}
			o.outNamed = o.Out != ""
			if o.Scorers == "published" {
				if o.encoders, err = openEncoders(o.networks, cmd.ErrOrStderr(), o.NoProgress); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, o.encoders.close()) }()
			}
			if len(o.Systems) > 0 {
				return evalSystems(cmd, o)
			}
			return evalOutput(cmd, o)
		},
	}
	o.addFlags(cmd.Flags())
	return cmd
}

// benchmark is MCIF as the flags want it for one file of outputs.
func (o *mcifOptions) benchmark(ctx context.Context) (mcif.Benchmark, error) {
	b := mcif.Benchmark{Input: mcif.InputOf(o.Hypothesis[0]), Track: o.Track, Lang: o.Language, Version: o.Version, Modality: o.Modality, Lenient: o.Lenient, Breakdown: o.Breakdown}
	if len(o.Hypothesis) > 1 {
		b.Shards = o.Hypothesis[1:]
	}
	b.Scorers = mcif.Published()
	if o.Scorers == "lengths" {
		b.Scorers = mcif.Lengths()
	}
	if len(o.Scored) > 0 {
		if err := b.Scorers.UseValues(ctx, o.Scored); err != nil {
			return b, err
		}
	}
	if o.encoders != nil {
		return b, o.encoders.fill(b.Scorers, o.Language)
	}
	return b, nil
}

// evalOutput scores one system's outputs for one track and language.
func evalOutput(cmd *cobra.Command, o *mcifOptions) error {
	b, err := o.benchmark(cmd.Context())
	if err != nil {
		return err
	}
	if o.Compat {
		return o.printLine(cmd, b)
	}
	references, warnings, err := o.referenceOf(cmd.Context(), b)
	if err != nil {
		return err
	}
	if o.WriteXML != "" {
		if err := o.writeXML(cmd.Context(), b); err != nil {
			return err
		}
	}
	run, err := o.openRun(cmd.Context(), b, o.Hypothesis[0], references, o.Name)
	if err != nil {
		return err
	}
	run.warnings = warnings
	results, err := run.score(cmd, o, true)
	if err != nil {
		return err
	}
	return noScore(results)
}

// printLine prints what the published program prints, which tells of trouble
// with its inputs in its line.
func (o *mcifOptions) printLine(cmd *cobra.Command, b mcif.Benchmark) error {
	if o.WriteXML != "" {
		if err := o.writeXML(cmd.Context(), b); err != nil {
			return err
		}
	}
	references, _, err := o.referenceOf(cmd.Context(), b)
	line := ""
	switch {
	case err == nil:
		line, err = mcif.Compat(cmd.Context(), b, o.Hypothesis[0], references)
	case cmd.Context().Err() == nil:
		line, err = mcif.CompatFailure(cmd.Context(), b, o.Hypothesis[0], err), nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(documentOut(cmd), line)
	return err
}

// A noScoreError ends a command that did its work, of which no score came.
type noScoreError struct{ why string }

func (e noScoreError) Error() string { return "no score: " + e.why }

// Is gives it the exit code of commands whose work was in vain.
func (noScoreError) Is(target error) bool { return target == session.ErrTooManyFailures }

// noScore is an error where no score could be had at all.
func noScore(r *omniscope.Results) error {
	if r.Status != omniscope.NoScore {
		return nil
	}
	var order []string
	titles := make(map[string][]string)
	all := mcif.Benchmark{}.Info().Metric.Scores
	for _, c := range all {
		why := r.Headline.Scores[c.Name].Why
		if why == "" {
			continue
		}
		if titles[why] == nil {
			order = append(order, why)
		}
		titles[why] = append(titles[why], c.Title)
	}
	if len(order) == 0 {
		return noScoreError{fmt.Sprintf("nothing of %d talks, answers and summaries could be scored; the report says why", r.Samples)}
	}
	for i, why := range order {
		order[i] = strings.Join(titles[why], ", ") + ": not available: " + why
	}
	return noScoreError{strings.Join(order, "; ")}
}

// writeXML writes the outputs in the official form.
func (o *mcifOptions) writeXML(ctx context.Context, b mcif.Benchmark) error {
	out, err := b.ReadOutputs(ctx, o.Hypothesis)
	if err != nil {
		return err
	}
	return outfile.WriteSame(o.WriteXML, o.Force, func(w io.Writer) error { return mcifxml.WriteOutput(w, out) })
}

// referenceOf returns the file of references for one file of outputs. Where it
// has to be looked for, the outputs are read first: what is wrong with them
// needs no network to be told.
func (o *mcifOptions) referenceOf(ctx context.Context, b mcif.Benchmark) (path string, warnings []string, err error) {
	if info, err := os.Stat(o.Reference); o.Reference == "" || err == nil && info.IsDir() {
		if _, err := b.ReadOutputs(ctx, o.Hypothesis); err != nil {
			return "", nil, err
		}
	}
	return o.reference(ctx, o.Track, o.Language)
}

// reference returns the file of references for a track and language.
func (o *mcifOptions) reference(ctx context.Context, track, lang string) (path string, warnings []string, err error) {
	if o.Reference == "" {
		return o.fromHub(ctx, track, lang)
	}
	info, err := os.Stat(o.Reference)
	if err != nil || !info.IsDir() {
		return o.Reference, nil, nil // what is wrong with a file, reading it tells
	}
	names := mcif.ReferenceNames(o.Version, track, lang)
	for _, name := range names {
		path := filepath.Join(o.Reference, name)
		if _, err := os.Stat(path); err == nil {
			return path, nil, nil
		}
	}
	return "", nil, &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("%s holds no references for track %s, language %s: it should have a file %s",
		o.Reference, track, lang, strings.Join(names[:2], " or "))}
}

func notOnHub(lang string) error {
	return usagef("the hub has no references in %q, only in %s: name a file with --reference%s", lang, strings.Join(mcif.Languages, ", "), languageHint(lang, mcif.Languages))
}

func (o *mcifOptions) fromHub(ctx context.Context, track, lang string) (string, []string, error) {
	if !slices.Contains(mcif.Languages, lang) {
		return "", nil, notOnHub(lang)
	}
	c, warning, err := hubFromEnv()
	if err != nil {
		return "", nil, err
	}
	c.ByHand = "give it with --reference FILE"
	local, err := c.File(ctx, hub.Repo{Kind: "dataset", Name: mcif.HubRepo, Revision: o.Version}, mcif.HubFile(o.Version, track, lang))
	if warning != "" {
		local.Warnings = append(local.Warnings, warning)
	}
	return local.Path, local.Warnings, err
}

// inputs are what the flags say of one file of outputs.
func (o *mcifOptions) inputs(outputs, references, system string) bench.Inputs {
	profile, _ := bench.ParseProfile(o.Profile)
	in := bench.Inputs{Predictions: outputs, Data: references, System: system, Profile: profile, Limit: o.Limit, Allow: o.Allow}
	for _, list := range o.SampleIDs {
		for id := range strings.SplitSeq(list, ",") {
			in.Samples = append(in.Samples, omniscope.SampleID(id))
		}
	}
	return in
}
