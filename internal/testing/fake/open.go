package fake

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"strconv"
)

// heardRate is the sampling rate of Samples, that of speech models.
const heardRate = 16000

// Picture returns the image as it is perceived. It may be called only while the
// request is answered.
func (i *Image) Picture() (image.Image, error) {
	if i.data == nil {
		return nil, fmt.Errorf("fake server: the image is gone: its request has been answered")
	}
	return decodeAt(i.data, i.Width, i.Height)
}

func decodeAt(data []byte, width, height int) (image.Image, error) {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return scaled(picture, width, height), nil
}

// scaled makes a picture smaller: each new pixel is the mean of those in its
// place.
func scaled(from image.Image, width, height int) image.Image {
	b := from.Bounds()
	if b.Dx() == width && b.Dy() == height {
		return from
	}
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		y0, y1 := y*b.Dy()/height, max((y+1)*b.Dy()/height, y*b.Dy()/height+1)
		for x := range width {
			x0, x1 := x*b.Dx()/width, max((x+1)*b.Dx()/width, x*b.Dx()/width+1)
			to.Set(x, y, mean(from, image.Rect(x0, y0, x1, y1).Add(b.Min)))
		}
	}
	return to
}

func mean(from image.Image, area image.Rectangle) color.Color {
	var r, g, b, n uint32
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			pr, pg, pb, _ := from.At(x, y).RGBA()
			r, g, b, n = r+pr>>8, g+pg>>8, b+pb>>8, n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}

// Samples returns the sound as it is heard: one slice for each channel, 16,000
// samples a second, full scale 1. It may be called only while the request is
// answered.
func (a *Audio) Samples(ctx context.Context) ([][]float64, error) {
	channels := a.Channels
	args := []string{"-v", "error", "-nostdin", "-i", "file:" + a.path, "-map", "0:a:0"}
	if a.most > 0 {
		args = append(args, "-t", strconv.FormatFloat(a.most, 'f', -1, 64))
	}
	args = append(args, "-ar", strconv.Itoa(heardRate), "-ac", strconv.Itoa(channels), "-c:a", "pcm_s16le", "-f", "s16le", "-")
	raw, err := run(ctx, "ffmpeg", args...)
	if err != nil {
		return nil, err
	}
	samples := make([][]float64, channels)
	for i := 0; i+2*channels <= len(raw); i += 2 * channels {
		for c := range channels {
			low, high := raw[i+2*c], raw[i+2*c+1]
			samples[c] = append(samples[c], float64(int16(uint16(low)|uint16(high)<<8))/(1<<15))
		}
	}
	return samples, nil
}

// Pictures returns the frames as they are perceived, in the order in which they
// are perceived. It may be called only while the request is answered. All are in
// memory at once: it is meant for short clips.
func (v *Video) Pictures(ctx context.Context) ([]image.Image, error) {
	all, err := v.decode(ctx)
	if err != nil {
		return nil, err
	}
	seen := make([]image.Image, 0, len(v.order))
	for _, i := range v.order {
		if i < len(all) {
			seen = append(seen, all[i])
		}
	}
	return seen, nil
}

// decode returns all frames that arrived, at the size that is perceived.
func (v *Video) decode(ctx context.Context) (all []image.Image, err error) {
	if v.path == "" {
		for _, data := range v.frames {
			picture, err := decodeAt(data, v.Width, v.Height)
			if err != nil {
				return nil, err
			}
			all = append(all, picture)
		}
		return all, nil
	}
	raw, err := run(ctx, "ffmpeg", "-v", "error", "-nostdin", "-i", "file:"+v.path, "-map", "0:V:0", "-fps_mode", "passthrough",
		"-vf", fmt.Sprintf("scale=%d:%d:flags=area", v.Width, v.Height), "-pix_fmt", "rgba", "-f", "rawvideo", "-")
	if err != nil {
		return nil, err
	}
	size := 4 * v.Width * v.Height
	for ; len(raw) >= size; raw = raw[size:] {
		all = append(all, &image.NRGBA{Pix: raw[:size:size], Stride: 4 * v.Width, Rect: image.Rect(0, 0, v.Width, v.Height)})
	}
	return all, nil
}
