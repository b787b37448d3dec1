package captions

import (
	"context"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/model"
	"omniscope/model/judge"
)

// An evaluation is the captions of one system, opened for scoring.
type evaluation struct {
	p        protocol
	in       bench.Inputs
	asking   asking
	clips    []clip
	captions *bench.TextFile
	prompts  []judge.PromptInfo
	plan     *bench.Plan
	clusters bench.Clusters
}

func (e *evaluation) Plan() *bench.Plan { return e.plan }

// Close closes the captions.
func (e *evaluation) Close() error {
	if e.captions == nil {
		return nil
	}
	return e.captions.Lines.Close()
}

// caption returns a clip's caption; nil = the clip has no caption. wanted reports whether models are asked about it.
func (e *evaluation) caption(c *clip) (caption *string, wanted bool, err error) {
	if caption = new(string); e.captions != nil {
		caption, err = e.captions.Get(c.Names...)
	}
	return caption, caption != nil && e.p.Wants(&e.asking, *caption), err
}

// Requests implements bench.Evaluation.
func (e *evaluation) Requests(i int) ([]*model.Request, error) {
	caption, wanted, err := e.caption(&e.clips[i])
	if err != nil || !wanted {
		return nil, err
	}
	return e.p.First(&e.asking, &e.clips[i], *caption), nil
}

// Bound implements bench.Bounder.
func (e *evaluation) Bound(i int) (bench.Bound, error) {
	caption, wanted, err := e.caption(&e.clips[i])
	if err != nil || !wanted {
		return bench.Bound{}, err
	}
	return e.p.Bound(&e.asking, &e.clips[i], *caption), nil
}

// Exam implements bench.Examiner.
func (e *evaluation) Exam() ([]bench.ExamItem, error) {
	return e.p.Exam(&e.asking), nil
}

// Asks implements bench.RoleAsker.
func (e *evaluation) Asks(i int) string {
	caption, _, err := e.caption(&e.clips[i])
	if err != nil || e.p.FirstRole == nil {
		return ""
	}
	return e.p.FirstRole(&e.asking, caption)
}

// Evaluate implements bench.Evaluation.
func (e *evaluation) Evaluate(ctx context.Context, i int) (*bench.Result, error) {
	c := &e.clips[i]
	caption, wanted, err := e.caption(c)
	if err != nil {
		return nil, err
	}
	scored := &result{Outcome: omniscope.OK}
	if err := e.p.Score(ctx, &e.asking, c, caption, wanted, scored); err != nil {
		return nil, err
	}
	r := &bench.Result{Unit: c.ID, Cluster: e.clusters.Of(c.ID), Outcome: scored.Outcome, Verdicts: scored.Verdicts, Differences: scored.Differences, Warnings: scored.Warnings}
	for _, p := range scorings {
		for _, tag := range append([]bench.Tag{{Dimension: "overall"}}, c.Tags...) {
			r.Tallies[p] = append(r.Tallies[p], bench.Tally{Dimension: tag.Dimension, Group: tag.Group, Counts: scored.Counts[p]})
		}
		r.Tallies[p] = append(r.Tallies[p], scored.Parts[p]...)
	}
	return r, r.WriteRecords(scored.Record, c.shown(caption, scored, r.Cluster))
}

// shown is the clip as a person looks at it.
func (c *clip) shown(caption *string, r *result, cluster string) *document.Case {
	out := &document.Case{Unit: c.ID, Cluster: cluster, Outcome: r.Outcome, Media: c.Media.Video, Score: r.Good}
	for _, t := range c.Tags {
		out.Facts = append(out.Facts, document.Fact{Name: t.Dimension, Value: t.Group})
	}
	out.Sections = append([]document.Section{document.TextSection("Caption", caption)}, r.Sections...)
	return out
}
