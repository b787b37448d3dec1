package harness

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/parallel"
	"omniscope/internal/rows"
	"omniscope/model/judge/letters"
	"omniscope/model/symptoms"
)

// A Request says what is imported.
type Request struct {
	Harness   *Harness
	Benchmark bench.AnswerWriter
	Data      string // the benchmark's file
	Paths     []string
	ID        string // field with the samples' ids; "" = a known one, or the only one that fits
	Row       string // field with the number of the sample's row in Data, from 0; "" = none
	Epoch     int    // the answers of this epoch; 0 = there must be one only
	System    string // "" = as the log names the model

	KeepTruncated bool // answers that a limit of length cut off are answers
	AnyQuestions  bool // answers count even if the log contradicts their questions
}

// An Import is a log whose samples were matched with the benchmark's.
type Import struct {
	Harness *Harness
	Log     *Log
	Field   string // by which samples were matched
	Entries []Entry
	Answers *bench.Answers
	Samples int // of the benchmark's file
	Again   int // rows of samples that an earlier row has

	Warnings []string
	Scorers  []scorer
	Differ   []string // ids of samples that the harness's nearest scorer judges otherwise than omniscope; see Agreement
	Judged   int      // samples that both judge
}

// An Entry says what became of one sample. Its JSON is described in docs/import.md.
type Entry struct {
	ID        string             `json:"id"` // the benchmark's, or what the log has in its place
	Outcome   omniscope.Outcome  `json:"outcome"`
	Reason    string             `json:"reason,omitempty"`
	Detail    string             `json:"detail,omitempty"`
	Suspicion string             `json:"suspicious,omitempty"`
	Original  string             `json:"original_answer,omitempty"` // where the log has the options in another order: what the model said there
	Scores    map[string]float64 `json:"harness_scores,omitempty"`
	Verdict   string             `json:"omniscope,omitempty"` // strict scoring of an answer to a multiple-choice question: correct, wrong, no option
	Differs   bool               `json:"differs,omitempty"`   // from the harness's nearest scorer
	Epoch     int                `json:"epoch,omitempty"`
	*Place                       // nil = it is not in the log

	unknown bool
	answer  string
	filters []string // of the harness that have a row for the sample
}

// Read imports logs.
func Read(ctx context.Context, r *Request) (*Import, error) {
	log, err := r.Harness.Read(ctx, r.Paths)
	if err != nil {
		return nil, err
	}
	m, samples, err := newMatcher(ctx, r.Benchmark, r.Data)
	if err != nil {
		return nil, err
	}
	here, err := ofEpoch(log.Samples, r.Epoch)
	if err != nil {
		return nil, err
	}
	w, err := m.choose(r, here)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(r.Paths, ", "), err)
	}
	for k := range here {
		here[k].reconsider(r)
	}
	i := &Import{Harness: r.Harness, Log: log, Field: w.String(), Samples: len(samples), Warnings: log.Notes}
	id := func(s *Sample) omniscope.SampleID { id, _, _ := m.find(s, w); return id }
	asked, err := askedBy(ctx, r, samples)
	if err != nil {
		return nil, err
	}
	if err := i.compare(r, asked, here, id); err != nil {
		return nil, err
	}
	if err := suspectAll(ctx, r, here, asked, id); err != nil {
		return nil, err
	}
	i.enter(m, w, here)
	i.agree(asked)
	i.answers(r, samples)
	return i, nil
}

// reconsider looks at an answer as the user and the benchmark want it.
func (s *Sample) reconsider(r *Request) {
	_, chooses := r.Benchmark.(bench.Asker)
	switch {
	case r.KeepTruncated && s.Outcome == omniscope.Truncated && s.Answer != "":
		s.Outcome, s.Suspicion, s.Why = omniscope.OK, s.Why, ""
	case !chooses && s.Outcome == omniscope.OK && symptoms.Refuses(s.Answer): // of a question, such words may be the answer
		s.Fail(omniscope.Refused, whyWords, s.Answer)
	}
}

// ofEpoch are the samples of one epoch.
func ofEpoch(samples []Sample, epoch int) ([]Sample, error) {
	most := 0
	for i := range samples {
		most = max(most, samples[i].Epoch)
	}
	switch {
	case len(samples) == 0:
		return nil, omniscope.Invalidf("the log has no samples")
	case epoch > most:
		return nil, omniscope.Usagef("--epoch %d: the log has %d", epoch, most)
	case epoch == 0 && most > 1:
		return nil, omniscope.Usagef("the log has up to %d answers to a sample: say with --epoch which are imported, 1 to %[1]d, and import each to a file of its own", most)
	case epoch == 0:
		return samples, nil
	}
	return slices.DeleteFunc(slices.Clone(samples), func(s Sample) bool { return s.Epoch != epoch }), nil
}

// suspectAll marks what is suspicious about answers to multiple-choice questions: those that the harness
// scored although no option can be read in them.
func suspectAll(ctx context.Context, r *Request, samples []Sample, asked map[omniscope.SampleID]bench.Asked, id func(*Sample) omniscope.SampleID) error {
	return parallel.Each(ctx, runtime.NumCPU(), len(samples), func(_, k int) error {
		samples[k].suspect(r, asked[id(&samples[k])].Options)
		return nil
	})
}

// suspect marks what is suspicious about an answer to a question with these options.
func (s *Sample) suspect(r *Request, options []string) {
	if len(options) == 0 {
		return
	}
	if s.Why == whyNothing && slices.ContainsFunc(options, func(o string) bool { return strings.EqualFold(strings.TrimSpace(o), strings.TrimSpace(s.Detail)) }) {
		s.Answer, s.Outcome, s.Suspicion, s.Why, s.Detail = s.Detail, omniscope.OK, "an option's words, or Python's "+s.Detail+" where an answer is missing", "", ""
		return
	}
	if len(s.Scores) == 0 || s.Outcome != omniscope.OK || s.Suspicion != "" {
		return
	}
	switch option, why := letters.Read(s.Answer, options); {
	case option >= 0 && s.original == "": // a translated answer is not what the harness read
		s.Suspicion = s.drawn(r, options, option)
	case option >= 0:
	case why == letters.Several || why == letters.Disagree:
		s.Suspicion = fmt.Sprintf("%s, and %s scored it", why, r.Harness.Title)
	default:
		s.Suspicion = "no option can be read in it, and " + r.Harness.Title + " scored it" + luck(r)
	}
}

// luck describes how the harness scores a reply without an option.
func luck(r *Request) string {
	if does := r.Harness.Luck[r.Benchmark.Info().Name]; does != "" {
		return ": it " + does + " if it finds no option"
	}
	return ""
}

// enter makes an entry of each sample, also if the log lacks it. Of several rows of a sample an
// answer counts before a failure; different answers do not count.
func (i *Import) enter(m *matcher, w way, samples []Sample) {
	first := make(map[omniscope.SampleID]int)
	for k := range samples {
		s := &samples[k]
		id, value, ok := m.find(s, w)
		e := Entry{ID: string(id), Outcome: s.Outcome, Reason: s.Why, Detail: rows.Quote([]byte(s.Detail)), Suspicion: s.Suspicion, Original: s.original, Scores: s.Scores, Epoch: s.Epoch, Place: &s.Place, answer: s.Answer, filters: []string{s.filter}}
		if !ok {
			e.ID, e.unknown, e.Outcome, e.Reason, e.Detail = rows.Quote([]byte(value)), true, omniscope.Missing, whyUnknown, ""
			i.Entries = append(i.Entries, e)
			continue
		}
		at, again := first[id]
		if !again {
			first[id] = len(i.Entries)
			i.Entries = append(i.Entries, e)
			continue
		}
		i.merge(&i.Entries[at], e)
	}
	for _, id := range m.order {
		if _, there := first[id]; !there {
			i.Entries = append(i.Entries, Entry{ID: string(id), Outcome: omniscope.Missing, Reason: whyAbsent})
		}
	}
}

// merge adds a row of a sample that has an entry. Where filters of the harness have a row each, their
// scores come together.
func (i *Import) merge(to *Entry, e Entry) {
	scores := make(map[string]float64)
	maps.Copy(scores, to.Scores)
	maps.Copy(scores, e.Scores)
	again, filters := slices.Contains(to.filters, e.filters[0]), append(to.filters, e.filters...)
	switch {
	case to.Reason == whyDouble:
	case to.Outcome != omniscope.OK && e.Outcome == omniscope.OK:
		*to = e
	case to.Outcome == omniscope.OK && e.Outcome == omniscope.OK && to.answer != e.answer:
		to.Outcome, to.Reason, to.Detail, to.Suspicion, to.answer = omniscope.Unparsed, whyDouble, "also "+e.Place.String(), "", ""
	}
	if again {
		i.Again++
		return
	}
	to.Scores, to.filters = scores, filters
}

// answers are what is written as predictions, in the order of the benchmark's samples.
func (i *Import) answers(r *Request, samples []omniscope.Sample) {
	i.Answers = &bench.Answers{System: i.system(r), Data: r.Data}
	if len(samples) > 0 {
		i.Answers.Track, i.Answers.Language = samples[0].Track, samples[0].Language
	}
	said := make(map[string]string)
	for _, e := range i.Entries {
		if e.Outcome == omniscope.OK || e.Outcome == omniscope.Abstained && !e.unknown { // an empty answer is one
			said[e.ID] = e.answer
		}
	}
	for _, s := range samples {
		if text, ok := said[string(s.ID)]; ok {
			i.Answers.List = append(i.Answers.List, bench.Answer{Sample: s.ID, Text: text})
		}
	}
}

// system is what the system is called.
func (i *Import) system(r *Request) string {
	switch {
	case r.System != "":
		return r.System
	case i.Log.Model != "":
		return i.Log.Model
	}
	return baseName(r.Paths[0])
}
