package proxy

import (
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func makeIn(t testing.TB, dir, name, args string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	clips.Make(t, path, clips.Fields(args)...)
	return path
}

// numbered are pictures whose brightness tells the number of the frame: 4 levels a frame,
// again and again from the start after 50.
func numbered(rate, size string) string {
	return "-f lavfi -i color=black:s=" + size + ":r=" + rate + ",format=gray,geq=lum='20+4*mod(N,50)',format=yuv420p "
}

const (
	beep = "-f lavfi -i sine=440:r=44100 "
	x264 = "-c:v libx264 -preset veryfast -crf 12 -g 250 "
)

// A clip is a film to prepare.
type clip struct{ name, file, args string }

// plainClips are films at all rates, each a second long or a little more.
var plainClips = []clip{
	{"24, late start", "a.ts", numbered("24", "160x120") + beep + "-t 1.2 " + x264 + "-bf 3 -output_ts_offset 37.123"},
	{"29.97", "a.mp4", numbered("30000/1001", "160x120") + beep + "-t 1.2 " + x264 + "-bf 2"},
	{"30", "a.webm", numbered("30", "160x120") + "-t 1.2 -c:v libvpx -b:v 1M -deadline realtime"},
	{"60", "a.mkv", numbered("60", "160x120") + beep + "-t 1.2 " + x264 + "-bf 0"},
	{"variable", "a.mp4", numbered("30", "160x120") + "-t 2 -vf setpts='(N+mod(N*N,7)/9)/30/TB' -enc_time_base 1/90000 -vsync passthrough " + x264 + "-bf 2"},
}

// oddClips are films of other kinds.
var oddClips = []clip{
	{"picture after sound", "a.mkv", "-itsoffset 0.3003 " + numbered("25", "160x120") + beep + "-t 1.4 " + x264},
	{"sound after picture", "a.mkv", numbered("25", "160x120") + "-itsoffset 0.4 " + beep + "-t 1.4 " + x264},
	{"odd size, 10 bits", "a.mkv", numbered("25", "161x121") + "-t 1 -c:v ffv1 -pix_fmt yuv420p10le"},
	{"larger than the proxy", "a.mp4", numbered("25", "1280x400") + "-t 0.4 " + x264},
	{"AVI", "a.avi", numbered("25", "160x120") + "-t 1.2 -c:v mpeg4 -q:v 2"},
	{"slow", "a.mkv", numbered("5", "160x120") + "-t 4 " + x264},
	{"one frame", "a.mp4", numbered("25", "160x120") + "-frames:v 1 " + x264},
}

// levels are the mean brightness of each frame of a film, as it is decoded.
func levels(t testing.TB, path string) []byte {
	t.Helper()
	cmd := exec.Command("ffmpeg", "-v", "error", "-nostdin", "-i", "file:"+path, "-map", "0:v:0", "-vsync", "passthrough", "-vf", "scale=16:16:flags=area,format=gray", "-f", "rawvideo", "pipe:1")
	out, err := cmd.Output()
	fixture.OK(t, err)
	var means []byte
	for ; len(out) >= 256; out = out[256:] {
		sum := 0
		for _, v := range out[:256] {
			sum += int(v)
		}
		means = append(means, byte(sum/256))
	}
	return means
}

// probed is what ffprobe says of the first film of a file.
type probed struct {
	stream  string   // its codec and form
	tick    float64  // of its time base, in seconds
	times   []string // of its frames as they are decoded
	packets []string // times of its packets, with K for a key frame
}

func ffprobe(t testing.TB, path string) (p probed) {
	t.Helper()
	out, err := exec.Command("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_packets", "-show_frames", "-show_streams",
		"-of", "flat", "-i", "file:"+path, "-show_entries",
		"packet=pts_time,flags:frame=best_effort_timestamp_time:stream=codec_name,has_b_frames,pix_fmt,time_base").Output()
	fixture.OK(t, err)
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		value = strings.Trim(value, `"`)
		switch key[strings.LastIndex(key, ".")+1:] {
		case "best_effort_timestamp_time":
			p.times = append(p.times, value)
		case "pts_time":
			p.packets = append(p.packets, value)
		case "flags":
			p.packets[len(p.packets)-1] += value[:1]
		case "time_base":
			_, den, _ := strings.Cut(value, "/")
			p.tick = 1 / number(t, den)
		case "codec_name", "has_b_frames", "pix_fmt":
			p.stream += value + " "
		}
	}
	return p
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	fixture.OK(t, err)
	return v
}

func prepared(t testing.TB, path, dir string, o Options) *Prepared {
	t.Helper()
	p, err := Prepare(t.Context(), path, dir, o)
	fixture.OK(t, err)
	return p
}

// preparedClips are the clips, prepared once for all tests.
func preparedClips(t testing.TB) []*Prepared {
	t.Helper()
	need.FFmpeg(t)
	ready.Do(func() {
		for _, c := range plainClips {
			source := makeIn(t, filepath.Join(folder, c.name), c.file, c.args)
			ready.files = append(ready.files, prepared(t, source, filepath.Join(folder, "prepared"), Options{}))
		}
	})
	if len(ready.files) != len(plainClips) {
		t.Fatal("the clips could not be prepared: see the test before")
	}
	return ready.files
}

var ready struct {
	sync.Once
	files []*Prepared
}

var folder string // of what is made once

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "proxy-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

func timesOf(t testing.TB, p *Prepared) []float64 {
	t.Helper()
	times, err := p.Times()
	fixture.OK(t, err)
	return times
}

func encoders(t testing.TB) string {
	t.Helper()
	need.FFmpeg(t)
	out, err := exec.Command("ffmpeg", "-v", "error", "-encoders").Output()
	fixture.OK(t, err)
	return string(out)
}
