package captioncheck

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// A range of hue in degrees (from may be below 0), saturation and value.
type hueRange struct{ hueFrom, hueTo, satFrom, satTo, valFrom, valTo float64 }

// Where words for colours meet is open: hueSlack, satSlack and
// valSlack on either side belong to both.

const (
	hueSlack = 12.0
	satSlack = 0.08
	valSlack = 0.07
)

var hues = map[string][2]float64{
	"red": {-15, 14}, "orange": {14, 42}, "yellow": {42, 68}, "green": {68, 165}, "cyan": {165, 195}, "blue": {195, 255}, "purple": {255, 315}, "pink": {315, 345},
}

func ranges(name string) []hueRange {
	switch name {
	case "black":
		return []hueRange{{-15, 345, 0, 1, 0, 0.157}}
	case "white":
		return []hueRange{{-15, 345, 0, 0.13, 0.9, 1}}
	case "light grey":
		return []hueRange{{-15, 345, 0, 0.13, 0.68, 0.9}}
	case "grey":
		return []hueRange{{-15, 345, 0, 0.13, 0.36, 0.68}}
	case "dark grey":
		return []hueRange{{-15, 345, 0, 0.13, 0.157, 0.36}}
	case "brown":
		return []hueRange{{14, 42, 0.13, 1, 0.157, 0.68}, {-15, 14, 0.13, 0.6, 0.157, 0.5}, {42, 52, 0.13, 1, 0.157, 0.6}}
	case "beige":
		return []hueRange{{14, 68, 0.13, 0.4, 0.65, 1}}
	}
	light, isLight := strings.CutPrefix(name, "light ")
	if isLight {
		h := hues[light]
		return []hueRange{{h[0], h[1], 0.13, 0.4, 0.75, 1}}
	}
	if dark, ok := strings.CutPrefix(name, "dark "); ok {
		h := hues[dark]
		return []hueRange{{h[0], h[1], 0.13, 1, 0.157, 0.4}}
	}
	h, ok := hues[name]
	if !ok {
		return nil
	}
	list := []hueRange{{h[0], h[1], 0.13, 1, 0.4, 0.75}, {h[0], h[1], 0.4, 1, 0.75, 1}}
	switch name {
	case "pink":
		list = append(list, hueRange{-15, 14, 0.13, 0.5, 0.7, 1})
	case "orange":
		list = []hueRange{{h[0], h[1], 0.4, 1, 0.68, 1}}
	case "yellow":
		list = []hueRange{{h[0], h[1], 0.4, 1, 0.6, 1}, {52, h[1], 0.13, 1, 0.4, 0.65}}
	case "red":
		list = []hueRange{{h[0], h[1], 0.5, 1, 0.5, 1}, {h[0], h[1], 0.6, 1, 0.4, 0.5}, {h[0], h[1], 0.13, 0.6, 0.5, 0.7}}
	}
	return list
}

// is reports whether a colour lies in a range widened by a share of the slack;
// a negative share narrows it, where the range meets others.
func (r hueRange) is(h, s, v, slack float64) bool {
	within := func(x, from, to, slack, least, most float64) bool {
		if from > least {
			from -= slack
		}
		if to < most {
			to += slack
		}
		return x >= from && x <= to
	}
	if h > 345 {
		h -= 360
	}
	all := r.hueTo-r.hueFrom >= 360
	hue := all || within(h, r.hueFrom, r.hueTo, slack*hueSlack, -999, 999) || within(h+360, r.hueFrom, r.hueTo, slack*hueSlack, -999, 999) || within(h-360, r.hueFrom, r.hueTo, slack*hueSlack, -999, 999)
	return hue && within(s, r.satFrom, r.satTo, slack*satSlack, 0, 1) && within(v, r.valFrom, r.valTo, slack*valSlack, 0, 1)
}

func hsv(r, g, b byte) (h, s, v float64) {
	x, y, z := float64(r)/255, float64(g)/255, float64(b)/255
	v = max(x, y, z)
	d := v - min(x, y, z)
	if v > 0 {
		s = d / v
	}
	if d > 0 {
		switch v {
		case x:
			h = math.Mod((y-z)/d+6, 6)
		case y:
			h = (z-x)/d + 2
		default:
			h = (x-y)/d + 4
		}
	}
	return 60 * h, s, v
}

// shareOf is the share of a stretch that has a colour, in the narrow and in the
// wide sense of its name.
func (p *picture) shareOf(name string, from, to float64) (narrow, wide float64) {
	list := ranges(name)
	kinds := make(map[[3]byte][2]bool)
	all := 0.
	p.each(from, to, func(f *frame, long float64) {
		all += long * float64(len(f.grey))
		for i := 0; i < len(f.rgb); i += 3 {
			key := [3]byte{f.rgb[i] &^ 1, f.rgb[i+1] &^ 1, f.rgb[i+2] &^ 1}
			k, known := kinds[key]
			if !known {
				h, s, v := hsv(key[0], key[1], key[2])
				for _, r := range list {
					// Where the next range is of the same name nothing is narrowed.
					k[0] = k[0] || r.is(h, s, v, -1)
					k[1] = k[1] || r.is(h, s, v, 1)
				}
				kinds[key] = k
			}
			if k[0] {
				narrow += long
			}
			if k[1] {
				wide += long
			}
		}
	})
	return narrow / all, wide / all
}

// without leaves out rows and columns at the sides: bars that the caption tells
// of.
func (p *picture) without(sides [4]int) *picture {
	q := *p
	q.width, q.height = p.width-sides[2]-sides[3], p.height-sides[0]-sides[1]
	q.frames = nil
	for _, f := range p.frames {
		g := frame{at: f.at}
		for y := sides[0]; y < p.height-sides[1]; y++ {
			i, j := y*p.width+sides[2], (y+1)*p.width-sides[3]
			g.rgb, g.grey = append(g.rgb, f.rgb[3*i:3*j]...), append(g.grey, f.grey[i:j]...)
		}
		q.frames = append(q.frames, g)
	}
	return &q
}

var listedColour = regexp.MustCompile(`^([a-z ]+) \(#([0-9a-f]{6}), (\d+) %\)$`)

// coloursLater checks colours once it is known where bars are.
func coloursLater(x *claim, from, to float64) string {
	y := *x
	x.said.later = append(x.said.later, later{x.sentence, func() string {
		if why := colours(&y, from, to); !y.hedged {
			return why
		}
		return ""
	}})
	return ""
}

// colours: each covers as much, give or take shareOff; its sample has its name;
// and no other covers clearly more than the first.
func colours(x *claim, from, to float64) string {
	first, listed := 0., map[string]bool{}
	list, cropped := strings.CutSuffix(x.m[1], ", bars left out")
	p := x.c.picture
	if cropped {
		p = p.without(x.said.bars)
	}
	off := shareOff + min(0.25, 0.25/(to-from)) // a change is found to half a second
	for i, item := range regexp.MustCompile(`(?:\)), | and `).Split(list, -1) {
		if !strings.HasSuffix(item, ")") {
			item += ")"
		}
		m := listedColour.FindStringSubmatch(item)
		if m == nil {
			return "no template knows the colour " + item
		}
		var r, g, b byte
		fmt.Sscanf(m[2], "%02x%02x%02x", &r, &g, &b)
		h, s, v := hsv(r, g, b)
		is := false
		for _, r := range ranges(m[1]) {
			is = is || r.is(h, s, v, 1)
		}
		if !is {
			return fmt.Sprintf("#%s is not %s", m[2], m[1])
		}
		narrow, wide := p.shareOf(m[1], from, to)
		told := number(m[3]) / 100
		if told < narrow-off || told > wide+off {
			return fmt.Sprintf("%s covers %.0f to %.0f %%", m[1], 100*narrow, 100*wide)
		}
		listed[m[1]] = true
		if i == 0 {
			first = told
		}
	}
	for _, name := range []string{"black", "white", "grey", "light grey", "dark grey", "brown", "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "dark blue", "dark green", "dark red", "light blue", "light green"} {
		if narrow, _ := p.shareOf(name, from, to); !listed[name] && narrow > first+off {
			return fmt.Sprintf("%s covers %.0f %%", name, 100*narrow)
		}
	}
	return ""
}
