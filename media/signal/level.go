package signal

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"omniscope"
)

// level sums up the hops' levels.
func (a *Analyzer) level() Level {
	m := a.meter
	out := Level{RMS: silent, Peak: silent, Floor: silent, Loud: silent}
	out.From = a.sampleTime(a.frames)
	if a.frames == 0 {
		out.Basis = "no samples"
		return out
	}
	n := float64(a.frames) * float64(a.channels)
	out.RMS = decibels((m.squares[0] + m.squares[1]) / n)
	peak := max(m.peak[0], m.peak[1])
	out.Peak = decibels(peak * peak)
	out.Crest = out.Peak - out.RMS
	out.Offset = max(math.Abs(m.sum[0]), math.Abs(m.sum[1])) / float64(a.frames)
	out.Seconds = smoothLevels(m.whole, hopsPerSecond, hopsPerSecond)
	if len(m.levels) > 0 {
		out.Digital = float64(m.zeros) / float64(len(m.levels))
	}
	sounding := slices.DeleteFunc(smoothLevels(m.levels, 10, 5), func(l float64) bool { return l <= -100 })
	if len(sounding) > 0 {
		slices.Sort(sounding)
		out.Floor, out.Loud = quantile(sounding, 0.10), quantile(sounding, 0.95)
	}
	if len(m.levels) < 10 {
		out.Floor, out.Loud = out.RMS, out.RMS
	}
	out.Range = out.Loud - out.Floor
	out.Known, out.Sure = true, 1
	out.Basis = fmt.Sprintf("%d samples", a.frames)
	return out
}

// How silences are found. All levels in dB or dBFS.
const (
	leastSilence  = 30    // hops
	silenceSpan   = 5     // hops that a level is taken over
	alwaysSilent  = -70.0 // whatever the rest of the stream is like
	overFloor     = 6.0
	underLoud     = 15.0 // a pause is at least so much below the loud parts
	deepestPause  = 50.0 // what is so far below them is a pause, however low the floor
	leastQuiet    = 0.25 // confidence under which a stretch is only a quieter passage
	shortestBreak = 3    // hops above the threshold that do not end a silence

	evenBackground = 3.0 // above the median of a pause that is background only

	// What has a pitch that moves is a quiet passage and no background.
	tunefulShare = 0.3  // of the frames
	tunefulRange = 1.06 // highest to lowest pitch: a semitone
)

// silences finds the stretches near the floor.
func (a *Analyzer) silences(l *Level) Silences {
	levels := a.meter.levels
	out := Silences{Evidence: Evidence{From: l.From}}
	if len(levels) < leastSilence {
		out.Basis = "less than 0.3 s of sound"
		return out
	}
	out.Threshold = max(alwaysSilent, min(max(l.Floor+overFloor, l.Loud-deepestPause), l.Loud-underLoud))
	out.Known = true
	out.Basis = fmt.Sprintf("levels under %.0f dBFS for 0.3 s or more, floor %.0f, loud parts %.0f", out.Threshold, l.Floor, l.Loud)
	quiet := make([]bool, len(levels))
	for i := range levels {
		from, to := max(0, i-silenceSpan/2), min(len(levels), i+silenceSpan/2+1)
		quiet[i] = meanLevel(levels[from:to]) < out.Threshold
	}
	closeGaps(quiet, shortestBreak)
	for _, r := range runs(quiet, leastSilence) {
		s := Silence{Span: a.hopSpan(r[0], r[1]), Level: meanLevel(levels[r[0]:r[1]])}
		s.Sure = max(ramp(s.Level, -45, -65), ramp(l.Loud-s.Level, 18, 35))
		if s.Sure < leastQuiet {
			continue
		}
		out.Spans = append(out.Spans, s)
		out.Parts = append(out.Parts, a.quietParts(r[0], r[1], s.Sure)...)
		out.Share += float64(r[1]-r[0]) / float64(len(levels))
	}
	out.All = out.Share > 0.999 && slices.Max(smoothed(a.meter.whole)) < depths[Still]
	out.Sure = 1
	if len(out.Spans) > 0 {
		out.Sure = slices.MaxFunc(out.Spans, func(a, b Silence) int { return cmp.Compare(a.Sure, b.Sure) }).Sure
	}
	return out
}

// quietParts finds what of a silence deserves which word: the stretches that
// are as deep throughout, by the level of everything that sounds. What dies away
// before them belongs to none.
func (a *Analyzer) quietParts(from, to int, confidence float64) (list []Quiet) {
	levels := smoothed(a.meter.whole)[from:to]
	add := func(r [2]int, d Depth) {
		if d >= Faint && a.tuneful(from+r[0], from+r[1]) {
			return
		}
		level := meanLevel(a.meter.whole[from+r[0] : from+r[1]])
		list = append(list, Quiet{Silence: Silence{a.hopSpan(from+r[0], from+r[1]), level, confidence}, Depth: d})
	}
	for d := Still; d <= Faint; d++ {
		for _, r := range under(levels, depths[d]) {
			if empty := under(levels[r[0]:r[1]], depths[Empty]); d == Still && len(empty) == 1 && 10*(empty[0][1]-empty[0][0]) >= 9*(r[1]-r[0]) {
				add([2]int{r[0] + empty[0][0], r[0] + empty[0][1]}, Empty)
				continue
			}
			add(r, d)
		}
		if len(list) > 0 {
			return list
		}
	}
	limit := quantile(slices.Sorted(slices.Values(levels)), 0.5) + evenBackground
	for _, r := range under(levels, limit) {
		add(r, Background)
	}
	loud := quantile(slices.Sorted(slices.Values(smoothLevels(a.meter.whole, 10, 5))), 0.95)
	return slices.DeleteFunc(list, func(q Quiet) bool { return q.Level > loud-underLoud })
}

// tuneful reports whether there is a pitch that moves between two hops, as in soft
// music or speech. The pitch of hum stays.
func (a *Analyzer) tuneful(from, to int) bool {
	track := a.pitch.out[min(from/2, len(a.pitch.out)):min(to/2, len(a.pitch.out))]
	var hz []float64
	for i := 1; i < len(track); i++ {
		if near(track[i].hz, track[i-1].hz) {
			hz = append(hz, float64(track[i].hz))
		}
	}
	if float64(len(hz)) < tunefulShare*float64(len(track)) || len(hz) == 0 {
		return false
	}
	slices.Sort(hz)
	return quantile(hz, 0.9) > tunefulRange*quantile(hz, 0.1)
}

// under returns the stretches of 0.3 s or more below a level.
func under(levels []float64, limit float64) [][2]int {
	below := make([]bool, len(levels))
	for i, l := range levels {
		below[i] = l < limit
	}
	return runs(below, leastSilence)
}

// smoothed is the levels of 50 ms around each hop.
func smoothed(levels []float32) []float64 {
	out := make([]float64, len(levels))
	for i := range levels {
		out[i] = meanLevel(levels[max(0, i-silenceSpan/2):min(len(levels), i+silenceSpan/2+1)])
	}
	return out
}

// hopSpan is the time of hops; the last one ends with the stream.
func (a *Analyzer) hopSpan(start, end int) omniscope.Span {
	s := omniscope.Span{Start: a.hopTime(start), End: a.hopTime(end)}
	if end == len(a.meter.levels) {
		s.End = a.sampleTime(a.frames)
	}
	return s
}

// quietHops marks the hops of silences.
func (a *Analyzer) quietHops(s *Silences) []bool {
	out := make([]bool, len(a.meter.levels))
	hop := a.hopTime(1)
	for _, q := range s.Spans {
		for i := int(q.Start / hop); i < len(out) && time.Duration(i)*hop < q.End; i++ {
			out[i] = true
		}
	}
	return out
}

// clipping sums up the clipped runs.
func (a *Analyzer) clipping() Clipping {
	m := a.meter
	out := Clipping{Evidence: Evidence{From: a.sampleTime(a.frames)}, Runs: m.runs}
	if a.frames == 0 {
		out.Basis = "no samples"
		return out
	}
	out.PPM = 1e6 * float64(m.clipped) / (float64(a.frames) * float64(a.channels))
	out.Longest = a.sampleTime(m.longest)
	if m.runs > 0 {
		out.First = a.sampleTime(m.firstRun)
	} else {
		out.Longest = 0
	}
	out.Known = true
	out.Basis = fmt.Sprintf("%d runs of 3 or more samples at 0.985 or above", m.runs)
	// One run may be a peak that happens to be flat; many are not.
	out.Sure = 1
	if m.runs > 0 {
		out.Sure = 0.5 + 0.5*ramp(float64(m.runs), 1, 20)
	}
	return out
}

// stereo compares the channels.
func (a *Analyzer) stereo() Stereo {
	m := a.meter
	out := Stereo{Evidence: Evidence{From: a.sampleTime(a.frames)}}
	left, right := m.squares[0], m.squares[1]
	switch {
	case a.channels != 2:
		out.Basis = "one channel"
		return out
	case left+right == 0:
		out.Basis = "both channels are digital silence"
		return out
	}
	n := float64(a.frames)
	out.Balance = decibels(right/n) - decibels(left/n)
	if left > 0 && right > 0 {
		out.Correlation = m.cross / math.Sqrt(left*right)
	}
	// A step of 16 bits may be added by a codec or by dither.
	const step = 4.0 / 32768
	out.DualMono = m.apart <= step || out.Correlation > 0.9999 && math.Abs(out.Balance) < 0.1
	out.Inverted = m.opposed <= step || out.Correlation < -0.98
	out.OneSided = math.Abs(out.Balance) > 60
	out.Known = true
	out.Sure = ramp(n/float64(a.rate), 0, 1)
	out.Basis = fmt.Sprintf("power and correlation of %d pairs of samples", a.frames)
	return out
}
