package harness

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/model/judge/letters"
)

// askedBy is what the benchmark's samples ask.
func askedBy(ctx context.Context, r *Request, samples []omniscope.Sample) (map[omniscope.SampleID]bench.Asked, error) {
	if b, ok := r.Benchmark.(bench.Asker); ok {
		return b.Asked(ctx, r.Data)
	}
	all := make(map[omniscope.SampleID]bench.Asked, len(samples))
	for _, s := range samples {
		var a bench.Asked
		for _, name := range []string{s.Media.Video, s.Media.Audio} {
			if name != "" {
				a.Media = append(a.Media, name)
			}
		}
		all[s.ID] = a
	}
	return all, nil
}

// compare compares what the log says of its questions with the benchmark's file: answers to other
// questions are left out, and the letters of options in another order are translated.
func (i *Import) compare(r *Request, asked map[omniscope.SampleID]bench.Asked, samples []Sample, id func(*Sample) omniscope.SampleID) error {
	recordings := make(map[string]bool)
	for _, a := range asked {
		for _, name := range a.Media {
			recordings[bench.Stem(name)] = name != ""
		}
	}
	found, matched := bench.NewRepeats(r.Data, true), 0
	for k := range samples {
		s := &samples[k]
		a, ok := asked[id(s)]
		if !ok {
			continue
		}
		matched++
		repeat := a.Compare(&s.Asked, recordings)
		found.Add(string(id(s)), s.Place.String(), repeat)
		switch {
		case repeat.Contradiction != "" && !r.AnyQuestions:
			s.Fail(omniscope.Missing, "the log has "+repeat.Contradiction+" than the benchmark's file", repeat.Row)
		case repeat.Order != nil && s.Outcome == omniscope.OK:
			s.translate(&a, repeat.Order)
		}
	}
	if n := found.Contradicting(); n > 0 && n == matched && !r.AnyQuestions {
		return found.Refuse(strings.Join(r.Paths, ", "))
	}
	i.Warnings = append(i.Warnings, found.Warnings(r.AnyQuestions)...)
	return nil
}

// translate turns an answer to options in the log's order into one to the benchmark's.
func (s *Sample) translate(a *bench.Asked, order []int) {
	text, clear := bench.Translate(s.Answer, s.Asked.Options, a.Options, order)
	switch {
	case !clear:
		s.Fail(omniscope.Unparsed, "names no option in the order in which the log has them", s.Answer)
	case text != s.Answer:
		s.original, s.Answer = s.Answer, text
	}
}

// A scorer is what one of the harness's own scorers, or filters, gave.
type scorer struct {
	Name   string
	N      int     // samples that it scored
	Mean   float64 // of these
	Error  float64 // standard error of the mean
	Points bool    // every score is 0, 1/2 or 1, so that their sum is a number of points
	Judged int     // answers that both it and strict scoring judge: it gave 0 or 1
	Differ int     // of these, judged otherwise
}

// measures are names of scores that are not points: errors, lengths, times.
var measures = []string{"wer", "cer", "mer", "ter", "wil", "length", "len", "words", "latency", "loss", "perplexity", "hallucination", "hallucinations"}

// scorersOf are the harness's scorers, by name.
func scorersOf(entries []Entry) (all []scorer) {
	values := make(map[string][]float64)
	for k := range entries {
		for name, v := range entries[k].Scores {
			values[name] = append(values[name], v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		s := scorer{Name: name, N: len(values[name]), Points: !slices.Contains(measures, strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]))}
		sum := 0.0
		for _, v := range values[name] {
			sum += v
			s.Points = s.Points && (v == 0 || v == 0.5 || v == 1)
		}
		s.Mean = sum / float64(s.N)
		squares := 0.0
		for _, v := range values[name] {
			squares += (v - s.Mean) * (v - s.Mean)
		}
		if s.N > 1 {
			s.Error = math.Sqrt(squares / float64(s.N-1) / float64(s.N))
		}
		all = append(all, s)
	}
	return all
}

// agree compares the harness's verdicts on answers to multiple-choice questions with strict scoring. Of several
// scorers the nearest counts: others may judge something else, such as the form of an answer. One that judged
// fewer than half as many answers as another is not looked at.
func (i *Import) agree(asked map[omniscope.SampleID]bench.Asked) {
	i.Scorers = scorersOf(i.Entries)
	i.judge(asked)
	most := 0
	for k := range i.Scorers {
		if s := &i.Scorers[k]; s.Points {
			judged, differ := i.differing(s.Name)
			s.Judged, s.Differ = judged, len(differ)
			most = max(most, judged)
		}
	}
	for _, s := range i.Scorers {
		if s.Judged > 0 && 2*s.Judged >= most && (i.Judged == 0 || s.Differ*i.Judged < len(i.Differ)*s.Judged) {
			i.Judged, i.Differ = i.differing(s.Name)
		}
	}
	differ := make(map[string]bool)
	for _, id := range i.Differ {
		differ[id] = true
	}
	for k := range i.Entries {
		i.Entries[k].Differs = !i.Entries[k].unknown && differ[i.Entries[k].ID]
	}
}

// judge sets the verdicts of strict scoring.
func (i *Import) judge(asked map[omniscope.SampleID]bench.Asked) {
	for k := range i.Entries {
		e := &i.Entries[k]
		a := asked[omniscope.SampleID(e.ID)]
		if e.unknown || len(a.Options) == 0 || e.Outcome != omniscope.OK {
			continue
		}
		switch option, _ := letters.Read(e.answer, a.Options); {
		case option < 0:
			e.Verdict = "no option"
		case a.Options[option] == a.Options[letters.Index(a.Key, len(a.Options))]:
			e.Verdict = omniscope.Correct.String()
		default:
			e.Verdict = omniscope.Wrong.String()
		}
	}
}

// differing are the samples that a scorer of the harness judges otherwise than strict scoring does.
func (i *Import) differing(scorer string) (judged int, ids []string) {
	for k := range i.Entries {
		e := &i.Entries[k]
		points, ok := e.Scores[scorer]
		if !ok || e.Verdict == "" || points != 0 && points != 1 {
			continue
		}
		judged++
		if (points == 1) != (e.Verdict == omniscope.Correct.String()) {
			ids = append(ids, e.ID)
		}
	}
	return judged, ids
}

// Disagreement says that the harness judges answers otherwise; "" = it does not.
func (i *Import) Disagreement() string {
	const shown = 5
	if len(i.Differ) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s judges %d of %d answers otherwise than omniscope's strict reading: %s", i.Harness.Title, len(i.Differ), i.Judged, i.Differ[:min(len(i.Differ), shown)])
	if n := len(i.Differ) - shown; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
