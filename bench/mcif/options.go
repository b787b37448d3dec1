package mcif

import (
	"slices"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/langcode"
)

// Names of scorers, for Benchmark.Scorer.
const (
	publishedScorers = "published"
	lengthScorers    = "lengths"
)

// New returns the benchmark with its defaults.
func New() *Benchmark { return &Benchmark{Version: "1.0", Scorer: publishedScorers} }

var (
	_ bench.Optioned = (*Benchmark)(nil)
	_ bench.Checker  = (*Benchmark)(nil)
)

// Options implements bench.Optioned. Those of the published mcif_eval have its
// names and letters. Their order is part of what tables over many files are named
// by.
func (b *Benchmark) Options() []bench.Option {
	return []bench.Option{
		{Name: "track", Short: "t", Value: bench.Text(&b.Track), Choices: tracks, InPlan: true, Help: "short or long"},
		{Name: "language", Short: "l", Value: language{b}, InPlan: true, Help: "language of the prompts and answers: en, de, it or zh"},
		{Name: "filter-modality", Short: "m", Value: bench.Text(&b.Modality), Choices: []string{"audio", "text", "video"}, InPlan: true,
			Help: "score only samples that have audio, text or video"},
		{Name: "pseudo-references", Value: bench.Text(&b.Pseudo), Path: true, InPlan: true,
			Help: "folder of a system whose outputs stand for references, where there are none:\nscores then say how alike two systems are, and no more"},
		{Name: "sample-map", Value: bench.Text(&b.SampleMap), Path: true, InPlan: true,
			Help: "CSV file that tells the task, talk and segment of each sample id, for --pseudo-references"},
		{Name: "mcif-version", Short: "v", Value: bench.Text(&b.Version), Choices: []string{"1.0", "1.1"},
			Help: "version of the references: 1.0 or 1.1. Scoring official is mcif_eval 1.0; with 1.1 it\ntakes any number of tasks, and chapters are left out"},
		{Name: "prompt-set", Value: bench.Text(&b.Prompts), Choices: []string{"fix", "mix"}, Display: true,
			Help: "prompts of the system: fix or mix (default: from the names of published outputs,\nor the details that run wrote next to the answers); boards list them separately"},
		{Name: "breakdown-qa-types", Value: bench.Switch(&b.Breakdown), Help: "score questions by type and origin as well"},
		{Name: "lenient-xml", Value: bench.Switch(&b.Lenient), Help: "read files that are not well-formed as far as possible, and list what was mended"},
		{Name: "scored", Value: bench.Texts(&b.Scored), Path: true, InPlan: true,
			Help: "pairs.jsonl of an earlier run with its values filled in by BERTScore or COMET"},
		{Name: "scorers", Value: bench.Text(&b.Scorer), Choices: []string{publishedScorers, lengthScorers}, InPlan: true,
			Help: "published, or lengths: stand-ins that compare lengths, to try a pipeline without models"},
		{Name: "compat", Value: bench.Switch(&b.Compat), Display: true,
			Help: "print the very JSON line of the published mcif_eval and nothing else, with its\nreasons for stopping; the exit code is 0 then, too"},
		{Name: "write-output", Value: bench.Text(&b.WriteOutput), Path: true, Display: true,
			Help: "write the outputs as one file of the official XML: shards joined, JSON Lines converted"},
	}
}

// language is the setting of Benchmark.Lang. The published program takes an empty
// one, if it is given.
type language struct{ b *Benchmark }

func (l language) Set(text string) error {
	l.b.Lang, l.b.langGiven = text, true
	return nil
}
func (l language) String() string {
	if l.b == nil {
		return ""
	}
	return l.b.Lang
}
func (language) Type() string { return "string" }

// Check implements bench.Checker.
func (b *Benchmark) Check(in bench.Inputs) error {
	check := b.checkOne
	if len(in.Folders) > 0 {
		check = b.checkFolders
	}
	if err := check(in); err != nil {
		return err
	}
	switch {
	case b.Scorer == lengthScorers && len(b.Scored) > 0:
		return omniscope.Usagef("--scorers lengths compares lengths, and --scored has values of real scorers: leave out one of them")
	case b.Pseudo == "" && b.SampleMap != "":
		return omniscope.Usagef("--sample-map goes with --pseudo-references")
	case b.Pseudo != "" && b.Breakdown:
		return omniscope.Usagef("--pseudo-references do not know the types of questions: leave out --breakdown-qa-types")
	}
	return nil
}

// checkFolders checks the flags that go with folders of output files.
func (b *Benchmark) checkFolders(in bench.Inputs) error {
	switch {
	case in.Predictions != "" || b.Compat || b.WriteOutput != "" || b.Track != "" || b.Lang != "" || b.Modality != "":
		return omniscope.Usagef("--systems finds its files, tracks, languages and modalities by itself: leave out --hypothesis, --track, --language, --filter-modality, --write-output and --compat")
	case b.Pseudo != "" && (b.SampleMap == "" || in.Data != ""):
		return errPseudo
	}
	return nil
}

var errPseudo = omniscope.Usagef("--pseudo-references goes with --systems and --sample-map FILE, and without --reference")

// checkOne checks the flags that go with one file of outputs.
func (b *Benchmark) checkOne(in bench.Inputs) error {
	switch {
	case in.Predictions == "":
		return omniscope.Usagef("give a system's outputs with --hypothesis FILE, or a folder of output files with --systems DIR")
	case b.Track == "" || b.Lang == "" && !(b.Compat && b.langGiven):
		return omniscope.Usagef("name the --track, short or long, and the --language, such as de")
	case b.Pseudo != "":
		return errPseudo
	case b.Compat && (in.Limit != 0 || len(in.Samples) > 0):
		return omniscope.Usagef("--compat scores everything, as the published program does: leave out --limit and --sample")
	case b.Compat || slices.Contains(languages, b.Lang):
		return nil
	case in.Data == "":
		return notOnHub(b.Lang)
	case b.Lang != "" && langcode.Hint(b.Lang, languages) != "":
		return omniscope.Usagef("--language is en, de, it or zh, not %q%s", b.Lang, langcode.Hint(b.Lang, languages))
	}
	return nil
}
