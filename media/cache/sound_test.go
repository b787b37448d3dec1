package cache

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/media/wav"
)

func soundOf(t *testing.T, k *Clip, p SoundPolicy, span omniscope.Span) *sound {
	t.Helper()
	s, err := k.Sound(t.Context(), p, span)
	fixture.OK(t, err)
	if n := binary.LittleEndian.Uint32(s.Data[40:]); int(n) != len(s.Data)-wav.HeaderBytes {
		t.Errorf("the header says %d bytes of samples, there are %d", n, len(s.Data)-wav.HeaderBytes)
	}
	want := time.Duration(float64(len(s.Data)-wav.HeaderBytes) / float64(2*s.Channels*s.Rate) * float64(time.Second))
	if s.Duration != want {
		t.Errorf("duration %v, the samples last %v", s.Duration, want)
	}
	return s
}

func TestSoundIsThatOfSpeech(t *testing.T) {
	path := talkie(t)
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, path)
	for _, span := range []omniscope.Span{{}, someSpan} {
		var want bytes.Buffer
		heard, err := media.Speech(t.Context(), k.File, span, &want)
		fixture.OK(t, err)
		s := soundOf(t, k, SoundPolicy{}, span)
		if !bytes.Equal(s.Data[wav.HeaderBytes:], want.Bytes()) || s.Rate != 16000 || s.Channels != 1 || s.Start != heard.Start || s.Duration != heard.Duration || s.Peak != heard.Peak || s.Silent() || s.Shortened {
			t.Errorf("span %v: %+v, want %+v", span, *s, heard)
		}
	}
}

func TestOriginalSoundIsThatOfCutAudio(t *testing.T) {
	for _, path := range []string{talkie(t), clips.Made(t, "song.flac", stereo+"-t 2 -sample_fmt s16"), clips.Made(t, "mono.wav", silence+"-t 2")} {
		c, _ := opened(t, t.TempDir(), Options{})
		k := clipOf(t, c, path)
		s := soundOf(t, k, SoundPolicy{Original: true}, omniscope.Span{})
		cut := filepath.Join(t.TempDir(), "cut.wav")
		fixture.OK(t, media.CutAudio(t.Context(), k.File, omniscope.Span{}, cut))
		want, err := os.ReadFile(cut)
		fixture.OK(t, err)
		_, want, _ = bytes.Cut(want, []byte("data"))
		if !bytes.Equal(s.Data[wav.HeaderBytes:], want[4:]) || s.Rate != k.File.Audio.SampleRate || s.Channels != k.File.Audio.Channels {
			t.Errorf("%s: %d samples of %d Hz, %d channels differ from those of CutAudio", filepath.Base(path), len(s.Data), s.Rate, s.Channels)
		}
	}
}

func TestSoundIsShortenedToMaxSeconds(t *testing.T) {
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, clips.Made(t, "song.flac", stereo+"-t 5"))
	whole := soundOf(t, k, SoundPolicy{}, omniscope.Span{})
	for _, test := range []struct {
		most float64
		span omniscope.Span
		want time.Duration
		more bool
	}{
		{2, omniscope.Span{}, 2 * time.Second, true},
		{4.5, omniscope.Span{}, 4500 * time.Millisecond, true},
		{5, omniscope.Span{}, 5 * time.Second, false},
		{60, omniscope.Span{}, 5 * time.Second, false},
		{2, omniscope.Span{Start: time.Second, End: 3 * time.Second}, 2 * time.Second, false},
		{2, omniscope.Span{Start: time.Second, End: 4 * time.Second}, 2 * time.Second, true},
		{2, omniscope.Span{Start: 4 * time.Second}, time.Second, false},
	} {
		for _, original := range []bool{false, true} {
			s := soundOf(t, k, SoundPolicy{Original: original, MaxSeconds: test.most}, test.span)
			warned := strings.Contains(strings.Join(s.Warnings, "\n"), "the rest is left out")
			if s.Duration != test.want || s.Shortened != test.more || warned != test.more {
				t.Errorf("at most %g s of %v: %v, shortened %t, warnings %q", test.most, test.span, s.Duration, s.Shortened, s.Warnings)
			}
			if n := len(s.Data); !original && test.span.Start == 0 && !bytes.Equal(s.Data[wav.HeaderBytes:], whole.Data[wav.HeaderBytes:n]) {
				t.Errorf("at most %g s of %v is not the beginning of the whole", test.most, test.span)
			}
		}
	}
	for _, most := range []float64{-1, math.NaN(), math.Inf(1)} {
		_, err := k.Sound(t.Context(), SoundPolicy{MaxSeconds: most}, omniscope.Span{})
		fixture.WantError(t, err, omniscope.Invalid, "seconds of sound")
	}
	for _, span := range []omniscope.Span{{Start: -1}, {End: -1}, {Start: 2, End: 1}} {
		_, err := k.Sound(t.Context(), SoundPolicy{}, span)
		fixture.WantError(t, err, omniscope.Invalid, "no span")
	}
	if s := soundOf(t, k, SoundPolicy{}, omniscope.Span{Start: time.Hour}); s.Duration != 0 || len(s.Warnings) == 0 {
		t.Errorf("sound after the end: %v, %q", s.Duration, s.Warnings)
	}
}

func TestSilenceAndChannelsThatCancelEachOther(t *testing.T) {
	c, _ := opened(t, t.TempDir(), Options{})
	quiet := soundOf(t, clipOf(t, c, clips.Made(t, "quiet.flac", silence+"-t 1")), SoundPolicy{}, omniscope.Span{})
	if !quiet.Silent() || len(quiet.Warnings) > 0 || quiet.Duration != time.Second {
		t.Errorf("silence: %+v", *quiet)
	}
	opposite := clipOf(t, c, clips.Made(t, "opposite.flac", "-f lavfi -i aevalsrc=0.4*sin(880*PI*t)|-0.4*sin(880*PI*t):s=44100 -t 1"))
	mono := soundOf(t, opposite, SoundPolicy{}, omniscope.Span{})
	if !mono.Silent() || len(mono.Warnings) != 1 || !strings.Contains(mono.Warnings[0], "cancel") {
		t.Errorf("opposite channels in mono: silent %t, %q", mono.Silent(), mono.Warnings)
	}
	if s := soundOf(t, opposite, SoundPolicy{Original: true}, omniscope.Span{}); s.Silent() || s.Channels != 2 || s.Peak < 0.39 {
		t.Errorf("opposite channels as they are: silent %t, peak %g", s.Silent(), s.Peak)
	}
	dual := soundOf(t, clipOf(t, c, clips.Made(t, "quiet2.flac", "-f lavfi -i anullsrc=r=16000:cl=stereo -t 1")), SoundPolicy{}, omniscope.Span{})
	if !dual.Silent() || len(dual.Warnings) > 0 {
		t.Errorf("two silent channels: %q", dual.Warnings)
	}
}

func TestMoreThanTwoChannels(t *testing.T) {
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, clips.Made(t, "surround.flac", "-f lavfi -i aevalsrc=0.2*sin(880*PI*t)|0|0|0|0|0:s=48000:c=5.1 -t 1"))
	if s := soundOf(t, k, SoundPolicy{Original: true}, omniscope.Span{}); s.Channels != 2 || s.Rate != 48000 || s.Duration != time.Second {
		t.Errorf("%+v", *s)
	}
}

func TestSoundAsMP3(t *testing.T) {
	c, _ := opened(t, t.TempDir(), Options{})
	k := clipOf(t, c, clips.Made(t, "song.flac", stereo+"-t 5"))
	plain := soundOf(t, k, SoundPolicy{MaxSeconds: 4}, omniscope.Span{})
	mp3, err := k.Sound(t.Context(), SoundPolicy{MaxSeconds: 4, Format: MP3}, omniscope.Span{})
	fixture.OK(t, err)
	if bytes.Equal(plain.Data[:4], mp3.Data[:4]) || len(mp3.Data)*3 > len(plain.Data) {
		t.Errorf("%d bytes as MP3, %d as WAV", len(mp3.Data), len(plain.Data))
	}
	same := *mp3
	same.Data = plain.Data
	if !reflect.DeepEqual(same, *plain) {
		t.Errorf("of the MP3 is said %+v, of the WAV %+v", same, *plain)
	}
	path := filepath.Join(t.TempDir(), "a.mp3")
	fixture.OK(t, os.WriteFile(path, mp3.Data, 0o666))
	f, err := media.Probe(t.Context(), path)
	if err != nil || f.Format != "mp3" {
		t.Fatal(f, err)
	}
	if heard, err := media.Speech(t.Context(), f, omniscope.Span{}, nil); err != nil || (heard.Duration-4*time.Second).Abs() > 60*time.Millisecond {
		t.Errorf("%+v is decoded, %v; want 4 s", heard, err)
	}
	for _, p := range []SoundPolicy{{Format: "ogg"}, {Format: MP3, Original: true}} {
		_, err := k.Sound(t.Context(), p, omniscope.Span{})
		fixture.WantError(t, err, omniscope.Invalid, "cannot be had as")
	}
	// Entries from before there were formats are still found.
	if policy, err := json.Marshal(SoundPolicy{MaxSeconds: 4}); err != nil || string(policy) != `{"max_seconds":4}` {
		t.Errorf("the key holds %s, %v", policy, err)
	}
}
