// Package pdac cuts talks into segments by SHAS's probabilistic divide and conquer
// (pDAC), and writes and reads the list of segments as the published program does.
//
// It starts from the probability of speech of each frame. Where the
// probabilities come from, and cutting the media, is package curate/segment's.
//
// Source: Tsiamas, Gállego, Fonollosa, Costa-jussà, "SHAS: Approaching optimal
// Segmentation for End-to-End Speech Translation", Interspeech 2022, Algorithm 1,
// and the program that they published.
package pdac

import (
	"math"
	"sort"
	"strconv"

	"omniscope"
)

// FrameRate is the number of frames in a second.
const FrameRate = 49.95

// Options say how long segments get. The zero value is not usable: start from
// Default.
type Options struct {
	Max       float64 // seconds; a segment that is shorter is not divided
	Min       float64 // seconds; a division leaves more than this on both sides
	Threshold float64 // least probability of a frame with speech
	NotStrict bool    // keep a segment longer than Max rather than divide within speech
}

// Default is what the published program does without options.
var Default = Options{Max: 18, Min: 0.2, Threshold: 0.5}

// A Segment is a stretch of frames. Offset and Duration are in seconds, rounded
// to 4 decimals.
type Segment struct {
	Start    int     `json:"start"` // first frame
	End      int     `json:"end"`   // frame after the last
	Duration float64 `json:"duration"`
	Offset   float64 `json:"offset"`
}

// Check returns an error of kind Invalid for options under which no talk can be
// cut.
func (o Options) Check() error {
	for _, v := range []struct {
		name  string
		value float64
		fits  bool
	}{
		{"max", o.Max, o.Max > 0},
		{"min", o.Min, o.Min >= 0},
		{"threshold", o.Threshold, o.Threshold >= 0 && o.Threshold <= 1},
	} {
		if !v.fits || math.IsInf(v.value, 0) {
			return omniscope.Invalidf("%s is %v: max must be more than 0 seconds, min 0 seconds or more, threshold from 0 to 1", v.name, v.value)
		}
	}
	return nil
}

// Segments divides a talk. probs are probabilities from 0 to 1, one for each
// frame. Without speech there is one segment of no frames, as the published program
// returns it.
//
// The published program sorts the frames of each segment by probability and tries
// them in turn. It leaves the order of equal probabilities to the machine; here
// the first frame comes first. Instead of trying, this looks up the least
// probable frame among those that leave enough on both sides, so that N frames take time
// N log N.
func Segments(probs []float64, o Options) ([]Segment, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	for i, p := range probs {
		if !(p >= 0 && p <= 1) {
			return nil, omniscope.Invalidf("the probability of frame %d (from 0) is %v, not from 0 to 1", i, p)
		}
	}
	d := newDivider(probs, o)
	var list []Segment
	open := []stretch{d.trim(stretch{0, len(probs)})} // the next one to look at is the last
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if s.len() < d.maxFrames {
			list = append(list, s.segment())
			continue
		}
		left, right, found := d.split(s)
		switch {
		case found:
			open = append(open, right, left)
		case o.NotStrict:
			list = append(list, s.segment())
		default:
			open = append(open, d.forced(s)...)
		}
	}
	return list, nil
}

// seconds are the seconds of a number of frames as the published program
// rounds them.
func seconds(frames int) float64 { return round4(float64(frames) / FrameRate) }

// round4 is Python's round(v, 4): correct for the exact binary value of v.
func round4(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 4, 64), 64)
	return r
}

// Frames is the number of frames of a sound of so many samples of each channel.
func Frames(samples int64, rate int) int {
	return int(math.RoundToEven(float64(samples) * FrameRate / float64(rate)))
}

// firstFrames is the least number of frames, up to limit+1, whose seconds fit.
func firstFrames(limit int, fits func(seconds float64) bool) int {
	return sort.Search(limit+1, func(n int) bool { return fits(seconds(n)) })
}
