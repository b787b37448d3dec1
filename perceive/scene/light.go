package scene

import (
	"fmt"
	"math"
	"slices"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// Words for mean brightness, 0 black to 255 white.
var lightWords = []struct {
	under float64
	word  string
}{
	{20, "nearly black"}, {60, "dark"}, {100, "rather dark"}, {155, "of medium brightness"}, {200, "bright"}, {256, "very bright"},
}

func lightWord(luma float64) string {
	for _, w := range lightWords {
		if luma < w.under {
			return w.word
		}
	}
	return lightWords[len(lightWords)-1].word
}

// What counts as a change of light.
const (
	lightChange = 30  // of 255, between shots or between the start and the end of one
	lightTrend  = 0.8 // least correlation of brightness with time
	lightEnd    = 200 * time.Millisecond
	lightStep   = 0.5 // most share of the change from one frame to the next
)

// light is the mean brightness of a span. Each frame counts for as long as it
// is shown.
func light(s *media.VideoSurvey, span omniscope.Span) float64 {
	sum, all := 0., 0.
	for i, m := range s.Moments {
		end := s.End
		if i+1 < len(s.Moments) {
			end = s.Moments[i+1].Time
		}
		if long := min(end, span.End) - max(m.Time, span.Start); long > 0 {
			sum, all = sum+float64(m.Luma)*long.Seconds(), all+long.Seconds()
		}
	}
	if all == 0 && len(s.Moments) > 0 {
		return float64(s.Moments[0].Luma)
	}
	return sum / max(all, 1e-9)
}

// brightness tells how bright the clip is, its darkest and its brightest shot,
// and which shots grow darker or brighter. Where one picture dissolves into
// another, nothing grows.
func brightness(s *media.VideoSurvey, shots []omniscope.Span, soft []perceive.Observation) (list []perceive.Observation) {
	whole := light(s, omniscope.Span{Start: s.Start, End: math.MaxInt64})
	list = append(list, perceive.Observation{
		Kind: perceive.Scene, Sure: 0.95, Values: map[string]float64{"luma": math.Round(whole)},
		What: fmt.Sprintf("On the whole the picture is %s: its mean brightness is %.0f of 255.", lightWord(whole), whole),
	})
	var darkest, brightest omniscope.Span
	low, high := math.Inf(1), math.Inf(-1)
	for _, shot := range shots {
		v := light(s, shot)
		if v < low {
			low, darkest = v, shot
		}
		if v > high {
			high, brightest = v, shot
		}
		melts := slices.ContainsFunc(soft, func(o perceive.Observation) bool { return o.Span.Start < shot.End && o.Span.End > shot.Start })
		if o, ok := trend(s, shot); ok && !melts {
			list = append(list, o)
		}
	}
	if len(shots) > 1 && high-low >= lightChange {
		list = append(list, shotLight("darkest", low, darkest), shotLight("brightest", high, brightest))
	}
	return list
}

func shotLight(which string, luma float64, shot omniscope.Span) perceive.Observation {
	return perceive.Observation{
		Kind: perceive.Scene, Span: shot, Sure: 0.9, Values: map[string]float64{"luma": math.Round(luma)},
		What: fmt.Sprintf("The %s shot is that from %s to %s, which is %s (mean brightness %.0f of 255).", which, seconds(shot.Start), seconds(shot.End), lightWord(luma), luma),
	}
}

// trend reports whether a shot grows brighter or darker all along: not at once, as by a lamp.
func trend(s *media.VideoSurvey, shot omniscope.Span) (o perceive.Observation, ok bool) {
	var n, x, y, xx, yy, xy, step float64
	before := math.NaN()
	for _, m := range s.Moments {
		if m.Time < shot.Start || m.Time >= shot.End {
			continue
		}
		if n > 0 {
			step = max(step, math.Abs(float64(m.Luma)-before))
		}
		before = float64(m.Luma)
		at, luma := (m.Time - shot.Start).Seconds(), float64(m.Luma)
		n, x, y, xx, yy, xy = n+1, x+at, y+luma, xx+at*at, yy+luma*luma, xy+at*luma
	}
	if n < 12 {
		return o, false
	}
	varX, varY, both := xx-x*x/n, yy-y*y/n, xy-x*y/n
	if varX <= 0 || varY <= 0 || math.Abs(both)/math.Sqrt(varX*varY) < lightTrend {
		return o, false
	}
	from := light(s, omniscope.Span{Start: shot.Start, End: shot.Start + lightEnd})
	to := light(s, omniscope.Span{Start: shot.End - lightEnd, End: shot.End})
	if math.Abs(to-from) < lightChange || step > lightStep*math.Abs(to-from) {
		return o, false
	}
	word := "brighter"
	if to < from {
		word = "darker"
	}
	values := map[string]float64{"luma_from": math.Round(from), "luma_to": math.Round(to)}
	return during(shot, 0.85, values, "the picture grows %s, from a mean brightness of about %.0f to %.0f of 255.", word, from, to), true
}
