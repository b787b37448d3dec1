package mcif

import (
	"bytes"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/document"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/benchtest"
	"omniscope/internal/testing/fixture"
)

// References, called as the benchmark's builder calls them.

func reference(task, iid, ids, text string) mcifxml.Reference {
	r := mcifxml.Reference{ID: ids, IDs: strings.Split(ids, ","), IID: iid, Task: task, Text: text, HasText: text != ""}
	r.AudioPath, r.HasAudioPath = "a.wav", true
	r.VideoPath, r.HasVideoPath = "a.mp4", true
	return r
}

func transcriptOf(talk, ids, text string) mcifxml.Reference {
	return reference(asr, "ASR_"+talk, ids, text)
}

func translationOf(talk, ids, transcript, text string) mcifxml.Reference {
	r := reference(trans, "TRANS_"+talk, ids, text)
	r.Metadata = map[string]string{"transcript": transcript}
	return r
}

func answerTo(question, ids, text string) mcifxml.Reference {
	r := reference(qa, "QA_"+question, ids, text)
	r.QAType, r.HasQAType, r.QAOrigin, r.HasQAOrigin = "AV", true, "General", true
	return r
}

func summaryOf(talk, ids, text string) mcifxml.Reference {
	r := reference(sum, "SUM_"+talk, ids, text)
	r.TextPath, r.HasTextPath = "a.en", true
	return r
}

// english are references of the long track with one sample of each task, and
// saying the outputs that are right for them.
var (
	english = []mcifxml.Reference{transcriptOf("t1", "0", "the cat sat"), answerTo("t1_1", "1", "a cat"), summaryOf("t1", "2", "cats sit")}
	saying  = []string{"0", "the cat sat", "1", "a cat", "2", "cats sit"}
	german  = []mcifxml.Reference{translationOf("t1", "3", "one two\nthree", "eins zwei\ndrei"), answerTo("t1_1", "1", "eine Katze"), summaryOf("t1", "2", "Katzen sitzen")}
	sagend  = []string{"3", "eins zwei drei", "1", "eine Katze", "2", "Katzen sitzen"}
)

// but returns outputs with the text of one changed.
func but(outputs []string, id, text string) []string {
	changed := append([]string(nil), outputs...)
	for i := 0; i < len(changed); i += 2 {
		if changed[i] == id {
			changed[i+1] = text
		}
	}
	return changed
}

// without returns outputs without one.
func without(outputs []string, id string) (left []string) {
	for i := 0; i < len(outputs); i += 2 {
		if outputs[i] != id {
			left = append(left, outputs[i:i+2]...)
		}
	}
	return left
}

// with returns outputs and one more.
func with(outputs []string, id, text string) []string {
	return append(append([]string(nil), outputs...), id, text)
}

// outputFile writes outputs, given as ids and texts by turns.
func outputFile(t *testing.T, track, lang string, idsAndTexts ...string) string {
	t.Helper()
	out := &mcifxml.Output{Root: "invented", Track: track, Lang: lang}
	for i := 0; i < len(idsAndTexts); i += 2 {
		out.Samples = append(out.Samples, mcifxml.Sample{ID: idsAndTexts[i], Text: idsAndTexts[i+1]})
	}
	return written(t, "out.xml", func(w io.Writer) error { return mcifxml.WriteOutput(w, out) })
}

func referenceFile(t *testing.T, track, lang string, samples ...mcifxml.Reference) string {
	t.Helper()
	refs := &mcifxml.References{Root: "invented", Track: track, Lang: lang, Samples: samples}
	return written(t, "ref.xml", func(w io.Writer) error { return mcifxml.WriteReferences(w, refs) })
}

// written writes a file of this name for this test.
func written(t *testing.T, name string, content func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	fixture.OK(t, content(&b))
	path := filepath.Join(t.TempDir(), name)
	write(t, path, b.String())
	return path
}

func opened(t *testing.T, b Benchmark, in bench.Inputs) *evaluation {
	t.Helper()
	ev, err := b.Open(t.Context(), in)
	fixture.OK(t, err)
	t.Cleanup(func() { ev.Close() })
	return ev.(*evaluation)
}

// scored opens the inputs and scores them.
func scored(t *testing.T, b Benchmark, in bench.Inputs) (*evaluation, *document.Results) {
	t.Helper()
	e := opened(t, b, in)
	r, err := bench.Score(t.Context(), b, e, bench.Strict, benchtest.Workers(1))
	fixture.OK(t, err)
	return e, r
}

// slice returns a slice of a scoring's scores, or nil.
func slice(r *document.Results, p bench.Scoring, dimension, group string) *document.Slice {
	for i, s := range r.Scorings[p].Slices {
		if s.Dimension == dimension && (s.Group == group || dimension == "overall") {
			return &r.Scorings[p].Slices[i]
		}
	}
	return nil
}

func overall(r *document.Results, p bench.Scoring) *document.Slice {
	return slice(r, p, "overall", "")
}

// unitNamed finds a unit by its reference's name.
func (e *evaluation) unitNamed(t *testing.T, iid string) *unit {
	t.Helper()
	for _, u := range e.units {
		if u.ref.IID == iid {
			return u
		}
	}
	t.Fatalf("there is no unit %s", iid)
	return nil
}

// mentions checks that an error says all of it.
func mentions(t *testing.T, err error, kind omniscope.Kind, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("there is no error; it should say %q", words)
	}
	if got := omniscope.KindOf(err); got != kind {
		t.Errorf("%v is %v, want %v", err, got, kind)
	}
	contains(t, err.Error(), words...)
}

func contains(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("it does not say %q:\n%s", w, text)
		}
	}
}

func equal[T any](t *testing.T, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}
