package scene

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"
	"time"

	"omniscope/media"
)

// Small pictures are this wide: enough for colours and motion.
const smallWidth = 160

// A picture is a frame made small, and its dark margins.
type picture struct {
	at      time.Duration
	margins margins // of the frame, in its own pixels
	luma    plane
	blue    plane // differences, as JPEG has them
	red     plane
	coarse  plane // luma at half the size

	colours map[string]*hue // see hues
}

// A plane is one component of a picture, row by row.
type plane struct {
	width, height int
	pix           []uint8
}

func (p *plane) at(x, y int) int { return int(p.pix[y*p.width+x]) }

// mean is the mean of all pixels.
func (p *plane) mean() float64 {
	sum := 0
	for _, v := range p.pix {
		sum += int(v)
	}
	return float64(sum) / float64(max(len(p.pix), 1))
}

// apart is the mean difference of two planes of one size, 0 if their sizes differ.
func (p *plane) apart(o *plane) float64 {
	if len(p.pix) != len(o.pix) || len(p.pix) == 0 {
		return 0
	}
	sum := 0
	for i, v := range p.pix {
		sum += max(int(v)-int(o.pix[i]), int(o.pix[i])-int(v))
	}
	return float64(sum) / float64(len(p.pix))
}

// thumbnails makes frames small. Those that cannot be opened are counted.
func thumbnails(ctx context.Context, frames []media.Frame) (list []*picture, broken int, err error) {
	for i := range frames {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		data, err := frames[i].Bytes()
		if err != nil {
			return nil, 0, err
		}
		decoded, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			broken++
			continue
		}
		list = append(list, newPicture(frames[i].Time, decoded))
	}
	return list, broken, nil
}

func newPicture(at time.Duration, decoded image.Image) *picture {
	size := decoded.Bounds()
	frame, ok := decoded.(*image.YCbCr)
	if !ok { // a grey JPEG
		grey := image.NewGray(size)
		draw.Draw(grey, size, decoded, size.Min, draw.Src)
		frame = image.NewYCbCr(size, image.YCbCrSubsampleRatio420)
		for y := range size.Dy() {
			copy(frame.Y[y*frame.YStride:], grey.Pix[y*grey.Stride:][:size.Dx()])
		}
		for i := range frame.Cb {
			frame.Cb[i], frame.Cr[i] = 128, 128
		}
	}
	width := min(smallWidth, size.Dx())
	height := max(1, size.Dy()*width/size.Dx())
	// Colours may be stored at half the width, or half the height as well.
	last := frame.COffset(size.Max.X-1, size.Max.Y-1)
	chromaWidth, chromaHeight := last%frame.CStride+1, last/frame.CStride+1
	return &picture{
		at:      at,
		margins: marginsOf(frame),
		luma:    shrunk(frame.Y, frame.YStride, size.Dx(), size.Dy(), width, height),
		blue:    shrunk(frame.Cb, frame.CStride, chromaWidth, chromaHeight, width, height),
		red:     shrunk(frame.Cr, frame.CStride, chromaWidth, chromaHeight, width, height),
	}
}

// shrunk makes each pixel of the mean of those it stands for.
func shrunk(pix []uint8, stride, fromWidth, fromHeight, width, height int) plane {
	p := plane{width: width, height: height, pix: make([]uint8, width*height)}
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
			p.pix[y*width+x] = uint8(sum / ((y1 - y0) * (x1 - x0)))
		}
	}
	return p
}

// crop keeps of a picture what bars leave.
func (p *picture) crop(b bars) {
	left, right := int(b.left*float64(p.luma.width)+0.9), int(b.right*float64(p.luma.width)+0.9)
	top, bottom := int(b.top*float64(p.luma.height)+0.9), int(b.bottom*float64(p.luma.height)+0.9)
	for _, c := range []*plane{&p.luma, &p.blue, &p.red} {
		*c = c.part(left, top, c.width-right, c.height-bottom)
	}
	p.coarse = shrunk(p.luma.pix, p.luma.width, p.luma.width, p.luma.height, max(p.luma.width/2, 1), max(p.luma.height/2, 1))
}

func (p *plane) part(x0, y0, x1, y1 int) plane {
	if x0 >= x1 || y0 >= y1 {
		return *p
	}
	q := plane{width: x1 - x0, height: y1 - y0}
	for y := y0; y < y1; y++ {
		q.pix = append(q.pix, p.pix[y*p.width+x0:y*p.width+x1]...)
	}
	return q
}
