package plane

import "math"

// How shapes are compared: pictures are made small, so that noise and little motion do not
// count, and cut into blocks. Chosen on made clips of lamps, flashes and cuts.
const (
	shapesWide = 80
	shapesHigh = 48
	shapeSide  = 8 // small pixels

	shapeText  = 3.0  // least standard deviation of a block with shapes, of 255, in one picture
	shapeFaint = 0.8  // and in the other
	shapeAlike = 0.6  // least correlation
	shapeMost  = 0.6  // least share of blocks that are alike
	shapeFew   = 6    // blocks, to judge by
	tooDark    = 40.0 // of 255: shapes may be lost in the dark
	clipDark   = 2.0
	clipBright = 245.0
	barDark    = 24.0 // bars around a picture are not brighter
)

// SameShapes reports whether two pictures of one size show the same, however bright
// they are: as before and after a lamp is switched on. It is not known where too few
// places have shapes in both pictures.
func (p *Plane) SameShapes(o *Plane) (same, known bool) {
	a, b := p.small(), o.small()
	if len(a.pix) != len(b.pix) {
		return false, false
	}
	x0, y0, x1, y1 := withoutBars(a, b)
	alike, all := 0, 0
	for y := y0; y+shapeSide <= y1; y += shapeSide {
		for x := x0; x+shapeSide <= x1; x += shapeSide {
			switch blockShapes(a, b, x, y) {
			case shapesSame:
				alike++
				all++
			case shapesOther:
				all++
			}
		}
	}
	return float64(alike) >= shapeMost*float64(all), all >= shapeFew
}

// What the shapes of a block are in two pictures.
const (
	shapesUnknown = iota
	shapesSame
	shapesOther
)

// blockShapes compares a block by its small pixels that are clipped in neither picture.
func blockShapes(a, b *smallPlane, x0, y0 int) int {
	var n, sa, sb, saa, sbb, sab float64
	for y := y0; y < y0+shapeSide; y++ {
		for x := x0; x < x0+shapeSide; x++ {
			u, v := a.pix[y*a.width+x], b.pix[y*b.width+x]
			if min(u, v) < clipDark || max(u, v) > clipBright {
				continue
			}
			n, sa, sb, saa, sbb, sab = n+1, sa+u, sb+v, saa+u*u, sbb+v*v, sab+u*v
		}
	}
	if n < shapeSide*shapeSide/2 {
		return shapesUnknown
	}
	meanA, meanB := sa/n, sb/n
	devA, devB := math.Sqrt(max(saa/n-meanA*meanA, 0)), math.Sqrt(max(sbb/n-meanB*meanB, 0))
	faint := meanA
	if devB < devA {
		faint = meanB
	}
	switch {
	case max(devA, devB) < shapeText:
		return shapesUnknown
	case min(devA, devB) < shapeFaint && faint < tooDark:
		return shapesUnknown
	case min(devA, devB) < shapeFaint, (sab/n-meanA*meanB)/(devA*devB) < shapeAlike:
		return shapesOther
	}
	return shapesSame
}

// A smallPlane has means of brightness.
type smallPlane struct {
	width, height int
	pix           []float64
}

func (p *Plane) small() *smallPlane {
	s := &smallPlane{width: min(p.Width, shapesWide), height: min(p.Height, shapesHigh)}
	s.pix = make([]float64, s.width*s.height)
	for y := range s.height {
		y0, y1 := y*p.Height/s.height, (y+1)*p.Height/s.height
		for x := range s.width {
			x0, x1 := x*p.Width/s.width, (x+1)*p.Width/s.width
			sum := 0
			for v := y0; v < y1; v++ {
				for _, b := range p.Pix[v*p.Width+x0 : v*p.Width+x1] {
					sum += int(b)
				}
			}
			s.pix[y*s.width+x] = float64(sum) / float64((y1-y0)*(x1-x0))
		}
	}
	return s
}

// withoutBars returns the part of two pictures without the borders that are dark in both.
func withoutBars(a, b *smallPlane) (x0, y0, x1, y1 int) {
	x0, y0 = a.width, a.height
	for y := range a.height {
		for x := range a.width {
			if i := y*a.width + x; max(a.pix[i], b.pix[i]) > barDark {
				x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			}
		}
	}
	return x0, y0, x1, y1
}
