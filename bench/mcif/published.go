package mcif

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope/internal/pyrepr"
	"omniscope/internal/textnorm"
	"omniscope/metric"
)

// A Stop is why the published scorer gives no scores at all.
type Stop struct {
	Reason string // as it is printed; "" for assertions
	Cause  string // in our words, where it prints none
}

func (s *Stop) Error() string {
	if s.Reason == "" {
		return "the published scorer stops without a reason: " + s.Cause
	}
	return "the published scorer stops with the reason " + s.Reason
}

// stopOf is how the published program ends on an error of its parts.
func stopOf(err error) *Stop { return &Stop{reasonOf(err), err.Error()} }

// reasonOf is what the published program says of an error of its parts.
func reasonOf(err error) string {
	var fault *metric.Fault
	var long *textnorm.TooLongError
	switch {
	case errors.As(err, &fault):
		return fault.Message
	case errors.As(err, &long):
		return long.Message
	}
	return err.Error()
}

// A NamedScore is a score under the published program's key.
type NamedScore struct {
	Key   string
	Value float64
}

// published is one run of the published scorer, mcif_eval 1.0: its checks, its
// scores and their order. The first check that fails ends it.
type published struct {
	*evaluation
	groups map[string][]*unit // by macro-task
	scores []NamedScore
	lacks  []string // scores whose scorer is not available, by name
}

func (e *evaluation) published() *published {
	p := &published{evaluation: e, groups: make(map[string][]*unit)}
	place := make(map[string]int) // of a name in its group
	for _, u := range e.units {
		key := u.ref.Task + "\x00" + u.ref.IID
		if i, ok := place[key]; ok { // a later sample of the same name takes its place
			p.groups[u.ref.Task][i] = u
			continue
		}
		place[key] = len(p.groups[u.ref.Task])
		p.groups[u.ref.Task] = append(p.groups[u.ref.Task], u)
	}
	return p
}

// run scores the tasks in the order of the published program. An error that is
// no *Stop is trouble of our own.
func (p *published) run(ctx context.Context) error {
	if err := p.check(len(p.groups[QA]) > 0, "there are no questions"); err != nil {
		return err
	}
	if err := p.similarity(ctx, QA, metric.QABERTScore, "QA-BERTScore"); err != nil {
		return err
	}
	if p.b.Track == "short" {
		if err := p.check(len(p.groups) == 2, "the short track must have two tasks"); err != nil {
			return err
		}
	} else if err := p.summaries(ctx); err != nil {
		return err
	}
	if p.b.Lang == "en" {
		return p.errorRate()
	}
	if err := p.check(len(p.groups[Trans]) > 0, "there are no translations"); err != nil {
		return err
	}
	return p.translations(ctx)
}

// check is an assertion of the published program, which gives no reason.
func (p *published) check(ok bool, cause string) error {
	if !ok {
		return &Stop{Cause: cause}
	}
	return nil
}

func (p *published) summaries(ctx context.Context) error {
	if err := p.check(len(p.groups) == 2 || len(p.groups) == 3, "the long track must have two or three tasks"); err != nil {
		return err
	}
	if err := p.check(len(p.groups[Sum]) > 0, "there are no summaries"); err != nil {
		return err
	}
	return p.similarity(ctx, Sum, metric.SumBERTScore, "SUM-BERTScore")
}

// similarity scores the answers or summaries, each of one sample.
func (p *published) similarity(ctx context.Context, task, name, key string) error {
	pairs := Pairs{Lang: p.b.Lang, Official: true}
	labels := newLabels(p.b.Breakdown && task == QA)
	for i, u := range p.groups[task] {
		if len(u.ref.IDs) != 1 {
			return &Stop{Reason: fmt.Sprintf("%s reference (IID: %s) mapped to multiple samples ids: %s", task, u.ref.IID, listRepr(u.ref.IDs))}
		}
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		if err := labels.add(u, i); err != nil {
			return err
		}
		pairs.Hypotheses = append(pairs.Hypotheses, u.hypotheses[0])
		pairs.References = append(pairs.References, u.ref.Text)
	}
	if p.scorers.BERTScore == nil {
		p.lack(name, p.groups[task])
		return nil
	}
	values, err := p.scorers.BERTScore(ctx, pairs)
	if err != nil {
		return err
	}
	p.scores = append(p.scores, NamedScore{key, average(values)})
	for _, label := range labels.order {
		var of []float64
		for _, i := range labels.members[label] {
			of = append(of, values[i])
		}
		p.scores = append(p.scores, NamedScore{"QA-" + label + "-BERTScore", average(of)})
	}
	for i, u := range p.groups[task] {
		u.counts.official = similarityCounts(task, values[i])
	}
	return nil
}

// lack notes a score whose scorer is not available.
func (p *published) lack(name string, units []*unit) {
	p.lacks = append(p.lacks, name)
	for _, u := range units {
		u.counts.official = u.unscored(p.evaluation)
	}
}

// stopIfMissing is how the published program finds that an output is not there.
func (u *unit) stopIfMissing() error {
	if len(u.missing) > 0 {
		return &Stop{Reason: textRepr(u.missing[0])}
	}
	return nil
}

func textRepr(s string) string { return string(pyrepr.AppendString(nil, s)) }

func listRepr(list []string) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = textRepr(s)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// labels are the groups of questions: types and origins in one list, by first
// appearance, so that a type and an origin of the same name would be one.
type labels struct {
	wanted  bool
	order   []string
	members map[string][]int
}

func newLabels(wanted bool) *labels { return &labels{wanted: wanted, members: make(map[string][]int)} }

func (l *labels) add(u *unit, i int) error {
	if !l.wanted {
		return nil
	}
	if !u.ref.HasQAType {
		return &Stop{Reason: "'qa_type'"}
	}
	if !u.ref.HasQAOrigin {
		return &Stop{Reason: "'qa_origin'"}
	}
	for _, label := range []string{u.ref.QAType, u.ref.QAOrigin} {
		if !slices.Contains(l.order, label) {
			l.order = append(l.order, label)
		}
		l.members[label] = append(l.members[label], i)
	}
	return nil
}

// errorRate is the corpus word error rate over talks. The long track may have
// no transcripts left by the modality; the short track must.
func (p *published) errorRate() error {
	talks := p.groups[ASR]
	if len(talks) == 0 {
		return p.check(p.b.Track != "short", "there are no transcripts")
	}
	var total metric.Edits
	for _, u := range talks {
		if err := u.stopIfMissing(); err != nil {
			return err
		}
	}
	for _, u := range talks {
		if u.asr.err != nil {
			return stopOf(u.asr.err)
		}
		total = total.Add(u.asr.edits)
	}
	rate, _ := total.Rate()
	p.scores = append(p.scores, NamedScore{"ASR-WER", rate})
	for _, u := range talks {
		u.counts.official = editCounts(u.asr.edits)
	}
	return nil
}

// translations scores each talk's lines after cutting the hypothesis at the
// reference's, all talks in one list.
func (p *published) translations(ctx context.Context) error {
	triples := Triples{Official: true}
	for _, u := range p.groups[Trans] {
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		lines, sources := u.lines(), u.sources()
		if len(lines) != len(sources) {
			return &Stop{Reason: fmt.Sprintf("TRANS reference (IID: %s) has mismatched number of target (%d) and source lines (%d)", u.ref.IID, len(lines), len(sources))}
		}
		if u.cut.official.err != nil {
			return stopOf(u.cut.official.err)
		}
		triples.add(sources, u.cut.official.lines, lines)
	}
	if p.scorers.COMET == nil {
		p.lack(metric.TransCOMET, p.groups[Trans])
		return nil
	}
	values, err := p.scorers.COMET(ctx, triples)
	if err != nil {
		return err
	}
	p.scores = append(p.scores, NamedScore{"TRANS-COMET", average(values)})
	for _, u := range p.groups[Trans] {
		n := len(u.lines())
		u.counts.official = lineCounts(values[:n])
		values = values[n:]
	}
	return nil
}

func (t *Triples) add(sources, hypotheses, references []string) {
	for i := range references {
		t.Sources = append(t.Sources, textnorm.Strip(sources[i]))
		t.Hypotheses = append(t.Hypotheses, textnorm.Strip(hypotheses[i]))
		t.References = append(t.References, textnorm.Strip(references[i]))
	}
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func similarityCounts(task string, value float64) metric.Counts {
	c := newCounts()
	if task == QA {
		c[metric.MCIFAnswerSum], c[metric.MCIFAnswers] = value, 1
	} else {
		c[metric.MCIFSummarySum], c[metric.MCIFSummaries] = value, 1
	}
	return c
}

func editCounts(e metric.Edits) metric.Counts {
	c := newCounts()
	c[metric.MCIFHits], c[metric.MCIFSubstitutions] = float64(e.Hits), float64(e.Substitutions)
	c[metric.MCIFDeletions], c[metric.MCIFInsertions] = float64(e.Deletions), float64(e.Insertions)
	return c
}

func lineCounts(values []float64) metric.Counts {
	c := newCounts()
	for _, v := range values {
		c[metric.MCIFCometSum] += v
	}
	c[metric.MCIFLines] = float64(len(values))
	return c
}

func newCounts() metric.Counts { return make(metric.Counts, len(metric.MCIF().Fields)) }

// hypothesis is what the published program compares with a transcript: each
// segment normalised by itself, joined by blanks.
func (u *unit) hypothesis(s *Scorers, lang string) (string, error) {
	parts := make([]string, len(u.hypotheses))
	for i, h := range u.hypotheses {
		var err error
		if parts[i], err = s.Normalize(lang, h); err != nil {
			return "", err
		}
	}
	return strings.Join(parts, " "), nil
}
