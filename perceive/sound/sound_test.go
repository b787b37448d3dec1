package sound

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/clips"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/media/signal"
	"omniscope/perceive"
)

// A measured sound of 20 s that begins at 1 s of the clip, without any facts.
func measured(change func(h *media.AudioSurvey, f *signal.Facts)) listening {
	h := &media.AudioSurvey{AudioSummary: media.AudioSummary{Start: time.Second, Duration: 20 * time.Second, Peak: 0.5}, Rate: 48000, Channels: 2}
	f := &signal.Facts{Rate: 48000, Channels: 2, Duration: 20 * time.Second}
	change(h, f)
	return listening{hearing: h, facts: f, channels: h.Channels, clip: omniscope.Span{Start: time.Second, End: 21 * time.Second}}
}

var (
	well    = signal.Evidence{Known: true, Sure: 0.9}
	vaguely = signal.Evidence{Known: true, Sure: 0.3}
	unknown = signal.Evidence{Sure: 0.9}
)

func TestFactsInWords(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(h *media.AudioSurvey, f *signal.Facts)
		want   []string // what is said, in order; each a part of one sentence
	}{
		{"nothing known", func(*media.AudioSurvey, *signal.Facts) {}, nil},
		{"loud", func(h *media.AudioSurvey, _ *signal.Facts) {
			h.Loudness = &media.Loudness{Integrated: -12.5, Range: 4.2, TruePeak: 1.4}
		}, []string{"the sound is loud: -12.5 LUFS, true peak 1.4 dBTP, above full scale", "the loudness varies a little: loudness range 4.2 LU"}},
		{"too short for a loudness", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Level = signal.Level{Evidence: well, RMS: -20, Peak: -3}
		}, []string{"its level is -20.0 dBFS"}},
		{"a narrow band", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Band = signal.Band{Evidence: well, Edge: 3880, Drop: 40}
		}, []string{"near 3.88 kHz, a narrow band such as telephones have"}},
		{"a band that is not sure", func(_ *media.AudioSurvey, f *signal.Facts) { f.Band = signal.Band{Evidence: vaguely, Edge: 3880} }, nil},
		{"a low sampling rate", func(h *media.AudioSurvey, _ *signal.Facts) { h.Rate = 8000 }, []string{"sampling rate is 8 kHz, so that nothing is above 4 kHz"}},
		{"clipping", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Clipping = signal.Clipping{Evidence: well, Runs: 40, PPM: 2500, First: 2 * time.Second}
		}, []string{"clipped heavily, first at 3.00 s: 2500 samples in a million"}},
		{"no clipping", func(_ *media.AudioSurvey, f *signal.Facts) { f.Clipping = signal.Clipping{Evidence: well} }, nil},
		{"mono", func(_ *media.AudioSurvey, f *signal.Facts) { f.Channels = 1 }, []string{"the sound is mono"}},
		{"dual mono", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Stereo = signal.Stereo{Evidence: well, Correlation: 1, DualMono: true}
		}, []string{"both channels carry the same"}},
		{"inverted", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Stereo = signal.Stereo{Evidence: well, Correlation: -1, Inverted: true}
		}, []string{"opposite phase"}},
		{"one channel", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Stereo = signal.Stereo{Evidence: well, Balance: -120, OneSided: true}
		}, []string{"only the left channel carries sound"}},
		{"to the right", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Stereo = signal.Stereo{Evidence: well, Balance: 4.7, Correlation: 0.6}
		}, []string{"with the right channel 4.7 dB stronger than the left one"}},
		{"hum", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Hum = signal.Hum{Evidence: well, Present: true, Base: 50, Excess: 12, Pauses: true}
		}, []string{"multiples of 50 Hz are heard in the pauses, consistent with mains hum"}},
		{"no hum", func(_ *media.AudioSurvey, f *signal.Facts) { f.Hum = signal.Hum{Evidence: well, Base: 50} }, nil},
		{"steady", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Texture = signal.Texture{Evidence: well, Steadiness: 1.3, Steady: true}
		}, []string{"the level is steady, within 1.3 dB"}},
		{"dark", func(_ *media.AudioSurvey, f *signal.Facts) { f.Spectrum = signal.Spectrum{Evidence: well, Low: 0.95} }, []string{"dark, mostly low frequencies"}},
		{"a low voice or instrument", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Pitch = signal.Pitch{Evidence: well, Median: 107, Low: 90, High: 140, Share: 0.6}
		}, []string{"of the pitches from 60 to 800 Hz most lie between 90 and 140 Hz, in a low register"}},
		{"hardly any pitch", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Pitch = signal.Pitch{Evidence: well, Median: 107, Share: 0.3}
		}, nil},
		{"tempo and repeats", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Tempo = signal.Tempo{Evidence: well, BPM: 129.5, Pulse: 0.4}
			f.Repeats = signal.Repeats{Evidence: well, Rate: 0.54, Strength: 0.6}
		}, []string{"about 130 beats a minute, or half or twice that"}},
		{"ticks", func(_ *media.AudioSurvey, f *signal.Facts) { f.Repeats = signal.Repeats{Evidence: well, Rate: 0.5} }, []string{"at even intervals, about every 2.00 s"}},
		{"blades", func(_ *media.AudioSurvey, f *signal.Facts) { f.Repeats = signal.Repeats{Evidence: well, Rate: 11.7} }, []string{"about 12 times a second"}},
		{"no tempo that was not measured", func(_ *media.AudioSurvey, f *signal.Facts) { f.Tempo = signal.Tempo{Evidence: unknown, BPM: 107} }, nil},
		{"a hint", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Hints = []signal.Hint{{Texture: "steady noise", ConsistentWith: []string{"rain", "wind", "traffic"}, Sure: 0.95, Basis: "x"}, {Texture: "weak", Sure: 0.5, Basis: "y"}}
		}, []string{"steady noise, consistent with rain, wind or traffic, or with something else"}},
		{"few events", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Bursts = signal.Bursts{Evidence: well, Spans: []signal.Burst{{Span: omniscope.Span{Start: time.Second, End: 2 * time.Second}, Above: 15}}}
			f.Onsets = signal.Onsets{Evidence: well, Times: []signal.Onset{{At: time.Second}, {At: 3 * time.Second}}}
		}, []string{"a short sound stands out, 15 dB above", "sounds set in at 2.0 and 4.0 s"}},
		{"syllables are no events", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Speech = signal.Speech{Evidence: well, Present: true, Share: 0.9, Spans: []signal.SpeechSpan{{Span: omniscope.Span{End: 18 * time.Second}, Sure: 0.9}}}
			f.Bursts = signal.Bursts{Evidence: well, Spans: make([]signal.Burst, 20), PerMinute: 60}
			f.Tempo = signal.Tempo{Evidence: well, BPM: 120}
		}, []string{"somebody seems to speak; the speech is not intelligible here"}},
		{"unsure speech", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Speech = signal.Speech{Evidence: well, Present: true, Share: 0.1, Spans: []signal.SpeechSpan{{Span: omniscope.Span{End: 2 * time.Second}, Sure: 0.55}}}
		}, []string{"there may be speech, not intelligible here"}},
		{"silences", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Silences = signal.Silences{Evidence: well, Parts: []signal.Quiet{
				quiet(1, 2, -120, 1, signal.Empty), quiet(3, 4, -70, 1, signal.Still), quiet(5, 6, -58, 0.6, signal.Faint),
				quiet(7, 8, -40, 0.6, signal.Background), quiet(7, 8, -30, 0.3, signal.Background)}}
		}, []string{"silence without any signal", "silence", "near silence, with a faint background at -58 dBFS", "a pause in which only the background is heard, at -40 dBFS"}},
		{"many short silences and a long one", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Silences = signal.Silences{Evidence: well, Spans: slices.Repeat([]signal.Silence{{Sure: 1}}, 21),
				Parts: append(slices.Repeat([]signal.Quiet{quiet(1, 1.4, -120, 1, signal.Empty)}, 20), quiet(15, 17, -120, 1, signal.Empty))}
		}, []string{"there are 21 pauses", "silence without any signal"}},
		{"nothing but silence", func(_ *media.AudioSurvey, f *signal.Facts) {
			f.Silences = signal.Silences{Evidence: well, All: true, Spans: []signal.Silence{{Level: -90, Sure: 1}}}
			f.Channels = 1
		}, []string{"the sound track is silent throughout"}},
		{"nothing decoded", func(h *media.AudioSurvey, _ *signal.Facts) { h.Duration = 0 }, []string{"no sound can be decoded"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := measured(c.change)
			list := l.observe()
			if len(list) != len(c.want) {
				t.Fatalf("says %q, want %q", perceive.NewAnswer(true, list...).Text, c.want)
			}
			for i, o := range list {
				if !strings.Contains(o.What, c.want[i]) || o.Sure <= 0 || o.Sure > 1 || o.Quote != "" {
					t.Errorf("says %+v, want %q", o, c.want[i])
				}
			}
		})
	}
}

func quiet(from, to, level, confidence float64, d signal.Depth) signal.Quiet {
	span := omniscope.Span{Start: time.Duration(from * 1e9), End: time.Duration(to * 1e9)}
	return signal.Quiet{Silence: signal.Silence{Span: span, Level: level, Sure: confidence}, Depth: d}
}

func TestMediaTime(t *testing.T) {
	l := measured(func(_ *media.AudioSurvey, f *signal.Facts) {
		f.Silences = signal.Silences{Evidence: well, Parts: []signal.Quiet{quiet(2, 3, -120, 1, signal.Empty)}}
	})
	if got := l.observe()[0].Span; got != (omniscope.Span{Start: 3 * time.Second, End: 4 * time.Second}) {
		t.Errorf("the sound begins at 1 s, so that its second 2 is not at %v", got)
	}
}

func TestLoudAndQuietParts(t *testing.T) {
	levels := func(runs ...float64) (all []float64) { // pairs of seconds and level
		for i := 0; i < len(runs); i += 2 {
			all = append(all, slices.Repeat([]float64{runs[i+1]}, int(runs[i]))...)
		}
		return all
	}
	for _, c := range []struct {
		name   string
		levels []float64
		want   []string
	}{
		{"even", levels(20, -20), nil},
		{"quieter in between", levels(5, -20, 4, -30, 6, -20), []string{"6s to 10s quieter"}},
		{"louder at the end", levels(10, -30, 3, -12), []string{"1s to 11s quieter", "11s to 14s louder"}},
		{"too short", levels(8, -20, 2, -32, 8, -20), nil},
		{"a silence is none", levels(8, -20, 5, -90, 8, -20), nil},
		{"up and down all the time", slices.Repeat(levels(3, -10, 3, -30), 9), nil},
	} {
		l := measured(func(h *media.AudioSurvey, f *signal.Facts) {
			h.Loudness = &media.Loudness{Integrated: -20}
			f.Level = signal.Level{Evidence: well, RMS: -20, Seconds: c.levels}
			f.Silences.Threshold = -60
		})
		var got []string
		for _, o := range l.levelChanges() {
			word := "quieter"
			if strings.Contains(o.What, "louder") {
				word = "louder"
			}
			got = append(got, fmt.Sprintf("%v to %v %s", o.Span.Start, o.Span.End, word))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// opened makes a clip with ffmpeg and opens it.
func opened(t *testing.T, name string, args ...string) *perceive.Clip {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	clips.Make(t, path, args...)
	return clip(t, path)
}

func clip(t *testing.T, path string) *perceive.Clip {
	t.Helper()
	c, err := perceive.Open(t.Context(), omniscope.Clip{Path: path})
	fixture.OK(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func observed(t *testing.T, c *perceive.Clip) []perceive.Observation {
	t.Helper()
	a, err := New().Observe(t.Context(), c, "What is heard?")
	fixture.OK(t, err)
	return a.Observations
}

// one returns the first observation with a text.
func one(t *testing.T, list []perceive.Observation, says string) perceive.Observation {
	t.Helper()
	at := slices.IndexFunc(list, func(o perceive.Observation) bool { return strings.Contains(o.What, says) })
	if at < 0 {
		t.Fatalf("no observation says %q in:\n%s", says, perceive.NewAnswer(true, list...).Text)
	}
	return list[at]
}

func TestClips(t *testing.T) {
	t.Run("no sound track", func(t *testing.T) {
		list := observed(t, opened(t, "mute.mp4", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1"))
		if len(list) != 1 || list[0].Kind != perceive.Absence || list[0].What != "the clip has no sound track" || list[0].Sure != 1 {
			t.Errorf("%+v", list)
		}
	})
	t.Run("a silent track", func(t *testing.T) {
		list := observed(t, opened(t, "silent.wav", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono:d=2"))
		if len(list) != 1 || list[0].Kind != perceive.Silence || list[0].What != "the sound track is silent throughout" {
			t.Errorf("%+v", list)
		}
	})
	t.Run("a tone with a hole", func(t *testing.T) {
		list := observed(t, opened(t, "hole.wav", "-f", "lavfi", "-i", "aevalsrc='0.25*sin(2*PI*440*t)*(1-between(t,2,3.5))':s=44100:d=6"))
		hole := one(t, list, "silence without any signal")
		if d := hole.Span; d.Start.Seconds() < 1.95 || d.Start.Seconds() > 2.05 || d.End.Seconds() < 3.45 || d.End.Seconds() > 3.55 {
			t.Errorf("the hole from 2 to 3.5 s is found at %v", d)
		}
		one(t, list, "the sound is mono")
		if i := slices.IndexFunc(list, func(o perceive.Observation) bool { return o.Kind == perceive.Speech }); i >= 0 {
			t.Errorf("speech in a tone: %+v", list[i])
		}
	})
	t.Run("sound that ends before the picture", func(t *testing.T) {
		list := observed(t, opened(t, "short.mkv", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=4", "-f", "lavfi", "-i", "sine=d=2", "-c:v", "libx264", "-c:a", "flac"))
		end := one(t, list, "before the clip does")
		if end.Kind != perceive.Silence || end.Span.Start.Seconds() > 2.1 || end.Span.End.Seconds() < 3.5 {
			t.Errorf("%+v", end)
		}
	})
}
