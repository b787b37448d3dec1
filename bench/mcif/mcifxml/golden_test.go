package mcifxml

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"omniscope/internal/input"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// data is published answers, a test set made by MCIF's own builder, and what
// MCIF's own evaluation said of broken files.
func data(t *testing.T) string {
	t.Helper()
	return golden.Path(t, "mcif") + "/"
}

func readData(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(golden.Path(t, "mcif", filepath.FromSlash(name)))
	fixture.OK(t, err)
	return text
}

func TestPublishedOutputsReadAsPythonReadsThem(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(readData(t, "outputs/MANIFEST.csv"))).ReadAll()
	fixture.OK(t, err)
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for _, row := range rows[1:] {
		want := func(name string) string { return row[column[name]] }
		path := filepath.FromSlash(data(t) + "outputs/" + want("path"))
		out, err := ReadOutput(t.Context(), path, want("track"), want("lang"), Options{})
		if err != nil {
			t.Errorf("%s: %v", want("path"), err)
			continue
		}
		empty, longest := 0, 0
		for _, s := range out.Samples {
			if s.Text == "" {
				empty++
			}
			longest = max(longest, utf8.RuneCountInString(s.Text))
		}
		for name, got := range map[string]string{
			"parsed_sha256": out.Digest, "raw_sha256": out.RawSHA256, "root_name": out.Root,
			"samples": strconv.Itoa(len(out.Samples)), "empty_samples": strconv.Itoa(empty), "max_sample_chars": strconv.Itoa(longest),
		} {
			if got != want(name) {
				t.Errorf("%s: %s is %s, want %s", want("path"), name, got, want(name))
			}
		}
		if out.Refused != nil {
			t.Errorf("%s: refused: %v", want("path"), out.Refused)
		}
	}
	if len(rows) != 162 {
		t.Errorf("%d files, want 161", len(rows)-1)
	}
}

func TestPublishedPartsJoin(t *testing.T) {
	readData(t, "outputs/MANIFEST.csv")
	for _, lang := range []string{"de", "en", "zh"} {
		for _, prompts := range []string{"fixed", "random"} {
			paths, err := filepath.Glob(filepath.FromSlash(data(t) + "outputs/mllm/gemini/mllm_short_" + lang + "_" + prompts + "_*"))
			if err != nil || len(paths) != 5 {
				t.Fatalf("%d parts of %s %s, %v", len(paths), lang, prompts, err)
			}
			out, err := ReadOutputs(t.Context(), paths, "short", lang, Options{})
			fixture.OK(t, err)
			if len(out.Samples) != 890 {
				t.Errorf("%s %s: %d samples, want 890", lang, prompts, len(out.Samples))
			}
			_, err = ReadOutputs(t.Context(), append(paths, paths[2]), "short", lang, Options{})
			mentions(t, err, paths[2]+":3 answers sample", "must not share samples")
		}
	}
}

// What is read and written again is the same file, if MCIF's own tools wrote it.
func TestWriteRoundTrip(t *testing.T) {
	readData(t, "eval_cases.jsonl")
	paths, err := filepath.Glob(filepath.FromSlash(data(t) + "build/case_?/OUT/*.xml"))
	if err != nil || len(paths) != 48 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	outputs, err := filepath.Glob(filepath.FromSlash(data(t) + "outputs/mllm/gemini/mllm_long_*"))
	fixture.OK(t, err)
	stripped := 0
	for _, path := range append(paths, outputs...) {
		var got bytes.Buffer
		same := true
		switch {
		case strings.Contains(path, ".ref."):
			refs, err := ReadReferences(t.Context(), path, "", "", Options{})
			if err != nil || len(refs.Problems) > 0 || refs.Refused("") != nil {
				t.Fatal(err, refs)
			}
			err = WriteReferences(&got, refs)
			fixture.OK(t, err)
		case strings.Contains(path, ".src."):
			defs, err := ReadDefinitions(t.Context(), path, "", "", Options{})
			if err != nil || len(defs.Problems) > 0 {
				t.Fatal(err, defs)
			}
			if err = WriteDefinitions(&got, defs); err != nil {
				t.Fatal(err)
			}
		default:
			out, err := ReadOutput(t.Context(), path, "", "", Options{})
			fixture.OK(t, err)
			if err = WriteOutput(&got, out); err != nil {
				t.Fatal(err)
			}
			for _, p := range out.Problems {
				if p.Kind == edgeSpace {
					same = false
					stripped++
				}
			}
		}
		want, _, err := input.ReadFile(t.Context(), path, input.XML)
		fixture.OK(t, err)
		if same && !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: written otherwise than it was:\n%.300s", path, got.Bytes())
		}
	}
	if stripped == len(outputs) {
		t.Error("no output could be compared")
	}
}

func TestErrorsMatchEvaluation(t *testing.T) {
	read, cases := 0, readData(t, "eval_cases.jsonl")
	t.Chdir(t.TempDir())
	for line := range bytes.Lines(cases) {
		var c struct {
			ID, Stdout   string
			Args         []string
			Reference    *string
			ReferenceXML *string `json:"reference_xml"`
			Hypothesis   string  `json:"hyp_xml"`
		}
		fixture.OK(t, json.Unmarshal(line, &c))
		var said struct{ State, Reason string }
		_ = json.Unmarshal([]byte(c.Stdout), &said) // a wrong command line has none
		track, lang := "", ""
		for i, arg := range c.Args[:len(c.Args)-1] {
			switch arg {
			case "-t":
				track = c.Args[i+1]
			case "-l":
				lang = c.Args[i+1]
			}
		}
		fixture.OK(t, os.WriteFile("hyp.xml", []byte(c.Hypothesis), 0o600))
		_, err := ReadOutput(t.Context(), "hyp.xml", track, lang, Options{})
		got := message(err)
		theirs := strings.Contains(said.Reason, "line ") && strings.Contains(said.Reason, "column ") || strings.Contains(said.Reason, "not available in hyp.xml")
		switch {
		case theirs && got != said.Reason:
			t.Errorf("%s: %q, want %q", c.ID, got, said.Reason)
		case !theirs && err != nil:
			t.Errorf("%s: %v, but the evaluation said %q", c.ID, err, said.Reason)
		case theirs:
			read++
		}
	}
	if read != 53 {
		t.Errorf("%d refusals were compared", read)
	}
}

// message is what the published evaluation would have said.
func message(err error) string {
	var m interface{ Message() string }
	if s := (*SyntaxError)(nil); errors.As(err, &s) {
		return s.Message
	}
	if errors.As(err, &m) {
		return m.Message()
	}
	return ""
}
