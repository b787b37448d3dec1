package plot

// A box is a part of the drawing, in pixels.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(other box) bool {
	return b.left < other.right && other.left < b.right && b.top < other.bottom && other.top < b.bottom
}

// names writes the points' names beside them: where there is room, and else where
// they are nearest.
func (d *drawing) names(l *Line) {
	const letter, tall, gap = 6.2, 12.0, 7.0
	for _, p := range l.Points {
		if p.Name == "" {
			continue
		}
		x, y, long := d.x.at(p.X), d.y.at(p.Y), letter*float64(len([]rune(p.Name)))
		places := []struct {
			anchor string
			x, y   float64 // of the text
			box    box
		}{
			{"start", x + gap, y + 4, box{x + gap, y - tall/2, x + gap + long, y + tall/2}},
			{"end", x - gap, y + 4, box{x - gap - long, y - tall/2, x - gap, y + tall/2}},
			{"middle", x, y - gap, box{x - long/2, y - gap - tall, x + long/2, y - gap}},
			{"middle", x, y + gap + tall - 2, box{x - long/2, y + gap, x + long/2, y + gap + tall}},
			{"start", x + gap, y - gap, box{x + gap, y - gap - tall, x + gap + long, y - gap + 2}},
			{"start", x + gap, y + gap + 8, box{x + gap, y + gap - 4, x + gap + long, y + gap + 10}},
		}
		best, fewest := 0, -1
		for i, place := range places {
			meets := 0
			if place.box.left < left || place.box.right > width {
				meets += 2
			}
			for _, taken := range d.taken {
				if place.box.meets(taken) {
					meets++
				}
			}
			if fewest < 0 || meets < fewest {
				best, fewest = i, meets
			}
		}
		d.taken = append(d.taken, places[best].box)
		d.text(places[best].x, places[best].y, places[best].anchor, p.Name, ` font-size="11"`)
	}
}
