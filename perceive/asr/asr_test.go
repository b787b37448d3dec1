package asr

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
	"omniscope/media"
	"omniscope/media/signal"
	"omniscope/perceive"
)

const second = time.Second

// An ear is an engine that hears the same in every sound.
type ear struct {
	info  EngineInfo
	heard []Segment
	err   error
	calls []time.Duration // of the sounds
}

func (e *ear) Info() EngineInfo            { return e.info }
func (e *ear) Check(context.Context) error { return e.err }
func (e *ear) Transcribe(_ context.Context, s Sound) ([]Segment, error) {
	e.calls = append(e.calls, s.Duration())
	return e.heard, e.err
}

// heardBy transcribes 30 s of sound that begin at 1 s of the clip, with speech
// at some seconds of it.
func heardBy(t *testing.T, e *ear, speech ...float64) (*perceive.Answer, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "speech.s16")
	fixture.OK(t, os.WriteFile(path, make([]byte, 30*bytesPerSecond), 0o600))
	f := &signal.Facts{Duration: 30 * second, Speech: signal.Speech{Evidence: signal.Evidence{Known: true}, Present: true}, Level: signal.Level{Seconds: slices.Repeat([]float64{-20}, 30)}}
	for i := 0; i < len(speech); i += 2 {
		f.Speech.Spans = append(f.Speech.Spans, signal.SpeechSpan{Span: omniscope.Span{Start: inSeconds(speech[i]), End: inSeconds(speech[i+1])}, Sure: 0.9})
	}
	look := &perceive.Look{Survey: &media.Survey{Audio: &media.AudioSurvey{AudioSummary: media.AudioSummary{Start: second, Duration: 30 * second}}}, Signal: f, Speech: path}
	h := hearing{tool: New(Options{Engines: []Engine{e}}), info: e.info, engine: e, look: look}
	if err := h.listen(t.Context()); err != nil {
		return nil, err
	}
	return h.transcribe(t.Context())
}

func sure(logProb float64) Sureness { return Sureness{Known: true, LogProb: logProb} }

func TestQuotedSpeech(t *testing.T) {
	const talk = "we meet at noon by the old harbour wall"
	for _, c := range []struct {
		name   string
		quotes bool
		heard  []Segment
		speech []float64
		want   []string // start, end in media time, and what; “…” is a quote
	}{
		{"words", true, []Segment{{Start: second / 2, End: 5 * second, Text: "  we meet \n at noon ", Sure: sure(-0.1)}}, []float64{10, 14.6},
			[]string{"11.0 to 15.5 “we meet at noon” 0.90"}},
		{"words of an engine that does not say how sure it is", true, []Segment{{End: 5 * second, Text: talk}}, []float64{10, 14},
			[]string{"10.5 to 15.5 “" + talk + "” 0.70"}},
		{"doubtful words", true, []Segment{{End: 5 * second, Text: talk, Sure: sure(-0.35)}}, []float64{10, 14}, []string{"11.0 to 15.0 speech is heard, not intelligible 0.90"}},
		{"words where the engine hears no speech", true, []Segment{{End: 5 * second, Text: talk, Sure: Sureness{Known: true, LogProb: -0.1, NoSpeech: 0.9}}}, []float64{10, 14},
			[]string{"10.5 to 15.5 “" + talk + "” 0.50"}},
		{"a loop", true, []Segment{{End: 5 * second, Text: strings.Repeat("I'm going to tell you something. ", 4), Sure: sure(-0.1)}}, []float64{10, 14},
			[]string{"11.0 to 15.0 speech is heard, not intelligible 0.90"}},
		{"a remark", true, []Segment{{End: 5 * second, Text: "[Music]", Sure: sure(-0.1)}}, []float64{10, 14}, []string{"11.0 to 15.0 speech is heard, not intelligible 0.90"}},
		{"nothing", true, nil, []float64{10, 14}, []string{"11.0 to 15.0 speech is heard, not intelligible 0.90"}},
		{"the first half only", true, []Segment{{Start: second / 2, End: 4 * second, Text: talk, Sure: sure(-0.1)}}, []float64{10, 18},
			[]string{"11.0 to 14.5 “" + talk + "” 0.90", "14.5 to 19.0 speech is heard, not intelligible 0.90"}},
		{"words beside the speech", true, []Segment{{Start: 9 * second, End: 12 * second, Text: "Bye", Sure: sure(-0.1)}}, []float64{10, 14},
			[]string{"11.0 to 15.0 speech is heard, not intelligible 0.90"}},
		{"an engine that is not quoted", false, []Segment{{End: 5 * second, Text: talk, Words: []Word{{"noon", 1}, {"harbour", 0.95}, {"market", 0.4}}}}, []float64{10, 14},
			[]string{"11.0 to 15.0 speech is heard, not intelligible, possibly about: harbour (unreliable) 0.90"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := heardBy(t, &ear{info: EngineInfo{Name: "ear", Quotes: c.quotes}, heard: c.heard}, c.speech...)
			fixture.OK(t, err)
			var got []string
			for _, o := range a.Observations {
				what := o.What
				if o.Quote != "" {
					what = "“" + o.Quote + "”"
				}
				got = append(got, fmt.Sprintf("%.1f to %.1f %s %.2f", o.Span.Start.Seconds(), o.Span.End.Seconds(), what, o.Sure))
				if o.Kind != perceive.Speech || !c.quotes && (o.Quote != "" || strings.Contains(o.What, talk)) {
					t.Errorf("%+v", o)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestRepeatedSegments(t *testing.T) {
	line := Segment{Text: "I do not know what this is."}
	for _, c := range []struct {
		name string
		list []Segment
		want []bool
	}{
		{"three", []Segment{line, {Text: "Hello there"}, line, line}, []bool{true, false, true, true}},
		{"two", []Segment{line, line}, []bool{false, false}},
		{"short ones", slices.Repeat([]Segment{{Text: "Yes."}}, 4), []bool{false, false, false, false}},
	} {
		if got := loopsIn(c.list); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestLoops(t *testing.T) {
	for text, want := range map[string]bool{
		"ask not what your country can do for you ask what you can do for your country": false,
		"nine eight seven six five four three two one zero":                             false,
		"no no no no no":                                  false,
		"no no no no no no":                               true,
		"very, very good":                                 false,
		"come on come on come on":                         false,
		"la li la li la li La Li!":                        true,
		"to be or to be or to be":                         false,
		"I tell you I tell you and I tell you I tell you": false,
		"I tell you, I tell you, I tell you":              true,
		"":                                                false,
	} {
		if got := loops(words(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestCutAtSilences(t *testing.T) {
	spans := func(pairs ...float64) (list []omniscope.Span) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, omniscope.Span{Start: inSeconds(pairs[i]), End: inSeconds(pairs[i+1])})
		}
		return list
	}
	for _, c := range []struct {
		name     string
		speech   []omniscope.Span
		silences []omniscope.Span
		engine   EngineInfo
		want     []omniscope.Span
	}{
		{"one stretch, with some sound around it", spans(10, 20), nil, EngineInfo{}, spans(9.5, 20.5)},
		{"near stretches together", spans(10, 20, 22, 30, 40, 50), nil, EngineInfo{}, spans(9.5, 30.5, 39.5, 50.5)},
		{"within the sound", spans(0.2, 99.8), nil, EngineInfo{}, spans(0, 100)},
		{"cut at the longest silence near the end", spans(0, 100), spans(10, 20, 45, 46, 50, 54, 66, 80), EngineInfo{Longest: 60 * second}, spans(0, 52, 52, 100)},
		{"cut at the quietest second where there is no silence", spans(0, 100), nil, EngineInfo{Longest: 60 * second}, spans(0, 50.5, 50.5, 100)},
		{"no more than the engine can bear", spans(0, 30, 60, 90), nil, EngineInfo{Most: 40 * second}, spans(0, 30.5, 59.5, 69)},
	} {
		f := &signal.Facts{Duration: 100 * second, Level: signal.Level{Seconds: slices.Repeat([]float64{-20}, 100)}}
		f.Level.Seconds[50] = -30
		for _, s := range c.speech {
			f.Speech.Spans = append(f.Speech.Spans, signal.SpeechSpan{Span: s, Sure: 0.9})
		}
		for _, s := range c.silences {
			f.Silences.Spans = append(f.Silences.Spans, signal.Silence{Span: s, Sure: 0.9})
		}
		if got := plan(f, f.Speech.Spans, c.engine); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestChunksStreamed(t *testing.T) {
	e := &ear{info: EngineInfo{Name: "ear", Quotes: true, Longest: 12 * second, Most: 20 * second}, heard: []Segment{{End: second, Text: "well"}}}
	a, err := heardBy(t, e, 1, 29)
	if err != nil || len(e.calls) != 2 || e.calls[0] > 12*second || e.calls[0]+e.calls[1] != 20*second {
		t.Errorf("sounds of %v, %v", e.calls, err)
	}
	if len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "listens to 20s of a clip at most: 9s of speech were left out") {
		t.Error(a.Warnings)
	}
	e = &ear{info: e.info, err: &omniscope.Error{Kind: omniscope.Exhausted, Err: errors.New("gave up")}}
	if _, err := heardBy(t, e, 1, 29); omniscope.KindOf(err) != omniscope.Exhausted || !strings.Contains(err.Error(), "transcribe 0.5 to ") {
		t.Errorf("a chunk that fails is no answer: %v", err)
	}
}

func TestEngineChoice(t *testing.T) {
	need.FFmpeg(t)
	pack := &ear{info: EngineInfo{Name: "pack", Missing: "run make speech-pack", Quotes: true}}
	good := &ear{info: EngineInfo{Name: "good", Quotes: true}, err: errors.New("no answer")}
	none, _ := NewEndpoint(EndpointOptions{})
	for _, c := range []struct {
		name    string
		engines []Engine
		says    string
		works   bool
	}{
		{"the second", []Engine{pack, good, pack}, "uses good; not pack: run make speech-pack", true},
		{"the first", []Engine{good, pack}, "uses good", true},
		{"none", []Engine{pack, none}, "no engine can be used; not pack: run make speech-pack; not a transcription server: no address of a transcription server is set", false},
		{"nothing given at all", []Engine{}, "no engine can be used", false},
	} {
		tool := New(Options{Engines: c.engines})
		if got := tool.Engines(); got != c.says {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
		if !strings.Contains(tool.Info().Needs, c.says) || (tool.Info().Version == New(Options{Engines: []Engine{none}}).Info().Version) == c.works {
			t.Errorf("%s: %+v", c.name, tool.Info())
		}
		if err := tool.Check(t.Context()); err == nil || c.works == (omniscope.KindOf(err) == omniscope.NotFound) && !strings.Contains(err.Error(), "ffmpeg") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestCancellingChannels(t *testing.T) {
	h := hearing{info: EngineInfo{Quotes: true}, look: &perceive.Look{Survey: &media.Survey{Audio: &media.AudioSurvey{}}, Signal: &signal.Facts{
		Stereo: signal.Stereo{Evidence: signal.Evidence{Known: true}, Inverted: true},
		Speech: signal.Speech{Evidence: signal.Evidence{Known: true}, Present: true, Spans: []signal.SpeechSpan{{Span: omniscope.Span{End: second}, Sure: 0.8}}},
	}}}
	fixture.OK(t, h.listen(t.Context()))
	a, err := h.transcribe(t.Context())
	if err != nil || len(a.Observations) != 1 || a.Observations[0].Quote != "" || len(a.Warnings) != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestPocketsphinxOutput(t *testing.T) {
	got := readSphinx("what your country(2)\n<s> 5.300 5.340 0.999200\nwhat 5.350 5.600 0.287209\nyour 5.610 5.850 0.698345\ncountry(2) 5.860 6.420 1.000100\n<sil> 6.5 6.6 1\n</s> 7.680 7.950 1.0\n\nso\nso 8.0 8.2 0.5\n")
	if len(got) != 2 || got[0].Start != 5300*time.Millisecond || got[0].End != 7950*time.Millisecond || got[1].Text != "so" ||
		!slices.Equal(got[0].Words, []Word{{"what", 0.287209}, {"your", 0.698345}, {"country", 1}}) {
		t.Errorf("%+v", got)
	}
	for _, odd := range []string{"", "\n\n", "a 1 2 3\n", "words only\n", "x\na b c d\n"} {
		for _, s := range readSphinx(odd) {
			if s.Start < 0 {
				t.Errorf("%q: %+v", odd, s)
			}
		}
	}
}

// A keenEar also tells where somebody speaks.
type keenEar struct {
	*ear
	spoken []signal.SpeechSpan // in each sound
}

func (e *keenEar) Spoken(context.Context, Sound) ([]signal.SpeechSpan, error) { return e.spoken, e.err }

// TestListenerDecides where to listen, whatever was measured; its times count from the start of what it was given.
func TestListenerDecides(t *testing.T) {
	span := func(from, to, sure float64) signal.SpeechSpan {
		return signal.SpeechSpan{Span: omniscope.Span{Start: inSeconds(from), End: inSeconds(to)}, Sure: sure}
	}
	path := filepath.Join(t.TempDir(), "speech.s16")
	fixture.OK(t, os.WriteFile(path, make([]byte, 30*bytesPerSecond), 0o600))
	measured := &signal.Facts{Duration: 30 * second, Speech: signal.Speech{Evidence: signal.Evidence{Known: true}, Present: true, Spans: []signal.SpeechSpan{span(20, 25, 0.9)}}}
	look := &perceive.Look{Survey: &media.Survey{}, Signal: measured, Speech: path}
	e := &keenEar{ear: &ear{info: EngineInfo{Longest: 12 * second}}, spoken: []signal.SpeechSpan{span(1, 2, 0.8), span(11, 13, 0.7)}}
	h := hearing{info: e.info, engine: e, look: look}
	fixture.OK(t, h.listen(t.Context()))
	want := []signal.SpeechSpan{span(1, 2, 0.8), span(11, 12, 0.7), span(13, 14, 0.8), span(23, 24, 0.7), span(25, 26, 0.8), span(30, 30, 0.7)}
	if !slices.Equal(h.speech, want) {
		t.Errorf("%v, want %v", h.speech, want)
	}
	e.spoken = nil
	if h = (hearing{info: e.info, engine: e, look: look}); h.listen(t.Context()) != nil || len(h.speech) > 0 {
		t.Errorf("it hears nobody, and %v was heard", h.speech)
	}
	if v := New(Options{Engines: []Engine{e}}).Info().Version; !strings.HasPrefix(v, "6, ") {
		t.Errorf("version %s", v)
	}
}
