package scene

import (
	"fmt"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// What makes black the end of a fade: the picture took this long to darken, or
// to come, from its brightness at most so long before.
const (
	fadeLeast = 120 * time.Millisecond
	fadeMost  = 2 * time.Second
	fadeFrom  = 0.8 // of the brightness it has without the fade
	fadeNoise = 2   // brighter than the frame before, of 255, and still darkening
)

// blacks tells the black spans and how the picture comes to them.
func blacks(s *media.VideoSurvey) (list []perceive.Observation) {
	for _, b := range s.Black {
		out, in := fades(s, b)
		o := perceive.Observation{Kind: perceive.Scene, Span: b, Sure: 0.95, Values: map[string]float64{
			"black_s": (b.End - b.Start).Seconds(), "fade_out_s": out.Seconds(), "fade_in_s": in.Seconds(),
		}}
		from, to := seconds(b.Start), seconds(b.End)
		switch {
		case out > 0 && in > 0:
			o.What = fmt.Sprintf("From %s to %s the picture is black: it fades out before and in again after, a fade through black.", from, to)
		case out > 0:
			o.What = fmt.Sprintf("From %s to %s the picture is black, after a fade-out of %s.", from, to, seconds(out))
		case in > 0:
			o.What = fmt.Sprintf("From %s to %s the picture is black, before a fade-in of %s.", from, to, seconds(in))
		default:
			o.What = fmt.Sprintf("From %s to %s the picture is black.", from, to)
		}
		list = append(list, o)
	}
	return list
}

// fades measures how long the picture takes to darken before a black span, and
// to brighten after it; 0 stands for at once, or for the clip's end.
func fades(s *media.VideoSurvey, black omniscope.Span) (out, in time.Duration) {
	var before, after []media.Moment
	for _, m := range s.Moments {
		switch {
		case m.Time < black.Start && m.Time >= black.Start-fadeMost:
			before = append(before, m)
		case m.Time >= black.End && m.Time <= black.End+fadeMost:
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

// ramp follows brightness away from black as long as it grows, and says when
// it had grown to nearly all. A picture that is there at once has no ramp,
// however far apart the frames are.
func ramp(moments []media.Moment) (at time.Duration, ok bool) {
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
