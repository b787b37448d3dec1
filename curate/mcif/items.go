package mcif

import (
	"omniscope/internal/pyrand"
)

// drawSeed is the published builder's seed of prompts.
const drawSeed = 3

// The tasks, as the files name them.
const (
	transcribe = "ASR"
	translate  = "TRANS"
	summarize  = "SUM"
	answer     = "QA"
)

// An item is one task about one talk, in one or several languages.
type item struct {
	task, id     string
	base         string // of the talk's files
	kind, origin string // of a question
	segments     []segment
	short        bool                // it is in the short track
	versions     map[string]*version // by language
}

// A version is an item in one language.
type version struct {
	mixed, fixed string // instructions: with the prompt that was drawn, and with the fixed one
	reference    string
	transcript   string // of a translation: what was translated
}

// A draw makes items, with prompts drawn as the published builder draws them.
type draw struct {
	random *pyrand.Rand
	source *source
	o      *Options
	items  []item
	skips  []skip
}

// items are the items of the source, in the order of its tables.
func (s *source) items(o *Options) ([]item, []skip, error) {
	d := &draw{random: pyrand.New(drawSeed), source: s, o: o}
	last := ""
	questioned := make(map[string]bool)
	for i := range s.questions {
		q := &s.questions[i]
		if q.number == "1" {
			if err := d.talk(q); err != nil {
				return nil, nil, err
			}
		}
		if err := d.question(q); err != nil {
			return nil, nil, err
		}
		last, questioned[q.talk] = q.talk, true
	}
	for i := range s.summaries {
		if one := &s.summaries[i]; !questioned[one.talk] {
			if err := d.summary(one, last); err != nil {
				return nil, nil, err
			}
		}
	}
	return d.items, d.skips, nil
}

// version draws a prompt.
func (d *draw) version(prompts []string, question, reference string) *version {
	drawn, fixed := prompts[d.random.IntN(len(prompts))], prompts[len(prompts)-1]
	if question != "" {
		drawn, fixed = drawn+" "+question, fixed+" "+question
	}
	return &version{mixed: drawn, fixed: fixed, reference: reference}
}

// talk adds what is asked of every talk that has questions.
func (d *draw) talk(q *question) error {
	s, l := d.source, d.source.languages
	segments := s.segments[q.base]
	if len(segments) == 0 {
		return q.bad(q.base, "the talk has no segments in %s", segmentation)
	}
	d.items = append(d.items, item{task: transcribe, id: transcribe + "_" + q.talk, base: q.base, segments: segments, short: true,
		versions: map[string]*version{l.Spoken.Code: d.version(l.Spoken.Transcribe, "", q.transcript)}})

	translated := item{task: translate, id: translate + "_" + q.talk, base: q.base, segments: segments, short: true, versions: make(map[string]*version)}
	for i := range l.Others {
		to := &l.Others[i]
		text := s.translated[to.Code][q.talk]
		v := d.version(to.Translate, "", text.target)
		v.transcript = text.source
		translated.versions[to.Code] = v
	}
	d.items = append(d.items, translated)

	d.addSummary(q.talk, q.base, q.abstract, func(l *language) string { return s.abstracts[l.Code][q.talk] })
	return nil
}

func (d *draw) addSummary(talk, base, abstract string, translated func(*language) string) {
	one := item{task: summarize, id: summarize + "_" + talk, base: base, versions: make(map[string]*version)}
	for i, l := range d.source.languages.all() {
		text := abstract
		if i > 0 {
			text = translated(l)
		}
		one.versions[l.Code] = d.version(l.Summarize, "", text)
	}
	d.items = append(d.items, one)
}

// summary adds a talk that is only summarised. The published builder gives it the translated abstract of the last talk
// that has questions.
func (d *draw) summary(one *summary, last string) error {
	texts := make(map[string]string)
	for i := range d.source.languages.Others {
		l := &d.source.languages.Others[i]
		if d.o.AsPublished {
			texts[l.Code] = d.source.abstracts[l.Code][last]
			continue
		}
		text, err := d.source.abstract(l, one)
		if err != nil {
			return err
		}
		texts[l.Code] = text
	}
	d.addSummary(one.talk, one.base, one.abstract, func(l *language) string { return texts[l.Code] })
	return nil
}

// question adds a question, or skips it.
func (d *draw) question(q *question) error {
	one := item{task: answer, id: answer + "_" + q.talk + "_" + q.id, base: q.base, kind: q.kind, origin: q.origin, short: true, versions: make(map[string]*version)}
	switch {
	case q.kind == "V" && !d.o.Video:
		return q.bad(q.kind, "the answer of this question is only seen: give --include-video, or leave it out of the table")
	case q.end < q.start && !d.o.AsPublished:
		return q.bad(q.get("Answer End"), "the answer ends before it starts, at %s", q.get("Answer Start"))
	case q.kind != "NA":
		one.segments = d.source.answering(q)
		if len(one.segments) == 0 {
			return q.bad(q.get("Answer Start")+" "+q.get("Answer End"), "no segment of the talk is at the time of the answer")
		}
		if length := together(one.segments); len(one.segments) > 1 && length > d.o.Longest {
			d.skips = append(d.skips, skip{Question: q.talk + "_" + q.id, Seconds: length})
			return nil
		}
	}
	all := d.source.languages.all()
	for i := len(all) - 1; i >= 0; i-- { // the spoken language last
		l := all[i]
		reference := q.answerText[l.Code]
		if q.kind == "NA" {
			reference = l.NotAnswerable
		}
		one.versions[l.Code] = d.version(l.Answer, q.questionText[l.Code], reference)
	}
	if q.kind == "NA" {
		segments := d.source.segments[q.base]
		i := d.random.IntN(len(segments))
		one.segments = segments[i : i+1]
	}
	d.items = append(d.items, one)
	return nil
}
