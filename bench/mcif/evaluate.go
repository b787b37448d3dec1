package mcif

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/mcifxml"
	"omniscope/internal/textnorm"
	"omniscope/metric"
	"omniscope/model"
)

// protocol is the version of the code that scores; it is part of every score's
// signature. Count it up when a score could come out otherwise.
const protocol = "mcif2"

// An Evaluation of MCIF has more to tell once its units are evaluated.
type Evaluation interface {
	bench.Evaluation
	Outputs() int                     // that there are for the units
	Whole() int                       // talks, answers and summaries of which all outputs are there
	Symptoms() []SymptomCount         // what the system did wrong apart from scores
	Unscored() map[string]string      // by score: how many units profile strict left unscored, and how they ended
	AsPublished(r *omniscope.Results) // gives the scores the last digits of the published program's
}

var _ Evaluation = &evaluation{}

// An evaluation is one file of outputs opened for scoring.
type evaluation struct {
	b       Benchmark
	scorers *Scorers
	files   *files
	units   []*unit
	others  map[string]int // samples of tasks that are not scored here
	plan    *bench.Plan

	prepared sync.Once
	failed   error
	stop     *Stop        // why official has no scores; nil = it has
	official []NamedScore // in the published program's order
	lacks    []lack       // of the scores that the published program has
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

func (e *evaluation) Close() error { return nil }

// Requests implements bench.Evaluation: no model is asked.
func (e *evaluation) Requests(int) ([]*model.Request, error) { return nil, nil }

func (e *evaluation) newPlan(in bench.Inputs) *bench.Plan {
	system := in.System
	if system == "" {
		system = bench.SystemName(in.Predictions)
	}
	protocol := fmt.Sprintf("track:%s|lang:%s|modality:%s|%s|resegment:mwerSegmenter|%s", e.b.Track, e.b.Lang, cmp.Or(e.b.Modality, "all"), e.scorers.Name, protocol)
	if e.b.Version != "" && e.b.Version != "1.0" {
		protocol += "|mcif:" + e.b.Version
	}
	inputs := maps.Clone(e.files.inputs)
	maps.Copy(inputs, e.scorers.Inputs)
	return &bench.Plan{
		System: system, Units: len(e.units), Inputs: inputs,
		Steps:    func(i int) string { return fmt.Sprintf("%s#%d", e.units[i].ref.IID, i) },
		Protocol: protocol,
		Data:     e.dataDigest(),
		Warnings: slices.Concat(e.warnings(), e.files.warnings()),
		Baseline: e.scorers.StandIn,
	}
}

// dataDigest identifies the references that are scored.
func (e *evaluation) dataDigest() string {
	h := sha256.New()
	for _, u := range e.units {
		fmt.Fprintf(h, "%q %q %q %q\n", u.ref.Task, u.ref.IDs, u.ref.Text, u.ref.Metadata["transcript"])
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// Evaluate implements bench.Evaluation. The first call scores all units: what
// official makes of one depends on the others.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	if err := e.prepare(ctx); err != nil {
		return nil, err
	}
	return e.result(e.units[i])
}

func (e *evaluation) prepare(ctx context.Context) error {
	e.prepared.Do(func() { e.failed = e.score(ctx) })
	return e.failed
}

func (e *evaluation) score(ctx context.Context) error {
	if err := e.align(ctx); err != nil {
		return err
	}
	p := e.published()
	if err := e.files.refused(e.b.Modality); err != nil {
		e.stop = stopOf(err)
	} else if err := p.run(ctx); err != nil && !errors.As(err, &e.stop) {
		return err
	}
	e.official, e.lacks = p.scores, p.lacks
	return e.strict(ctx)
}

// align does what is done unit by unit, as many at a time as there are cores.
func (e *evaluation) align(ctx context.Context) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, u := range e.units {
		group.Go(func() error {
			if ctx.Err() == nil {
				u.align(e.scorers, e.b.Lang)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

func (u *unit) align(s *Scorers, lang string) {
	switch u.ref.Task {
	case ASR:
		u.asr = alignWords(u, s, lang)
	case Trans:
		u.cut.official = u.resegment(lang, false)
		u.cut.strict = u.resegment(lang, true)
	}
}

// A transcript is the alignment of a talk's words.
type transcript struct {
	edits   metric.Edits
	written int   // words of the hypothesis
	unread  error // the published program's, of the hypothesis or reference by itself
	err     error // its, of comparing them
}

func (t transcript) trouble() error { return cmp.Or(t.unread, t.err) }

func alignWords(u *unit, s *Scorers, lang string) transcript {
	reference, hypothesis, err := u.normalized(s, lang)
	if err != nil {
		return transcript{unread: err}
	}
	t := transcript{written: len(textnorm.Words(hypothesis))}
	t.edits, t.err = metric.WER([]string{reference}, []string{hypothesis})
	return t
}

// A cutting is a translation in the lines of its reference, in both ways.
type cutting struct{ official, strict cutLines }

type cutLines struct {
	lines []string
	rate  float64 // token errors of the cutting for each token of the reference
	err   error
}

func (c cutting) differing() int {
	n := 0
	for i := range c.strict.lines {
		if textnorm.Strip(c.official.lines[i]) != textnorm.Strip(c.strict.lines[i]) {
			n++
		}
	}
	return n
}

func (u *unit) resegment(lang string, strict bool) cutLines {
	s, err := metric.Resegment(u.text(), u.lines(), metric.Resegmenting{Characters: lang == "zh", Strict: strict})
	return cutLines{s.Lines, float64(s.Errors) / float64(max(s.Tokens, 1)), err}
}

// AsPublished implements Evaluation. The published program adds values up in
// the order of the references, package bench talk by talk, and so the sums differ
// in their last digits.
func (e *evaluation) AsPublished(r *omniscope.Results) {
	const lastDigits = 1e-12
	for _, s := range e.official {
		name, group := scoreNames[s.Key], ""
		if name == "" {
			name, group = metric.QABERTScore, strings.TrimSuffix(strings.TrimPrefix(s.Key, "QA-"), "-BERTScore")
		}
		for _, p := range r.Profiles {
			for _, slice := range p.Slices {
				whole := slice.Dimension == "overall"
				if whole != (group == "") || !whole && slice.Group != group {
					continue
				}
				if v := slice.Scores[name].Value; v != nil && math.Abs(*v-s.Value) < lastDigits {
					*v = s.Value // the headline's is the same
				}
			}
		}
	}
}

// result is what became of a unit.
func (e *evaluation) result(u *unit) (*bench.Result, error) {
	u.looked.Do(func() { u.symptoms = u.findSymptoms(e.b.Lang) })
	official := u.counts.official
	if e.stop != nil || official == nil { // no scores, or another unit of this name counts instead
		official = newCounts()
	}
	record, err := u.record(e, official)
	if err != nil {
		return nil, err
	}
	r := &bench.Result{Unit: u.ref.IID, Cluster: u.talk, Outcome: u.outcome, Records: [][]byte{record}, Differences: u.differences}
	r.Tallies[bench.Official] = e.tallies(u, official)
	r.Tallies[bench.Strict] = e.tallies(u, u.counts.strict)
	return r, nil
}

func (e *evaluation) tallies(u *unit, c metric.Counts) []bench.Tally {
	tallies := []bench.Tally{{Dimension: "overall", Counts: c}}
	if !e.b.Breakdown || u.ref.Task != QA {
		return tallies
	}
	if u.ref.HasQAType {
		tallies = append(tallies, bench.Tally{Dimension: "qa_type", Group: u.ref.QAType, Counts: c})
	}
	if u.ref.HasQAOrigin {
		tallies = append(tallies, bench.Tally{Dimension: "qa_origin", Group: u.ref.QAOrigin, Counts: c})
	}
	return tallies
}

// warnings are what the numbers are not, and what is not scored.
func (e *evaluation) warnings() []string {
	var out []string
	if e.scorers.StandIn {
		out = append(out, StandInWarning)
	}
	out = append(out, e.scorers.Warnings...)
	for _, task := range slices.Sorted(maps.Keys(e.others)) {
		out = append(out, fmt.Sprintf("task %s is not scored here: %s left out", task, samplesOf(e.others[task])))
	}
	if e.b.Version == "1.1" {
		out = append(out, "profile official is mcif_eval 1.0 for references of version 1.1, too, but for its check of how many tasks there are")
	}
	return out
}

// warnings are the oddities of the files, and what the system wrote that
// nobody asked for.
func (f *files) warnings() []string {
	var out []string
	for _, p := range append(append([]mcifxml.Problem(nil), f.output.Problems...), f.refs.Problems...) {
		out = append(out, p.String())
	}
	asked := make(map[string]bool)
	for _, r := range f.refs.Samples {
		for _, id := range r.IDs {
			asked[id] = true
		}
	}
	extra := 0
	for id := range f.outputs {
		if !asked[id] {
			extra++
		}
	}
	if extra > 0 {
		out = append(out, fmt.Sprintf("outputs of samples that the references do not have are left out: %d", extra))
	}
	return out
}

// mended reports whether one of the files was no XML.
func (f *files) mended(modality string) bool {
	var syntax *mcifxml.SyntaxError
	return errors.As(f.output.Refused, &syntax) || errors.As(f.refs.Refused(modality), &syntax)
}

// withoutID counts the outputs that nobody can be told to have asked for.
func (f *files) withoutID() int {
	n := 0
	for _, p := range f.output.Problems {
		if p.Kind == mcifxml.MissingID {
			n += p.Count
		}
	}
	return n
}

// samplesOf returns "1 sample" or "3 samples".
func samplesOf(n int) string {
	if n == 1 {
		return "1 sample"
	}
	return fmt.Sprintf("%d samples", n)
}
