// Package mcif scores outputs on MCIF, multimodal crosslingual instruction
// following over scientific talks (arXiv 2507.19634): word error rate of
// transcripts, COMET of translations, BERTScore of answers and summaries.
//
// Official scoring is the published mcif_eval 1.0, which stops with a reason at
// the first thing it does not expect. Strict scoring scores what is there and
// counts what is not. Compat prints the line that the published program prints.
package mcif

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/spelling"
	"omniscope/metric"
)

// tracks and languages are what the benchmark has.
var (
	tracks    = []string{"short", "long"}
	languages = []string{"en", "de", "it", "zh"}
)

// The macro-tasks, as reference files name them.
const (
	asr   = "ASR"
	trans = "TRANS"
	qa    = "QA"
	sum   = "SUM"

	// chapters is a task of version 1.1 that is not scored here.
	chapters = "ACHAP"
)

// macroTasks are those that are scored, in the order of reports.
var macroTasks = []string{asr, trans, qa, sum}

// Tasks are the paper's 13 tasks (Table 1): a macro-task in an input modality.
// "mllm" is video with its sound.
var Tasks = []struct{ Name, Macro, Modality string }{
	{"TQA", qa, "text"}, {"TSUM", sum, "text"}, {"MT", trans, "text"},
	{"ASR", asr, "audio"}, {"SQA", qa, "audio"}, {"SSUM", sum, "audio"}, {"ST", trans, "audio"},
	{"VQA", qa, "video"}, {"VSUM", sum, "video"},
	{"AVR", asr, "mllm"}, {"AVQA", qa, "mllm"}, {"AVSUM", sum, "mllm"}, {"AVT", trans, "mllm"},
}

// taskName names a macro-task in an input modality as the paper does, and ""
// where the paper has no such task.
func taskName(macro, modality string) string {
	for _, t := range Tasks {
		if t.Macro == macro && t.Modality == modality {
			return t.Name
		}
	}
	return ""
}

// Benchmark is MCIF with what is to be scored of it. Its Open takes the file of
// outputs as Predictions and that of references as Data.
type Benchmark struct {
	Input     string   // what the system was given, text, audio, video or mllm, which names its tasks; "" = as the file's name says, if it does
	Track     string   // short or long
	Lang      string   // en, de, it, zh
	Version   string   // of the references: 1.1 lifts a check of official scoring; "" = 1.0
	Modality  string   // only samples with a path of it: audio, text or video; "" = all
	Lenient   bool     // read XML that is not well-formed as far as it goes
	Breakdown bool     // slices by type and origin of the questions
	Prompts   string   // fix or mix, the prompts that the system was asked by; "" = as the outputs say, if they do
	Pseudo    string   // folder of the system whose outputs stand for references of a collection; "" = none
	SampleMap string   // file that tells what each sample id is, for Pseudo
	Scored    []string // files with the values of neural scorers
	Scorer    string   // published, also where it is "", or lengths
	Scorers   *Scorers // in place of Scorer and Scored

	Compat      bool   // Print prints the line of the published program
	WriteOutput string // file for the outputs in the official form; "" = none

	langGiven bool // Lang was set, if only to ""
}

// Info implements bench.Benchmark.
func (b Benchmark) Info() bench.Info {
	return bench.Info{
		Name:    "mcif",
		Title:   b.title(),
		Paper:   "arXiv 2507.19634",
		Licence: "data: FBK-MT/MCIF, CC BY 4.0",
		Metric:  metric.MCIF(b.scores()...),
		Records: []string{"units.jsonl", bench.CasesFile},
		Cluster: "talk",
		Item:    "item",

		Networks: true,
		About: `Word error rate of transcripts, after the Whisper normalisers; COMET of translations, cut into the
reference's lines; BERTScore of answers and summaries. Scoring official is mcif_eval 1.0, which
stops at the first thing it does not expect; strict scores what is there and counts what is not.

Next to the scores: what a system did wrong otherwise (wrong language, too short, loops, refusals),
cases that show every talk with its reference, and pairs.jsonl with all that a neural scorer compares.`,
		Needs: needs(),
		Files: bench.Files{
			Predictions: "XML file of a system's outputs, plain or .gz, several times for outputs in shards;\nor a .jsonl file with the fields id and text",
			Data:        "XML file of references, or a folder of them; without it they are taken from the hub's\ncache or downloaded (" + hubRepo + "; HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_OFFLINE)",
			Folders:     "score every output file under this folder, found by the names of the published\nbaselines, and print the paper's tables",
			InParts:     true,
		},
		Aliases: []bench.Alias{
			{Of: "predictions", Name: "hypothesis", Short: "s"}, {Of: "data", Name: "reference", Short: "r"}, // of mcif_eval
			{Of: "system", Name: "name", Hidden: true}, // of earlier versions
		},
		Examples: `  omniscope eval mcif -s out.xml -r MCIF1.0.IF.long.de.ref.xml -t long -l de --breakdown-qa-types
  omniscope eval mcif -s out.xml -t short -l en --compat
  omniscope eval mcif --systems baselines/outputs/mllm/ola -r references/
  omniscope eval mcif --systems outputs/ --pseudo-references outputs/phi --sample-map sample_map.csv`,
	}
}

func (b Benchmark) title() string {
	const title = "MCIF: multimodal crosslingual instruction following"
	if b.Scorers != nil && b.Scorers.StandIn || b.Scorers == nil && b.Scorer == lengthScorers {
		return title + ", by stand-in scorers"
	}
	return title
}

// scores are the names of the scores that apply.
func (b Benchmark) scores() []string {
	names := []string{metric.QABERTScore}
	if b.Track != "short" {
		names = append(names, metric.SumBERTScore)
	}
	if b.Lang == "en" || b.Lang == "" {
		names = append(names, metric.ASRWER)
	}
	if b.Lang != "en" {
		names = append(names, metric.TransCOMET)
	}
	return names
}

// Open implements bench.Benchmark.
func (b Benchmark) Open(ctx context.Context, in bench.Inputs) (bench.Evaluation, error) {
	if b.Input == "" {
		b.Input = inputOf(in.Predictions)
	}
	scorers, err := b.openScorers(ctx, in.Networks)
	if err != nil {
		return nil, err
	}
	f, err := b.read(ctx, in)
	if err != nil {
		return nil, err
	}
	in.Data = f.refs.Path
	if err := f.knows(in.Samples, in.Data); err != nil {
		return nil, err
	}
	e := &evaluation{b: b, scorers: scorers, files: f, others: make(map[string]int)}
	for i := range f.references {
		r := &f.references[i]
		switch {
		case !wanted(in.Samples, r):
		case !slices.Contains(macroTasks, r.Task):
			e.others[r.Task]++
		case in.Limit == 0 || len(e.units) < in.Limit:
			u := newUnit(r, f.outputs)
			u.step = fmt.Sprintf("%s#%d", r.IID, len(e.units))
			if r.Task == asr {
				u.words = u.normalized(e.scorers, b.Lang)
			}
			e.units = append(e.units, u)
		}
	}
	if len(e.units) == 0 {
		return nil, e.nothingToScore(in.Data)
	}
	if !in.Allow {
		if err := e.refuseStrangers(in); err != nil {
			return nil, err
		}
	}
	e.prepareOfficial()
	e.plan = e.newPlan(in)
	return e, nil
}

// refuseStrangers returns an error where none of the outputs is of a sample that
// is scored: they are of another track, language or test set.
func (e *evaluation) refuseStrangers(in bench.Inputs) error {
	if len(in.Samples) > 0 || in.Limit > 0 || slices.ContainsFunc(e.units, func(u *unit) bool { return len(u.written) > 0 }) {
		return nil
	}
	first := e.units[0].ref
	if out := e.files.output; len(out.Samples) > 0 {
		s := out.Samples[0]
		return bench.Doubtful("%s:%d: sample %q is not among those of %s, and so it is with each of %d outputs: the first sample there is %q",
			s.File, s.Line, s.ID, in.Data, len(out.Samples), first.IDs[0])
	}
	if refused := e.files.output.Refused; refused != nil {
		return bench.Doubtful("no output has an id: %w", refused)
	}
	return bench.Doubtful("%s has no outputs for track %s, language %s", in.Predictions, e.b.Track, e.b.Lang)
}

var errNothingToScore = errors.New("no samples are left to score")

// nothingToScore says why, and what the published scorer would stop at before.
func (e *evaluation) nothingToScore(path string) error {
	if refused := e.files.refused(e.b.Modality); refused != nil {
		return omniscope.Invalidf("%w; is %s a file of references?", refused, path)
	}
	err := errNothingToScore
	if tasks := slices.Sorted(maps.Keys(e.others)); len(tasks) > 0 {
		err = fmt.Errorf("%w: all are of tasks that are not scored here: %s", err, strings.Join(tasks, ", "))
	} else if e.b.Modality != "" {
		err = fmt.Errorf("%w: none has a path of modality %s", err, e.b.Modality)
	}
	return omniscope.Invalidf("%s, track %s, language %s: %w", path, e.b.Track, e.b.Lang, err)
}

// wanted reports whether one of a reference's ids is asked for.
func wanted(ids []omniscope.SampleID, r *mcifxml.Reference) bool {
	if ids == nil {
		return true
	}
	return slices.ContainsFunc(ids, func(id omniscope.SampleID) bool {
		return r.IID == string(id) || slices.Contains(r.IDs, string(id))
	})
}

// knows refuses ids that no reference has, whatever its modality.
func (f *files) knows(ids []omniscope.SampleID, path string) error {
	var unknown []string
	for _, id := range ids {
		if !slices.ContainsFunc(f.refs.Samples, func(r mcifxml.Reference) bool { return wanted([]omniscope.SampleID{id}, &r) }) {
			unknown = append(unknown, string(id))
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	var known []string
	for _, r := range f.refs.Samples {
		known = append(append(known, r.IID), r.IDs...)
	}
	return omniscope.NotFoundf("--sample: no such sample in %s: %s%s", path, strings.Join(unknown, ", "), spelling.Hint(unknown[0], known))
}

// refused is what the published scorer stops at although the files could be
// read; nil = nothing.
func (f *files) refused(modality string) error {
	return cmp.Or(f.output.Refused, f.refs.Refused(modality))
}

// files are the inputs as read: the outputs by id, and the references that the
// modality leaves.
type files struct {
	output     *mcifxml.Output
	references []mcifxml.Reference
	refs       *mcifxml.References
	outputs    map[string]output
	inputs     map[string]string // path to SHA-256
	found      []string          // warnings of how the references were found
}

// An output is what the system wrote for one sample.
type output struct {
	text  string // the last one, as the published scorer takes it
	clash bool   // the file has other texts under the same id
}

// read reads the outputs and then the references, as the published scorer does.
func (b Benchmark) read(ctx context.Context, in bench.Inputs) (*files, error) {
	out, err := b.ReadOutputs(ctx, outputFiles(in))
	if err != nil {
		return nil, err
	}
	references, found, err := b.references(ctx, in)
	if err != nil {
		return nil, err
	}
	refs, err := mcifxml.ReadReferences(ctx, references, b.Track, b.Lang, mcifxml.Options{Lenient: b.Lenient})
	if err != nil {
		return nil, err
	}
	f := &files{output: out, refs: refs, outputs: make(map[string]output, len(out.Samples)),
		inputs: map[string]string{in.Predictions: out.SHA256, references: refs.SHA256}, found: found}
	for _, s := range out.Samples {
		before, twice := f.outputs[s.ID]
		f.outputs[s.ID] = output{text: s.Text, clash: twice && (before.clash || before.text != s.Text)}
	}
	for _, r := range refs.Samples {
		if b.Modality == "" || r.Has(b.Modality) {
			f.references = append(f.references, r)
		}
	}
	return f, nil
}
