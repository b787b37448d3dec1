package mcif

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
	"omniscope/metric"
)

// An evalCase is one run of the published program with stand-in scorers.
type evalCase struct {
	ID           string
	Desc         string
	Args         []string
	Reference    *string // a file under build/
	ReferenceXML *string `json:"reference_xml"`
	HypXML       string  `json:"hyp_xml"`
	RC           int
	Stdout       string
	Calls        []map[string]json.RawMessage
}

func TestCompatLines(t *testing.T) {
	folder := golden.Path(t, "mcif")
	cases := readLines[evalCase](t, filepath.Join(folder, "eval_cases.jsonl"))
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Chdir(t.TempDir()) // the reasons name the files as they were given
			reference := c.ReferenceXML
			if c.Reference != nil {
				text, err := os.ReadFile(filepath.Join(folder, "build", *c.Reference))
				fixture.OK(t, err)
				reference = new(string(text))
			}
			write(t, "ref.xml", *reference)
			write(t, "hyp.xml", c.HypXML)
			b := benchmarkOf(t, c.Args)
			calls := listen(&b)
			line, err := compat(t.Context(), b, bench.Inputs{Predictions: "hyp.xml", Data: "ref.xml"})
			fixture.OK(t, err)
			if line+"\n" != c.Stdout {
				t.Errorf("%s, %v:\n got %s\nwant %s", c.Desc, c.Args, line, c.Stdout)
			}
			c.compareCalls(t, *calls)
		})
	}
	t.Logf("%d cases", len(cases))
}

func benchmarkOf(t *testing.T, args []string) Benchmark {
	t.Helper()
	var b Benchmark
	for i, a := range args {
		switch a {
		case "-s", "-r":
		case "-t":
			b.Track = args[i+1]
		case "-l":
			b.Lang = args[i+1]
		case "-m":
			b.Modality = args[i+1]
		case "--breakdown-qa-types":
			b.Breakdown = true
		default:
			if a[0] == '-' {
				t.Fatalf("the test does not know the flag %s", a)
			}
		}
	}
	return b
}

// heard is what the neural scorers were given.
type heard struct {
	bert  []Pairs
	comet []Triples
}

func listen(b *Benchmark) *heard {
	h, s := &heard{}, *lengths()
	bert, comet := s.BERTScore, s.COMET
	s.BERTScore = func(ctx context.Context, p Pairs) ([]metric.Similarity, error) {
		given := p
		given.Steps = nil
		h.bert = append(h.bert, given)
		return bert(ctx, p)
	}
	s.COMET = func(ctx context.Context, c Triples) ([]float64, error) {
		given := c
		given.Steps = nil
		h.comet = append(h.comet, given)
		return comet(ctx, c)
	}
	b.Scorers = &s
	return h
}

// compareCalls compares what the scorers were given. Where the published program
// stops, it may have called them before; here that is found out before anything
// is computed.
func (c *evalCase) compareCalls(t *testing.T, got heard) {
	t.Helper()
	var want heard
	for _, call := range c.Calls {
		if text, ok := call["bert"]; ok {
			var b struct {
				Hyps, Refs []string
				Lang       string
			}
			decode(t, text, &b)
			want.bert = append(want.bert, Pairs{Lang: b.Lang, Hypotheses: b.Hyps, References: b.Refs})
		}
		if text, ok := call["comet"]; ok {
			var lines []struct{ Src, MT, Ref string }
			decode(t, text, &lines)
			var triples Triples
			for _, l := range lines {
				triples.Sources, triples.Hypotheses, triples.References = append(triples.Sources, l.Src), append(triples.Hypotheses, l.MT), append(triples.References, l.Ref)
			}
			want.comet = append(want.comet, triples)
		}
	}
	if strings.HasPrefix(c.Stdout, `{"state": "ERROR"`) {
		want = heard{}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the scorers were given\n%+v\nwant\n%+v", got, want)
	}
}

func decode(t *testing.T, text []byte, v any) {
	t.Helper()
	fixture.OK(t, json.Unmarshal(text, v))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
}

// readLines reads a file of JSON lines.
func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	fixture.OK(t, err)
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var v T
		decode(t, lines.Bytes(), &v)
		out = append(out, v)
	}
	if lines.Err() != nil {
		t.Fatal(lines.Err())
	}
	return out
}
