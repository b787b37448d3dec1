package sound

import (
	"fmt"
	"math"
	"time"

	"omniscope"
	"omniscope/perceive"
)

// A grade is a word for a range of numbers.
type grade struct {
	from float64 // the lowest number of the grade
	word string
}

// Words for integrated loudness in LUFS. Streaming services play at about -14,
// broadcasts at -23 (EBU R 128).
var loudnessGrades = []grade{{-10, "very loud"}, {-17, "loud"}, {-25, "of middling loudness"}, {-33, "rather quiet"}, {math.Inf(-1), "very quiet"}}

// Words for the loudness range in LU (EBU Tech 3342).
var rangeGrades = []grade{{15, "the loudness varies very much"}, {8, "the loudness varies clearly"}, {4, "the loudness varies a little"}, {0, "the loudness hardly varies"}}

// shortestRange is the sound that a loudness range makes sense of: it is taken
// over windows of 3 s.
const shortestRange = 10 * time.Second

// surelyNoHum is how sure the absence of mains hum must be to be stated as a value.
const surelyNoHum = 0.8

func graded(grades []grade, v float64) string {
	for _, g := range grades {
		if v >= g.from {
			return g.word
		}
	}
	return grades[len(grades)-1].word
}

// loudness says how loud it is, and how that changes.
func (l *listening) loudness() (list []perceive.Observation) {
	ebu := l.hearing.Loudness
	if ebu == nil {
		level := &l.facts.Level
		if !isReported(level.Evidence) {
			return nil
		}
		return []perceive.Observation{whole(0.9, fmt.Sprintf("the sound is too short or too faint for a loudness; its level is %.1f dBFS, its highest sample %.1f dBFS", level.RMS, level.Peak),
			map[string]float64{"rms_dbfs": level.RMS, "peak_dbfs": level.Peak})}
	}
	values := map[string]float64{"integrated_lufs": ebu.Integrated, "range_lu": ebu.Range, "true_peak_dbtp": ebu.TruePeak, "rms_dbfs": l.facts.Level.RMS}
	if h := &l.facts.Hum; h.Known && !h.Present && h.Sure >= surelyNoHum {
		values["hum"] = 0
	}
	list = append(list, whole(1, fmt.Sprintf("the sound is %s: %.1f LUFS, true peak %.1f dBTP%s",
		graded(loudnessGrades, ebu.Integrated), ebu.Integrated, ebu.TruePeak, peakRemark(ebu.TruePeak)), values))
	if l.hearing.Duration >= shortestRange {
		list = append(list, whole(0.9, fmt.Sprintf("%s: loudness range %.1f LU", graded(rangeGrades, ebu.Range), ebu.Range),
			map[string]float64{"range_lu": ebu.Range}))
	}
	return append(list, l.levelChanges()...)
}

func peakRemark(peak float64) string {
	switch {
	case peak > 0:
		return ", above full scale"
	case peak > -1:
		return ", close to full scale"
	}
	return ""
}

// How parts that are louder or quieter than the rest are found.
const (
	courseWidth = 3   // seconds, shortest part
	courseStep  = 7.0 // dB from the level of the whole
	mostCourses = 8
)

// levelChanges names parts that are much louder or quieter than the whole. Silences
// are reported elsewhere.
func (l *listening) levelChanges() (list []perceive.Observation) {
	levels := l.facts.Level.Seconds
	side := func(i int) int {
		if i == len(levels) || levels[i] < l.facts.Silences.Threshold {
			return 0
		}
		switch d := levels[i] - l.facts.Level.RMS; {
		case d >= courseStep:
			return 1
		case d <= -courseStep:
			return -1
		}
		return 0
	}
	for from, i := 0, 1; i <= len(levels); i++ {
		if side(i) == side(from) && i < len(levels) {
			continue
		}
		if s := side(from); s != 0 && i-from >= courseWidth {
			list = append(list, l.part(s, from, i))
		}
		from = i
	}
	if len(list) > mostCourses {
		return nil // it goes up and down all the time, which the range tells
	}
	return list
}

func (l *listening) part(side, from, to int) perceive.Observation {
	sum := 0.0
	for _, v := range l.facts.Level.Seconds[from:to] {
		sum += math.Pow(10, v/10)
	}
	level := 10 * math.Log10(sum/float64(to-from))
	word := "louder"
	if side < 0 {
		word = "quieter"
	}
	start := l.hearing.Start
	return perceive.Observation{
		Kind: perceive.Sound, Sure: 0.8,
		What:   fmt.Sprintf("the sound is clearly %s there than on the whole: %.0f dBFS against %.0f", word, level, l.facts.Level.RMS),
		Span:   omniscope.Span{Start: start + time.Duration(from)*time.Second, End: start + time.Duration(to)*time.Second},
		Values: map[string]float64{"level_dbfs": level, "above_whole_db": level - l.facts.Level.RMS},
	}
}
