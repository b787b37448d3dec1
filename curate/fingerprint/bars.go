package fingerprint

import "omniscope/media"

// Rows and columns at an edge of which no point is lighter than barLevel are bars. The picture inside is compared if it has
// lost at least barLeast points and a fiftieth of a side, and keeps more than a third of each side.
const (
	barLevel = 40
	barLeast = 3
)

// insideBars is the picture without black bars above, below, left and right; nil = it has none.
func insideBars(g media.Grey) (pix []byte, width, height int) {
	top, bottom := inside(g.Height, g.Width, func(row, column int) byte { return g.Pix[row*g.Width+column] })
	left, right := inside(g.Width, bottom-top, func(column, row int) byte { return g.Pix[(top+row)*g.Width+column] })
	width, height = right-left, bottom-top
	if !cutOff(g.Width, width) && !cutOff(g.Height, height) || 3*width < g.Width || 3*height < g.Height {
		return nil, 0, 0
	}
	for y := top; y < bottom; y++ {
		pix = append(pix, g.Pix[y*g.Width+left:y*g.Width+right]...)
	}
	return pix, width, height
}

func cutOff(side, rest int) bool { return side-rest >= max(barLeast, side/50) }

// inside are the first of n lines that is no bar, and the end of the last.
func inside(n, length int, at func(line, i int) byte) (from, to int) {
	isBar := func(line int) bool {
		for i := range length {
			if at(line, i) >= barLevel {
				return false
			}
		}
		return true
	}
	for to = n; from < n && isBar(from); from++ {
	}
	for to > from && isBar(to-1) {
		to--
	}
	return from, to
}
