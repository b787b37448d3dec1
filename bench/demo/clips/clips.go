// Package clips makes four short films of which everything is known, to try omniscope without data of one's own.
package clips

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"

	"omniscope/internal/ondisk"
	"omniscope/media"
	"omniscope/media/wav"
)

const (
	width, height = 480, 270
	fps           = 12
	Seconds       = 12          // of a clip
	Cut           = Seconds / 2 // where the second scene begins, in seconds
	rate          = 16000
)

// A Clip has two scenes: in silence a disc moves from left to right, then a square falls while a tone is struck once a second.
type Clip struct {
	Name         string
	Disc, Square string // their colours
	disc, square color.RGBA
	hertz        float64
}

// File is the name of the clip's file.
func (c Clip) File() string { return c.Name + ".mp4" }

// All are the clips that there are.
var All = []Clip{
	{"harbour", "red", "blue", color.RGBA{0xd0, 0x30, 0x30, 0xff}, color.RGBA{0x30, 0x70, 0xd0, 0xff}, 440},
	{"market", "green", "yellow", color.RGBA{0x30, 0xa0, 0x50, 0xff}, color.RGBA{0xe0, 0xa0, 0x20, 0xff}, 660},
	{"station", "purple", "black", color.RGBA{0x90, 0x40, 0xb0, 0xff}, color.RGBA{0x20, 0x20, 0x20, 0xff}, 330},
	{"garden", "orange", "white", color.RGBA{0xe0, 0x70, 0x20, 0xff}, color.RGBA{0xf0, 0xf0, 0xf0, 0xff}, 550},
}

// Make makes the files of All in a folder. Those that are there stay. It needs ffmpeg.
func Make(ctx context.Context, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, c := range All {
		if err := c.make(ctx, filepath.Join(folder, c.File())); err != nil {
			return err
		}
	}
	return nil
}

func (c *Clip) make(ctx context.Context, to string) error {
	if ondisk.Exists(to) {
		return nil
	}
	dir, err := os.MkdirTemp(filepath.Dir(to), "making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i := range fps * Seconds {
		var picture bytes.Buffer
		if err := png.Encode(&picture, c.picture(float64(i)/fps)); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.png", i)), picture.Bytes(), 0o600); err != nil {
			return err
		}
	}
	sound := filepath.Join(dir, "sound.wav")
	if err := os.WriteFile(sound, c.sound(), 0o600); err != nil {
		return err
	}
	return media.EncodeMP4(ctx, filepath.Join(dir, "%04d.png"), fps, sound, to)
}

// picture is what is seen at a time, in seconds.
func (c *Clip) picture(at float64) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, c.pixel(x, y, at))
		}
	}
	return m
}

func (c *Clip) pixel(x, y int, at float64) color.RGBA {
	const radius = 40
	if at < Cut {
		cx := radius + (width-2*radius)*at/Cut
		if math.Hypot(float64(x)-cx, float64(y)-height/2) < radius {
			return c.disc
		}
		return color.RGBA{0xc8, 0xd8, uint8(0xe0 + y/12), 0xff}
	}
	top := (height - 2*radius) * (at - Cut) / (Seconds - Cut)
	if math.Abs(float64(x)-width/2) < radius && float64(y) > top && float64(y) < top+2*radius {
		return c.square
	}
	return color.RGBA{0x60, uint8(0x80 + y/8), 0x60, 0xff}
}

// sound is silence, and a tone in the second scene.
func (c *Clip) sound() []byte {
	var pcm bytes.Buffer
	for i := range rate * Seconds {
		v := 0.0
		if at := float64(i) / rate; at >= Cut {
			v = 0.3 * math.Sin(2*math.Pi*c.hertz*at) * math.Exp(-math.Mod(at, 1)*3)
		}
		n := int16(v * math.MaxInt16)
		pcm.Write([]byte{byte(n), byte(n >> 8)})
	}
	return append(wav.Header(rate, 1, pcm.Len()), pcm.Bytes()...)
}
