package scene

import (
	"fmt"

	"omniscope/media"
	"omniscope/perceive"
)

// blacks tells the black spans and how the picture comes to them.
func blacks(s *media.VideoSurvey) (list []perceive.Observation) {
	for _, b := range s.Black {
		out, in := s.Fades(b)
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
