package scene

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// Sureness of cuts by their score (see media.Moment). Of those above 0.3 none
// was false in the clips with known cuts, of those above 0.2 one in 37; weaker
// ones are recognised by how the picture goes on.
const (
	sureCut  = 0.3
	clearCut = 0.2
)

// shotsOf parts a clip at its hard cuts and black spans.
func shotsOf(s *media.VideoSurvey) (shots []omniscope.Span) {
	type gap struct{ from, to time.Duration }
	var gaps []gap
	for _, c := range s.Cuts {
		gaps = append(gaps, gap{c.Time, c.Time})
	}
	for _, b := range s.Black {
		gaps = append(gaps, gap{b.Start, b.End})
	}
	gaps = append(gaps, gap{s.End, s.End})
	slices.SortFunc(gaps, func(a, b gap) int { return int(a.from - b.from) })
	at := s.Start
	for _, g := range gaps {
		if g.from > at {
			shots = append(shots, omniscope.Span{Start: at, End: g.from})
		}
		at = max(at, g.to)
	}
	return shots
}

// counted says how many shots there are, and where the first ones lie.
func counted(s *media.VideoSurvey, shots []omniscope.Span, soft int, pictures []*picture) perceive.Observation {
	o := perceive.Observation{Kind: perceive.Scene, Sure: 0.9, Values: map[string]float64{
		"shots": float64(len(shots)), "cuts": float64(len(s.Cuts)), "length_s": (s.End - s.Start).Seconds(),
	}}
	length := seconds(s.End - s.Start)
	switch {
	case len(shots) == 0:
		o.What = fmt.Sprintf("The picture is black throughout, for %s.", length)
	case len(s.Cuts) == 0 && len(shots) == 1 && len(s.Black) == 0:
		switch {
		case soft > 0:
			o.What = fmt.Sprintf("No cut was found in %s, but perhaps a dissolve.", length)
		case changes(pictures):
			o.What = fmt.Sprintf("No cut was found in %s, but the colours change.", length)
		default:
			o.What = fmt.Sprintf("No cut was found: the picture seems to be one continuous shot of %s.", length)
		}
	case len(shots) == 1:
		o.What = fmt.Sprintf("There is one shot in %s, at %s.", length, spans(shots))
	default:
		o.What = fmt.Sprintf("There are %d shots in %s, parted by hard cuts or black: %s.", len(shots), length, spans(shots))
	}
	return o
}

// newColours is from what mean difference of both colour components on, of 255
// each, a picture has other colours than the one before.
const newColours = 24

// changes reports whether colours change from one picture to the next: little by little,
// or so often that no cut is made of it.
func changes(pictures []*picture) bool {
	for i := 1; i < len(pictures); i++ {
		a, b := pictures[i-1], pictures[i]
		if a.recoloured(b) >= newColours {
			return true
		}
	}
	return false
}

// spans lists spans, not too many.
func spans(list []omniscope.Span) string {
	const most = 30
	var parts []string
	for _, s := range list[:min(len(list), most)] {
		parts = append(parts, fmt.Sprintf("%.2f–%.2f", s.Start.Seconds(), s.End.Seconds()))
	}
	text := strings.Join(parts, ", ") + " s"
	if len(list) > most {
		text += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return text
}

// hiddenSure is how sure a cut is that does not show by brightness.
const hiddenSure = 0.85

// cuts describes the cuts. The score of a hidden one does not show it, and is left out.
func cuts(s *media.VideoSurvey) (list []perceive.Observation) {
	for _, c := range s.Cuts {
		sure, values := 0.75, map[string]float64{"score": c.Score}
		switch {
		case c.Hidden:
			sure, values = hiddenSure, nil
		case c.Score >= sureCut:
			sure = 0.97
		case c.Score >= clearCut:
			sure = 0.9
		}
		list = append(list, perceive.Observation{
			Kind: perceive.Cut, What: fmt.Sprintf("At %s there is a hard cut.", seconds(c.Time)),
			Span: omniscope.Span{Start: c.Time, End: c.Time}, Sure: sure, Values: values,
		})
	}
	return list
}

func flashes(s *media.VideoSurvey) (list []perceive.Observation) {
	for _, c := range s.Flashes {
		list = append(list, perceive.Observation{
			Kind: perceive.Scene, What: fmt.Sprintf("At %s the picture flashes: it changes at once and is as it was within a quarter of a second.", seconds(c.Time)),
			Span: omniscope.Span{Start: c.Time, End: c.Time}, Sure: 0.8, Values: map[string]float64{"score": c.Score},
		})
	}
	return list
}

// stills tells the spans in which next to nothing moves. Slow pans and scenes
// without noise are among them, hence "nearly".
func stills(s *media.VideoSurvey, pictures []*picture) (list []perceive.Observation) {
	for _, span := range s.Still {
		if recoloured(span, pictures) {
			continue
		}
		list = append(list, during(span, 0.9, nil, "the picture is nearly still."))
	}
	return list
}

// recoloured reports whether colours change in a span whose brightness does not.
func recoloured(span omniscope.Span, pictures []*picture) bool {
	var first *picture
	for _, p := range pictures {
		if p.at < span.Start || p.at >= span.End {
			continue
		}
		if first == nil {
			first = p
		}
		if p.recoloured(first) > 1 {
			return true
		}
	}
	return false
}

// during is an observation of a stretch of the picture.
func during(span omniscope.Span, sure float64, values map[string]float64, format string, args ...any) perceive.Observation {
	when := fmt.Sprintf("From %s to %s ", seconds(span.Start), seconds(span.End))
	return perceive.Observation{Kind: perceive.Scene, Span: span, Sure: sure, Values: values, What: when + fmt.Sprintf(format, args...)}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
