package media

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
)

// A clip with everything in it, 25 frames a second:
//
//	0-2 s  teal, still          a tone
//	2-4 s  test picture, moving a tone
//	4-5 s  black                silence
//	5-8 s  Mandelbrot set       noise, soft; a white frame at 6.4 s
const everything = "-f lavfi -i color=teal:s=320x180:r=25:d=2 -f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i color=black:s=320x180:r=25:d=1 " +
	"-f lavfi -i mandelbrot=s=320x180:r=25:start_scale=2 " +
	"-f lavfi -i sine=f=440:r=44100:d=4 -f lavfi -i anullsrc=r=44100:cl=mono:d=1 -f lavfi -i anoisesrc=r=44100:d=3:a=0.05:seed=1 " +
	"-filter_complex [3:v]trim=end=3,format=yuv420p,drawbox=c=white:t=fill:enable='between(n,35,35)'[m];[0:v]format=yuv420p[a];[1:v]format=yuv420p[b];[2:v]format=yuv420p[c];" +
	"[a][b][c][m]concat=n=4[v];[4:a][5:a][6:a]concat=n=3:v=0:a=1[s] -map [v] -map [s] -ac 2 -c:a pcm_s16le -c:v libx264 -preset veryfast -crf 18 "

func TestSurveyInOnePass(t *testing.T) {
	for _, c := range []struct{ name, file, more string }{
		{"from zero", "all.mkv", ""},
		{"with a start of its own", "all.ts", "-c:a mp2 -output_ts_offset 11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := probedFile(t, clips.Made(t, c.file, everything+c.more))
			var pcm bytes.Buffer
			few := Policy{Frames: 5}
			grey, chunks := 0, 0
			s, err := RunSurvey(t.Context(), f, SurveyOptions{
				Samples: []Sample{{Policy: Policy{FPS: 2, MaxPixels: 160 * 90}}, {Policy: few}}, Speech: &pcm,
				Grey:  func(g Grey) error { grey++; return nil },
				Sound: func(c Chunk) error { chunks += len(c.Samples) / c.Channels; return nil },
			})
			fixture.OK(t, err)
			if len(s.Warnings) > 0 || grey != 200 || len(s.Samples) != 2 || len(s.Samples[0].Frames) != 16 || len(s.Video.Moments) != 200 {
				t.Fatalf("%d grey, %d samples, %d moments, %v", grey, len(s.Samples), len(s.Video.Moments), s.Warnings)
			}
			var cuts []time.Duration
			for _, c := range s.Video.Cuts {
				cuts = append(cuts, c.Time)
			}
			near(t, "cuts", cuts, 2, 4, 5)
			if len(s.Video.Flashes) != 1 || (s.Video.Flashes[0].Time-6400*time.Millisecond).Abs() > 50*time.Millisecond {
				t.Errorf("flashes %v, want one at 6.4 s", s.Video.Flashes)
			}
			near(t, "black", ends(s.Video.Black), 4, 5)
			near(t, "still", ends(s.Video.Still), 0, 2)
			var silences []omniscope.Span
			for _, q := range s.Audio.Quiet {
				silences = append(silences, q.Span)
			}
			near(t, "silence", ends(silences), 4, 5)
			if got := float64(pcm.Len()) / 2 / SpeechRate; math.Abs(got-8) > 0.1 || math.Abs(float64(chunks)/44100-8) > 0.1 {
				t.Errorf("%.2f s of speech samples, %d chunks", got, chunks)
			}
			plan := s.Samples[0].Plan
			for i, frame := range s.Samples[0].Frames {
				if frame.PTS != plan.PTS[i] || frame.Index != plan.Indices[i] || len(frame.JPEG) == 0 {
					t.Errorf("frame %d: %d at %d", i, frame.Index, frame.PTS)
				}
			}
			alone, err := Frames(t.Context(), f, few, omniscope.Span{}, "")
			if err != nil || !reflect.DeepEqual(alone, s.Samples[1]) {
				t.Errorf("frames taken in the survey are not those that Frames takes: %v", err)
			}
		})
	}
}

func TestSurveyOfSpan(t *testing.T) {
	f := probedFile(t, clips.Made(t, "all.mkv", everything))
	span := omniscope.Span{Start: 3 * time.Second, End: 5500 * time.Millisecond}
	s, err := RunSurvey(t.Context(), f, SurveyOptions{Span: span, Samples: []Sample{{Policy: Policy{Frames: 3}}}})
	if err != nil || len(s.Warnings) > 0 {
		t.Fatal(err, s)
	}
	var cuts []time.Duration
	for _, c := range s.Video.Cuts {
		cuts = append(cuts, c.Time)
	}
	near(t, "cuts", cuts, 4, 5)
	near(t, "bounds", []time.Duration{s.Video.Start, s.Video.End, s.Audio.Start, s.Audio.Start + s.Audio.Duration}, 3, 5.5, 3, 5.5)
	if frames := s.Samples[0].Frames; len(frames) != 3 || frames[0].Time != 3*time.Second {
		t.Errorf("%d frames", len(frames))
	}
}

// The tone of EBU Tech 3341, test 1: 1 kHz in both channels at -23 dBFS is as
// loud as -23 LUFS, within 0.1.
func TestLoudness(t *testing.T) {
	f := probedFile(t, clips.Made(t, "tone.wav", "-f lavfi -i aevalsrc=0.0708*sin(2000*PI*t)|0.0708*sin(2000*PI*t):s=48000:d=20"))
	s, err := RunSurvey(t.Context(), f, SurveyOptions{})
	if err != nil || s.Audio.Loudness == nil || math.Abs(s.Audio.Loudness.Integrated+23) > 0.1 ||
		math.Abs(s.Audio.Loudness.TruePeak+23) > 0.2 || s.Audio.Loudness.Range > 0.1 {
		t.Errorf("%+v, %v", s.Audio.Loudness, err)
	}
}

func TestPauseAboveFloor(t *testing.T) {
	// Noise at -30 dBFS throughout, a tone above it in the first and last second.
	f := probedFile(t, clips.Made(t, "noisy.wav", "-f lavfi -i aevalsrc=0.03*(2*random(0)-1)+0.5*sin(880*PI*t)*(lt(t\\,1)+gt(t\\,2)):s=16000:d=3"))
	s, err := RunSurvey(t.Context(), f, SurveyOptions{})
	if err != nil || len(s.Audio.Quiet) != 1 {
		t.Fatalf("%+v, %v", s.Audio, err)
	}
	near(t, "pause", ends([]omniscope.Span{s.Audio.Quiet[0].Span}), 1, 2)
	if q := s.Audio.Quiet[0]; q.Digital() || q.Level < -40 || q.Level > -30 {
		t.Errorf("pause at %.1f dBFS", q.Level)
	}
	rain := probedFile(t, clips.Made(t, "rain.wav", "-f lavfi -i anoisesrc=d=2:a=0.2:seed=3"))
	if s, err := RunSurvey(t.Context(), rain, SurveyOptions{}); err != nil || len(s.Audio.Quiet) != 0 {
		t.Errorf("steady noise has pauses: %+v, %v", s.Audio.Quiet, err)
	}
}

// The scene score is that of ffmpeg's select filter.
func TestSceneScore(t *testing.T) {
	for _, c := range []struct{ change, before, want float64 }{
		{255, 0, 2.19}, {50, 50, 0}, {100, 40, 0.515}, {20, 90, 0.172},
	} {
		if got := sceneScore(c.change, c.before); math.Abs(got-c.want) > 0.001 {
			t.Errorf("change %g after %g scores %g, want %g", c.change, c.before, got, c.want)
		}
	}
}

func ends(spans []omniscope.Span) (all []time.Duration) {
	for _, s := range spans {
		all = append(all, s.Start, s.End)
	}
	return all
}

// near compares times with seconds, to a frame and a little.
func near(t *testing.T, what string, got []time.Duration, want ...float64) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a time.Duration, b float64) bool { return math.Abs(a.Seconds()-b) < 0.06 }) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}
