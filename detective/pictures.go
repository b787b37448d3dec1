package detective

import (
	"fmt"
	"math"
	"strings"

	"omniscope"
)

// Pictures are addresses of pictures of a clip for its page.
type Pictures struct {
	Shot func(seconds float64) string // of the frame on the screen at a time of the file
	Wave string                       // of the waveform of the sound; "" = there is none
}

// mostPictures is how many shots a page shows.
const mostPictures = 48

// PictureTimes are times, in seconds of the file, whose frames show what a clip is like:
// the middle of each shot, or of eight equal parts where there is one shot; none where
// the clip has no picture or its length is not known.
func (r *Report) PictureTimes() (times []float64) {
	if r.Clip.LengthS <= 0 || r.Modality == omniscope.Audio {
		return nil
	}
	start, end := r.Clip.StartS, r.Clip.StartS+r.Clip.LengthS
	for _, s := range r.Ledger.Shots() {
		from, to := max(s.StartS, start), min(s.EndS, end)
		if to > from && !math.IsInf(to, 1) {
			times = append(times, (from+to)/2)
		}
	}
	if len(times) == 0 {
		const parts = 8
		for i := range parts {
			times = append(times, start+(float64(i)+0.5)*r.Clip.LengthS/parts)
		}
	}
	return times[:min(len(times), mostPictures)]
}

// Wave draws peaks, from 0 to 1, as SVG.
func Wave(peaks []float64) string {
	const height = 60
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" preserveAspectRatio="none"><path fill="#5b8def" d="`, max(len(peaks), 1), height)
	for i, p := range peaks {
		half := max(0.5, min(1, p)*height/2)
		fmt.Fprintf(&b, "M%d %.1fh1v%.1fh-1z", i, height/2-half, 2*half)
	}
	b.WriteString(`"/></svg>`)
	return b.String()
}
