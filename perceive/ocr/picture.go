package ocr

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
)

// Thresholds of brightness, 0 to 255. White text over a moving picture is not
// read from the picture itself; of what is brighter than this, it is.
const (
	whiteOver = 215
	darkUnder = 50
)

// When a picture is not worth reading, or not worth reading again.
const (
	blockSide  = 16
	blockAlike = 5    // most mean difference of a block, of 255: codecs make 2 to 3
	maskAlike  = 0.02 // most pixels that differ, as a share of those set
	mostSet    = 0.35 // share of the picture; text covers less
	textRows   = 5    // rows of pixels with as many edges as a short word has
	rowEdges   = 6
)

// luma decodes a frame and keeps its brightness.
func luma(frame []byte) (*image.Gray, error) {
	picture, err := jpeg.Decode(bytes.NewReader(frame))
	if err != nil {
		return nil, err
	}
	size := picture.Bounds()
	if p, ok := picture.(*image.YCbCr); ok {
		return &image.Gray{Pix: p.Y, Stride: p.YStride, Rect: size}, nil
	}
	grey := image.NewGray(size)
	draw.Draw(grey, size, picture, size.Min, draw.Src)
	return grey, nil
}

// row is the pixels of a row, counted from 0.
func row(g *image.Gray, y int) []byte {
	return g.Pix[y*g.Stride:][:g.Rect.Dx()]
}

// looksLike reports whether two pictures are the same but for noise: no block
// of theirs differs.
func looksLike(a, b *image.Gray) bool {
	if a.Rect != b.Rect {
		return false
	}
	width, height := a.Rect.Dx(), a.Rect.Dy()
	sums := make([]int, (width+blockSide-1)/blockSide)
	for top := 0; top < height; top += blockSide {
		clear(sums)
		rows := min(blockSide, height-top)
		for y := top; y < top+rows; y++ {
			p, q := row(a, y), row(b, y)
			for x := range p {
				sums[x/blockSide] += max(int(p[x])-int(q[x]), int(q[x])-int(p[x]))
			}
		}
		for i, sum := range sums {
			if sum > blockAlike*rows*min(blockSide, width-i*blockSide) {
				return false
			}
		}
	}
	return true
}

// A mask is what of a picture may be text of one brightness: black on white,
// as tesseract likes it best.
type mask struct {
	image.Gray
	set int // black pixels
}

// masked blackens the pixels that are wanted.
func masked(g *image.Gray, wanted func(byte) bool) *mask {
	var table [256]byte
	for v := range table {
		if !wanted(byte(v)) {
			table[v] = 255
		}
	}
	m := &mask{Gray: *image.NewGray(image.Rect(0, 0, g.Rect.Dx(), g.Rect.Dy()))}
	for y := range m.Rect.Dy() {
		to := row(&m.Gray, y)
		for x, v := range row(g, y) {
			to[x] = table[v]
			if to[x] == 0 {
				m.set++
			}
		}
	}
	return m
}

func whites(g *image.Gray) *mask { return masked(g, func(v byte) bool { return v > whiteOver }) }
func darks(g *image.Gray) *mask  { return masked(g, func(v byte) bool { return v < darkUnder }) }

// mayHoldText reports whether enough rows have edges enough for a word, and
// not so much is set that it must be sky or shadow.
func (m *mask) mayHoldText() bool {
	if m.set == 0 || float64(m.set) > mostSet*float64(len(m.Pix)) {
		return false
	}
	rows := 0
	for y := range m.Rect.Dy() {
		edges, before := 0, byte(255)
		for _, v := range row(&m.Gray, y) {
			if v != before {
				edges++
			}
			before = v
		}
		if edges < rowEdges {
			rows = 0
		} else if rows++; rows >= textRows {
			return true
		}
	}
	return false
}

// like reports whether two masks are the same but for noise.
func (m *mask) like(other *mask) bool {
	if m.Rect != other.Rect {
		return false
	}
	most := int(maskAlike * float64(min(m.set, other.set)))
	for i, v := range m.Pix {
		if v != other.Pix[i] {
			if most--; most < 0 {
				return false
			}
		}
	}
	return true
}

// file is the mask as a portable grey map.
func (m *mask) file() []byte { return greyMap(&m.Gray, m.Rect) }
