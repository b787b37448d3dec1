package pdac

import (
	"reflect"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// A file of two segments as PyYAML 6.0.3 dumps it, where the name fits on its lines.
const usual = `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: NAME}, {duration: 1.0,
    offset: 12.3456, rW: 0, speaker_id: NA, uW: 0, wav: NAME}]
`

// Names of files with how PyYAML writes them, or with the entire file where its lines break elsewhere.
var dumped = []struct{ wav, text string }{
	{"talk.wav", `talk.wav`}, {"my talk.wav", `my talk.wav`}, {"it's.wav", `it's.wav`}, {"'a'.wav", `'''a''.wav'`},
	{"a: b.wav", `'a: b.wav'`}, {"a#b.wav", `a#b.wav`}, {"a #b.wav", `'a #b.wav'`}, {"-a.wav", `-a.wav`},
	{"- a.wav", `'- a.wav'`}, {"[1].wav", `'[1].wav'`}, {"a,b.wav", `'a,b.wav'`}, {"null", `'null'`}, {"yes", `'yes'`},
	{"1.5", `'1.5'`}, {"12", `'12'`}, {"1:30", `'1:30'`}, {"=", `'='`}, {"~", `'~'`}, {"", `''`},
	{"a\tb.wav", `"a\tb.wav"`}, {"say \"a\".wav", `say "a".wav`}, {"50%.wav", `50%.wav`}, {"%a.wav", `'%a.wav'`},
	{" a.wav", `' a.wav'`},
	{"2023-01-02", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: '2023-01-02'}, {
    duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA, uW: 0, wav: '2023-01-02'}]
`},
	{"vortrag_ä.wav", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: "vortrag_\xE4.wav"},
  {duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA, uW: 0, wav: "vortrag_\xE4\
      .wav"}]
`},
	{"讲座.wav", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: "\u8BB2\u5EA7.wav"},
  {duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA, uW: 0, wav: "\u8BB2\u5EA7\
      .wav"}]
`},
	{"a\nb.wav", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: 'a

      b.wav'}, {duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA, uW: 0, wav: 'a

      b.wav'}]
`},
	{"a very long name of a talk with many words.wav", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: a very long name
      of a talk with many words.wav}, {duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA,
    uW: 0, wav: a very long name of a talk with many words.wav}]
`},
	{"a, very long name of a talk, with many words.wav", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: 'a, very long name
      of a talk, with many words.wav'}, {duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA,
    uW: 0, wav: 'a, very long name of a talk, with many words.wav'}]
`},
	{"вступление к докладу.wav", `[{duration: 1.0, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: "\u0432\u0441\u0442\
      \u0443\u043F\u043B\u0435\u043D\u0438\u0435 \u043A \u0434\u043E\u043A\u043B\u0430\
      \u0434\u0443.wav"}, {duration: 1.0, offset: 12.3456, rW: 0, speaker_id: NA,
    uW: 0, wav: "\u0432\u0441\u0442\u0443\u043F\u043B\u0435\u043D\u0438\u0435 \u043A\
      \ \u0434\u043E\u043A\u043B\u0430\u0434\u0443.wav"}]
`},
}

// file is the file that a row describes.
func file(text string) string {
	if strings.HasPrefix(text, "[{duration") {
		return text
	}
	return strings.ReplaceAll(usual, "NAME", text)
}

func TestYAMLOfPyYAML(t *testing.T) {
	for _, c := range dumped {
		list := []Entry{{c.wav, 0, 1}, {c.wav, 12.3456, 1}}
		if got, err := YAML(list); err != nil || string(got) != file(c.text) {
			t.Errorf("%q: %v\n%s\nwant\n%s", c.wav, err, got, file(c.text))
		}
	}
	if got, err := YAML(nil); err != nil || string(got) != "[]\n" {
		t.Errorf("no segments: %q, %v", got, err)
	}
	if got, err := YAML([]Entry{{Wav: "\xff.wav"}}); err == nil {
		t.Errorf("a name that is not UTF-8: %q, want an error", got)
	}
}

func TestReadWhatWasWritten(t *testing.T) {
	for _, c := range dumped {
		if c.wav == "" {
			continue
		}
		want := []Entry{{c.wav, 0, 1}, {c.wav, 12.3456, 1}}
		if got, err := Read(t.Context(), fixture.File(t, "segments.yaml", file(c.text))); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v", c.wav, got, err)
		}
	}
}

func TestReadOneEntryPerLine(t *testing.T) {
	got, err := Read(t.Context(), golden.Path(t, "mcif", "build", "case_a", "TEST_SET", "SEGMENTED_AUDIO", "shas_segmentation.yaml"))
	first := Entry{"2023.acl-long.101.wav", 0, 0.7065}
	if err != nil || len(got) != 16 || got[0] != first {
		t.Errorf("%v, %v", got, err)
	}
}

func TestReadBlockStyle(t *testing.T) {
	got, err := Read(t.Context(), fixture.File(t, "segments.yaml", "# a talk\n- wav: 12\n  offset: '0'\n  duration: 1e1\n  speaker: {name: Ann}\n"))
	if want := []Entry{{"12", 0, 10}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestReadErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"segments: 1\n", ":1: the file is not a list"},
		{"- {wav: a.wav, offset: 0, duration: 1}\n- {wav: a.wav, offset: 1}\n", ":2: the segment has no duration"},
		{"- wav: a.wav\n  offset: 0\n  duration: long\n", ":3: duration is long, not a number of seconds"},
		{"- {wav: a.wav, offset: -1, duration: 1}\n", ":1: offset is -1, not a number of seconds"},
		{"- {wav: a.wav, offset: .nan, duration: 1}\n", ":1: offset is .nan, not a number of seconds"},
		{"- {wav: a.wav, offset: [0], duration: 1}\n", ":1: offset is [0], not a number of seconds"},
		{"- {wav: ../a.wav, offset: 0, duration: 1}\n", `:1: wav is "../a.wav", not the name of a file without a folder`},
		{"- {wav: a.wav, wav: b.wav, offset: 0, duration: 1}\n", "wav"},
		{"- a.wav\n", ":1: the entry a.wav is not a segment"},
		{"- &x {wav: a.wav, offset: 0, duration: 1}\n- *x\n", ":1: the entry"},
		{"[{wav: a long\n  name.wav, offset: 0,\n  duration: x}]\n", ":3: duration is x"},
		{strings.Repeat("[", 2000), "open brackets"},
		{strings.Repeat("- ", 2000), "lists in lists"},
		{"[{wav: 'a", "a"},
		{"---\n[]\n---\n[]\n", "several documents"},
	} {
		got, err := Read(t.Context(), fixture.File(t, "segments.yaml", c.text))
		if err == nil || !strings.Contains(err.Error(), "segments.yaml") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, %v\nwant %s", c.text, got, err, c.want)
		}
	}
}
