package media

import (
	"slices"
	"time"

	"omniscope"
)

// What makes black the end of a fade: the picture took this long to darken, or
// to come, from its brightness at most so long before.
const (
	fadeLeast = 120 * time.Millisecond
	fadeMost  = 2 * time.Second
	fadeFrom  = 0.8 // of the brightness it has without the fade
	fadeNoise = 2   // brighter than the frame before, of 255, and still darkening
)

// Fades measures how long the picture takes to darken before a black span, and
// to brighten after it; 0 = at once, or the clip's end. Frames beyond a cut
// do not belong to a fade.
func (s *VideoSurvey) Fades(black omniscope.Span) (out, in time.Duration) {
	from, to := black.Start-fadeMost, black.End+fadeMost
	for _, c := range s.Cuts {
		if c.Time < black.Start {
			from = max(from, c.Time)
		} else if c.Time > black.End {
			to = min(to, c.Time-1)
		}
	}
	var before, after []Moment
	for _, m := range s.Moments {
		switch {
		case m.Time < black.Start && m.Time >= from:
			before = append(before, m)
		case m.Time >= black.End && m.Time <= to:
			after = append(after, m)
		}
	}
	slices.Reverse(before)
	if at, ok := ramp(before); ok {
		out = black.Start - at
	}
	if at, ok := ramp(after); ok {
		in = at - black.End
	}
	return fadeOrNot(out), fadeOrNot(in)
}

func fadeOrNot(d time.Duration) time.Duration {
	if d < fadeLeast {
		return 0
	}
	return d
}

// ramp follows brightness away from black as long as it grows, and returns the time at
// which it had grown to nearly all. A picture that is there at once has no ramp,
// however distant the frames are from each other.
func ramp(moments []Moment) (at time.Duration, ok bool) {
	top := 0
	for i := range moments {
		if moments[i].Luma > moments[top].Luma {
			top = i
		} else if moments[i].Luma < moments[top].Luma-fadeNoise {
			break
		}
	}
	for i := range moments[:min(top+1, len(moments))] {
		if moments[i].Luma >= fadeFrom*moments[top].Luma {
			return moments[i].Time, i > 0
		}
	}
	return 0, false
}
