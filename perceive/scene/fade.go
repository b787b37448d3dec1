package scene

import (
	"omniscope/media"
	"omniscope/perceive"
)

// blacks tells the black spans and how the picture comes to them.
func blacks(s *media.VideoSurvey) (list []perceive.Observation) {
	for _, b := range s.Black {
		out, in := s.Fades(b)
		how := ""
		switch {
		case out > 0 && in > 0:
			how = ": it fades out before and in again after, a fade through black"
		case out > 0:
			how = ", after a fade-out of " + seconds(out)
		case in > 0:
			how = ", before a fade-in of " + seconds(in)
		}
		values := map[string]float64{"black_s": (b.End - b.Start).Seconds(), "fade_out_s": out.Seconds(), "fade_in_s": in.Seconds()}
		list = append(list, during(b, 0.95, values, "the picture is black%s.", how))
	}
	return list
}
