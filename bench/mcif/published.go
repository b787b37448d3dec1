package mcif

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/pyrepr"
	"omniscope/metric"
	"omniscope/metric/textnorm"
)

// A stopReason is why the published scorer gives no scores at all.
type stopReason struct {
	Reason string // as it is printed; "" for assertions
	Cause  string // in our words, where it prints none
}

// stops begins the message of every stopReason.
const stops = "the published scorer stops "

func (s *stopReason) Error() string {
	if s.Reason == "" {
		return stops + "without a reason: " + s.Cause
	}
	return stops + "with the reason " + s.Reason
}

// stopOf is how the published program ends on an error of its parts.
func stopOf(err error) *stopReason { return &stopReason{reasonOf(err), err.Error()} }

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

// A namedScore is a score under the published program's key.
type namedScore struct {
	Key   string
	Value float64
}

// A lack is a score whose scorer is not available.
type lack struct{ key, why string }

// prepareOfficial groups the units as the published program does, and finds
// what it stops at. That needs no scorer, and little time.
func (e *evaluation) prepareOfficial() {
	e.groups = make(map[string][]*unit)
	place := make(map[string]int) // of a name in its group
	for _, u := range e.units {
		group := e.groups[u.ref.Task]
		key := u.ref.Task + "\x00" + u.ref.IID
		at, twice := place[key]
		if twice { // a later sample of the same name takes its place
			group[at].place = replaced
			group[at] = u
		} else {
			at = len(group)
			e.groups[u.ref.Task] = append(group, u)
		}
		u.place, place[key] = at, at
	}
	err := e.files.refused(e.b.Modality)
	if err == nil {
		err = e.checks()
	}
	if err != nil && !errors.As(err, &e.stop) {
		e.stop = stopOf(err)
	}
}

// officially reports whether official scoring scores a task.
func (e *evaluation) officially(task string) bool {
	switch task {
	case sum:
		return e.b.Track != "short"
	case asr:
		return e.b.Lang == "en"
	case trans:
		return e.b.Lang != "en"
	}
	return true
}

// checks are those of the published program, mcif_eval 1.0, in its order. The
// first that fails ends it.
func (e *evaluation) checks() error {
	if err := check(len(e.groups[qa]) > 0, "there are no questions"); err != nil {
		return err
	}
	if err := e.checkSimilarity(qa); err != nil {
		return err
	}
	if e.b.Track == "short" {
		if err := check(e.taskCount() == 2, "the short track must have two tasks"); err != nil {
			return err
		}
	} else if err := e.checkSummaries(); err != nil {
		return err
	}
	if e.b.Lang == "en" {
		return e.checkTranscripts()
	}
	return e.checkTranslations()
}

// taskCount counts those of the references, also those that are not scored here.
func (e *evaluation) taskCount() int { return len(e.groups) + len(e.others) }

// check is an assertion of the published program, which gives no reason.
func check(ok bool, cause string) error {
	if !ok {
		return &stopReason{Cause: cause}
	}
	return nil
}

func (e *evaluation) checkSummaries() error {
	if e.b.Version != "1.1" { // which may have any number
		if err := check(e.taskCount() == 2 || e.taskCount() == 3, "the long track must have two or three tasks"); err != nil {
			return err
		}
	}
	if err := check(len(e.groups[sum]) > 0, "there are no summaries"); err != nil {
		return err
	}
	return e.checkSimilarity(sum)
}

// checkSimilarity is of the answers or summaries, each of one sample.
func (e *evaluation) checkSimilarity(task string) error {
	labels := e.newLabels(task)
	for i, u := range e.groups[task] {
		if len(u.ref.IDs) != 1 {
			return &stopReason{Reason: fmt.Sprintf("%s reference (IID: %s) mapped to multiple samples ids: %s", task, u.ref.IID, pyrepr.List(u.ref.IDs))}
		}
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		if err := labels.add(u, i); err != nil {
			return err
		}
	}
	return stopWithoutReference(e.groups[task])
}

// What Python says of an empty reference, which its XML library makes None.
const (
	noneHasNoLength = "object of type 'NoneType' has no len()"
	noneHasNoSplit  = "'NoneType' object has no attribute 'split'"
	noneHasNoLower  = "'NoneType' object has no attribute 'lower'"
)

// stopWithoutReference is how bert_score 0.3.13 ends on an empty reference. It
// takes a first one that is no text for a list of references, and else sorts
// the texts by their words. This was read in its code, not seen to happen.
func stopWithoutReference(units []*unit) error {
	for i, u := range units {
		switch {
		case u.ref.HasText:
		case i == 0:
			return &stopReason{Reason: noneHasNoLength}
		default:
			return &stopReason{Reason: noneHasNoSplit}
		}
	}
	return nil
}

// stopIfMissing is how the published program finds that an output is not there.
func (u *unit) stopIfMissing() error {
	if len(u.missing) > 0 {
		return &stopReason{Reason: textRepr(u.missing[0])}
	}
	return nil
}

func textRepr(s string) string { return string(pyrepr.AppendString(nil, s)) }

// labels are the groups of questions: types and origins in one list, by first
// appearance, so that a type and an origin of the same name would be one.
type labels struct {
	wanted  bool
	order   []string
	members map[string][]int
}

func (e *evaluation) newLabels(task string) *labels {
	return &labels{wanted: e.b.Breakdown && task == qa, members: make(map[string][]int)}
}

func (l *labels) add(u *unit, i int) error {
	if !l.wanted {
		return nil
	}
	if !u.ref.HasQAType {
		return &stopReason{Reason: "'qa_type'"}
	}
	if !u.ref.HasQAOrigin {
		return &stopReason{Reason: "'qa_origin'"}
	}
	for _, label := range []string{u.ref.QAType, u.ref.QAOrigin} {
		if !slices.Contains(l.order, label) {
			l.order = append(l.order, label)
		}
		l.members[label] = append(l.members[label], i)
	}
	return nil
}

// checkTranscripts is of the talks. The long track may have no transcripts left
// by the modality; the short track must.
func (e *evaluation) checkTranscripts() error {
	talks := e.groups[asr]
	if len(talks) == 0 {
		return check(e.b.Track != "short", "there are no transcripts")
	}
	for _, u := range talks {
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		if u.words.unread != nil {
			return stopOf(u.words.unread)
		}
		if !u.ref.HasText {
			return &stopReason{Reason: noneHasNoLower}
		}
	}
	for _, u := range talks { // it counts once all are normalised
		if err := u.words.alignable(); err != nil {
			return stopOf(err)
		}
	}
	return nil
}

// checkTranslations is of the talks, whose hypotheses are cut at the lines of
// their references.
func (e *evaluation) checkTranslations() error {
	if err := check(len(e.groups[trans]) > 0, "there are no translations"); err != nil {
		return err
	}
	for _, u := range e.groups[trans] {
		if err := u.stopIfNotInLines(); err != nil {
			return err
		}
		if err := u.stopIfMissing(); err != nil {
			return err
		}
		// Whether mwerSegmenter cuts depends on the reference only.
		if c := u.resegment("", e.b.Lang, false); c.err != nil {
			return stopOf(c.err)
		}
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
		return &stopReason{Reason: noneHasNoSplit}
	case !there:
		return &stopReason{Reason: "'transcript'"}
	case transcript == "":
		return &stopReason{Reason: noneHasNoSplit}
	case lines != sources:
		return &stopReason{Reason: fmt.Sprintf("TRANS reference (IID: %s) has mismatched number of target (%d) and source lines (%d)", u.ref.IID, lines, sources)}
	}
	return nil
}

// normalized are what the published program compares for a transcript: the
// reference normalised as a whole, and the hypothesis segment by segment, joined
// by blanks.
func (u *unit) normalized(s *Scorers, lang string) words {
	parts := make([]string, len(u.hypotheses))
	for i, h := range u.hypotheses {
		var err error
		if parts[i], err = s.Normalize(lang, h); err != nil {
			return words{unread: err}
		}
	}
	reference, err := s.Normalize(lang, u.ref.Text)
	if err != nil {
		return words{unread: err}
	}
	return words{reference: reference, hypothesis: strings.Join(parts, " ")}
}
