package metric

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strconv"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// Cases computed by jiwer 3.0.5 with RapidFuzz and by RWTH's mwerSegmenter
// inside MCIF's evaluation.
const (
	werCases       = "metrics/wer.jsonl"
	resegmentCases = "mcif/resegment.jsonl"
)

func readCases[T any](t testing.TB, path string) (cases []T) {
	t.Helper()
	f, err := os.Open(path)
	fixture.OK(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var c T
		fixture.OK(t, json.Unmarshal(lines.Bytes(), &c))
		cases = append(cases, c)
	}
	if lines.Err() != nil || len(cases) == 0 {
		t.Fatalf("%d cases in %s, %v", len(cases), path, lines.Err())
	}
	return cases
}

// saidByFault returns what the published program says of a bad input.
func saidByFault(t *testing.T, err error) string {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) || omniscope.KindOf(err) != omniscope.Invalid {
		t.Fatalf("got error %v, want an invalid input with a fault", err)
	}
	return f.Message
}

func TestWordErrorsMatchJiwer(t *testing.T)      { compareWordErrors(t, golden.Path(t, werCases)) }
func TestWordErrorsOfInventedTexts(t *testing.T) { compareWordErrors(t, "testdata/wer.jsonl") }

func compareWordErrors(t *testing.T, path string) {
	t.Helper()
	for _, c := range readCases[struct {
		ID                    string
		Refs, Hyps, Ops       []string
		WER                   float64
		Subs, Dels, Ins, Hits int
		Error, Message        string
	}](t, path) {
		got, err := WER(c.Refs, c.Hyps)
		if c.Error != "" {
			if said := saidByFault(t, err); said != c.Message {
				t.Errorf("%s: got %q, want %q", c.ID, said, c.Message)
			}
			continue
		}
		want := Edits{c.Hits, c.Subs, c.Dels, c.Ins}
		if rate, ok := got.Rate(); err != nil || got != want || !ok || rate != c.WER {
			t.Errorf("%s: got %+v, %v, %v; want %+v, %v", c.ID, got, rate, err, want, c.WER)
		}
		known := make(vocabulary)
		refs, hyps := wordIDs(c.Refs, known), wordIDs(c.Hyps, known)
		a := newAligner(len(known))
		for i, want := range c.Ops {
			if got := a.align(refs[i], hyps[i]); string(got) != want {
				t.Errorf("%s: segment %d is %s, want %s", c.ID, i, got, want)
			}
		}
	}
}

func TestSegmentsMatchMWERSegmenter(t *testing.T) {
	compareSegments(t, golden.Path(t, resegmentCases))
}
func TestSegmentsOfInventedTexts(t *testing.T) { compareSegments(t, "testdata/resegment.jsonl") }

func compareSegments(t *testing.T, path string) {
	t.Helper()
	for _, c := range readCases[struct {
		ID, Hyp, Error string
		CharLevel      bool     `json:"char_level"`
		RefLines       []string `json:"ref_lines"`
		Segments       []string
		ASWER          float64 `json:"as_wer"`
	}](t, path) {
		got, err := Resegment(c.Hyp, c.RefLines, Resegmenting{Characters: c.CharLevel})
		if c.Error != "" {
			if said := saidByFault(t, err); said != "[Errno 2] No such file or directory: '__segments'" {
				t.Errorf("%s: got %q", c.ID, said)
			}
			continue
		}
		if err != nil || !slices.Equal(got.Lines, c.Segments) {
			t.Errorf("%s: got %q, %v\nwant %q", c.ID, got.Lines, err, c.Segments)
		}
		if rate, err := strconv.ParseFloat(got.ASWER(), 64); err != nil || rate != c.ASWER {
			t.Errorf("%s: AS-WER %s, want %v", c.ID, got.ASWER(), c.ASWER)
		}
	}
}
