package scene

import "math"

// matched looks for the blocks of a picture that have texture in the next:
// first at half the size, then around what was found.
func matched(a, b *picture) (list []shift) {
	width, height := a.luma.width/gridX, a.luma.height/gridY
	if width < 8 || height < 8 || a.luma.width != b.luma.width || a.luma.height != b.luma.height {
		return nil
	}
	for i := range gridX * gridY {
		x, y := i%gridX*width, i/gridX*height
		if roughness(&a.luma, x, y, width, height) < texture {
			continue
		}
		dx, dy, _ := seek(&a.coarse, &b.coarse, x/2, y/2, width/2, height/2, 0, 0, reachX, reachY)
		dx, dy, cost := seek(&a.luma, &b.luma, x, y, width, height, 2*dx, 2*dy, 1, 1)
		list = append(list, shift{
			x: float64(x+width/2) - float64(a.luma.width)/2, y: float64(y+height/2) - float64(a.luma.height)/2,
			dx: float64(dx), dy: float64(dy), lost: cost > matchMost,
		})
	}
	return list
}

// roughness is the mean difference of a block from its mean.
func roughness(p *plane, x0, y0, width, height int) float64 {
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
func seek(a, b *plane, x0, y0, width, height, guessX, guessY, reachX, reachY int) (dx, dy int, cost float64) {
	least, length := math.MaxInt, 0
	for v := guessY - reachY; v <= guessY+reachY; v++ {
		for u := guessX - reachX; u <= guessX+reachX; u++ {
			if x0+u < 0 || y0+v < 0 || x0+u+width > b.width || y0+v+height > b.height {
				continue
			}
			sum := 0
			for y := y0; y < y0+height && sum <= least; y++ {
				p, q := a.pix[y*a.width+x0:][:width], b.pix[(y+v)*b.width+x0+u:][:width]
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
