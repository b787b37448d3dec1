// Package mcif scores outputs on MCIF, multimodal crosslingual instruction
// following over scientific talks (arXiv 2507.19634): word error rate of
// transcripts, COMET of translations, BERTScore of answers and summaries.
//
// Profile official is the published mcif_eval 1.0, which stops with a reason at
// the first thing it does not expect. Profile strict scores what is there and
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
	"omniscope/internal/mcifxml"
	"omniscope/internal/spelling"
	"omniscope/metric"
)

// Tracks and Languages are what the benchmark has.
var (
	Tracks    = []string{"short", "long"}
	Languages = []string{"en", "de", "it", "zh"}
)

// The macro-tasks, as reference files name them.
const (
	ASR   = "ASR"
	Trans = "TRANS"
	QA    = "QA"
	Sum   = "SUM"

	// chapters is a task of version 1.1 that is not scored here.
	chapters = "ACHAP"
)

// macroTasks are those that are scored, in the order of reports.
var macroTasks = []string{ASR, Trans, QA, Sum}

// Tasks are the paper's 13 tasks (Table 1): a macro-task in an input modality.
// "mllm" is video with its sound.
var Tasks = []struct{ Name, Macro, Modality string }{
	{"TQA", QA, "text"}, {"TSUM", Sum, "text"}, {"MT", Trans, "text"},
	{"ASR", ASR, "audio"}, {"SQA", QA, "audio"}, {"SSUM", Sum, "audio"}, {"ST", Trans, "audio"},
	{"VQA", QA, "video"}, {"VSUM", Sum, "video"},
	{"AVR", ASR, "mllm"}, {"AVQA", QA, "mllm"}, {"AVSUM", Sum, "mllm"}, {"AVT", Trans, "mllm"},
}

// TaskName names a macro-task in an input modality as the paper does, and ""
// where the paper has no such task.
func TaskName(macro, modality string) string {
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
	Input     string   // what the system was given, text, audio, video or mllm, which names its tasks; "" = not known
	Track     string   // short or long
	Lang      string   // en, de, it, zh
	Version   string   // of the references: 1.1 lifts a check of profile official; "" = 1.0
	Modality  string   // only samples with a path of it: audio, text or video; "" = all
	Shards    []string // further files of the same outputs
	Lenient   bool     // read XML that is not well-formed as far as it goes
	Breakdown bool     // slices by type and origin of the questions
	Scorers   *Scorers // nil = Published
}

var _ bench.Benchmark = Benchmark{}

// Info implements bench.Benchmark.
func (b Benchmark) Info() bench.Info {
	return bench.Info{
		Name:    "mcif",
		Title:   b.title(),
		Paper:   "arXiv 2507.19634",
		Licence: "data: FBK-MT/MCIF, CC BY 4.0",
		Metric:  metric.MCIF(b.scores()...),
		Records: []string{"units.jsonl"},
		Cluster: "talk",
		Item:    "item",
	}
}

func (b Benchmark) title() string {
	const title = "MCIF: multimodal crosslingual instruction following"
	if b.Scorers != nil && b.Scorers.StandIn {
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
	f, err := b.read(ctx, in.Predictions, in.Data)
	if err != nil {
		return nil, err
	}
	if err := f.knows(in.Samples, in.Data); err != nil {
		return nil, err
	}
	e := &evaluation{b: b, scorers: b.Scorers, files: f, others: make(map[string]int)}
	if e.scorers == nil {
		e.scorers = Published()
	}
	for i := range f.references {
		r := &f.references[i]
		switch {
		case !wanted(in.Samples, r):
		case !slices.Contains(macroTasks, r.Task):
			e.others[r.Task]++
		case in.Limit == 0 || len(e.units) < in.Limit:
			u := newUnit(r, f.outputs)
			u.step = fmt.Sprintf("%s#%d", r.IID, len(e.units))
			if r.Task == ASR {
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
		return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%w; is %s a file of references?", refused, path)}
	}
	err := errNothingToScore
	if tasks := slices.Sorted(maps.Keys(e.others)); len(tasks) > 0 {
		err = fmt.Errorf("%w: all are of tasks that are not scored here: %s", err, strings.Join(tasks, ", "))
	} else if e.b.Modality != "" {
		err = fmt.Errorf("%w: none has a path of modality %s", err, e.b.Modality)
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s, track %s, language %s: %w", path, e.b.Track, e.b.Lang, err)}
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
	return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("--sample-id: no such sample in %s: %s%s", path, strings.Join(unknown, ", "), spelling.Hint(unknown[0], known))}
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
}

// An output is what the system wrote for one sample.
type output struct {
	text  string // the last one, as the published scorer takes it
	clash bool   // the file has other texts under the same id
}

// read reads the outputs and then the references, as the published scorer does.
func (b Benchmark) read(ctx context.Context, outputs, references string) (*files, error) {
	out, err := b.ReadOutputs(ctx, append([]string{outputs}, b.Shards...))
	if err != nil {
		return nil, err
	}
	refs, err := mcifxml.ReadReferences(ctx, references, b.Track, b.Lang, mcifxml.Options{Lenient: b.Lenient})
	if err != nil {
		return nil, err
	}
	f := &files{output: out, refs: refs, outputs: make(map[string]output, len(out.Samples)),
		inputs: map[string]string{outputs: out.SHA256, references: refs.SHA256}}
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
