package sound

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/media/signal"
	"omniscope/perceive"
)

// mostEvents is how many events are reported one by one.
const mostEvents = 12

// rhythm says whether there is a pulse. With a tempo, other intervals are bars
// and parts of beats.
func (l *listening) rhythm() (list []perceive.Observation) {
	if l.speaking() {
		return nil
	}
	if t := &l.facts.Tempo; isReported(t.Evidence) {
		return append(list, whole(t.Sure, fmt.Sprintf("there is a pulse of about %.0f beats a minute, or half or twice that", t.BPM),
			map[string]float64{"bpm": t.BPM, "pulse": t.Pulse}))
	}
	if r := &l.facts.Repeats; isReported(r.Evidence) {
		often := fmt.Sprintf("%.2g times a second", r.Rate)
		if r.Rate < 1.5 {
			often = fmt.Sprintf("every %.2f s", 1/r.Rate)
		}
		list = append(list, whole(r.Sure, "something repeats at even intervals, about "+often,
			map[string]float64{"rate_hz": r.Rate, "strength": r.Strength}))
	}
	return list
}

// events tell what begins when.
func (l *listening) events() []perceive.Observation {
	if l.speaking() {
		return nil
	}
	bursts, onsets := &l.facts.Bursts, &l.facts.Onsets
	var list []perceive.Observation
	if isReported(bursts.Evidence) {
		list = l.bursts(bursts)
	}
	if n := len(onsets.Times); isReported(onsets.Evidence) && n > 1 {
		list = append(list, l.onsets(onsets))
	}
	return list
}

func (l *listening) bursts(b *signal.Bursts) (list []perceive.Observation) {
	n := len(b.Spans)
	if n > mostEvents {
		first, last := l.at(b.Spans[0].Span), l.at(b.Spans[n-1].Span)
		return []perceive.Observation{{
			Kind: perceive.Sound, Sure: b.Sure, Span: omniscope.Span{Start: first.Start, End: last.End},
			What:   fmt.Sprintf("%d short sounds stand out from their surroundings, about %.0f a minute", n, b.PerMinute),
			Values: map[string]float64{"bursts": float64(n), "per_minute": b.PerMinute},
		}}
	}
	for _, s := range b.Spans {
		list = append(list, perceive.Observation{
			Kind: perceive.Sound, Sure: b.Sure, Span: l.at(s.Span),
			What:   fmt.Sprintf("a short sound stands out, %.0f dB above what surrounds it", s.Above),
			Values: map[string]float64{"above_db": s.Above},
		})
	}
	return list
}

func (l *listening) onsets(o *signal.Onsets) perceive.Observation {
	n := len(o.Times)
	values := map[string]float64{"onsets": float64(n), "per_minute": o.PerMinute}
	if n > mostEvents {
		return whole(0.8*o.Sure, fmt.Sprintf("sounds set in about %.0f times a minute", o.PerMinute), values)
	}
	times := make([]string, n)
	for i, t := range o.Times {
		times[i] = fmt.Sprintf("%.1f", seconds(l.hearing.Start+t.At))
	}
	return whole(o.Sure, fmt.Sprintf("sounds set in at %s and %s s", strings.Join(times[:n-1], ", "), times[n-1]), values)
}

// speech says where somebody seems to speak. What is said is for others to
// find out.
func (l *listening) speech() (list []perceive.Observation) {
	s := &l.facts.Speech
	if !s.Known || !s.Present {
		return nil
	}
	for _, span := range s.Spans {
		what := "there may be speech, not intelligible here"
		if span.Sure >= 0.75 {
			what = "somebody seems to speak; the speech is not intelligible here"
		}
		list = append(list, perceive.Observation{
			Kind: perceive.Speech, Sure: min(0.9, span.Sure), Span: l.at(span.Span), What: what,
			Values: map[string]float64{"confidence": span.Sure},
		})
	}
	return list
}

// How silences are reported.
const (
	mostSilences = 30
	shortSilence = time.Second
	leastPause   = 300 * time.Millisecond
)

// silences tells where nothing is heard; where there are many, as between words
// or beeps, the longer ones.
func (l *listening) silences() (list []perceive.Observation) {
	s := &l.facts.Silences
	if !s.Known {
		return nil
	}
	spans := slices.DeleteFunc(slices.Clone(s.Parts), func(q signal.Quiet) bool { return q.Sure < least })
	spans = slices.DeleteFunc(spans, func(q signal.Quiet) bool {
		r := l.recorded(q.Span)
		return r != q.Span && r.End-r.Start < leastPause
	})
	for i := range spans {
		spans[i].Span = l.recorded(spans[i].Span)
	}
	all := 0
	for _, q := range s.Spans {
		if r := l.recorded(q.Span); q.Sure >= least && (r == q.Span || r.End-r.Start >= leastPause) {
			all++
		}
	}
	if all > mostEvents {
		list = append(list, whole(0.8, fmt.Sprintf("there are %d pauses of 0.3 s or more", all), map[string]float64{"pauses": float64(all)}))
		spans = slices.DeleteFunc(spans, func(q signal.Quiet) bool { return q.End-q.Start < shortSilence })
		slices.SortStableFunc(spans, func(a, b signal.Quiet) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
		spans = spans[:min(len(spans), mostSilences)]
		slices.SortFunc(spans, func(a, b signal.Quiet) int { return cmp.Compare(a.Start, b.Start) })
	}
	for _, q := range spans {
		list = append(list, l.silence(q))
	}
	return list
}

// recorded returns the longest part of a stretch of the sound in which the file
// has sound: the silence that fills a gap is not of the recording.
func (l *listening) recorded(s omniscope.Span) (longest omniscope.Span) {
	at := s.Start
	part := func(end time.Duration) {
		if end-at > longest.End-longest.Start {
			longest = omniscope.Span{Start: at, End: end}
		}
	}
	for _, gap := range l.gaps {
		start, end := gap.Start-l.hearing.Start, gap.End-l.hearing.Start
		if end <= at || start >= s.End {
			continue
		}
		part(start)
		at = end
	}
	part(s.End)
	return longest
}

func (l *listening) silence(q signal.Quiet) perceive.Observation {
	o := perceive.Observation{Kind: perceive.Silence, Span: l.at(q.Span), Sure: q.Sure, Values: map[string]float64{"level_dbfs": q.Level}}
	switch q.Depth {
	case signal.Empty:
		o.What = "silence without any signal"
	case signal.Still:
		o.What = "silence"
	case signal.Faint:
		o.What = fmt.Sprintf("near silence, with a faint background at %.0f dBFS", q.Level)
	default:
		o.Kind, o.What = perceive.Sound, fmt.Sprintf("a pause in which only the background is heard, at %.0f dBFS", q.Level)
	}
	return o
}

// leastMissing is how much of the clip must be without sound at its start or
// end for that to be reported.
const leastMissing = 500 * time.Millisecond

// ends tells where the sound track does not cover the clip.
func (l *listening) ends() (list []perceive.Observation) {
	start, end := l.hearing.Start, l.hearing.Start+l.hearing.Duration
	missing := time.Duration(0)
	for _, gap := range l.gaps {
		from, to := max(gap.Start, l.clip.Start), gap.End
		if l.clip.End > 0 {
			to = min(to, l.clip.End)
		}
		switch {
		case to <= from:
		case from <= start:
			start = to
		case to-from >= leastMissing:
			list = append(list, perceive.Observation{Kind: perceive.Absence, Span: omniscope.Span{Start: from, End: to}, Sure: 1,
				What: fmt.Sprintf("a part of the sound track is missing, from %.2f to %.2f s", seconds(from), seconds(to))})
		default:
			missing += to - from
		}
	}
	if missing >= leastMissing {
		list = append(list, perceive.Observation{Kind: perceive.Absence, Sure: 1, What: fmt.Sprintf("short parts of the sound track are missing, %.1f s together", seconds(missing))})
	}
	uncovered := func(from, to time.Duration, what string) {
		if to-from >= leastMissing {
			list = append(list, perceive.Observation{Kind: perceive.Silence, What: what, Span: omniscope.Span{Start: from, End: to}, Sure: 1})
		}
	}
	uncovered(l.clip.Start, start, fmt.Sprintf("the sound track begins only at %.2f s", seconds(start)))
	uncovered(end, l.clip.End, fmt.Sprintf("the sound track ends at %.2f s, before the clip does", seconds(end)))
	return list
}
