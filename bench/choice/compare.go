package choice

import (
	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
)

// A repeat is a row of answers that does not repeat its question as the benchmark's file has it.
type repeat struct {
	contradicts string   // in what it contradicts the question; "" = in nothing
	options     []string // as the row has them
	order       []int    // option i of the row is option order[i] of the question
}

// answer is a row's answer to a question as it is meant; nil = it answers another question, or would be
// read as an option that it does not mean.
func (r *repeat) answer(text string, q *question) *string {
	if r.contradicts != "" {
		return nil
	}
	text, clear := bench.Translate(text, r.options, q.Options, r.order)
	if !clear {
		return nil
	}
	return &text
}

// why returns the reason for a missing answer.
func (r *repeat) why() string {
	if r.contradicts != "" {
		return "has " + r.contradicts
	}
	return "names no option in the order in which its row has them"
}

// compare compares rows of answers with the questions: answers to other questions are left out, and the
// letters of options in another order are translated.
func (e *evaluation) compare(t *bench.TextFile) error {
	e.repeats = make(map[string]*repeat)
	recordings := make(map[string]bool)
	for i := range e.questions {
		for _, name := range e.questions[i].asked().Media {
			recordings[bench.Stem(name)] = name != ""
		}
	}
	found, rows := bench.NewRepeats(e.in.Data, true), 0
	for i := range e.questions {
		q := &e.questions[i]
		at, ok := t.Find(e.names(q)...)
		if !ok {
			continue
		}
		rows++
		row, err := t.Lines.At(at)
		if err != nil {
			return err
		}
		asked, said := q.asked(), bench.AskedIn(gjson.ParseBytes(row), t.Field())
		if len(said.Options) == 0 && said.Question == "" {
			media, key := said.Media, said.Key
			said = e.in.Asked[omniscope.SampleID(q.ID)]
			said.Media, said.Key = media, key
		}
		r := asked.Compare(&said, recordings)
		found.Add(q.ID, t.Lines.LineName(at), r)
		switch {
		case r.Contradiction != "" && !e.any:
			e.repeats[q.ID] = &repeat{contradicts: r.Contradiction}
		case r.Order != nil:
			e.repeats[q.ID] = &repeat{options: said.Options, order: r.Order}
		}
	}
	if n := found.Contradicting(); n > 0 && n == rows && !e.any {
		return found.Refuse(t.Lines.Path)
	}
	e.plan.Warnings = append(e.plan.Warnings, found.Warnings(e.any)...)
	return nil
}
