package mcif

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope/internal/mcifxml"
	"omniscope/internal/pyrepr"
	"omniscope/internal/textnorm"
	"omniscope/metric"
)

// A Stop is why the published scorer gives no scores at all.
type Stop struct {
	Reason string // as it is printed; "" for assertions
	Cause  string // in our words, where it prints none
}

// stops begins every Stop's message.
const stops = "the published scorer stops "

func (s *Stop) Error() string {
	if s.Reason == "" {
		return stops + "without a reason: " + s.Cause
	}
	return stops + "with the reason " + s.Reason
}

// stopOf is how the published program ends on an error of its parts.
func stopOf(err error) *Stop { return &Stop{reasonOf(err), err.Error()} }

// reasonOf is what the published program says of an error of its parts.
func reasonOf(err error) string {
	var fault *metric.Fault
	var long *textnorm.TooLongError
	var syntax *mcifxml.SyntaxError
	var attribute *mcifxml.AttributeError
	switch {
	case errors.As(err, &fault):
		return fault.Message
	case errors.As(err, &long):
		return long.Message
	case errors.As(err, &syntax):
		return syntax.Message
	case errors.As(err, &attribute):
		return attribute.Message()
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
	lacks  []lack
}

// A lack is a score whose scorer is not available.
type lack struct{ key, why string }

func (e *evaluation) published() *published {
	p := &published{evaluation: e, groups: make(map[string][]*unit)}
	place := make(map[string]int) // of a name in its group
	for _, u := range e.units {
		key := u.ref.Task + "\x00" + u.ref.IID
		if i, ok := place[key]; ok { // a later sample of the same name takes its place
			p.groups[u.ref.Task][i].replaced = true
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
		if err := p.check(p.tasks() == 2, "the short track must have two tasks"); err != nil {
			return err
		}
	} else if err := p.summaries(ctx); err != nil {
		return err
	}
	if err := p.words(ctx); err != nil {
		return err
	}
	if n := p.others[chapters]; n > 0 && p.b.Track != "short" && p.b.Version == "1.1" {
		p.lacks = append(p.lacks, lack{chapters, fmt.Sprintf("the chapters (%s) of version 1.1 are not scored here", samplesOf(n))})
	}
	return nil
}

// words scores the transcripts in English, the translations in other languages.
func (p *published) words(ctx context.Context) error {
	if p.b.Lang == "en" {
		return p.errorRate()
	}
	if err := p.check(len(p.groups[Trans]) > 0, "there are no translations"); err != nil {
		return err
	}
	return p.translations(ctx)
}

// tasks counts those of the references, also those that are not scored here.
func (p *published) tasks() int { return len(p.groups) + len(p.others) }

// check is an assertion of the published program, which gives no reason.
func (p *published) check(ok bool, cause string) error {
	if !ok {
		return &Stop{Cause: cause}
	}
	return nil
}

func (p *published) summaries(ctx context.Context) error {
	if p.b.Version != "1.1" { // which may have any number
		if err := p.check(p.tasks() == 2 || p.tasks() == 3, "the long track must have two or three tasks"); err != nil {
			return err
		}
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
	if err := stopWithoutReference(p.groups[task]); err != nil {
		return err
	}
	if p.scorers.BERTScore == nil {
		p.lack(name, key, p.groups[task])
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
func (p *published) lack(name, key string, units []*unit) {
	p.lacks = append(p.lacks, lack{key, p.scorers.Missing[name]})
	for _, u := range units {
		u.counts.official = u.unscored(p.evaluation)
	}
}

// What Python says of an empty reference, which its XML library makes None.
const (
	noneHasNoLength = "object of type 'NoneType' has no len()"
	noneHasNoSplit  = "'NoneType' object has no attribute 'split'"
	noneHasNoLower  = "'NoneType' object has no attribute 'lower'"
)

// stopWithoutReference is how bert_score 0.3.13 ends on an empty reference. It
// takes a first one that is no text for a list of references, and sorts the
// texts by their words otherwise. This was read in its code, not seen to happen.
func stopWithoutReference(units []*unit) error {
	for i, u := range units {
		switch {
		case u.ref.HasText:
		case i == 0:
			return &Stop{Reason: noneHasNoLength}
		default:
			return &Stop{Reason: noneHasNoSplit}
		}
	}
	return nil
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
	for _, u := range talks {
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		if u.asr.unread != nil {
			return stopOf(u.asr.unread)
		}
		if !u.ref.HasText {
			return &Stop{Reason: noneHasNoLower}
		}
	}
	var total metric.Edits
	for _, u := range talks { // it counts once all are normalised
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
		if err := u.stopIfNotInLines(); err != nil {
			return err
		}
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		if u.cut.official.err != nil {
			return stopOf(u.cut.official.err)
		}
		triples.add(u.sources(), u.cut.official.lines, u.lines())
	}
	if p.scorers.COMET == nil {
		p.lack(metric.TransCOMET, "TRANS-COMET", p.groups[Trans])
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

// stopIfNotInLines is how the published program finds that a translation and
// its transcript are not there in as many lines.
func (u *unit) stopIfNotInLines() error {
	transcript, there := u.ref.Metadata["transcript"]
	lines, sources := len(u.lines()), len(u.sources())
	switch {
	case !u.ref.HasText:
		return &Stop{Reason: noneHasNoSplit}
	case !there:
		return &Stop{Reason: "'transcript'"}
	case transcript == "":
		return &Stop{Reason: noneHasNoSplit}
	case lines != sources:
		return &Stop{Reason: fmt.Sprintf("TRANS reference (IID: %s) has mismatched number of target (%d) and source lines (%d)", u.ref.IID, lines, sources)}
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

// normalized are what the published program compares for a transcript: the
// reference normalised as a whole, and the hypothesis segment by segment, joined
// by blanks.
func (u *unit) normalized(s *Scorers, lang string) (reference, hypothesis string, err error) {
	parts := make([]string, len(u.hypotheses))
	for i, h := range u.hypotheses {
		if parts[i], err = s.Normalize(lang, h); err != nil {
			return "", "", err
		}
	}
	if reference, err = s.Normalize(lang, u.ref.Text); err != nil {
		return "", "", err
	}
	return reference, strings.Join(parts, " "), nil
}
