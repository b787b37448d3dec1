package media

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// TestMP3IsTheSoundInTime: what ffmpeg decodes is the sound of the WAV file, not
// shifted, and as long.
func TestMP3IsTheSoundInTime(t *testing.T) {
	wav, err := os.ReadFile(clips.Made(t, "noise.wav", "-f lavfi -i anoisesrc=r=16000:d=10:c=pink:a=0.5:seed=1 -ac 1 -fflags +bitexact"))
	fixture.OK(t, err)
	mp3, err := EncodeMP3(t.Context(), bytes.NewReader(wav[len(wav)-2*10*SpeechRate:]), SpeechRate)
	fixture.OK(t, err)
	if rate := float64(len(mp3)) * 8 / 10 / 1000; math.Abs(rate-MP3BitRate) > 3 {
		t.Errorf("%.1f kbit/s, want %d", rate, MP3BitRate)
	}
	path := filepath.Join(t.TempDir(), "a.mp3")
	fixture.OK(t, os.WriteFile(path, mp3, 0o666))
	f := probedFile(t, path)
	var pcm bytes.Buffer
	h, err := Speech(t.Context(), f, omniscope.Span{}, &pcm)
	if err != nil || len(h.Warnings) > 0 || f.Audio.SampleRate != SpeechRate || f.Audio.Channels != 1 || (h.Duration-10*time.Second).Abs() > 60*time.Millisecond {
		t.Fatalf("%+v, %+v, %v; want 10 s", h, f.Audio, err)
	}
	shift, alike := shiftOf(samplesOf(wav[len(wav)-2*10*SpeechRate:]), samplesOf(pcm.Bytes()))
	t.Logf("shifted by %d samples, correlation %.3f, %v long", shift, alike, h.Duration)
	if math.Abs(float64(shift)/SpeechRate) > 0.06 || alike < 0.9 {
		t.Errorf("the MP3 is shifted by %.4f s, correlation %.3f", float64(shift)/SpeechRate, alike)
	}
}

func samplesOf(pcm []byte) (samples []float64) {
	for ; len(pcm) > 1; pcm = pcm[2:] {
		samples = append(samples, float64(int16(binary.LittleEndian.Uint16(pcm))))
	}
	return samples
}

// shiftOf returns by how many samples b comes later than a, up to 0.1 s, and their
// correlation then.
func shiftOf(a, b []float64) (shift int, alike float64) {
	const most, n = SpeechRate / 10, SpeechRate
	a = a[SpeechRate:][:n]
	for s := -most; s <= most; s++ {
		var ab, aa, bb float64
		for i, v := range b[SpeechRate+s:][:n] {
			ab, aa, bb = ab+a[i]*v, aa+a[i]*a[i], bb+v*v
		}
		if c := ab / math.Sqrt(aa*bb); c > alike {
			shift, alike = s, c
		}
	}
	return shift, alike
}

// TestFFmpegWithoutMP3 has a program in the place of ffmpeg that knows no LAME.
func TestFFmpegWithoutMP3(t *testing.T) {
	wav, err := os.ReadFile(clips.Made(t, "a.wav", "-f lavfi -i sine=d=1"))
	fixture.OK(t, err)
	real := need.Program(t, "ffmpeg")
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$2\" = -encoders ] && exec echo mp2\nfor a do shift; [ \"$a\" = libmp3lame ] && a=libnosuch; set -- \"$@\" \"$a\"; done\nexec " + real + " \"$@\"\n"
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte(script), 0o777))
	if err := CheckMP3(t.Context()); err != nil {
		t.Error(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	_, err = EncodeMP3(t.Context(), bytes.NewReader(wav), SpeechRate)
	fixture.WantError(t, err, omniscope.NotFound, "has no libmp3lame: install a full one")
	fixture.WantError(t, CheckMP3(t.Context()), omniscope.NotFound, "has no libmp3lame: install a full one")
}
