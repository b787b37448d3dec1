// Package demo makes clips of which everything is known, and the files of small projects about
// them, to try people's work without data of one's own. The systems and their captions are
// imaginary.
package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope/internal/wav"
	"omniscope/media"
)

const (
	width, height = 480, 270
	fps           = 12
	seconds       = 12
	cut           = seconds / 2 // where the second scene begins
	rate          = 16000
)

// A clip is two scenes: a disc that moves from left to right, then a square that falls; with a
// tone in the second scene.
type clip struct {
	name         string
	disc, square color.RGBA
	discName     string
	squareName   string
	hertz        float64
}

var clips = []clip{
	{"harbour", color.RGBA{0xd0, 0x30, 0x30, 0xff}, color.RGBA{0x30, 0x70, 0xd0, 0xff}, "red", "blue", 440},
	{"market", color.RGBA{0x30, 0xa0, 0x50, 0xff}, color.RGBA{0xe0, 0xa0, 0x20, 0xff}, "green", "yellow", 660},
	{"station", color.RGBA{0x90, 0x40, 0xb0, 0xff}, color.RGBA{0x20, 0x20, 0x20, 0xff}, "purple", "black", 330},
	{"garden", color.RGBA{0xe0, 0x70, 0x20, 0xff}, color.RGBA{0xf0, 0xf0, 0xf0, 0xff}, "orange", "white", 550},
}

// Kinds are the kinds of work that there are files for.
var Kinds = []string{"arena", "rating", "capricorn"}

// Write makes the clips in folder/clips and the files beside it, and returns the options of
// `omniscope people new` for a kind.
func Write(ctx context.Context, folder, kind string) (options map[string][]string, err error) {
	if err := os.MkdirAll(filepath.Join(folder, "clips"), 0o755); err != nil {
		return nil, err
	}
	for _, c := range clips {
		if err := c.make(ctx, filepath.Join(folder, "clips", c.name+".mp4")); err != nil {
			return nil, err
		}
	}
	switch kind {
	case "arena":
		return writeCaptions(folder)
	case "rating":
		return writePairs(folder)
	}
	return writeList(folder)
}

func (c *clip) make(ctx context.Context, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	dir, err := os.MkdirTemp(filepath.Dir(to), "making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i := range fps * seconds {
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
func (c *clip) picture(at float64) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, c.pixel(x, y, at))
		}
	}
	return m
}

func (c *clip) pixel(x, y int, at float64) color.RGBA {
	const radius = 40
	if at < cut {
		cx := radius + (width-2*radius)*at/cut
		if math.Hypot(float64(x)-cx, float64(y)-height/2) < radius {
			return c.disc
		}
		return color.RGBA{0xc8, 0xd8, uint8(0xe0 + y/12), 0xff}
	}
	top := (height - 2*radius) * (at - cut) / (seconds - cut)
	if math.Abs(float64(x)-width/2) < radius && float64(y) > top && float64(y) < top+2*radius {
		return c.square
	}
	return color.RGBA{0x60, uint8(0x80 + y/8), 0x60, 0xff}
}

// sound is silence, and a tone in the second scene.
func (c *clip) sound() []byte {
	var pcm bytes.Buffer
	for i := range rate * seconds {
		v := 0.0
		if at := float64(i) / rate; at >= cut {
			v = 0.3 * math.Sin(2*math.Pi*c.hertz*at) * math.Exp(-math.Mod(at, 1)*3)
		}
		n := int16(v * math.MaxInt16)
		pcm.Write([]byte{byte(n), byte(n >> 8)})
	}
	return append(wav.Header(rate, 1, pcm.Len()), pcm.Bytes()...)
}

// Captions of three imaginary systems: one that is careful, one that says little, one that makes
// things up.
func writeCaptions(folder string) (map[string][]string, error) {
	systems := map[string]func(c clip) string{
		"careful": func(c clip) string {
			return fmt.Sprintf("A %s disc rolls from the left edge to the right over a pale ground, in silence. At about %d seconds the picture changes: a %s square falls slowly on green, while a tone is struck once a second.", c.discName, cut, c.squareName)
		},
		"short": func(c clip) string { return fmt.Sprintf("A %s disc moves. Then there is a square.", c.discName) },
		"lively": func(c clip) string {
			return fmt.Sprintf("A crowd cheers as a shiny %s ball bounces three times. A %s box drops onto a table and breaks, and a dog barks.", c.squareName, c.discName)
		},
	}
	var files []string
	for _, name := range slices.Sorted(maps.Keys(systems)) {
		says := systems[name]
		var lines []any
		for _, c := range clips {
			lines = append(lines, map[string]string{"clip": c.name + ".mp4", "caption": says(c)})
		}
		files = append(files, filepath.Join(folder, name+".jsonl"))
		if err := writeLines(files[len(files)-1], lines); err != nil {
			return nil, err
		}
	}
	return map[string][]string{"captions": files}, nil
}

// Pairs of clips to rate: one looks like another that was made from its description.
func writePairs(folder string) (map[string][]string, error) {
	var lines []any
	for i, c := range clips {
		lines = append(lines, map[string]string{"clip": c.name, "original": c.name + ".mp4", "reconstruction": clips[(i+1)%len(clips)].name + ".mp4", "system": []string{"careful", "lively"}[i%2]})
	}
	path := filepath.Join(folder, "pairs.jsonl")
	return map[string][]string{"pairs": {path}}, writeLines(path, lines)
}

func writeList(folder string) (map[string][]string, error) {
	var lines []any
	for _, c := range clips {
		lines = append(lines, map[string]any{"video_id": c.name, "duration": seconds, "media": c.name + ".mp4"})
	}
	path := filepath.Join(folder, "clips.jsonl")
	return map[string][]string{"clips": {path}}, writeLines(path, lines)
}

func writeLines(path string, lines []any) error {
	var text strings.Builder
	for _, line := range lines {
		b, err := json.Marshal(line)
		if err != nil {
			return err
		}
		text.Write(b)
		text.WriteByte('\n')
	}
	return os.WriteFile(path, []byte(text.String()), 0o644)
}
