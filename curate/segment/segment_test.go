package segment

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/media/pdac"
	"omniscope/media/wav"
)

const rate = 1000 // Hz, of the sounds of tests

// A source is a folder of talks with scripted probabilities.
type source struct {
	t      *testing.T
	folder string
	probs  map[string][]float64
	asked  []string // of which talks probabilities were asked
}

// newSource has the talks a, of two sentences of 2 s with a pause of 1 s between
// them, and b, of one sentence.
func newSource(t *testing.T) *source {
	t.Helper()
	s := &source{t: t, folder: t.TempDir(), probs: map[string][]float64{}}
	s.talk("a", 2, -1, 2)
	s.talk("b", -0.5, 2)
	return s
}

// talk makes a talk of seconds of speech and, below zero, of silence. Each sample
// tells its own number.
func (s *source) talk(base string, seconds ...float64) {
	s.t.Helper()
	samples := 0
	var probs []float64
	for _, length := range seconds {
		p := 0.9
		if length < 0 {
			p, length = 0.1, -length
		}
		samples += int(length * rate)
		for len(probs) < pdac.Frames(int64(samples), rate) {
			probs = append(probs, p)
		}
	}
	s.probs[base+".wav"] = probs
	s.write("AUDIO/"+base+".wav", sound(0, samples))
}

// sound is a WAV file with the samples from, from+1, ...
func sound(from, to int) string {
	file := wav.Header(rate, 1, 2*(to-from))
	for i := from; i < to; i++ {
		file = binary.LittleEndian.AppendUint16(file, uint16(i))
	}
	return string(file)
}

func (s *source) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.folder, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *source) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.folder, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *source) remove(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.folder, filepath.FromSlash(name))); err != nil {
		s.t.Fatal(err)
	}
}

// files are all files below a folder of the source, without those that start with a point.
func (s *source) files(name string) (list []string) {
	root := filepath.Join(s.folder, filepath.FromSlash(name))
	_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			name, _ := filepath.Rel(root, path)
			list = append(list, filepath.ToSlash(name))
		}
		return nil
	})
	return list
}

func (s *source) Origin() origin { return origin{Name: "script"} }

func (s *source) Of(_ context.Context, t talkPart) ([]float64, error) {
	s.asked = append(s.asked, t.Wav)
	return s.probs[t.Wav], nil
}

func (s *source) options() Options {
	return Options{Source: s.folder, Probabilities: s, PDAC: pdac.Options{Max: 3, Min: 0.2, Threshold: 0.5}}
}

func (s *source) run() *result {
	s.t.Helper()
	r, err := Run(s.t.Context(), s.options())
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

const (
	list  = "SEGMENTED_AUDIO/shas_segmentation.yaml"
	made  = "SEGMENTED_AUDIO/segmentation.json"
	first = "SEGMENTED_AUDIO/shas_segments/a_0.wav"
)

func TestRunCutsSamplesExactly(t *testing.T) {
	s := newSource(t)
	r := s.run()
	if r.Talks != 2 || r.Segments != 3 || r.Unchanged || len(r.Warnings) != 0 {
		t.Errorf("%+v", r)
	}
	want := "[{duration: 2.002, offset: 0.0, rW: 0, speaker_id: NA, uW: 0, wav: a.wav}, {duration: 2.002,\n" +
		"    offset: 3.003, rW: 0, speaker_id: NA, uW: 0, wav: a.wav}, {duration: 2.002, offset: 0.5005,\n" +
		"    rW: 0, speaker_id: NA, uW: 0, wav: b.wav}]\n"
	if got := s.read(list); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// 3.003 + 2.002 s is beyond the end of a, and 0.5005 s is a bit less than half a
	// sample after the 500th in floating point.
	for name, want := range map[string]string{"a_0.wav": sound(0, 2002), "a_1.wav": sound(3003, 5000), "b_0.wav": sound(500, 2500)} {
		if got := s.read("SEGMENTED_AUDIO/shas_segments/" + name); got != want {
			t.Errorf("%s has not the samples of its segment, but %d bytes", name, len(got))
		}
	}
	if got := s.files("SEGMENTED_AUDIO"); len(got) != 5 {
		t.Errorf("files: %q", got)
	}
}

func TestSecondRunDoesNothing(t *testing.T) {
	s := newSource(t)
	s.run()
	before, err := os.Stat(filepath.Join(s.folder, first))
	fixture.OK(t, err)
	s.asked = nil
	if r := s.run(); !r.Unchanged || r.Segments != 3 || len(s.asked) != 0 {
		t.Errorf("%+v, asked for %q", r, s.asked)
	}
	if after, err := os.Stat(filepath.Join(s.folder, first)); err != nil || !os.SameFile(before, after) {
		t.Errorf("%s was written again, %v", first, err)
	}
}

func TestInterruptedRunGoesOn(t *testing.T) {
	s := newSource(t)
	ctx, cancel := context.WithCancel(t.Context())
	o := s.options()
	o.Report = func(string, int) { cancel() }
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want the interruption", err)
	}
	if got := s.files("SEGMENTED_AUDIO"); slices.Contains(got, "shas_segmentation.yaml") || !slices.Contains(got, "shas_segments/a_0.wav") {
		t.Errorf("after the interruption: %q", got)
	}
	s.asked = nil
	if r := s.run(); r.Segments != 3 || slices.Contains(s.asked, "a.wav") {
		t.Errorf("%+v, asked for %q", r, s.asked)
	}
	whole := newSource(t)
	whole.run()
	if got, want := s.read(list), whole.read(list); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestMissingSegmentIsCutAgain(t *testing.T) {
	s := newSource(t)
	s.run()
	want := s.read(first)
	s.remove(first)
	s.asked = nil
	if r := s.run(); r.Unchanged || len(s.asked) != 0 || s.read(first) != want {
		t.Errorf("%+v, asked for %q", r, s.asked)
	}
}

func TestNewTalkIsAdded(t *testing.T) {
	s := newSource(t)
	s.run()
	s.talk("aa", 1)
	s.asked = nil
	if r := s.run(); r.Talks != 3 || !reflect.DeepEqual(s.asked, []string{"aa.wav"}) {
		t.Errorf("%+v, asked for %q", r, s.asked)
	}
	text := s.read(list)
	if a, aa, b := strings.Index(text, " a.wav"), strings.Index(text, "aa.wav"), strings.Index(text, " b.wav"); a < 0 || aa < a || b < aa {
		t.Errorf("not in the order of names:\n%s", text)
	}
}

// Each change must be refused without --force, and with it give what a new
// folder gives.
func TestForeignSegmentsNeedForce(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *source, o *Options)
		want   string
	}{
		"other options":    {func(s *source, o *Options) { o.PDAC.Max = 1.5 }, "were made by"},
		"other sound":      {func(s *source, o *Options) { s.talk("a", 1, -1, 1.5) }, "a.wav is not the file that was segmented"},
		"talk is gone":     {func(s *source, o *Options) { s.remove("AUDIO/b.wav") }, "no longer in"},
		"list was changed": {func(s *source, o *Options) { s.write(list, "[]\n") }, "was changed after it was written"},
		"no record":        {func(s *source, o *Options) { s.remove(made) }, "was not made by this command"},
		"damaged record":   {func(s *source, o *Options) { s.write(made, "{") }, "is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSource(t)
			s.run()
			o := s.options()
			c.change(s, &o)
			before := s.files(".")
			if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--force") {
				t.Fatalf("%v, want %s", err, c.want)
			}
			if after := s.files("."); !reflect.DeepEqual(after, before) {
				t.Errorf("the refusal changed files: %q, before %q", after, before)
			}
			o.Force = true
			if _, err := Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			fresh := newSource(t)
			fresh.run()
			want := fresh.options()
			c.change(fresh, &want)
			_ = os.RemoveAll(filepath.Join(fresh.folder, "SEGMENTED_AUDIO"))
			if _, err := Run(t.Context(), want); err != nil {
				t.Fatal(err)
			}
			if got, want := s.files("."), fresh.files("."); !reflect.DeepEqual(got, want) {
				t.Errorf("files %q, want %q", got, want)
			}
			if got, want := s.read(list), fresh.read(list); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestForceLeavesOtherFiles(t *testing.T) {
	s := newSource(t)
	s.run()
	s.write("SEGMENTED_AUDIO/shas_segments/a_b_0.wav", "somebody's")
	s.write(made, strings.Replace(s.read(made), "a.wav", "../../AUDIO/a.wav", 1))
	o := s.options()
	o.Force, o.PDAC.Max = true, 1
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if s.read("SEGMENTED_AUDIO/shas_segments/a_b_0.wav") != "somebody's" || len(s.files("AUDIO")) != 2 {
		t.Errorf("files: %q", s.files("."))
	}
}

func TestTalkWithoutSpeechHasNoSegments(t *testing.T) {
	s := newSource(t)
	s.talk("c", -3)
	r := s.run()
	if r.Segments != 3 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "c.wav has no segments") || strings.Contains(s.read(list), "c.wav") {
		t.Errorf("%+v\n%s", r, s.read(list))
	}
}

func TestSubstituteIsNamed(t *testing.T) {
	s := newSource(t)
	o := s.options()
	o.Probabilities = substitute{s}
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "substitute") || !strings.Contains(s.read(made), `"substitute": true`) {
		t.Errorf("%+v, %v", r, err)
	}
}

type substitute struct{ *source }

func (substitute) Origin() origin { return origin{Name: "guess", Substitute: true} }

func TestBadSources(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *source)
		kind   omniscope.Kind
		want   string
	}{
		"no talks":    {func(s *source) { s.remove("AUDIO/a.wav"); s.remove("AUDIO/b.wav") }, omniscope.NotFound, "has no .wav files"},
		"not a sound": {func(s *source) { s.write("AUDIO/b.wav", "hello, hello") }, omniscope.Invalid, "b.wav: it is not a WAV file"},
		"cut off":     {func(s *source) { s.write("AUDIO/b.wav", sound(0, 9)[:50]) }, omniscope.Invalid, "b.wav: the WAV file is cut off"},
		"not UTF-8":   {func(s *source) { s.write("AUDIO/\xff.wav", sound(0, 9)) }, omniscope.Invalid, "not UTF-8"},
	} {
		s := newSource(t)
		c.change(s)
		_, err := Run(t.Context(), s.options())
		if err == nil || omniscope.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if len(s.asked) > 0 || len(s.files("SEGMENTED_AUDIO")) > 0 {
			t.Errorf("%s: work began before all talks were known to be right", name)
		}
	}
}

func TestFileOfProbabilities(t *testing.T) {
	s := newSource(t)
	var text strings.Builder
	for name, probs := range s.probs {
		fmt.Fprintf(&text, "{\"wav\": %q, \"probs\": %s}\n", name, strings.Join(strings.Fields(fmt.Sprint(append(probs, 0.5))), ", "))
	}
	s.write("probs.jsonl", text.String())
	f, err := OpenFile(t.Context(), filepath.Join(s.folder, "probs.jsonl"))
	fixture.OK(t, err)
	o := s.options()
	o.Probabilities = f
	r, err := Run(t.Context(), o)
	if err != nil || r.Segments != 3 || len(r.Warnings) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if !strings.Contains(s.read(made), `"sha256": "`+f.Origin().SHA256+`"`) {
		t.Error("segmentation.json does not name the file of probabilities")
	}
}

func TestBadFilesOfProbabilities(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"wav": "a.wav"}`, `probs.jsonl:1: the line has no field "probs"`},
		{`{"wav": "a.wav", "probs": [0]}` + "\n" + `{"wav": "a.wav", "probs": [0]}`, `probs.jsonl:2: "a.wav" is there twice`},
		{`{"wav": "a.wav", "probs": [-0.5]}`, "probs.jsonl:1: the probability of frame 0 (from 0) is -0.5"},
		{`{"wav": "c.wav", "probs": [0]}`, `has no line for "a.wav"; it has ["c.wav"]`},
		{`{"wav": "a.wav", "probs": [0, 1]}`, "has 2 frames for a.wav, which has 5000 samples at 1000 Hz, so 250 frames at 49.95 a second"},
	} {
		s := newSource(t)
		s.write("probs.jsonl", c.text)
		f, err := OpenFile(t.Context(), filepath.Join(s.folder, "probs.jsonl"))
		if err == nil {
			o := s.options()
			o.Probabilities = f
			_, err = Run(t.Context(), o)
		}
		if err == nil || omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
