package media

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope"
)

// LevelStep is the time from one of AudioSurvey.Levels to the next.
const LevelStep = 10 * time.Millisecond

// lowest stands for all levels below it, digital silence included, so that
// levels can be written as JSON.
const lowest = -120

// quietLeast is the shortest silence that is reported.
const quietLeast = 300 * time.Millisecond

// An AudioSurvey holds the measurements of an audio track.
type AudioSurvey struct {
	AudioSummary
	Rate     int `json:"rate"` // of the stream, samples a second
	Channels int `json:"channels"`

	// Loudness is nil for digital silence and for less than 0.4 s of sound.
	Loudness *Loudness `json:"loudness,omitempty"`

	// Levels holds the level of each LevelStep in dBFS, of the louder channel,
	// from Start on; -120 stands for all below it.
	Levels []float32 `json:"-"`

	// Floor is the level in dBFS that is undercut one twentieth of the time,
	// digital silence left out; Threshold is what Quiet was measured with.
	Floor     float64 `json:"floor_dbfs"`
	Threshold float64 `json:"threshold_dbfs"`
	// Quiet are the spans of at least 0.3 s under the threshold: silences, or
	// pauses in which only the room is heard.
	Quiet []Quiet `json:"quiet,omitempty"`
}

// A Quiet is a span without sound or with little.
type Quiet struct {
	omniscope.Span
	Level float64 `json:"level_dbfs"` // mean power; -120 stands for all below it
}

// Digital reports whether there was nothing at all, not even noise.
func (q Quiet) Digital() bool { return q.Level < silent }

// Loudness is measured by EBU R 128 (ITU-R BS.1770-4, EBU Tech 3342), as the
// ebur128 filter of ffmpeg does; see truePeakMeter for the peak.
type Loudness struct {
	Integrated float64 `json:"integrated_lufs"`
	Range      float64 `json:"range_lu"`
	TruePeak   float64 `json:"true_peak_dbtp"`
}

// loudnessLog reads the summary that ebur128 logs.
type loudnessLog struct {
	begun  bool
	values map[string]float64
}

func (l *loudnessLog) line(text string) bool {
	if strings.Contains(text, "ebur128") && strings.HasSuffix(strings.TrimSpace(text), "Summary:") {
		l.begun, l.values = true, make(map[string]float64)
		return true
	}
	if !l.begun {
		return false
	}
	name, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
	fields := strings.Fields(rest)
	if !ok || len(fields) == 0 {
		return false
	}
	if v, err := strconv.ParseFloat(fields[0], 64); err == nil && len(fields) == 2 {
		if _, known := l.values[name]; !known {
			l.values[name] = v
		}
		return true
	}
	return false
}

// found returns the loudness, with the true peak of a meter unless ffmpeg measured it; nil
// where nothing was loud enough to be gated in, for which the filter says -70.
func (l *loudnessLog) found(meter *truePeakMeter) *Loudness {
	i, ok := l.values["I"]
	peak, ok2 := l.values["Peak"]
	if meter != nil {
		peak, ok2 = math.Round(10*decibels(meter.amplitude()))/10, true // as ffmpeg prints it
	}
	if !ok || !ok2 || i <= -70 || math.IsInf(peak, 0) {
		return nil
	}
	return &Loudness{Integrated: i, Range: l.values["LRA"], TruePeak: peak}
}

// A levelMeter measures the level of samples one block after the other.
type levelMeter struct {
	channels int
	block    int // sample frames of a level
	sums     [2]float64
	filled   int
	levels   []float32
}

func newLevelMeter(rate, channels int) *levelMeter {
	return &levelMeter{channels: channels, block: max(1, int(float64(rate)*LevelStep.Seconds()))}
}

func (e *levelMeter) add(samples []float32) {
	for i := 0; i+e.channels <= len(samples); i += e.channels {
		for c := range e.channels {
			v := float64(samples[i+c])
			e.sums[c] += v * v
		}
		if e.filled++; e.filled == e.block {
			e.next()
		}
	}
}

func (e *levelMeter) next() {
	power := max(e.sums[0], e.sums[1]) / float64(e.filled)
	e.levels = append(e.levels, float32(max(lowest, 10*math.Log10(power))))
	e.sums, e.filled = [2]float64{}, 0
}

// hearing finishes. step is exact only at rates that are multiples of 100;
// times are computed from samples.
func (e *levelMeter) finish(h AudioSummary, loudness *Loudness) *AudioSurvey {
	if e.filled > e.block/2 {
		e.next()
	}
	r := &AudioSurvey{AudioSummary: h, Loudness: loudness, Levels: e.levels}
	if h.Silent() {
		r.Loudness = nil
	}
	r.Floor, r.Threshold = threshold(e.levels)
	r.Quiet = quiet(e.levels, r.Threshold, h.Start)
	return r
}

// threshold sets what is quiet by what is heard. A fixed level finds no pause
// in a noisy recording, and nothing but pauses in a soft one. Sound that is
// equally loud throughout, such as rain, has no pauses: only what is below
// any room is silent there.
func threshold(levels []float32) (floor, limit float64) {
	var heard []float32
	for _, l := range smooth(levels) {
		if l > silent {
			heard = append(heard, l)
		}
	}
	if len(heard) == 0 {
		return lowest, silent
	}
	slices.Sort(heard)
	floor = float64(heard[len(heard)/20])
	loud := float64(heard[len(heard)*9/10])
	const absolute = -60
	if loud-floor < 15 {
		return floor, absolute
	}
	return floor, min(max(absolute, floor+0.25*(loud-floor)), loud-12)
}

// smooth averages the power of five levels, so that the zero crossings of low
// tones do not count as pauses.
func smooth(levels []float32) []float32 {
	out := make([]float32, len(levels))
	for i := range levels {
		from, to := max(0, i-2), min(len(levels), i+3)
		sum := 0.
		for _, l := range levels[from:to] {
			sum += math.Pow(10, float64(l)/10)
		}
		out[i] = float32(max(lowest, 10*math.Log10(sum/float64(to-from))))
	}
	return out
}

// quiet finds the spans below a threshold.
func quiet(levels []float32, limit float64, start time.Duration) (found []Quiet) {
	begun, sum := -1, 0.
	for i := 0; i <= len(levels); i++ {
		if i < len(levels) && float64(levels[i]) < limit {
			if begun < 0 {
				begun, sum = i, 0
			}
			if levels[i] > lowest {
				sum += math.Pow(10, float64(levels[i])/10)
			}
			continue
		}
		if n := i - begun; begun >= 0 && time.Duration(n)*LevelStep >= quietLeast {
			found = append(found, Quiet{
				Span:  omniscope.Span{Start: start + time.Duration(begun)*LevelStep, End: start + time.Duration(i)*LevelStep},
				Level: max(lowest, 10*math.Log10(sum/float64(n))),
			})
		}
		begun = -1
	}
	return found
}
