package ocr

import (
	"image"
	"slices"
	"strings"
	"unicode"

	"omniscope/media"
)

// Tesseract reads a letter that its language data lacks as one that they have, and is sure
// of it: ü as u, é as e, ß as B. The mark that it has not read is
// still in the picture, above the letters and separate from them.
const (
	markZone  = 0.45  // of the height of capitals, from the top of a line: what ends above is a mark
	markAbove = 0.35  // of it: how far above the line marks of capitals are
	markTall  = 0.35  // of it: the tallest mark
	markWide  = 0.6   // of it
	markLeast = 0.003 // of its square: the least area
	sizeLeast = 12    // pixels: in lower capitals, marks run into letters
	partsMost = 4     // parts for each letter: more are a picture behind the words
	inkApart  = 60    // least difference of brightness between words and ground
)

// hasUnread reports whether a line has more marks than the text that was read of it, or a
// letter that is hardly that letter.
func hasUnread(g *image.Gray, l *line) bool {
	if hiddenEszett(l.text) {
		return true
	}
	if l.size < sizeLeast || strings.ContainsFunc(l.text, raised) {
		return false
	}
	marks, parts := marksOf(g, l)
	return parts <= partsMost*letters(l.text) && marks > marksIn(l.text)
}

// raised are characters that are marks themselves, or have parts that look like them.
func raised(r rune) bool {
	return strings.ContainsRune("'’‘`´\"“”„^~°*%™®©=«»¨¯", r)
}

// marksIn is the most marks that a text has: a dot on each i and j, one or two on a letter
// beyond ASCII, and what a colon has above.
func marksIn(text string) (n int) {
	for _, r := range text {
		switch {
		case strings.ContainsRune("ij:;!?", r), strings.ContainsRune("áàâãåéèêíìîóòôõúùûýñšžčřěůňćńśźż", unicode.ToLower(r)):
			n++
		case strings.ContainsRune("çßøæœłđı", unicode.ToLower(r)):
		case r > unicode.MaxASCII:
			n += 2
		}
	}
	return n
}

// hiddenEszett reports whether a B is between small letters, as in no word.
func hiddenEszett(text string) bool {
	list := []rune(text)
	for i := 1; i+1 < len(list); i++ {
		if list[i] == 'B' && unicode.IsLower(list[i-1]) && unicode.IsLower(list[i+1]) {
			return true
		}
	}
	return false
}

// marksOf counts the marks above the letters of a line, and all its parts.
func marksOf(g *image.Gray, l *line) (marks, parts int) {
	area := image.Rect(l.x-1, l.y-int(markAbove*l.size), l.x+l.width+1, l.y+l.height+1).Intersect(g.Rect)
	if area.Empty() {
		return 0, 0
	}
	set, ok := inkIn(g, area)
	if !ok {
		return 0, 0
	}
	for _, p := range partsOf(set, area.Dx(), area.Dy()) {
		size := p.box.Size()
		if float64(p.pixels) < markLeast*l.size*l.size {
			continue
		}
		parts++
		bottom := float64(area.Min.Y + p.box.Max.Y - l.y)
		inside := p.box.Min.Y > 0 && p.box.Min.X > 0 && p.box.Max.X < area.Dx()
		if inside && bottom <= markZone*l.size && float64(size.Y) <= markTall*l.size && float64(size.X) <= markWide*l.size {
			marks++
		}
	}
	return marks, parts
}

// inkIn parts the pixels of an area into ink and ground, half-way between the dark and the
// bright ones; ink is the rarer. ok is false where they hardly differ.
func inkIn(g *image.Gray, area image.Rectangle) (set []bool, ok bool) {
	var all []byte
	for y := area.Min.Y; y < area.Max.Y; y++ {
		at := g.PixOffset(area.Min.X, y)
		all = append(all, g.Pix[at:at+area.Dx()]...)
	}
	sorted := slices.Sorted(slices.Values(all))
	dark, bright := int(sorted[len(sorted)/50]), int(sorted[len(sorted)-1-len(sorted)/50])
	if bright-dark < inkApart {
		return nil, false
	}
	middle, over := byte((dark+bright)/2), 0
	set = make([]bool, len(all))
	for i, v := range all {
		if set[i] = v > middle; set[i] {
			over++
		}
	}
	if 2*over > len(all) {
		for i := range set {
			set[i] = !set[i]
		}
	}
	return set, true
}

// A part is pixels of ink that touch.
type part struct {
	box    image.Rectangle
	pixels int
}

// partsOf finds the parts of an area, row by row; set is used up.
func partsOf(set []bool, width, height int) (list []part) {
	var open []int
	for start := range set {
		if !set[start] {
			continue
		}
		p := part{box: image.Rect(start%width, start/width, start%width+1, start/width+1)}
		set[start] = false
		for open = append(open[:0], start); len(open) > 0; {
			at := open[len(open)-1]
			open = open[:len(open)-1]
			x, y := at%width, at/width
			p.pixels++
			p.box = p.box.Union(image.Rect(x, y, x+1, y+1))
			for v := max(0, y-1); v <= min(height-1, y+1); v++ {
				for u := max(0, x-1); u <= min(width-1, x+1); u++ {
					if i := v*width + u; set[i] {
						set[i] = false
						open = append(open, i)
					}
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// markUnread looks at the pictures of the cards again and marks the lines that have letters
// which were not read as they are.
func (s *session) markUnread(cards []*card, frames []media.Frame) {
	opened := make(map[int]*image.Gray) // by reading
	for _, c := range cards {
		for i := range c.best {
			b := &c.best[i]
			if _, ok := opened[b.frame]; !ok {
				clear(opened) // cards come in order of time
				opened[b.frame] = s.pictureAt(b.frame, frames)
			}
			if g := opened[b.frame]; g != nil && hasUnread(g, &b.line) {
				c.unread = true
			}
		}
	}
}

// pictureAt opens the frame of a reading again; nil where it cannot be.
func (s *session) pictureAt(reading int, frames []media.Frame) *image.Gray {
	at := slices.IndexFunc(frames, func(f media.Frame) bool { return f.Time == s.readings[reading].at })
	if at < 0 {
		return nil
	}
	data, err := frames[at].Bytes()
	if err != nil {
		return nil
	}
	picture, err := luma(data)
	if err != nil {
		return nil
	}
	return picture
}
