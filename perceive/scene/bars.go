package scene

import (
	"fmt"
	"image"
	"math"

	"omniscope/perceive"
)

// What makes bars: rows of next to nothing but dark pixels, beside rows that
// are bright or coloured along most of their length, alike at opposite sides.
const (
	barMost  = 32 // brightness, of 255
	barTint  = 16 // colour difference, of 128
	barShare = 0.98
	barNext  = 0.5  // least share of brighter pixels in the row next to a bar
	barLeast = 0.02 // of the height or width
	barAlike = 0.015
	barSeen  = 0.2 // least share of frames in which the picture begins next to it
)

// margins are the dark rows and columns at the sides of a frame, and whether
// the picture begins all along them.
type margins struct {
	width, height int
	top, bottom   margin
	left, right   margin
}

type margin struct {
	size int
	full bool
}

func marginsOf(frame *image.YCbCr) margins {
	size := frame.Bounds()
	bright := func(x, y int) int {
		x, y = size.Min.X+x, size.Min.Y+y
		c := frame.COffset(x, y)
		if frame.Y[frame.YOffset(x, y)] > barMost || coloured(frame.Cb[c]) || coloured(frame.Cr[c]) {
			return 1
		}
		return 0
	}
	width, height := size.Dx(), size.Dy()
	rows := func(from, step int) margin {
		return dark(height, func(i int) float64 {
			n := 0
			for x := range width {
				n += bright(x, from+i*step)
			}
			return float64(n) / float64(width)
		})
	}
	columns := func(from, step int) margin {
		return dark(width, func(i int) float64 {
			n := 0
			for y := range height {
				n += bright(from+i*step, y)
			}
			return float64(n) / float64(height)
		})
	}
	return margins{width: width, height: height, top: rows(0, 1), bottom: rows(height-1, -1), left: columns(0, 1), right: columns(width-1, -1)}
}

// coloured reports whether a colour difference is more than that of black: a
// deep blue is dark, and no bar.
func coloured(v uint8) bool { return v < 128-barTint || v > 128+barTint }

// dark counts lines up to the first bright one. The row at the border may be
// blurred: the one behind it is asked whether the picture begins.
func dark(most int, bright func(i int) float64) margin {
	for i := range most {
		if bright(i) > 1-barShare {
			return margin{size: i, full: bright(i) >= barNext || bright(min(i+2, most-1)) >= barNext}
		}
	}
	return margin{size: most}
}

// bars are the shares of the frame that black bars cover.
type bars struct {
	top, bottom, left, right float64
	width, height            int // of the frame
}

// letterbox finds the bars that are there in all frames.
func letterbox(pictures []*picture) (b bars) {
	if len(pictures) == 0 {
		return b
	}
	size := pictures[0].margins
	b.width, b.height = size.width, size.height
	b.top, b.bottom = pair(pictures, func(m *margins) (margin, margin, int) { return m.top, m.bottom, m.height })
	b.left, b.right = pair(pictures, func(m *margins) (margin, margin, int) { return m.left, m.right, m.width })
	return b
}

// pair measures two opposite bars.
func pair(pictures []*picture, sides func(*margins) (a, b margin, of int)) (first, second float64) {
	least, other, of := math.MaxInt, math.MaxInt, 1
	for _, p := range pictures {
		a, b, n := sides(&p.margins)
		least, other, of = min(least, a.size), min(other, b.size), n
	}
	lit, full := 0, 0
	for _, p := range pictures {
		a, b, n := sides(&p.margins)
		if a.size+b.size < n {
			lit++
		}
		if a.size <= least+2 && b.size <= other+2 && a.full && b.full {
			full++
		}
	}
	first, second = float64(least)/float64(of), float64(other)/float64(of)
	if lit == 0 || float64(full) < barSeen*float64(lit) || min(first, second) < barLeast || math.Abs(first-second) > barAlike {
		return 0, 0
	}
	return first, second
}

func (b bars) observations() (list []perceive.Observation) {
	if b.top+b.left == 0 {
		return nil
	}
	aspect := float64(b.width) * (1 - b.left - b.right) / (float64(b.height) * (1 - b.top - b.bottom))
	o := perceive.Observation{Kind: perceive.Scene, Sure: 0.9, Values: map[string]float64{
		"top_share": b.top, "bottom_share": b.bottom, "left_share": b.left, "right_share": b.right, "aspect": aspect,
	}}
	switch {
	case b.top > 0 && b.left > 0:
		o.What = fmt.Sprintf("Black bars frame the picture on all sides; what they leave is %.2f times as wide as high.", aspect)
	case b.top > 0:
		o.What = fmt.Sprintf("Black bars lie above and below the picture (letterbox), %.0f %% and %.0f %% of the height; what they leave is %.2f times as wide as high.", 100*b.top, 100*b.bottom, aspect)
	default:
		o.What = fmt.Sprintf("Black bars stand left and right of the picture (pillarbox), %.0f %% and %.0f %% of the width; what they leave is %.2f times as wide as high.", 100*b.left, 100*b.right, aspect)
	}
	return append(list, o)
}
