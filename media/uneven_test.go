package media

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
)

// Small steps in the times of sound add up; jitter does not.
func TestUnevenSound(t *testing.T) {
	type packets struct{ pts, duration int64 }
	at := func(n int, each func(i int64) packets) (tr track) {
		tr.first, tr.end, tr.most = missing, missing, missing
		for i := range int64(n) {
			p := each(i)
			tr.add(packet{p.pts, p.pts, p.duration}, false)
		}
		return tr
	}
	random := rand.New(rand.NewPCG(1, 2))
	ms, exact := Rational{1, 1000}, Rational{1, 48000}
	for _, c := range []struct {
		name   string
		codec  string
		base   Rational
		track  track
		uneven bool
		gaps   []omniscope.Span
	}{
		{"AAC in milliseconds", "aac", ms, at(5000, func(i int64) packets { return packets{i * 1024 / 48, 21} }), false, nil},
		{"MP3 in milliseconds", "mp3", ms, at(5000, func(i int64) packets { return packets{i * 1152000 / 48000, 24} }), false, nil},
		{"PCM of unusual packets in milliseconds", "pcm_s16le", ms, at(5000, func(i int64) packets { return packets{i * 2000 / 48, 41} }), false, nil},
		{"Vorbis, with durations of the block before", "vorbis", exact, at(500, func(i int64) packets { return packets{i * 1472, 1024} }), false, nil},
		{"without durations", "aac", ms, at(500, func(i int64) packets { return packets{i * 1024 / 48, 0} }), false, nil},
		{"jitter of 20 ms", "pcm_s16le", ms, at(5000, func(i int64) packets { return packets{i*20 + random.Int64N(20), 20} }), false, nil},
		{"the last packet of a stream is shorter", "flac", exact, at(100, func(i int64) packets { return packets{i * 4608, min(4608, (99-i)*4608+100)} }), false, nil},
		{"drift of 0.1 %", "aac", ms, at(2000, func(i int64) packets { return packets{i * 1025 / 48, 21} }), true, nil},
		{"drift backwards", "aac", ms, at(2000, func(i int64) packets { return packets{i * 1023 / 48, 21} }), true, nil},
		{"drift that MP4 notes as durations", "aac", exact, at(2000, func(i int64) packets { return packets{i * 1026, 1026} }), true, nil},
		{"overlaps that MP4 notes as short durations", "aac", exact, at(2000, func(i int64) packets {
			return packets{i*1024 - (i+1)/10*400, 1024 - (i+2)/10*400 + (i+1)/10*400}
		}), true, nil},
		{"10 ms are lost each second", "pcm_s16le", ms, at(500, func(i int64) packets { return packets{i*20 + i/50*10, 20} }), true, nil},
		{"a gap", "opus", ms, at(500, func(i int64) packets { return packets{i*20 + min(i/300, 1)*700, 20} }), true, []omniscope.Span{{Start: 6 * time.Second, End: 6700 * time.Millisecond}}},
		{"a gap before the last packet", "opus", ms, at(301, func(i int64) packets { return packets{i*20 + min(i/300, 1)*700, 20} }), true, []omniscope.Span{{Start: 6 * time.Second, End: 6700 * time.Millisecond}}},
		{"a gap that MP4 notes as the duration of the packet before", "alac", exact, at(100, func(i int64) packets {
			return packets{i*4096 + min(i/50, 1)*48000, 4096 + min(i/49, 1)*max(50-i, 0)*48000}
		}), true, []omniscope.Span{{Start: 50 * 4096 * time.Second / 48000, End: 50*4096*time.Second/48000 + time.Second}}},
	} {
		s := &Stream{Kind: Audio, Codec: c.codec, TimeBase: c.base, SampleRate: 48000}
		uneven, gaps := c.track.unevenness(s)
		near := func(a, b omniscope.Span) bool {
			return (a.Start-b.Start).Abs() < time.Millisecond && (a.End-b.End).Abs() < time.Millisecond
		}
		if uneven != c.uneven || !slices.EqualFunc(gaps, c.gaps, near) {
			t.Errorf("%s: uneven %v with gaps %v, and not %v with %v", c.name, uneven, gaps, c.uneven, c.gaps)
		}
	}
}

// Sound that drifts is heard at one time by a model and by people.
func TestDriftingSound(t *testing.T) {
	film := clips.Made(t, "film.mp4", "-f lavfi -i testsrc2=s=64x48:r=5:d=30 -f lavfi -i aevalsrc=0.5*sin(2*PI*880*t)*lt(mod(t\\,1)\\,0.1):s=48000:d=30 "+both+h264+"-c:a aac")
	for _, name := range []string{"a.mkv", "a.ts", "a.mp4"} {
		drifting := clips.Made(t, name, "-i "+film+" -c copy -bsf:a setts=ts=floor(TS*1.004)")
		model := heard(t, drifting, omniscope.Span{})
		proxy := filepath.Join(t.TempDir(), "proxy.mp4")
		if _, err := EncodeProxy(t.Context(), probedFile(t, drifting), 64, proxy, nil); err != nil {
			t.Fatal(err)
		}
		people := heard(t, proxy, omniscope.Span{})
		near := func(a, b float64) bool { return a-b < 0.02 && b-a < 0.02 }
		if last := model[len(model)-1]; !slices.EqualFunc(model, people, near) || !near(last, 29*1.004+0.021) && !near(last, 29*1.004) {
			t.Errorf("%s: a model hears %v, people hear %v", name, model, people)
		}
	}
}

// The sound of a proxy is not rounded to the frames of the picture.
func TestProxySoundOfAVI(t *testing.T) {
	film := clips.Made(t, "a.avi", film8+beeps8+both+"-c:v mpeg4 -c:a libmp3lame")
	proxy := filepath.Join(t.TempDir(), "proxy.mp4")
	warnings, err := EncodeProxy(t.Context(), probedFile(t, film), 64, proxy, nil)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v, %q", err, warnings)
	}
	if f := probedFile(t, proxy); f.Audio.Uneven || len(f.SoundGaps()) > 0 {
		t.Errorf("the sound is uneven, with gaps %v", f.SoundGaps())
	}
}

// Times that have no room for the samples are not believed: nothing that is
// heard may be left out.
func TestTimesWithoutRoomForTheSound(t *testing.T) {
	s := &Stream{Kind: Audio, Codec: "nellymoser", SampleRate: 22050, TimeBase: Rational{1, 1000}}
	tr := &track{first: missing, end: missing, most: missing}
	for i := range int64(300) {
		tr.add(packet{30 * i, 30 * i, 46}, false)
	}
	tr.measure(s)
	if s.Uneven || len(s.Gaps) > 0 || (s.Duration-13800*time.Millisecond).Abs() > 20*time.Millisecond {
		t.Errorf("300 packets of 46 ms, one each 30 ms: uneven %v, gaps %v, %v", s.Uneven, s.Gaps, s.Duration)
	}
}
