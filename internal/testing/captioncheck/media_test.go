package captioncheck

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
)

// A clip is a file decoded for checking. Its time 0 is the file's start.
type clip struct {
	path    string
	picture *picture // nil = none
	sound   *sound   // nil = none
	end     float64  // seconds
	spoken  bool     // somebody is known to speak in it
	streams []stream
}

// A picture is all frames of a video, made small.
type picture struct {
	width, height         int // as decoded here
	ownWidth, ownHeight   int // of the stream
	frames                []frame
	start, end, frameLong float64
}

type frame struct {
	at   float64
	rgb  []byte
	grey []byte
}

// A sound is PCM, channel by channel.
type sound struct {
	rate     int
	channels int         // of the stream
	pcm      [][]float64 // two at most
	all      [][]float64 // all channels, where there are more than two
	start    float64
	power    []float64 // running sum of the mean power of the channels
}

type stream struct {
	Index     int    `json:"index"`
	Kind      string `json:"codec_type"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Rate      string `json:"sample_rate"`
	Channels  int    `json:"channels"`
	Start     string `json:"start_time"`
	Duration  string `json:"duration"`
	FrameRate string `json:"avg_frame_rate"`

	Disposition map[string]int `json:"disposition"`
}

// smallWidth is the width at which pictures are compared.
const smallWidth = 160

func open(path string) (*clip, error) {
	out, err := exec.Command("ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", path).Output()
	if err != nil {
		return nil, fmt.Errorf("ffprobe %s: %w", path, err)
	}
	var probed struct {
		Streams []stream `json:"streams"`
		Format  struct {
			Start string `json:"start_time"`
		} `json:"format"`
	}
	if err := json.Unmarshal(out, &probed); err != nil {
		return nil, err
	}
	c := &clip{path: path, streams: probed.Streams}
	origin := number(probed.Format.Start)
	var video, audio *stream
	for i := range c.streams {
		s := &c.streams[i]
		switch {
		case s.Kind == "video" && s.Disposition["attached_pic"] == 0 && (video == nil || s.Width*s.Height > video.Width*video.Height):
			video = s
		case s.Kind == "audio" && (audio == nil || number(s.Rate) > number(audio.Rate)):
			audio = s
		}
	}
	if video != nil {
		if err := c.see(video, origin); err != nil {
			return nil, err
		}
	}
	if audio != nil {
		if err := c.hear(audio, origin); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return v
}

// see decodes all frames, with the times that ffmpeg prints of them.
func (c *clip) see(s *stream, origin float64) error {
	p := &picture{ownWidth: s.Width, ownHeight: s.Height}
	p.width = min(smallWidth, s.Width)
	p.height = max(1, (s.Height*p.width+s.Width/2)/s.Width)
	cmd := exec.Command("ffmpeg", "-nostdin", "-v", "info", "-copyts", "-i", c.path, "-map", fmt.Sprintf("0:%d", s.Index),
		"-vf", fmt.Sprintf("showinfo,scale=%d:%d:flags=area,format=rgb24", p.width, p.height), "-vsync", "passthrough", "-f", "rawvideo", "-")
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	read := bufio.NewReaderSize(out, 1<<20)
	for {
		rgb := make([]byte, 3*p.width*p.height)
		if _, err := io.ReadFull(read, rgb); err != nil {
			break
		}
		p.frames = append(p.frames, frame{rgb: rgb, grey: greyOf(rgb)})
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("ffmpeg %s: %w", c.path, err)
	}
	var times []float64
	for line := range strings.Lines(log.String()) {
		if _, rest, ok := strings.Cut(line, "pts_time:"); ok {
			times = append(times, number(strings.Fields(rest)[0])-origin)
		}
	}
	if len(times) < len(p.frames) || len(p.frames) == 0 {
		return fmt.Errorf("%s: %d times of %d frames", c.path, len(times), len(p.frames))
	}
	for i := range p.frames {
		p.frames[i].at = times[i]
	}
	p.start = p.frames[0].at
	last := p.frames[len(p.frames)-1].at
	p.frameLong = 1 / 25.
	if n := len(p.frames); n > 1 {
		p.frameLong = (last - p.start) / float64(n-1)
	} else if a, b, ok := strings.Cut(s.FrameRate, "/"); ok && number(a) > 0 {
		p.frameLong = number(b) / number(a)
	}
	p.end = last + p.frameLong
	c.picture, c.end = p, max(c.end, p.end)
	return nil
}

// greyOf is the brightness by BT.601, 0 black to 255 white.
func greyOf(rgb []byte) []byte {
	grey := make([]byte, len(rgb)/3)
	for i := range grey {
		r, g, b := float64(rgb[3*i]), float64(rgb[3*i+1]), float64(rgb[3*i+2])
		grey[i] = byte(math.Round(0.299*r + 0.587*g + 0.114*b))
	}
	return grey
}

func (c *clip) hear(s *stream, origin float64) error {
	a := &sound{rate: int(number(s.Rate)), channels: s.Channels, start: number(s.Start) - origin}
	var err error
	if a.pcm, err = c.decode(s, min(s.Channels, 2)); err != nil {
		return err
	}
	if s.Channels > 2 {
		if a.all, err = c.decode(s, s.Channels); err != nil {
			return err
		}
	}
	n := len(a.pcm)
	a.power = make([]float64, len(a.pcm[0])+1)
	for i := range a.pcm[0] {
		sum := 0.
		for ch := range n {
			sum += a.pcm[ch][i] * a.pcm[ch][i]
		}
		a.power[i+1] = a.power[i] + sum/float64(n)
	}
	c.sound = a
	c.end = max(c.end, a.start+a.length())
	return nil
}

// decode yields the samples of each channel, mixed down to n.
func (c *clip) decode(s *stream, n int) ([][]float64, error) {
	out, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i", c.path, "-map", fmt.Sprintf("0:%d", s.Index),
		"-ac", strconv.Itoa(n), "-f", "f32le", "-c:a", "pcm_f32le", "-").Output()
	if err != nil {
		return nil, fmt.Errorf("ffmpeg %s: %w", c.path, err)
	}
	pcm := make([][]float64, n)
	for i := 0; i+4*n <= len(out); i += 4 * n {
		for ch := range n {
			pcm[ch] = append(pcm[ch], float64(math.Float32frombits(binary.LittleEndian.Uint32(out[i+4*ch:]))))
		}
	}
	return pcm, nil
}

func (a *sound) length() float64 { return float64(len(a.pcm[0])) / float64(a.rate) }

func (a *sound) end() float64 { return a.start + a.length() }
