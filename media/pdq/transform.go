package pdq

import (
	"math"
	"sync"
)

// smoothed smooths a picture by two passes of a box filter.
func smoothed(pix []byte, width, height int) []float64 {
	a, spare := make([]float64, width*height), make([]float64, width*height)
	for i := range a {
		a[i] = float64(pix[i])
	}
	across, down := boxSize(width), boxSize(height)
	for range 2 {
		for y := range height {
			box(spare[y*width:], a[y*width:], width, 1, across)
		}
		for x := range width {
			box(a[x:], spare[x:], height, width, down)
		}
	}
	return a
}

// places are the 64 places of n at which points are taken, inside margins that are a share of n.
func places(margin float64, n int) (at [side]int) {
	first := margin * float64(n)
	for i := range at {
		at[i] = int(first + (float64(i)+0.5)*(float64(n)-2*first)/side)
	}
	return at
}

// mirroredColumns are the columns that hold what the points of the mirror image would have, from the left of this picture.
func (p *picture) mirroredColumns() (at [side]int) {
	left, right := reach(boxSize(p.width))
	for j, x := range places(0, p.width) { // in the mirror image
		at[side-1-j] = min(max(p.width-1-x-2*(right-left), 0), p.width-1) // two passes
	}
	return at
}

// points takes the points of some columns and rows. The filter is that of the whole picture: inside small margins the difference
// is less than a pixel.
func (p *picture) points(columns, rows [side]int) *[side * side]float64 {
	var out [side * side]float64
	for i, y := range rows {
		for j, x := range columns {
			out[i*side+j] = p.smooth[y*p.width+x]
		}
	}
	return &out
}

// boxSize is the width of the filter for a side: half of what one point stands for.
func boxSize(n int) int { return (n + 2*side - 1) / (2 * side) }

// reach is how far a window reaches to each side.
func reach(window int) (left, right int) {
	right = (window+2)/2 - 1
	return window - 1 - right, right
}

// box writes the mean of the window around each of n values, which lie step apart. At the edges the
// window has only what is there.
func box(to, from []float64, n, step, window int) {
	left, right := reach(window)
	sum, count := 0., 0
	for i := -right; i < n; i++ {
		if in := i + right; in < n {
			sum += from[in*step]
			count++
		}
		if out := i - left - 1; out >= 0 {
			sum -= from[out*step]
			count--
		}
		if i >= 0 {
			to[i*step] = sum / float64(count)
		}
	}
}

// cosines are the first rows of the discrete cosine transform of 64 points, without the constant one.
var cosines = sync.OnceValue(func() *[kept][side]float64 {
	var d [kept][side]float64
	for i := range d {
		for j := range d[i] {
			d[i][j] = math.Sqrt(2./side) * math.Cos(math.Pi/2/side*float64(i+1)*float64(2*j+1))
		}
	}
	return &d
})

// transform computes the low frequencies of a picture, D A Dᵀ.
func transform(a *[side * side]float64) (b [kept * kept]float64) {
	d := cosines()
	var half [kept][side]float64
	for i := range kept {
		for k := range side {
			factor, row := d[i][k], a[k*side:][:side]
			for j, v := range row {
				half[i][j] += factor * v
			}
		}
	}
	for i := range kept {
		for j := range kept {
			sum := 0.
			for k, v := range half[i] {
				sum += v * d[j][k]
			}
			b[i*kept+j] = sum
		}
	}
	return b
}
