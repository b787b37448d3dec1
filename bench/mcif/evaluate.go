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

	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/quantity"
	"omniscope/metric"
	"omniscope/metric/textnorm"
	"omniscope/model"
)

// protocol is the version of the code that scores; it is part of every score's
// signature. Count it up when a score could come out different.
const protocol = "mcif2"

// An evaluation is one file of outputs opened for scoring.
type evaluation struct {
	b       Benchmark
	scorers *Scorers
	files   *files
	units   []*unit
	others  map[string]int // samples of tasks that are not scored here
	plan    *bench.Plan

	groups map[string][]*unit // by macro-task, as the published program has them
	stop   *stopReason        // why official has no scores; nil = it has

	mu sync.Mutex // for what the neural scorers said of the units
}

var (
	_ bench.Warmer   = &evaluation{}
	_ bench.Finisher = &evaluation{}
)

func (e *evaluation) Plan() *bench.Plan { return e.plan }

func (e *evaluation) Close() error { return nil }

// Requests implements bench.Evaluation: no model is asked.
func (e *evaluation) Requests(int) ([]*model.Request, error) { return nil, nil }

func (e *evaluation) newPlan(in bench.Inputs) *bench.Plan {
	protocol := fmt.Sprintf("track:%s|lang:%s|modality:%s|%s|resegment:mwerSegmenter|%s", e.b.Track, e.b.Lang, cmp.Or(e.b.Modality, "all"), e.scorers.Name, protocol)
	if e.b.Version != "" && e.b.Version != "1.0" {
		protocol += "|mcif:" + e.b.Version
	}
	inputs := maps.Clone(e.files.inputs)
	maps.Copy(inputs, e.scorers.Inputs)
	return &bench.Plan{
		System: cmp.Or(in.System, bench.SystemName(in.Predictions)), Units: len(e.units), Of: e.files.scored(), Part: e.part(in.Predictions), Inputs: inputs,
		Steps:    func(i int) string { return e.units[i].step },
		Protocol: protocol,
		Data:     e.dataDigest(),
		Warnings: slices.Concat(e.warnings(), e.files.warnings(), e.files.found),
		Lacks:    e.lacks(),
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

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	u := e.units[i]
	if err := e.ask(ctx, []*unit{u}, bench.Strict, bench.Official); err != nil {
		return nil, err
	}
	official, err := e.officialCounts(ctx, u)
	if err != nil {
		return nil, err
	}
	return e.result(u, official, e.strictCounts(u))
}

// Warm implements bench.Warmer.
func (e *evaluation) Warm(ctx context.Context, units []int) error {
	part := make([]*unit, len(units))
	for k, i := range units {
		part[k] = e.units[i]
	}
	return e.ask(ctx, part, bench.Strict, bench.Official)
}

// prepare does what takes time and no neural scorer, as many units at a time as
// there are cores.
func (e *evaluation) prepare(ctx context.Context, units []*unit) error {
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, u := range units {
		group.Go(func() error {
			if ctx.Err() == nil {
				u.prepare(e)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// prepare aligns words, cuts translations, and says what strict makes of the
// unit.
func (u *unit) prepare(e *evaluation) {
	u.prepared.Do(func() {
		switch u.ref.Task {
		case asr:
			u.asr = u.words.align()
		case trans:
			u.cut.official = u.resegment(u.text(), e.b.Lang, false)
			u.cut.strict = u.resegment(u.text(), e.b.Lang, true)
		}
		u.judgeStrictly(e)
		e.differAsFiles(u)
	})
}

// A transcript is the alignment of a talk's words.
type transcript struct {
	edits   metric.Edits
	written int   // words of the hypothesis
	unread  error // the published program's, of the hypothesis or reference by itself
	err     error // its, of comparing them
}

func (t transcript) trouble() error { return cmp.Or(t.unread, t.err) }

// words are what the published program compares for a transcript.
type words struct {
	reference, hypothesis string
	unread                error
}

func (w words) align() transcript {
	if w.unread != nil {
		return transcript{unread: w.unread}
	}
	t := transcript{written: len(textnorm.Words(w.hypothesis))}
	t.edits, t.err = metric.WER([]string{w.reference}, []string{w.hypothesis})
	return t
}

// alignable is the error of align, which depends on the reference only: so it
// is found against no words at all, in no time.
func (w words) alignable() error {
	_, err := metric.WER([]string{w.reference}, []string{""})
	return err
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

func (u *unit) resegment(hypothesis, lang string, strict bool) cutLines {
	s, err := metric.Resegment(hypothesis, u.lines(), metric.Resegmenting{Characters: lang == "zh", Strict: strict})
	return cutLines{s.Lines, float64(s.Errors) / float64(max(s.Tokens, 1)), err}
}

// Finish implements bench.Finisher. The published program adds values up in
// the order of the references, package bench talk by talk, and so the sums differ
// in their last digits.
func (e *evaluation) Finish(r *document.Results) {
	const lastDigits = 1e-12
	scores, _ := e.published()
	for _, s := range scores {
		name, group := scoreNames[s.Key], ""
		if name == "" {
			name, group = metric.QABERTScore, strings.TrimSuffix(strings.TrimPrefix(s.Key, "QA-"), "-BERTScore")
		}
		for _, p := range r.Scorings {
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

// result is the outcome of a unit.
func (e *evaluation) result(u *unit, official, strict metric.Counts) (*bench.Result, error) {
	u.looked.Do(func() { u.symptoms = u.findSymptoms(e.b.Lang) })
	r := &bench.Result{Unit: u.ref.IID, Cluster: u.talk, Outcome: u.outcome, Differences: u.differences}
	r.Tallies[bench.Official] = e.tallies(u, official)
	r.Tallies[bench.Strict] = e.tallies(u, strict)
	return r, r.WriteRecords(u.record(e, official, strict), u.caseOf(e, strict))
}

func (e *evaluation) tallies(u *unit, c metric.Counts) []bench.Tally {
	tallies := []bench.Tally{{Dimension: "overall", Counts: c}}
	if !e.b.Breakdown || u.ref.Task != qa {
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
		out = append(out, standInWarning)
	}
	out = append(out, e.scorers.Warnings...)
	for _, task := range slices.Sorted(maps.Keys(e.others)) {
		out = append(out, fmt.Sprintf("task %s is not scored here: %s left out", task, quantity.Of(e.others[task], "sample", "samples")))
	}
	if e.b.Version == "1.1" {
		out = append(out, "scoring official is mcif_eval 1.0 for references of version 1.1, too, but for its check of how many tasks there are")
	}
	return out
}

// warnings are the oddities of the files, and what the system wrote
// without being asked.
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

// withoutID counts the outputs without an id: which sample they answer is not known.
func (f *files) withoutID() int {
	n := 0
	for _, p := range f.output.Problems {
		if p.Kind == mcifxml.MissingID {
			n += p.Count
		}
	}
	return n
}
