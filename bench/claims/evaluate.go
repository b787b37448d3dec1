package claims

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"omniscope"
	"omniscope/bench"
	"omniscope/detective"
	"omniscope/detective/plant"
	"omniscope/internal/quantity"
	"omniscope/model"
	"omniscope/perceive"
	"omniscope/run"
)

// An evaluation is the captions of one system, opened for scoring.
type evaluation struct {
	in       bench.Inputs
	prompts  *detective.Prompts
	captions *bench.TextFile // nil = there is one caption
	one      *string         // the one caption
	clips    []clip
	of       int  // captions of the file
	cloze    bool // there are results of a cloze
	plan     *bench.Plan

	circular atomic.Int64 // captions that their writers checked
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

// Close closes the captions.
func (e *evaluation) Close() error {
	if e.captions == nil {
		return nil
	}
	return e.captions.Lines.Close()
}

// caption is a clip's caption; nil = there is none.
func (e *evaluation) caption(c *clip) (*string, error) {
	if e.captions == nil {
		return e.one, nil
	}
	return e.captions.Get(c.id)
}

// Requests implements bench.Evaluation: a caption is split in one call.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	c := &e.clips[i]
	caption, err := e.caption(c)
	if err != nil || caption == nil || c.path == "" {
		return nil, err
	}
	if r := detective.SplitRequest(c.id, *caption, e.in.Judge, e.prompts); r != nil {
		return []*model.Request{r}, nil
	}
	return nil, nil
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	c := &e.clips[i]
	caption, err := e.caption(c)
	if err != nil {
		return nil, err
	}
	report, err := e.audit(ctx, c, caption)
	if err != nil {
		return nil, err
	}
	a := &audited{clip: c, caption: caption, report: report}
	a.judge()
	if a.circular = a.writtenByCheckers(); a.circular {
		e.circular.Add(1)
	}
	return a.result(e.cloze)
}

// audit audits a clip's caption. That it cannot be done is an outcome of the report, unless it
// concerns the whole run.
func (e *evaluation) audit(ctx context.Context, c *clip, caption *string) (*detective.AuditReport, error) {
	switch {
	case c.path == "":
		return notAudited(c, omniscope.Missing, "the clip's media are not there"), nil
	case caption == nil:
		return notAudited(c, omniscope.Missing, "the clip has no caption"), nil
	}
	tools, once, err := e.in.Observers.Tools()
	if err != nil {
		return nil, err
	}
	opened, err := perceive.Open(ctx, omniscope.Clip{ID: omniscope.ClipID(c.id), Path: c.path})
	if err != nil {
		if run.Stopping(ctx).Err() != nil {
			return nil, err
		}
		return notAudited(c, omniscope.Failed, err.Error()), nil
	}
	defer opened.Close()
	return detective.Audit(ctx, *caption, opened, tools, detective.AuditOptions{Splitter: e.in.Judge, Prompts: e.prompts, Once: once, AtOnce: claimsAtOnce})
}

func notAudited(c *clip, outcome omniscope.Outcome, why string) *detective.AuditReport {
	r := &detective.AuditReport{Schema: detective.AuditSchema, Outcome: outcome, Why: why}
	r.Clip.ID, r.Clip.Path = omniscope.ClipID(c.id), c.path
	return r
}

// An audited clip is what its audit comes to.
type audited struct {
	clip    *clip
	caption *string
	report  *detective.AuditReport
	claims  []claim
	lost    []plant.Planted // that no claim repeats
	outcome omniscope.Outcome

	circular bool // the observers that checked the caption wrote it
}

// A claim is a claim of the audit with its counts.
type claim struct {
	*detective.Claim
	kinds    []string
	planted  int // index of the clip's planted claim; -1 = not planted
	unjudged omniscope.Outcome
}

// judge classifies each claim. The clip's outcome is the outcome of the first unjudged claim, if any.
func (a *audited) judge() {
	a.outcome = a.report.Outcome
	repeated := make([]bool, len(a.clip.planted))
	for i := range a.report.Claims {
		c := claim{Claim: &a.report.Claims[i]}
		c.kinds, c.planted = plant.KindsOf(c.Text), plant.Of(c.Text, c.SentenceOf(a.report.Caption), a.clip.planted)
		if c.planted >= 0 {
			repeated[c.planted] = true
		}
		c.unjudged = unjudged(c.Says)
		if a.outcome == omniscope.OK {
			a.outcome = c.unjudged
		}
		a.claims = append(a.claims, c)
	}
	for i, p := range a.clip.planted {
		if !repeated[i] {
			a.lost = append(a.lost, p)
		}
	}
}

// writtenByCheckers reports whether all observers that checked the caption's claims also wrote the caption (all available observers,
// if no observer checked it). The evidence is the investigation in its row, or sentences that measuring tools write.
func (a *audited) writtenByCheckers() bool {
	checkers := a.report.Authors()
	if len(checkers) == 0 { // no observer was asked
		for _, t := range a.report.Tools {
			checkers = append(checkers, t.Author())
		}
	}
	among := func(writers []string) bool {
		return !slices.ContainsFunc(checkers, func(checker string) bool {
			return !slices.ContainsFunc(writers, func(writer string) bool { return modelOf(writer) == modelOf(checker) })
		})
	}
	if len(a.report.Claims) == 0 {
		return false
	}
	if len(a.clip.writers) > 0 && among(a.clip.writers) {
		return true
	}
	var measure []string
	for _, t := range a.report.Tools {
		if !t.Asks {
			measure = append(measure, t.Author())
		}
	}
	own, all := a.report.PlainlyWritten()
	return own > 0 && 2*own >= all && among(measure)
}

// modelOf names the model of an observer, without its server and its settings.
func modelOf(author string) string {
	name, _, _ := strings.Cut(author, "?")
	return strings.ToLower(path.Base(name))
}

// Explain implements bench.Explainer.
func (e *evaluation) Explain() bench.Explanation {
	n := int(e.circular.Load())
	if n == 0 {
		return bench.Explanation{}
	}
	why := fmt.Sprintf("%d of %s written by the observers that check them: that they say the same again is consistency, and no precision; check with an --observer that did not write them", n,
		quantity.Of(len(e.clips), "caption was", "captions were"))
	x := bench.Explanation{Warnings: []string{why}}
	for p := range x.Why {
		x.Why[p] = make(map[string]string)
		for _, name := range []string{"precision", "supported", "contradicted", "unsupported"} {
			x.Why[p][name] = why
		}
		if e.cloze {
			x.Why[p]["f1"] = why
		}
	}
	return x
}

// unjudged is why the calls of all observers of a claim failed; OK where one of them said
// something, or there is none.
func unjudged(says []detective.Say) omniscope.Outcome {
	if len(says) == 0 || slices.ContainsFunc(says, func(s detective.Say) bool { return s.Outcome == omniscope.OK }) {
		return omniscope.OK
	}
	return says[0].Outcome
}

// result counts the claims: in the whole, by the sense that they take, and by kind.
func (a *audited) result(withCloze bool) (*bench.Result, error) {
	t := tallies{}
	for _, c := range a.claims {
		if c.planted < 0 {
			t.own(&c, a.clip.plants, a.circular)
		}
	}
	a.countPlants(t)
	if withCloze && !a.circular && (a.report.Outcome == omniscope.OK || a.report.Outcome == omniscope.Abstained) {
		t.cloze(a.clip.blanks) // recall is of the clips that precision is of
	}
	r := &bench.Result{Unit: a.clip.id, Cluster: a.clip.cluster, Outcome: a.outcome, Verdicts: a.verdicts(), Warnings: a.warnings()}
	if r.Outcome.IsFailure() {
		r.Why = a.why()
	}
	r.Tallies[bench.Official] = t.list()
	r.Tallies[bench.Strict] = t.list()
	var err error
	r.Records, err = a.records()
	return r, err
}

// why is why the caption or the first unjudged claim is not judged.
func (a *audited) why() string {
	if a.report.Outcome != omniscope.OK {
		return a.report.Why
	}
	for _, c := range a.claims {
		if c.unjudged != omniscope.OK {
			return c.Says[0].Why
		}
	}
	return ""
}

// verdicts are those of the caption's claims, by their ids and texts: the claims of another
// splitter are others.
func (a *audited) verdicts() (out []bench.ItemVerdict) {
	for _, c := range a.claims {
		v := map[detective.Support]omniscope.Verdict{detective.Supported: omniscope.Correct, detective.Contradicted: omniscope.Wrong, detective.Unsupported: omniscope.NotGiven}[c.Support]
		if c.unjudged != omniscope.OK {
			v = omniscope.Unjudged
		}
		out = append(out, bench.ItemVerdict{Item: fmt.Sprintf("%s-%.4x", c.ID, sha256.Sum256([]byte(c.Text))), Verdict: v})
	}
	return out
}

func (a *audited) warnings() (out []string) {
	if a.report.Outcome != omniscope.OK && a.report.Outcome != omniscope.Pending {
		return []string{fmt.Sprintf("clip %s: %s: %s", a.clip.id, a.report.Outcome, a.report.Why)}
	}
	unjudged, why := 0, ""
	asked, failed, first := 0, 0, "" // answers of observers about claims that are judged
	for _, c := range a.claims {
		if c.unjudged != omniscope.OK {
			unjudged, why = unjudged+1, cmp.Or(why, c.Says[0].Why)
			continue
		}
		for _, s := range c.Says {
			if asked++; s.Outcome != omniscope.OK {
				failed, first = failed+1, cmp.Or(first, fmt.Sprintf("%s: %s: %s", s.Tool, s.Outcome, s.Why))
			}
		}
	}
	if unjudged > 0 {
		out = append(out, fmt.Sprintf("clip %s: %d of %d claims could not be judged (%s: %s)", a.clip.id, unjudged, len(a.claims), a.outcome, why))
	}
	if failed > 0 {
		out = append(out, fmt.Sprintf("clip %s: %d of %d answers of observers failed, and the others decided (%s)", a.clip.id, failed, asked, first))
	}
	return out
}

// records are the lines of the claims, of the report, and of the clip as a person looks at it.
func (a *audited) records() ([][]byte, error) {
	var claims []byte
	for i := range a.claims {
		line, err := json.Marshal(a.line(&a.claims[i]))
		if err != nil {
			return nil, err
		}
		claims = append(append(claims, line...), '\n')
	}
	report, err1 := json.Marshal(a.report)
	shown, err2 := json.Marshal(a.shown())
	return [][]byte{claims, append(report, '\n'), append(shown, '\n')}, errors.Join(err1, err2)
}
