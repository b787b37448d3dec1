package fake

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"omniscope/internal/child"
	"omniscope/internal/sha256hex"
)

// probed holds ffprobe's facts of a file.
type probed struct {
	Streams []struct {
		Kind        string `json:"codec_type"`
		Width       int    `json:"width"`
		Height      int    `json:"height"`
		Rate        string `json:"avg_frame_rate"`
		SampleRate  string `json:"sample_rate"`
		Channels    int    `json:"channels"`
		Disposition struct {
			Cover int `json:"attached_pic"`
		} `json:"disposition"`
	} `json:"streams"`
	Format struct {
		Name     string `json:"format_name"`
		Start    string `json:"start_time"`
		Duration string `json:"duration"`
	} `json:"format"`
}

// probe reads a file's facts, or rejects the request.
func (m *Media) probe(path string, undecodable rejection) (p probed) {
	out, err := run(m.ctx, "ffprobe", "-v", "error", "-of", "json", "-show_entries",
		"format=format_name,start_time,duration:stream=codec_type,width,height,avg_frame_rate,sample_rate,channels:stream_disposition=attached_pic", "-i", "file:"+path)
	if err != nil || json.Unmarshal(out, &p) != nil {
		m.reject(undecodable)
	}
	return p
}

// listen decodes the sound of a file to its end.
func (m *Media) listen(path string, data []byte) *Audio {
	undecodable := rejection{message: "The audio file could not be decoded or its format is not supported.", code: "invalid_value"} // OpenAI's words
	p := m.probe(path, undecodable)
	a := &Audio{Format: p.Format.Name, Bytes: len(data), SHA256: sha256hex.Of(data), path: path}
	for _, stream := range p.Streams {
		if stream.Kind == "audio" {
			a.SampleRate, _ = strconv.Atoi(stream.SampleRate)
			a.Channels = stream.Channels
			break
		}
	}
	if a.SampleRate == 0 || a.Channels == 0 {
		m.reject(undecodable)
	}
	var decoded counter
	err := runInto(m.ctx, &decoded, "ffmpeg", "-v", "error", "-nostdin", "-i", "file:"+path, "-map", "0:a:0", "-c:a", "pcm_s16le", "-f", "s16le", "-")
	if err != nil || decoded == 0 {
		m.reject(undecodable)
	}
	a.Seconds = float64(decoded) / float64(2*a.Channels*a.SampleRate)
	return a
}

// watch decodes the pictures of a file to its end.
func (m *Media) watch(path string, got payload) *Video {
	undecodable := rejection{message: "The video file could not be decoded or its format is not supported."}
	p := m.probe(path, undecodable)
	v := &Video{MIME: got.mime, Container: p.Format.Name, Bytes: len(got.data), SHA256: sha256hex.Of(got.data), path: path}
	if !matches(strings.TrimPrefix(got.mime, "video/"), v.Container) {
		m.rejectf("The video was sent as %q, and its bytes are %q.", got.mime, v.Container)
	}
	for _, stream := range p.Streams {
		switch {
		case stream.Kind == "video" && stream.Disposition.Cover == 0 && v.Width == 0:
			v.Width, v.Height, v.FPS = stream.Width, stream.Height, ratio(stream.Rate)
		case stream.Kind == "audio":
			v.HasSound = true
		}
	}
	v.Seconds, _ = strconv.ParseFloat(p.Format.Duration, 64)
	start, _ := strconv.ParseFloat(p.Format.Start, 64)
	var err error
	if v.FrameTimes, err = m.frameTimes(path, start); err != nil || len(v.FrameTimes) == 0 || v.Width == 0 {
		m.reject(undecodable)
	}
	v.Frames, v.order = len(v.FrameTimes), upTo(len(v.FrameTimes))
	return v
}

// frameTimes returns the time of each frame that ffprobe decodes.
func (m *Media) frameTimes(path string, start float64) ([]float64, error) {
	out, err := run(m.ctx, "ffprobe", "-v", "error", "-select_streams", "V:0", "-show_entries", "frame=best_effort_timestamp_time", "-of", "csv=p=0", "-i", "file:"+path)
	if err != nil {
		return nil, err
	}
	var times []float64
	for line := range strings.Lines(string(out)) {
		field, _, _ := strings.Cut(strings.TrimSpace(line), ",")
		if at, err := strconv.ParseFloat(field, 64); err == nil {
			times = append(times, at-start)
		}
	}
	return times, nil
}

// ratio reads "25/1", 0 for another text.
func ratio(text string) float64 {
	over, under, _ := strings.Cut(text, "/")
	a, _ := strconv.ParseFloat(over, 64)
	b, _ := strconv.ParseFloat(under, 64)
	if b == 0 {
		return 0
	}
	return a / b
}

// containers holds what ffprobe calls the formats that senders name. One that is
// not listed must be one of ffprobe's own names.
var containers = map[string]string{
	"x-wav": "wav", "wave": "wav", "vnd.wave": "wav", "mpeg": "mp3", "x-mp3": "mp3", "mp4": "mov", "m4a": "mov", "x-m4a": "mov", "quicktime": "mov",
	"x-matroska": "matroska", "x-msvideo": "avi", "opus": "ogg", "x-flac": "flac",
}

// matches reports whether a file is of the format that its sender names; "" fits
// any.
func matches(claimed, found string) bool {
	name := strings.ToLower(claimed)
	if known, ok := containers[name]; ok {
		name = known
	}
	return name == "" || slices.Contains(strings.Split(found, ","), name)
}

// run runs a program and returns its output.
func run(ctx context.Context, name string, args ...string) ([]byte, error) {
	var out bytes.Buffer
	err := runInto(ctx, &out, name, args...)
	return out.Bytes(), err
}

// runInto runs a program and writes its output to w.
func runInto(ctx context.Context, w io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	child.Tie(cmd)
	cmd.Stdout = w
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(log.String()))
	}
	return nil
}

// A counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
