package probe

import (
	"image"
	"image/color"
	"image/draw"
	"strconv"
)

// Sizes of a digit in cells. No font is needed to draw them, so that all machines
// draw the same.
const (
	digitWide = 5
	digitHigh = 7
	digitStep = digitWide + 1 // from one digit to the next
)

// digits are the shapes of 0 to 9, a string for each row of cells.
var digits = [10][digitHigh]string{
	{" ### ", "#   #", "#   #", "#   #", "#   #", "#   #", " ### "},
	{"  #  ", " ##  ", "  #  ", "  #  ", "  #  ", "  #  ", " ### "},
	{" ### ", "#   #", "    #", "   # ", "  #  ", " #   ", "#####"},
	{" ### ", "#   #", "    #", "  ## ", "    #", "#   #", " ### "},
	{"   # ", "  ## ", " # # ", "#  # ", "#####", "   # ", "   # "},
	{"#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "},
	{" ### ", "#    ", "#    ", "#### ", "#   #", "#   #", " ### "},
	{"#####", "    #", "   # ", "  #  ", "  #  ", "  #  ", "  #  "},
	{" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "},
	{" ### ", "#   #", "#   #", " ####", "    #", "    #", " ### "},
}

// sheet is a picture of one colour.
func sheet(width, height int, c color.Color) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(p, p.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return p
}

// drawNumber draws a number in black. cell is the side of a cell of its digits in
// pixels, and at the corner where it begins.
func drawNumber(p draw.Image, n, cell int, at image.Point) {
	for i, digit := range strconv.Itoa(n) {
		for y, row := range digits[digit-'0'] {
			for x, c := range row {
				if c != '#' {
					continue
				}
				corner := at.Add(image.Pt((i*digitStep+x)*cell, y*cell))
				draw.Draw(p, image.Rectangle{corner, corner.Add(image.Pt(cell, cell))}, image.Black, image.Point{}, draw.Src)
			}
		}
	}
}

// numberWidth is the width of a number in pixels.
func numberWidth(n, cell int) int { return (len(strconv.Itoa(n))*digitStep - 1) * cell }

// card is a white card with one large number in its middle.
func card(size image.Point, n int) *image.RGBA {
	const cell = 16
	p := sheet(size.X, size.Y, color.White)
	drawNumber(p, n, cell, image.Pt((size.X-numberWidth(n, cell))/2, (size.Y-digitHigh*cell)/2))
	return p
}
