package captioncheck

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Tolerances of what is said of the picture, and why.
const (
	brightOff = 3.0  // of 255: another scaling, another conversion to grey
	shareOff  = 0.08 // of a colour's share: it is measured in two frames a second
	lengthOff = 0.25 // share of a fade's length, or 0.15 s
	fadedS    = 0.15
	speedOff  = 0.35 // share of a motion's speed, or speedLeast
	flashS    = 0.25 // what comes back sooner is a flash and no cut
	speedLow  = 1.5  // % of the width a second: a pixel in two thirds of a second
)

var pictureTemplates = []template{
	{form(`the clip has no picture`), func(x *claim) string { return unless(x.c.picture == nil, "there is one") }},
	{form(`there are (\d+) shots in {T}, parted by hard cuts or black`), shots},
	{form(`there is one shot in {T}, at (.*) s`), oneShot},
	{form(`no cut was found: the picture seems to be one continuous shot of {T}`), noCut},
	{form(`no cut was found in {T}, but perhaps a dissolve`), noCut},
	{form(`no cut was found in {T}, but the colours change`), coloursChange},
	{form(`the picture is black throughout, for {T}`), func(x *claim) string {
		x.from, x.to = x.c.picture.start, x.c.picture.end
		return either(blackThere(x), lasts(x, 1))
	}},
	{form(`on the whole the picture is ([a-z ]+): its mean brightness is {N} of 255`), func(x *claim) string { return bright(x, x.c.picture.start, x.c.picture.end, x.m[1], x.n(2)) }},
	{form(`it is the (darkest|brightest) shot, ([a-z ]+) \(mean brightness {N} of 255\)`), shotBrightness},
	{form(`in the whole clip the dominant colours? (?:is|are) ([^;]*)`), func(x *claim) string { return coloursLater(x, x.c.picture.start, x.c.picture.end) }},
	{form(`the dominant colours? (?:is|are) ([^;]*)`), func(x *claim) string { return coloursLater(x, x.from, x.to) }},
	{form(`the picture grows (darker|brighter), from a mean brightness of about {N} to {N} of 255`), grows},
	{form(`the picture is black(?:: it fades out before and in again after, a fade through black|, after a fade-out of {T}|, before a fade-in of {T})?`), blackSpan},
	{form(`the picture flashes: it changes at once and is as it was within a quarter of a second`), flash},
	{form(`one picture seems to dissolve into another`), dissolve},
	{form(`the picture is nearly still`), still},
	{form(`the picture as a whole does not move: the camera seems to be fixed`), fixed},
	{form(`the camera seems to move or (pan left|pan right|tilt up|tilt down): the picture as a whole shifts by {N} % of its (?:width|height) a second`), pan},
	{form(`the camera seems to move or zoom (in|out): the picture as a whole changes its size by {N} % a second`), zoom},
	{form(`black bars lie above and below the picture \(letterbox\), {N} % and {N} % of the height; what they leave is {N} times as wide as high`), func(x *claim) string { return bars(x, x.n(1), x.n(2), 0, 0, x.n(3)) }},
	{form(`black bars stand left and right of the picture \(pillarbox\), {N} % and {N} % of the width; what they leave is {N} times as wide as high`), func(x *claim) string { return bars(x, 0, 0, x.n(1), x.n(2), x.n(3)) }},
	{form(`black bars frame the picture on all sides; what they leave is {N} times as wide as high`), func(x *claim) string { return bars(x, -1, -1, -1, -1, x.n(1)) }},
	{form(`the picture (cuts|may cut)`), cutAt},
}

func either(whys ...string) string {
	for _, why := range whys {
		if why != "" {
			return why
		}
	}
	return ""
}

// lasts: a length of the picture is told, to a frame.
func lasts(x *claim, i int) string {
	long := x.c.picture.end - x.c.picture.start
	return unless(math.Abs(long-number(x.m[i])) <= max(0.02, x.c.picture.frameLong), "the picture lasts %.2f s", long)
}

// index is that of the frame shown at a time.
func (p *picture) index(t float64) int {
	i, _ := slices.BinarySearchFunc(p.frames, t+0.006, func(f frame, t float64) int {
		if f.at <= t {
			return -1
		}
		return 1
	})
	return min(len(p.frames)-1, max(0, i-1))
}

// between are the frames that begin in a stretch; the one shown in it if none
// does.
func (p *picture) between(from, to float64) []frame {
	i := p.index(from)
	if p.frames[i].at < from-0.006 && i+1 < len(p.frames) && p.frames[i+1].at < to-0.006 {
		i++
	}
	j := i + 1
	for j < len(p.frames) && p.frames[j].at < to-0.006 {
		j++
	}
	return p.frames[i:j]
}

// each calls f with the frames of a stretch and how long each is shown in it.
func (p *picture) each(from, to float64, f func(fr *frame, long float64)) {
	for i := range p.frames {
		start, end := p.frames[i].at, p.end
		if i+1 < len(p.frames) {
			end = p.frames[i+1].at
		}
		if long := min(end, to) - max(start, from); long > 1e-6 {
			f(&p.frames[i], long)
		}
	}
}

func brightness(f *frame) float64 {
	sum := 0
	for _, v := range f.grey {
		sum += int(v)
	}
	return float64(sum) / float64(len(f.grey))
}

// mean is the mean brightness of a stretch, over time.
func (p *picture) mean(from, to float64) float64 {
	sum, all := 0., 0.
	p.each(from, to, func(f *frame, long float64) { sum, all = sum+brightness(f)*long, all+long })
	return sum / all
}

// apart is the mean difference of two frames over all colours, of 255.
func apart(a, b *frame) float64 {
	sum := 0
	for i, v := range a.rgb {
		d := int(v) - int(b.rgb[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(len(a.rgb))
}

// isCut: the frame at i is another picture than the one before, the frames
// around do not change as much, and what is shown a quarter of a second later is
// not what was shown before, as after a flash.
func (p *picture) isCut(i int, least, times float64) bool {
	if i < 1 || i >= len(p.frames) {
		return false
	}
	change := apart(&p.frames[i-1], &p.frames[i])
	if change < least {
		return false
	}
	for _, d := range []int{-2, -1, 1, 2} {
		if j := i + d; j >= 1 && j < len(p.frames) && apart(&p.frames[j-1], &p.frames[j]) > change/times {
			return false
		}
	}
	after := min(len(p.frames)-1, p.index(p.frames[i].at+flashS))
	before := p.index(p.frames[i].at - 0.3)
	return apart(&p.frames[i-1], &p.frames[after]) > change/2 && apart(&p.frames[before], &p.frames[after]) > change/2
}

// isLasting: all frames of the quarter of a second after the frame at i are another
// picture than the one before it, and those of a fifth of a second before it are
// not: what comes after the cut may flicker.
func (p *picture) isLasting(i int, least float64) bool {
	if i < 1 || i >= len(p.frames) {
		return false
	}
	before, change := &p.frames[i-1], apart(&p.frames[i-1], &p.frames[i])
	for j := range p.frames {
		long := p.frames[j].at - p.frames[i].at
		d := apart(before, &p.frames[j])
		if long < 0 && long > -0.2 && d > 0.8*change || long >= 0 && long < flashS && d < 0.5*change {
			return false
		}
	}
	return change >= least
}

func (p *picture) shotsOf(text string) (list [][2]float64) {
	for _, item := range strings.Split(text, ", ") {
		a, b, _ := strings.Cut(item, "–")
		list = append(list, [2]float64{number(a), number(b)})
	}
	return list
}

// shots: as many were told, and they cover the picture but for black.
func shots(x *claim) string {
	p, list := x.c.picture, x.said.shots
	x.said.counted = true
	if len(list) != int(x.n(1)) {
		return fmt.Sprintf("%d are told", len(list))
	}
	if why := lasts(x, 2); why != "" {
		return why
	}
	at := p.start
	for i := 0; i <= len(list); i++ {
		to := p.end
		if i < len(list) {
			to = list[i][0]
		}
		if to < at-max(0.02, p.frameLong) || to > at+max(0.011, p.frameLong) && p.darkest(at, to) < 0.97 {
			return fmt.Sprintf("from %.2f to %.2f s it is not black", at, to)
		}
		if i < len(list) {
			at = list[i][1]
		}
	}
	return ""
}

// openShot: shots are numbered, none begins before the last one ends, between
// them is black, and a cut is where one is told.
func (x *claim) openShot(n int, cut, black bool) (whys []string) {
	p, list := x.c.picture, x.said.shots
	if n != len(list)+1 {
		whys = append(whys, fmt.Sprintf("%d shots were told before", len(list)))
	}
	if len(list) > 0 {
		switch gap := x.from - list[len(list)-1][1]; {
		case gap < -0.011:
			whys = append(whys, fmt.Sprintf("the shot before ends at %.2f s", list[len(list)-1][1]))
		case gap < 0.011 && !cut:
			whys = append(whys, "it joins the shot before, and no cut is told")
		case gap > 0.011 && p.darkest(x.from-gap, x.from) < 0.97:
			whys = append(whys, "between it and the shot before it is not black")
		case gap < 0.011 && black:
			whys = append(whys, "it joins the shot before, and no black is between them")
		}
	}
	if cut {
		x.said.cuts = append(x.said.cuts, x.from)
		if !p.cutNear(x.from) {
			whys = append(whys, fmt.Sprintf("there is no cut at %.2f s", x.from))
		}
	}
	x.said.shots = append(list, [2]float64{x.from, x.to})
	return whys
}

// openShots: shots in which nothing else is told, each with a cut at its start.
func (x *claim) openShots(first, last int, from, to float64, times string) (whys []string) {
	starts := regexp.MustCompile(`, | and `).Split(times, -1)
	if len(starts) != last-first+1 || number(strings.TrimSuffix(starts[0], " s")) != from {
		return []string{fmt.Sprintf("%d are listed", len(starts))}
	}
	for i, text := range starts {
		y := *x
		y.from, y.to = number(strings.TrimSuffix(text, " s")), to
		if i+1 < len(starts) {
			y.to = number(strings.TrimSuffix(starts[i+1], " s"))
		}
		whys = append(whys, y.openShot(first+i, true, false)...)
	}
	return whys
}

func oneShot(x *claim) string {
	x.said.counted, x.said.shots = true, x.c.picture.shotsOf(x.m[2])
	return either(lasts(x, 1), noCutWithin(x, x.said.shots[0][0], x.said.shots[0][1]))
}

func noCut(x *claim) string {
	x.said.counted = true
	return either(lasts(x, 1), noCutWithin(x, x.c.picture.start, x.c.picture.end))
}

// noCutWithin: no frame is quite another picture than the one before, in any
// colour.
func noCutWithin(x *claim, from, to float64) string {
	p := x.c.picture
	for i := 1; i < len(p.frames); i++ {
		if p.frames[i].at > from+0.01 && p.frames[i].at < to-0.01 && p.isCut(i, 20, 4) {
			return fmt.Sprintf("at %.2f s there is a cut", p.frames[i].at)
		}
	}
	return ""
}

// coloursChange: from one half second to the next.
func coloursChange(x *claim) string {
	p := x.c.picture
	x.said.counted = true
	most := 0.
	for t := p.start; t+0.5 < p.end; t += 0.25 {
		most = max(most, apart(&p.frames[p.index(t)], &p.frames[p.index(t+0.5)]))
	}
	return either(lasts(x, 1), unless(most >= 10, "by %.1f at most", most))
}

// cutNear: at a time, give or take a frame, the picture changes more than around
// it, for good.
func (p *picture) cutNear(at float64) bool {
	i, found := p.index(at), false
	for j := i - 1; j <= i+1; j++ {
		found = found || p.isCut(j, 6, 1.25) || p.isLasting(j, 6)
	}
	return found
}

// cutAt: a cut that no shot begins with, such as one to black.
func cutAt(x *claim) string {
	x.said.cuts = append(x.said.cuts, x.from)
	return unless(strings.EqualFold(x.m[1], "may cut") || x.c.picture.cutNear(x.from), "there is no cut")
}

var lights = []grade{{"nearly black", 0, 20}, {"dark", 20, 60}, {"rather dark", 60, 100}, {"of medium brightness", 100, 155}, {"bright", 155, 200}, {"very bright", 200, 256}}

func bright(x *claim, from, to float64, word string, told float64) string {
	own := x.c.picture.mean(from, to)
	return unless(math.Abs(own-told) <= brightOff && graded(lights, word, own, brightOff), "it is %.1f", own)
}

// shotBrightness is compared with that of all shots once they are told.
func shotBrightness(x *claim) string {
	y := *x
	x.said.later = append(x.said.later, later{x.sentence, func() string {
		own := y.c.picture.mean(y.from, y.to)
		there := false
		for _, s := range y.said.shots {
			there = there || math.Abs(s[0]-y.from) < 0.011 && math.Abs(s[1]-y.to) < 0.011
			other := y.c.picture.mean(s[0], s[1])
			if strings.EqualFold(y.m[1], "darkest") && other < own-brightOff || strings.EqualFold(y.m[1], "brightest") && other > own+brightOff {
				return fmt.Sprintf("that from %.2f s has %.1f, this one %.1f", s[0], other, own)
			}
		}
		return unless(there, "no shot is told of that time")
	}})
	return bright(x, x.from, x.to, x.m[2], x.n(3))
}

// grows: from the first to the last fifth of a second, and mostly all along.
func grows(x *claim) string {
	p := x.c.picture
	first, last := p.mean(x.from, x.from+0.2), p.mean(x.to-0.2, x.to)
	up := 1.
	if strings.EqualFold(x.m[1], "darker") {
		up = -1
	}
	against, along := 0., 0.
	list := p.between(x.from, x.to)
	for i := 1; i < len(list); i++ {
		if d := up * (brightness(&list[i]) - brightness(&list[i-1])); d > 0 {
			along += d
		} else {
			against -= d
		}
	}
	off := 0.2*math.Abs(last-first) + brightOff
	right := up*(last-first) > 15 && against < along/2
	if x.again {
		return unless(right, "from %.0f to %.0f", first, last)
	}
	return unless(right && math.Abs(first-x.n(2)) <= off && math.Abs(last-x.n(3)) <= off, "from %.0f to %.0f", first, last)
}

// darkest is the least share of dark pixels of any frame in a stretch.
func (p *picture) darkest(from, to float64) float64 {
	least := 1.
	for _, f := range p.between(from, to) {
		n := 0
		for _, v := range f.grey {
			if v <= 32 {
				n++
			}
		}
		least = min(least, float64(n)/float64(len(f.grey)))
	}
	return least
}

// blackThere: 97 of 100 pixels are dark, and not five in a thousand bright.
func blackThere(x *claim) string {
	p := x.c.picture
	if got := p.darkest(x.from, x.to); got < 0.97 {
		return fmt.Sprintf("%.1f %% of a frame are dark", 100*got)
	}
	for _, f := range p.between(x.from, x.to) {
		n := 0
		for _, v := range f.grey {
			if v > 80 {
				n++
			}
		}
		if share := float64(n) / float64(len(f.grey)); share > 0.005 {
			return fmt.Sprintf("%.1f %% of the frame at %.2f s are bright", 100*share, f.at)
		}
	}
	return ""
}

func blackSpan(x *claim) string {
	x.said.black = append(x.said.black, [2]float64{x.from, x.to})
	why := blackThere(x)
	text := strings.ToLower(x.m[0])
	through := strings.Contains(text, "fade through")
	if through || x.m[1] != "" {
		why = either(why, x.faded(-1, x.m[1]))
	}
	if through || x.m[2] != "" {
		why = either(why, x.faded(1, x.m[2]))
	}
	return why
}

// faded: next to black the picture darkens, or brightens, over at least two
// frames that are neither black nor as bright as before; as long as is told.
func (x *claim) faded(way int, told string) string {
	p := x.c.picture
	edge := x.from
	i := p.index(x.from) - 1
	if way > 0 {
		edge = x.to
		i = p.index(x.to + 0.002)
	}
	top, steps := 0., 0
	var list []frame
	for ; i >= 0 && i < len(p.frames) && math.Abs(p.frames[i].at-edge) <= 2.2; i += way {
		b := brightness(&p.frames[i])
		if b < top-3 {
			break
		}
		top = max(top, b)
		list = append(list, p.frames[i])
	}
	long := math.NaN()
	for i := range list {
		b := brightness(&list[i])
		if b >= 0.8*top {
			long = math.Abs(list[i].at - edge)
			break
		}
		if b > 0.05*top {
			steps++
		}
	}
	if steps < 1 {
		return "it does not fade, it changes at once"
	}
	if told == "" || x.again {
		return ""
	}
	return unless(math.Abs(long-number(told)) <= max(fadedS, lengthOff*long, 1.5*p.frameLong), "the fade takes %.2f s", long)
}

// flash: the picture changes at once and comes back within 0.25 s, give or take
// a frame.
func flash(x *claim) string {
	p := x.c.picture
	for i := max(1, p.index(x.from)-1); i <= p.index(x.from)+1 && i < len(p.frames); i++ {
		change := apart(&p.frames[i-1], &p.frames[i])
		for j := i + 1; j < len(p.frames) && p.frames[j].at <= p.frames[i].at+0.26+p.frameLong; j++ {
			if change > 6 && apart(&p.frames[i-1], &p.frames[j]) < 0.35*change {
				return ""
			}
		}
	}
	return "it does not come back"
}

// dissolve: what is shown before and after differs, and in between there is a
// mixture of both.
func dissolve(x *claim) string {
	p := x.c.picture
	x.said.moving = append(x.said.moving, [2]float64{x.from, x.to})
	list := p.between(x.from, x.to+0.01)
	a, b := &list[0], &list[len(list)-1]
	size := apart(a, b)
	best := math.Inf(1)
	for k := 1; k+1 < len(list); k++ {
		for w := 0.2; w <= 0.8; w += 0.1 {
			rest := 0.
			for i, v := range list[k].grey {
				rest += math.Abs(float64(v) - w*float64(a.grey[i]) - (1-w)*float64(b.grey[i]))
			}
			best = min(best, rest/float64(len(a.grey)))
		}
	}
	return unless(size > 8 && best < 0.4*size, "before and after differ by %.1f, of which no mixture explains %.1f", size, best)
}

// still: no frame differs by more than a level in the mean from the first, nor
// clearly in more than one of a hundred pixels.
func still(x *claim) string {
	x.said.still = append(x.said.still, [2]float64{x.from, x.to})
	list := x.c.picture.between(x.from, x.to)
	for i := range list {
		n := 0
		for k, v := range list[i].grey {
			if d := int(v) - int(list[0].grey[k]); d > 30 || d < -30 {
				n++
			}
		}
		if d := apart(&list[0], &list[i]); d > 1.5 || float64(n) > 0.01*float64(len(list[i].grey)) {
			return fmt.Sprintf("at %.2f s it differs by %.2f, clearly in %d pixels", list[i].at, d, n)
		}
	}
	return ""
}

// dark is how many rows at the top and the bottom, and columns at the left and
// the right, are dark in all frames.
func (p *picture) dark() (sides [4]int) {
	is := func(from, step, n int) bool {
		for f := range p.frames {
			for k := range n {
				if p.frames[f].grey[from+k*step] > 40 {
					return false
				}
			}
		}
		return true
	}
	for sides[0] < p.height && is(sides[0]*p.width, 1, p.width) {
		sides[0]++
	}
	for sides[1] < p.height-sides[0] && is((p.height-1-sides[1])*p.width, 1, p.width) {
		sides[1]++
	}
	for sides[2] < p.width && is(sides[2], p.width, p.height) {
		sides[2]++
	}
	for sides[3] < p.width-sides[2] && is(p.width-1-sides[3], p.width, p.height) {
		sides[3]++
	}
	return sides
}

// bars: rows, or columns, that are dark in all frames, to 2.5 % of the height or
// width: a row or two are blurred.
func bars(x *claim, top, bottom, left, right, aspect float64) string {
	p := x.c.picture
	own := p.dark()
	for i, told := range []float64{top, bottom, left, right} {
		if told == 0 {
			own[i] = 0 // not told of
		}
	}
	x.said.bars = own
	of := [4]int{p.height, p.height, p.width, p.width}
	for i, told := range []float64{top, bottom, left, right} {
		share := 100 * float64(own[i]) / float64(of[i])
		if told > 0 && math.Abs(told-share) > 2.5 || told < 0 && share < 1 {
			return fmt.Sprintf("they cover %d of %d rows and columns", own, of)
		}
	}
	wide := float64(p.ownWidth*(p.width-own[2]-own[3])) / float64(p.width) / (float64(p.ownHeight*(p.height-own[0]-own[1])) / float64(p.height))
	return unless(math.Abs(wide-aspect) <= 0.06*wide, "what they leave is %.2f times as wide as high", wide)
}
