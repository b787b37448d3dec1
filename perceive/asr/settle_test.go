package asr

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/media"
	"omniscope/media/signal"
	"omniscope/perceive"
)

// hearingOf is a hearing of 30 s of sound at 16 kHz in which it is loud between pairs of
// seconds and quiet else.
func hearingOf(t *testing.T, info EngineInfo, loud ...float64) *hearing {
	t.Helper()
	pcm := make([]byte, 30*bytesPerSecond)
	for i := 0; i < len(loud); i += 2 {
		for n := int(loud[i] * media.SpeechRate); n < int(loud[i+1]*media.SpeechRate); n++ {
			binary.LittleEndian.PutUint16(pcm[2*n:], uint16(int16(8000*math.Sin(0.2*float64(n)))))
		}
	}
	path := filepath.Join(t.TempDir(), "speech.s16")
	fixture.OK(t, os.WriteFile(path, pcm, 0o600))
	f := &signal.Facts{Duration: 30 * second, Level: signal.Level{Evidence: signal.Evidence{Known: true}, Floor: -60, Loud: -15}}
	return &hearing{info: info, look: &perceive.Look{Survey: &media.Survey{}, Signal: f, Speech: path}}
}

func TestStretchesEndInPauses(t *testing.T) {
	span := func(from, to float64) omniscope.Span {
		return omniscope.Span{Start: inSeconds(from), End: inSeconds(to)}
	}
	for _, c := range []struct {
		name   string
		loud   []float64
		info   EngineInfo
		chunks []omniscope.Span
		want   []omniscope.Span
	}{
		{"quiet there already", []float64{10, 14}, EngineInfo{}, []omniscope.Span{span(9.5, 14.5)}, []omniscope.Span{span(9.5, 14.5)}},
		{"a last word", []float64{10, 14, 14.1, 14.8}, EngineInfo{}, []omniscope.Span{span(9.5, 14.5)}, []omniscope.Span{span(9.5, 14.96)}},
		{"a first word", []float64{9.2, 9.9, 10, 14}, EngineInfo{}, []omniscope.Span{span(9.5, 14.5)}, []omniscope.Span{span(9.04, 14.5)}},
		{"no pause", []float64{0, 30}, EngineInfo{}, []omniscope.Span{span(9.5, 14.5)}, []omniscope.Span{span(7.5, 16.5)}},
		{"at the end of the sound", []float64{20, 30}, EngineInfo{}, []omniscope.Span{span(19.5, 29.5)}, []omniscope.Span{span(19.5, 30)}},
		{"between two parts", []float64{0, 9.6, 9.9, 30}, EngineInfo{}, []omniscope.Span{span(0, 10), span(10, 30)}, []omniscope.Span{span(0, 9.82), span(9.82, 30)}},
		{"not beyond the next stretch", []float64{10, 16}, EngineInfo{}, []omniscope.Span{span(9.5, 14.5), span(15, 16.5)}, []omniscope.Span{span(9.5, 15), span(15, 16.5)}},
		{"no longer than the engine takes", []float64{10, 18}, EngineInfo{Longest: 6 * second}, []omniscope.Span{span(9.5, 15)}, []omniscope.Span{span(9.5, 15.5)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := hearingOf(t, c.info, c.loud...).settled(slices.Clone(c.chunks))
			fixture.OK(t, err)
			for i := range got {
				if len(got) != len(c.want) || (got[i].Start-c.want[i].Start).Abs() > 40*time.Millisecond || (got[i].End-c.want[i].End).Abs() > 40*time.Millisecond {
					t.Fatalf("%v, want %v", got, c.want)
				}
			}
		})
	}
}

func TestLeastLogProbOfEngines(t *testing.T) {
	const talk = "we meet at noon by the old harbour wall"
	whisper := EngineInfo{Name: "whisper", Quotes: true, Mentions: true, LeastLogProb: whisperLeast}
	for _, c := range []struct {
		name string
		info EngineInfo
		sure Sureness
		want string
	}{
		{"of Whisper, sure", whisper, sure(-0.146), "0.86 “" + talk + "”"},
		{"of Whisper, as small ones are", whisper, sure(-0.342), "0.71 “" + talk + "”"},
		{"of Whisper, doubtful", whisper, sure(-0.8), "0.50 “" + talk + "”"},
		{"of Whisper, not believed by itself", whisper, sure(-1.1), "0.90 , perhaps “" + talk + "”"},
		{"of Whisper, narration over music", whisper, Sureness{Known: true, LogProb: -0.23, NoSpeech: 0.67}, "0.50 “" + talk + "”"},
		{"of Whisper, where it hears no speech", whisper, Sureness{Known: true, LogProb: -1.2, NoSpeech: 0.8}, "0.90 "},
		{"of Whisper, in a loop", whisper, Sureness{Known: true, LogProb: -0.2, Packed: 2.8}, "0.90 "},
		{"of another engine", EngineInfo{Name: "ear", Quotes: true}, sure(-0.342), "0.90 "},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := heardBy(t, &ear{info: c.info, heard: []Segment{{End: 5 * second, Text: talk, Sure: c.sure}}}, 10, 14)
			fixture.OK(t, err)
			o := a.Observations[0]
			got := fmt.Sprintf("%.2f %s", o.Sure, strings.TrimPrefix(o.What, "somebody says: "))
			if o.Quote == "" {
				got = fmt.Sprintf("%.2f %s", o.Sure, strings.TrimPrefix(o.What, "speech is heard, not intelligible"))
			}
			if len(a.Observations) != 1 || got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if warned := strings.Contains(strings.Join(a.Warnings, "\n"), "not believed: 1 stretches, the first at 10.5 s"); warned != (o.Quote == "") {
				t.Errorf("warnings: %q", a.Warnings)
			}
		})
	}
	for least, want := range map[float64]string{0: "-1", -0.5: "-0.5"} {
		tool := New(Options{Engines: []Engine{&ear{info: whisper}}, LeastLogProb: least})
		if v := tool.Info().Version; !strings.HasSuffix(v, ", "+want) {
			t.Errorf("version %s, want the limit %s in it", v, want)
		}
	}
}

func TestDoubtfulWordsOfTwoSpans(t *testing.T) {
	h := hearing{look: &perceive.Look{Survey: &media.Survey{Audio: &media.AudioSurvey{}}}}
	span := func(from, to float64) omniscope.Span {
		return omniscope.Span{Start: inSeconds(from), End: inSeconds(to)}
	}
	list := []perceive.Observation{{What: "a", Span: span(0.2, 3.8)}, {What: "b", Span: span(5.5, 9.7)}, {What: "c", Quote: "sure", Span: span(10, 12)}}
	h.mention(list, []Segment{{End: 11 * second, Text: "one two"}, {Start: 10 * second, End: 12 * second, Text: "beyond"}, {Start: 6 * second, End: 7 * second, Text: strings.Repeat("long ", 80)}})
	if want := "b, perhaps “one two long"; list[0].What != "a" || !strings.HasPrefix(list[1].What, want) || !strings.HasSuffix(list[1].What, "…”") || list[2].What != "c" {
		t.Errorf("%+v", list)
	}
}

func TestNotesAreNotSpeech(t *testing.T) {
	span := func(from, to float64) omniscope.Span {
		return omniscope.Span{Start: inSeconds(from), End: inSeconds(to)}
	}
	notes := &signal.Notes{Spans: []omniscope.Span{span(1, 2), span(2.2, 3), span(8, 8.7)}}
	speech := []signal.SpeechSpan{{Span: span(0.9, 2.9)}, {Span: span(7, 9)}, {Span: span(12, 13)}}
	if got := withoutNotes(speech, notes); !slices.Equal(got, speech[1:]) {
		t.Errorf("left are %v", got)
	}
}
