package probe

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"

	"omniscope/internal/ondisk"
	"omniscope/internal/outfile"
	"omniscope/media"
	"omniscope/media/wav"
)

// soundRate is the sampling rate of made sounds. AAC needs no other.
const soundRate = 16000

// A clip is what a made clip shows and lets hear.
type clip struct {
	seconds  int
	fps      int         // frames a second of the file; 0 = it has no picture
	blank    image.Image // where nothing else is shown
	shown    []shown
	channels int // of the sound; 0 = it has no sound track
	beeps    []beep
	said     []said
}

// shown is a picture and when it is on the screen, in seconds.
type shown struct {
	from, to float64
	picture  image.Image
}

// A beep is a tone. channel is where it sounds; -1 is all.
type beep struct {
	at, seconds float64
	channel     int
}

// said is a word that is spoken.
type said struct {
	at    float64
	word  string
	voice Voice
}

// write makes the file of a clip in a folder, unless it is there, and returns its
// path. The name is a digest of all that the file is made of, so that the same clip
// is the same file for every run: what models said of it is remembered.
func (c *clip) write(ctx context.Context, folder string) (string, error) {
	pictures, order, err := c.pictures()
	if err != nil {
		return "", err
	}
	sound, err := c.sound(ctx)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, "clip 1", c.fps, order)
	for _, p := range pictures {
		sum.Write(p)
	}
	sum.Write(sound)
	name := hex.EncodeToString(sum.Sum(nil)[:8])
	if c.fps == 0 {
		path := filepath.Join(folder, name+".wav")
		return path, writeOnce(path, sound)
	}
	path := filepath.Join(folder, name+".mp4")
	if ondisk.Exists(path) {
		return path, nil
	}
	return path, c.encode(ctx, pictures, order, sound, path)
}

// encode makes an MP4 file of pictures in an order, and of a sound.
func (c *clip) encode(ctx context.Context, pictures [][]byte, order []int, sound []byte, to string) error {
	parts, err := os.MkdirTemp(filepath.Dir(to), "parts-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(parts)
	for i, which := range order {
		if err := os.WriteFile(filepath.Join(parts, fmt.Sprintf("%04d.png", i)), pictures[which], 0o600); err != nil {
			return err
		}
	}
	soundFile := ""
	if sound != nil {
		soundFile = filepath.Join(parts, "sound.wav")
		if err := os.WriteFile(soundFile, sound, 0o600); err != nil {
			return err
		}
	}
	made := filepath.Join(parts, "made.mp4") // processes may make the same clip at once
	if err := media.EncodeMP4(ctx, filepath.Join(parts, "%04d.png"), c.fps, soundFile, made); err != nil {
		return err
	}
	return os.Rename(made, to)
}

// pictures are the different pictures of a clip as PNG, and which of them each
// frame shows.
func (c *clip) pictures() (pictures [][]byte, order []int, err error) {
	if c.fps == 0 {
		return nil, nil, nil
	}
	place := make(map[image.Image]int)
	for i := range c.seconds * c.fps {
		p := c.at(float64(i) / float64(c.fps))
		n, drawn := place[p]
		if !drawn {
			var b bytes.Buffer
			if err := png.Encode(&b, p); err != nil {
				return nil, nil, err
			}
			n = len(pictures)
			place[p], pictures = n, append(pictures, b.Bytes())
		}
		order = append(order, n)
	}
	return pictures, order, nil
}

// at is what is on the screen at a time.
func (c *clip) at(seconds float64) image.Image {
	for _, s := range c.shown {
		if seconds >= s.from && seconds < s.to {
			return s.picture
		}
	}
	return c.blank
}

// sound is the sound of a clip as WAV, nil if it has none.
func (c *clip) sound(ctx context.Context) ([]byte, error) {
	if c.channels == 0 {
		return nil, nil
	}
	samples := make([]int16, c.seconds*soundRate*c.channels)
	for _, b := range c.beeps {
		for i := range int(b.seconds * soundRate) {
			v := int16(16000 * math.Sin(2*math.Pi*1000*float64(i)/soundRate) * edge(i, int(b.seconds*soundRate)))
			at := (int(b.at*soundRate) + i) * c.channels
			for channel := range c.channels {
				if b.channel < 0 || b.channel == channel {
					samples[at+channel] = v
				}
			}
		}
	}
	for _, s := range c.said {
		pcm, err := s.voice.Say(ctx, s.word)
		if err != nil {
			return nil, err
		}
		for i := range len(pcm) / 2 {
			at := (int(s.at*soundRate) + i) * c.channels
			for channel := range c.channels {
				if at+channel < len(samples) {
					samples[at+channel] = int16(binary.LittleEndian.Uint16(pcm[2*i:]))
				}
			}
		}
	}
	out := bytes.NewBuffer(wav.Header(soundRate, c.channels, 2*len(samples)))
	_ = binary.Write(out, binary.LittleEndian, samples) // to memory: cannot fail
	return out.Bytes(), nil
}

// edge lets a tone of n samples begin and end without a click, within 10 ms.
func edge(i, n int) float64 {
	const ramp = soundRate / 100
	return min(1, float64(min(i, n-1-i))/ramp)
}

// writeOnce writes a file unless it is there.
func writeOnce(path string, data []byte) error {
	if ondisk.Exists(path) {
		return nil
	}
	return outfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}
