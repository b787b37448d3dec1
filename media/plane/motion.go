package plane

import "math"

// How the motion of the entire picture is found: blocks of one picture are looked for
// in the next, and a shift with a zoom that explains most of them is that of the camera, as
// far as one picture shows.
const (
	gridX     = 8
	gridY     = 6
	reachX    = 12 // pixels at half the size, 15 % of the width of 160 pixels
	reachY    = 8
	texture   = 12  // least mean difference within a block from its mean
	matchMost = 14  // most mean difference of a found block
	textured  = 12  // least blocks with texture
	agree     = 0.7 // least share of them that the motion explains
	near      = 1.5 // pixels
)

// A motion is a shift in pixels, to the right and down, and the share by which the picture
// grows.
type motion struct{ Right, Down, Growth float64 }

// A Scaled is brightness at its size, of about 160 pixels in width, and at half of it.
type Scaled struct{ full, half Plane }

// Scale makes the half of a plane.
func Scale(p Plane) *Scaled {
	return &Scaled{full: p, half: Shrunk(p.Pix, p.Width, p.Width, p.Height, max(p.Width/2, 1), max(p.Height/2, 1))}
}

// To finds the motion of the entire picture from a to b; false where no motion explains
// the difference, or where there is too little texture. Where the picture grows, its
// borders leave it: then the way back is clearer.
func (a *Scaled) To(b *Scaled) (m motion, ok bool) {
	if m, ok = explained(a, b); ok {
		return m, true
	}
	if m, ok = explained(b, a); ok {
		return motion{-m.Right, -m.Down, 1/(1+m.Growth) - 1}, true
	}
	return motion{}, false
}

// A shift is where a block at (x, y), from the centre, went.
type shift struct {
	x, y, dx, dy float64
	lost         bool // it was not found again
}

// explained finds the motion that explains most shifts of blocks.
func explained(a, b *Scaled) (m motion, ok bool) {
	shifts := matched(a, b)
	if len(shifts) < textured {
		return m, false
	}
	best, most := motion{}, 0
	try := func(dx, dy, growth float64) {
		n := 0
		for _, s := range shifts {
			if !s.lost && math.Abs(s.dx-dx-growth*s.x) <= near && math.Abs(s.dy-dy-growth*s.y) <= near {
				n++
			}
		}
		if n > most {
			best, most = motion{dx, dy, growth}, n
		}
	}
	try(0, 0, 0) // first: of equals, rest explains most simply
	for i, s := range shifts {
		if s.lost {
			continue
		}
		try(s.dx, s.dy, 0)
		for _, o := range shifts[i+1:] {
			if o.lost {
				continue
			}
			x, y := o.x-s.x, o.y-s.y
			growth := ((o.dx-s.dx)*x + (o.dy-s.dy)*y) / (x*x + y*y)
			try((s.dx+o.dx-growth*(s.x+o.x))/2, (s.dy+o.dy-growth*(s.y+o.y))/2, growth)
		}
	}
	if float64(most) < agree*float64(len(shifts)) {
		return m, false
	}
	best.Growth = math.Max(best.Growth, -0.9)
	return best, true
}

// matched looks for the blocks of a picture that have texture in the next: first at half
// the size, then around what was found.
func matched(a, b *Scaled) (list []shift) {
	full := &a.full
	width, height := full.Width/gridX, full.Height/gridY
	if width < 8 || height < 8 || full.Width != b.full.Width || full.Height != b.full.Height {
		return nil
	}
	for i := range gridX * gridY {
		x, y := i%gridX*width, i/gridX*height
		if roughness(full, x, y, width, height) < texture {
			continue
		}
		dx, dy, _ := seek(&a.half, &b.half, x/2, y/2, width/2, height/2, 0, 0, reachX, reachY)
		dx, dy, cost := seek(full, &b.full, x, y, width, height, 2*dx, 2*dy, 1, 1)
		list = append(list, shift{
			x: float64(x+width/2) - float64(full.Width)/2, y: float64(y+height/2) - float64(full.Height)/2,
			dx: float64(dx), dy: float64(dy), lost: cost > matchMost,
		})
	}
	return list
}

// roughness is the mean difference of a block from its mean.
func roughness(p *Plane, x0, y0, width, height int) float64 {
	sum, rough := 0, 0
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			sum += p.at(x, y)
		}
	}
	mean := sum / (width * height)
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			rough += max(p.at(x, y)-mean, mean-p.at(x, y))
		}
	}
	return float64(rough) / float64(width*height)
}

// seek finds the shift, around a first guess, at which a block of a is most
// alike in b, and the mean difference there. Of equals the shorter wins.
func seek(a, b *Plane, x0, y0, width, height, guessX, guessY, reachX, reachY int) (dx, dy int, cost float64) {
	least, length := math.MaxInt, 0
	for v := guessY - reachY; v <= guessY+reachY; v++ {
		for u := guessX - reachX; u <= guessX+reachX; u++ {
			if x0+u < 0 || y0+v < 0 || x0+u+width > b.Width || y0+v+height > b.Height {
				continue
			}
			sum := 0
			for y := y0; y < y0+height && sum <= least; y++ {
				p, q := a.Pix[y*a.Width+x0:][:width], b.Pix[(y+v)*b.Width+x0+u:][:width]
				for i := range p {
					sum += max(int(p[i])-int(q[i]), int(q[i])-int(p[i]))
				}
			}
			if sum < least || sum == least && u*u+v*v < length {
				least, length, dx, dy = sum, u*u+v*v, u, v
			}
		}
	}
	return dx, dy, float64(least) / float64(width*height)
}
