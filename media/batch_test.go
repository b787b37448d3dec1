package media

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// wantAsAlone compares takes with the frames and the sound of each file alone.
func wantAsAlone(t *testing.T, takes []*Take) {
	t.Helper()
	for _, k := range takes {
		if k.Sound {
			var pcm bytes.Buffer
			h, err := Speech(t.Context(), k.File, omniscope.Span{}, &pcm)
			if err != nil || !bytes.Equal(k.PCM, pcm.Bytes()) || !reflect.DeepEqual(h, k.Heard) {
				t.Errorf("%s: %d bytes, %+v, alone %d bytes, %+v, %v", k.File.Path, len(k.PCM), k.Heard, pcm.Len(), h, err)
			}
		}
		if k.Frames != nil {
			frames, err := Frames(t.Context(), k.File, *k.Frames, omniscope.Span{}, "")
			if err != nil || !reflect.DeepEqual(k.Sampled, frames) {
				t.Errorf("%s: other frames than alone (%v):\n%+v\n%+v", k.File.Path, err, k.Sampled.Plan, frames.Plan)
			}
		}
	}
}

// With one thread ffmpeg decodes another number of samples of joined FLAC files.
func TestDecodersOfSoundKeepTheirThreads(t *testing.T) {
	for _, take := range []*Take{{Sound: true}, {Sound: true, Frames: &Policy{}}} {
		for _, takes := range []int{1, 2} {
			for _, option := range take.threads(takes) {
				if strings.HasPrefix(option, "-threads") && option != "-threads:v" {
					t.Errorf("%d takes: %v", takes, take.threads(takes))
				}
			}
		}
	}
}

func TestSoundOfSeveralFilesIsThatOfEach(t *testing.T) {
	var takes []*Take
	for i, source := range []string{
		"-f lavfi -i anoisesrc=r=44100:d=1.5:a=0.3 -c:a libmp3lame", "-f lavfi -i sine=500:r=22050:d=0.7 -c:a pcm_s24le", "-f lavfi -i sine=300:r=48000:d=2 -ac 2 -c:a aac",
		"-f lavfi -i testsrc2=s=64x64:d=1 -itsoffset 0.3 -f lavfi -i sine=700:r=44100:d=0.7 -c:v libx264 -c:a aac", "-f lavfi -i anoisesrc=r=8000:d=1 -c:a flac",
	} {
		takes = append(takes, &Take{Sound: true, File: probedFile(t, clips.Made(t, "sound"+[]string{".mp3", ".wav", ".m4a", ".mp4", ".flac"}[i], source))})
	}
	fixture.OK(t, TakeTogether(t.Context(), takes))
	wantAsAlone(t, takes)
	damaged, err := os.ReadFile(takes[2].File.Path)
	fixture.OK(t, err)
	copy(damaged[len(damaged)/3:], make([]byte, 200))
	fixture.OK(t, os.WriteFile(takes[2].File.Path, damaged, 0o600))
	if err := TakeTogether(t.Context(), takes); err == nil {
		t.Error("a damaged file among several is no error")
	}
}

// Films of other sizes, rates, codecs and times of their start than each other, with and
// without sound that is wanted, next to sound alone.
func TestFilmsOfOneProgramAreThoseOfEach(t *testing.T) {
	const sine = " -f lavfi -i sine=500:r=44100:d=2"
	var takes []*Take
	for i, c := range []struct {
		name, source string
		policy       *Policy
		sound        bool
	}{
		{"a.mp4", "-f lavfi -i testsrc2=s=96x64:r=10:d=2" + sine + " -c:v libx264 -c:a aac", &Policy{FPS: 2}, true},
		{"b.mp4", "-f lavfi -i testsrc=s=128x72:r=30000/1001:d=1.5" + sine + " -c:v libx264 -bf 3 -c:a aac -output_ts_offset 1000", &Policy{FPS: 4}, true},
		{"c.webm", "-f lavfi -i testsrc2=s=64x96:r=25:d=1 -c:v libvpx -b:v 200k", &Policy{Frames: 3}, false},
		{"d.mkv", "-f lavfi -i testsrc2=s=96x64:r=12:d=1" + sine + " -c:v mjpeg -c:a pcm_s16le", &Policy{FPS: 1}, true},
		{"e.mp3", "-f lavfi -i anoisesrc=r=44100:d=1.5:a=0.3 -c:a libmp3lame", nil, true},
		{"f.mp4", "-f lavfi -i testsrc2=s=96x64:r=10:d=2" + sine + " -c:v mpeg4 -c:a aac", &Policy{Frames: 1}, false},
	} {
		takes = append(takes, &Take{Frames: c.policy, Sound: c.sound, File: probedFile(t, clips.Made(t, fmt.Sprint(i, c.name), c.source))})
	}
	fixture.OK(t, TakeTogether(t.Context(), takes))
	wantAsAlone(t, takes)
}

func TestShareOfOneProgram(t *testing.T) {
	file := func(seconds, width, height int, transfer string) *File {
		length := durationOf(int64(seconds), Rational{1, 1})
		f := &File{Streams: []Stream{{Kind: Audio, Duration: length}, {Kind: Video, Duration: length, Width: width, Height: height, Packets: int64(25 * seconds), Transfer: transfer}}}
		f.Audio, f.Video = &f.Streams[0], &f.Streams[1]
		return f
	}
	for _, c := range []struct {
		file   *File
		frames *Policy
		want   float64
	}{
		{file(5, 1920, 1080, ""), nil, 1. / 32},
		{file(60, 1920, 1080, ""), nil, 1. / 8},
		{file(4, 640, 360, ""), &Policy{}, 1. / 8},
		{file(10, 1280, 720, ""), &Policy{}, 0.288},
		{file(60, 1920, 1080, ""), &Policy{}, 1},
		{file(4, 640, 360, pq), &Policy{}, 1},
	} {
		if got := (&Take{File: c.file, Frames: c.frames}).Share(); got != c.want {
			t.Errorf("%v, frames %v: %v, want %v", c.file.End(), c.frames != nil, got, c.want)
		}
	}
}

// The table of the range is that of the formula, for each value of 8 bits.
func TestTableOfFullRange(t *testing.T) {
	entry := func(v float64) int { return min(max(int(v), 0), 255) } // as ffmpeg's filter lut makes one
	for i := range 256 {
		val := float64(i)
		if got, want := entry(val*1.16438356164384-18.1301369863014), entry((val-16)*255/219+0.5); got != want {
			t.Errorf("luma %d: %d, want %d", i, got, want)
		}
		if got, want := entry(val*1.13839285714286-17.2142857142857), entry((val-128)*255/224+128.5); got != want {
			t.Errorf("chroma %d: %d, want %d", i, got, want)
		}
	}
	if fullLuma != "val*1.16438356164384-18.1301369863014" || fullChroma != "val*1.13839285714286-17.2142857142857" {
		t.Errorf("the filter computes %s and %s", fullLuma, fullChroma)
	}
}
