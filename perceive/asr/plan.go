package asr

import (
	"time"

	"omniscope"
	"omniscope/media/signal"
)

// How the sound is divided.
const (
	margin = 500 * time.Millisecond // what the limits of speech spans may be off
	joined = 2 * time.Second        // spans nearer than this are heard together: engines go by context
)

// stretches are the parts of the sound to be transcribed: where there is speech, with some sound around it.
func stretches(speech []signal.SpeechSpan, length time.Duration) (list []omniscope.Span) {
	for _, s := range speech {
		span := omniscope.Span{Start: max(0, s.Start-margin), End: min(length, s.End+margin)}
		if n := len(list); n > 0 && span.Start-list[n-1].End < joined {
			list[n-1].End = max(list[n-1].End, span.End)
			continue
		}
		list = append(list, span)
	}
	return list
}

func total(list []omniscope.Span) (sum time.Duration) {
	for _, s := range list {
		sum += s.End - s.Start
	}
	return sum
}

// plan cuts the stretches to what an engine takes at a time, and to as much as
// it takes of a clip.
func plan(f *signal.Facts, speech []signal.SpeechSpan, e EngineInfo) (chunks []omniscope.Span) {
	left := e.Most
	for _, s := range stretches(speech, f.Duration) {
		if e.Most > 0 {
			if s.End = min(s.End, s.Start+left); s.End <= s.Start {
				break
			}
			left -= s.End - s.Start
		}
		for e.Longest > 0 && s.End-s.Start > e.Longest {
			at := cutPoint(f, s.Start, e.Longest)
			chunks = append(chunks, omniscope.Span{Start: s.Start, End: at})
			s.Start = at
		}
		chunks = append(chunks, s)
	}
	return chunks
}

// cutPoint finds where to cut within the last third of what an engine takes:
// in the middle of the longest silence, or else of the quietest second.
func cutPoint(f *signal.Facts, start, longest time.Duration) time.Duration {
	from, to := start+longest*2/3, start+longest
	best, length := to, time.Duration(0)
	for _, q := range f.Silences.Spans {
		a, b := max(q.Start, from), min(q.End, to)
		if b-a > length {
			best, length = (a+b)/2, b-a
		}
	}
	if length > 0 {
		return best
	}
	lowest := 0.0
	for i := int(from / time.Second); i < int(to/time.Second) && i < len(f.Level.Seconds); i++ {
		middle := time.Duration(i)*time.Second + time.Second/2
		if level := f.Level.Seconds[i]; level < lowest && middle > from {
			best, lowest = middle, level
		}
	}
	return best
}
