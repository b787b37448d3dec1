package scene

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/jpeg"
	"time"

	"omniscope/media"
	"omniscope/media/plane"
)

// Small pictures are this wide: enough for colours and motion.
const smallWidth = 160

// A picture is a frame made small, and its dark margins.
type picture struct {
	at      time.Duration
	margins margins // of the frame, in its own pixels
	luma    plane.Plane
	blue    plane.Plane // differences, as JPEG has them
	red     plane.Plane
	scaled  *plane.Scaled // luma

	colours map[string]*hue // see hues
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
		luma:    plane.Shrunk(frame.Y, frame.YStride, size.Dx(), size.Dy(), width, height),
		blue:    plane.Shrunk(frame.Cb, frame.CStride, chromaWidth, chromaHeight, width, height),
		red:     plane.Shrunk(frame.Cr, frame.CStride, chromaWidth, chromaHeight, width, height),
	}
}

// crop keeps of a picture what bars leave.
func (p *picture) crop(b bars) {
	left, right := int(b.left*float64(p.luma.Width)+0.9), int(b.right*float64(p.luma.Width)+0.9)
	top, bottom := int(b.top*float64(p.luma.Height)+0.9), int(b.bottom*float64(p.luma.Height)+0.9)
	for _, c := range []*plane.Plane{&p.luma, &p.blue, &p.red} {
		*c = c.Part(left, top, c.Width-right, c.Height-bottom)
	}
	p.scaled = plane.Scale(p.luma)
}

// recoloured is the difference of the colours of two pictures, place by place.
func (p *picture) recoloured(o *picture) float64 {
	return p.blue.Difference(&o.blue) + p.red.Difference(&o.red)
}
