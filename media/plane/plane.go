// Package plane compares small pictures: how much they differ, and which motion of the
// entire picture leads from one to the next. It does not decode: see package media.
package plane

// A Plane is one component of a picture, row by row: brightness or a colour difference.
type Plane struct {
	Width, Height int
	Pix           []uint8
}

func (p *Plane) at(x, y int) int { return int(p.Pix[y*p.Width+x]) }

// Mean is the mean of all pixels.
func (p *Plane) Mean() float64 {
	return float64(total(p.Pix)) / float64(max(len(p.Pix), 1))
}

// Difference is the mean absolute difference of two planes of one size, 0 to 255; 0 if their
// sizes differ.
func (p *Plane) Difference(o *Plane) float64 {
	if len(p.Pix) != len(o.Pix) || len(p.Pix) == 0 {
		return 0
	}
	return Difference(p.Pix, o.Pix)
}

// Part copies the rectangle from (x0, y0) to before (x1, y1). An empty one is the entire plane.
func (p *Plane) Part(x0, y0, x1, y1 int) Plane {
	if x0 >= x1 || y0 >= y1 {
		return *p
	}
	q := Plane{Width: x1 - x0, Height: y1 - y0}
	for y := y0; y < y1; y++ {
		q.Pix = append(q.Pix, p.Pix[y*p.Width+x0:y*p.Width+x1]...)
	}
	return q
}

// Shrunk scales rows of pixels to width and height by means. Its stride is the distance of
// two rows.
func Shrunk(pix []uint8, stride, fromWidth, fromHeight, width, height int) Plane {
	p := Plane{Width: width, Height: height, Pix: make([]uint8, width*height)}
	for y := range height {
		y0 := y * fromHeight / height
		y1 := max(y0+1, (y+1)*fromHeight/height)
		for x := range width {
			x0 := x * fromWidth / width
			x1 := max(x0+1, (x+1)*fromWidth/width)
			sum := 0
			for v := y0; v < y1; v++ {
				for _, b := range pix[v*stride+x0 : v*stride+x1] {
					sum += int(b)
				}
			}
			p.Pix[y*width+x] = uint8(sum / ((y1 - y0) * (x1 - x0)))
		}
	}
	return p
}

// Unlike is the share of pixels without a counterpart of the same value in the other plane,
// wherever it is: values are counted in 16 steps, blurred by one, so that values at a limit
// do not jump.
func (p *Plane) Unlike(o *Plane) float64 {
	a, b := p.histogram(), o.histogram()
	sum := 0.0
	for i := range a {
		sum += max(a[i]-b[i], 0)
	}
	return sum
}

func (p *Plane) histogram() (h [16]float64) {
	var counts [256]int
	for _, v := range p.Pix {
		counts[v]++
	}
	each := 1 / float64(max(len(p.Pix), 1))
	for v, n := range counts {
		at, part := v/16, float64(v%16)/16
		h[at] += float64(n) * each * (1 - part)
		h[min(at+1, 15)] += float64(n) * each * part
	}
	return h
}
