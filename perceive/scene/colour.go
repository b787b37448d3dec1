package scene

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// How many colours and shots are reported.
const (
	colourLeast = 0.12 // share of the picture
	coloursMost = 3
	colourLong  = 1  // seconds that a single picture stands for, to tell of it
	shotsMost   = 20 // the longest ones
)

// A hue is a colour by name and how much of a picture has it.
type hue struct {
	name    string
	share   float64
	r, g, b float64 // mean
	seen    int     // pictures of which it covers enough,
	long    float64 // and for how many seconds they stand
}

func (h *hue) hex() string {
	return fmt.Sprintf("#%02x%02x%02x", int(math.Round(h.r)), int(math.Round(h.g)), int(math.Round(h.b)))
}

// colours tells the dominant colours of the clip and of its longest shots.
func colours(s *media.VideoSurvey, shots []omniscope.Span, pictures []*picture, b bars) (list []perceive.Observation) {
	without := ""
	if b.top+b.left > 0 {
		without = ", bars left out"
	}
	whole := weighed(s, pictures, omniscope.Span{Start: s.Start, End: s.End})
	if o, ok := colouring("In the whole clip", without, omniscope.Span{}, whole); ok {
		list = append(list, o)
	}
	if len(shots) < 2 {
		return list
	}
	told := slices.Clone(shots)
	slices.SortStableFunc(told, func(a, b omniscope.Span) int { return cmp.Compare(b.End-b.Start, a.End-a.Start) })
	told = told[:min(len(told), shotsMost)]
	slices.SortFunc(told, func(a, b omniscope.Span) int { return cmp.Compare(a.Start, b.Start) })
	for _, shot := range told {
		where := fmt.Sprintf("In the shot from %s to %s", seconds(shot.Start), seconds(shot.End))
		if o, ok := colouring(where, without, shot, weighed(s, pictures, shot)); ok {
			list = append(list, o)
		}
	}
	return list
}

// A weight is a picture and for how many seconds it stands.
type weight struct {
	*picture
	seconds float64
}

// weighed are the pictures of a span. Each stands for the time up to the next,
// and the first after a cut or an edge of black for that from there on, the last
// before one for that up to it.
func weighed(s *media.VideoSurvey, pictures []*picture, span omniscope.Span) (list []weight) {
	edges := []time.Duration{span.Start, span.End}
	for _, c := range s.Cuts {
		edges = append(edges, c.Time)
	}
	for _, b := range s.Black {
		edges = append(edges, b.Start, b.End)
	}
	slices.Sort(edges)
	for i := 1; i < len(edges); i++ {
		from, to := max(edges[i-1], span.Start), min(edges[i], span.End)
		first := len(list)
		for _, p := range pictures {
			if p.at < from || p.at >= to {
				continue
			}
			if n := len(list); n > first {
				list[n-1].seconds, from = (p.at - from).Seconds(), p.at
			}
			list = append(list, weight{p, (to - from).Seconds()})
		}
	}
	return list
}

func colouring(where, without string, span omniscope.Span, pictures []weight) (o perceive.Observation, ok bool) {
	hues := dominant(pictures)
	if len(hues) == 0 {
		return o, false
	}
	o = perceive.Observation{Kind: perceive.Scene, Span: span, Sure: 0.85, Values: make(map[string]float64)}
	var parts []string
	for i := range hues {
		h := &hues[i]
		parts = append(parts, fmt.Sprintf("%s (%s, %.0f %%)", h.name, h.hex(), 100*h.share))
		o.Values[strings.ReplaceAll(h.name, " ", "_")+"_share"] = math.Round(100*h.share) / 100
	}
	text := parts[0]
	if n := len(parts); n > 1 {
		text = strings.Join(parts[:n-1], ", ") + " and " + parts[n-1]
	}
	if len(hues) == 1 {
		o.What = fmt.Sprintf("%s the dominant colour is %s%s.", where, text, without)
	} else {
		o.What = fmt.Sprintf("%s the dominant colours are %s%s.", where, text, without)
	}
	return o, true
}

// dominant returns the colours that cover most, the largest first. One that is
// seen in a single picture of several is left out: for how long is not known.
func dominant(pictures []weight) []hue {
	found := make(map[string]*hue)
	all := 0.
	for _, p := range pictures {
		for name, h := range p.hues() {
			f := found[name]
			if f == nil {
				f = &hue{name: name}
				found[name] = f
			}
			if h.share >= colourLeast*float64(len(p.luma.Pix)) {
				f.seen, f.long = f.seen+1, f.long+p.seconds
			}
			f.share += h.share * p.seconds
			f.r, f.g, f.b = f.r+h.r*p.seconds, f.g+h.g*p.seconds, f.b+h.b*p.seconds
		}
		all += float64(len(p.luma.Pix)) * p.seconds
	}
	var list []hue
	for _, h := range found {
		if h.seen < min(2, len(pictures)-1) && h.long < colourLong || h.share == 0 {
			continue
		}
		h.r, h.g, h.b = h.r/h.share, h.g/h.share, h.b/h.share
		if h.share /= all; h.share >= colourLeast {
			list = append(list, *h)
		}
	}
	slices.SortFunc(list, func(a, b hue) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.name, b.name))
	})
	return list[:min(len(list), coloursMost)]
}

// hues are the colours of a picture by name: how many pixels, and their sums.
// They are computed once, since the clip and the shot ask for them.
func (p *picture) hues() map[string]*hue {
	if p.colours != nil {
		return p.colours
	}
	p.colours = make(map[string]*hue)
	for i, y := range p.luma.Pix {
		r, g, b := color.YCbCrToRGB(y, p.blue.Pix[i], p.red.Pix[i])
		name := colourName(r, g, b)
		h := p.colours[name]
		if h == nil {
			h = &hue{name: name}
			p.colours[name] = h
		}
		h.share++
		h.r, h.g, h.b = h.r+float64(r), h.g+float64(g), h.b+float64(b)
	}
	return p.colours
}

type hueName struct {
	upTo float64
	name string
}

// hueNames are colours by the angle, in degrees, up to which they reach.
var hueNames = []hueName{
	{14, "red"}, {42, "orange"}, {68, "yellow"}, {165, "green"}, {195, "cyan"}, {255, "blue"}, {315, "purple"}, {345, "pink"}, {361, "red"},
}

// colourName names a colour in everyday words. The bounds are ours: people
// draw them differently.
func colourName(red, green, blue uint8) string {
	high, low := max(red, green, blue), min(red, green, blue)
	value := float64(high) / 255
	spread := float64(high) - float64(low)
	if high < 40 {
		return "black"
	}
	if saturation := spread / float64(high); saturation < 0.13 || spread < 14 {
		switch {
		case value > 0.9:
			return "white"
		case value > 0.68:
			return "light grey"
		case value > 0.36:
			return "grey"
		}
		return "dark grey"
	}
	return tinted(angle(red, green, blue), spread/float64(high), value)
}

// tints are other words for a hue, "" = any, within bounds of its angle, saturation and value. The first that fits holds.
var tints = []struct {
	hue                                                string
	angleUnder, saturationUnder, valueUnder, valueOver float64
	name                                               string
}{
	{"orange", 361, 0.4, 2, 0.65, "beige"}, {"yellow", 361, 0.4, 2, 0.65, "beige"},
	{"orange", 361, 2, 0.68, 0, "brown"}, {"red", 361, 0.6, 0.5, 0, "brown"}, {"yellow", 52, 2, 0.6, 0, "brown"},
	{"red", 361, 0.5, 2, 0.7, "pink"},
	{"", 361, 2, 0.4, 0, "dark "}, {"", 361, 0.4, 2, 0.75, "light "},
}

func tinted(angle, saturation, value float64) string {
	hue := hueNames[slices.IndexFunc(hueNames, func(h hueName) bool { return angle < h.upTo })].name
	for _, t := range tints {
		if (t.hue == "" || t.hue == hue) && angle < t.angleUnder && saturation < t.saturationUnder && value < t.valueUnder && value > t.valueOver {
			if t.hue == "" {
				return t.name + hue
			}
			return t.name
		}
	}
	return hue
}

// angle is the hue of a colour in degrees: 0 red, 120 green, 240 blue.
func angle(red, green, blue uint8) float64 {
	r, g, b := float64(red), float64(green), float64(blue)
	high, low := max(r, g, b), min(r, g, b)
	var a float64
	switch high {
	case r:
		a = (g - b) / (high - low)
	case g:
		a = 2 + (b-r)/(high-low)
	default:
		a = 4 + (r-g)/(high-low)
	}
	return math.Mod(60*a+360, 360)
}
