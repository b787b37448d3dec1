package signal

import (
	"fmt"
	"time"
)

// Speech is looked for in windows of 2.5 s, every half second.
const (
	speechFrames  = 125 // of 20 ms
	speechStep    = 25
	leastSpeech   = 60 // frames; shorter streams are not judged
	speechFrom    = 0.5
	aroundVoice   = 10 // frames before and after the voiced part that belong to a span
	quietestVoice = -70.0
)

// speech joins the windows that sound like speech to spans.
func (a *Analyzer) speech(l *Level) Speech {
	n := min(len(a.pitch.out), len(a.spectra.shapes))
	out := Speech{Evidence: Evidence{From: a.hopTime(2 * n)}}
	switch {
	case n < leastSpeech:
		out.Basis = "less than 1.2 s of sound"
		return out
	case l.Loud < quietestVoice:
		out.Known, out.Sure, out.Basis = true, 1, "nothing above -70 dBFS"
		return out
	}
	width := min(speechFrames, n)
	w := newWatch(width)
	starts := windowStarts(n, width)
	scores := make([]float64, len(starts))
	for i, at := range starts {
		scores[i] = w.observe(a.pitch.out[at:at+width], a.spectra.shapes[at:at+width]).likeness()
	}
	for i := range scores {
		out.Peak = max(out.Peak, supported(scores, i))
	}
	a.speechSpans(&out, starts, scores, width)
	out.Present = len(out.Spans) > 0
	out.Known = true
	out.Sure = (1 - out.Peak) / 2
	if out.Present {
		out.Sure = out.Peak
	}
	out.Basis = fmt.Sprintf("voicing, glides and syllable rhythm in %d windows of %.1f s, the best %.2f", len(scores), 0.02*float64(width), out.Peak)
	return out
}

// windowStarts lists the first frames of the windows; the last one ends with the
// stream.
func windowStarts(n, width int) (starts []int) {
	for at := 0; at+width <= n; at += speechStep {
		starts = append(starts, at)
	}
	if last := n - width; last > starts[len(starts)-1] {
		starts = append(starts, last)
	}
	return starts
}

// supported is the score of a window, or that of its better neighbour if that is
// lower: one window alone may be chance.
func supported(scores []float64, i int) float64 {
	if len(scores) == 1 {
		return 0.8 * scores[0]
	}
	best := 0.0
	if i > 0 {
		best = scores[i-1]
	}
	if i+1 < len(scores) {
		best = max(best, scores[i+1])
	}
	return min(scores[i], best)
}

// speechSpans takes the voiced parts of the windows with a good score, and
// joins what is less than a second apart.
func (a *Analyzer) speechSpans(out *Speech, starts []int, scores []float64, width int) {
	frames := min(len(a.pitch.out), len(a.spectra.shapes))
	var sum, count float64
	for i, start := range starts {
		score := supported(scores, i)
		if score < speechFrom {
			continue
		}
		from, to := voicedPart(a.pitch.out[start : start+width])
		from, to = max(0, start+from-aroundVoice), min(frames, start+to+aroundVoice)
		span := a.hopSpan(2*from, min(2*to, len(a.meter.levels)))
		last := len(out.Spans) - 1
		if last >= 0 && span.Start <= out.Spans[last].End+time.Second {
			sum, count = sum+score, count+1
			out.Spans[last].End = max(out.Spans[last].End, span.End)
			out.Spans[last].Sure = sum / count
			continue
		}
		sum, count = score, 1
		out.Spans = append(out.Spans, SpeechSpan{span, score})
	}
	for _, s := range out.Spans {
		out.Share += (s.End - s.Start).Seconds() / a.sampleTime(a.frames).Seconds()
	}
	out.Share = min(1, out.Share)
}

// voicedPart is the first and the end of the last gliding stretch.
func voicedPart(voices []voicing) (from, to int) {
	g := glides(tones(voices))
	if len(g) == 0 {
		return 0, len(voices)
	}
	return g[0][0], g[len(g)-1][1]
}
