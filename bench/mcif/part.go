package mcif

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/input"
	"omniscope/internal/jsonfast"
)

// part is the part of the benchmark that the outputs belong to, as in published scores.
func (e *evaluation) part(predictions string) map[string]string {
	part := map[string]string{"track": e.b.Track, "lang": e.b.Lang}
	if prompts := e.b.promptsOf(predictions); prompts != "" {
		part["prompts"] = prompts
	}
	if e.b.Version != "" && e.b.Version != "1.0" {
		part["references"] = "version " + e.b.Version
	}
	if e.b.Modality != "" {
		part["filter"] = e.b.Modality
	}
	if e.b.Pseudo != "" {
		part["references"] = "outputs of a system"
	}
	return part
}

// promptsOf is fix or mix; "" = not known.
func (b Benchmark) promptsOf(predictions string) string {
	if b.Prompts != "" {
		return b.Prompts
	}
	if f, ok := parseName(predictions); ok {
		return map[string]string{"fixed": "fix", "random": "mix"}[f.Prompts]
	}
	switch asked := filepath.Base(sourceOf(predictions)); {
	case strings.Contains(asked, "fixedprompts"):
		return "fix"
	case strings.Contains(asked, "mixedprompts"):
		return "mix"
	}
	return ""
}

// sourceOf is the benchmark's file with the model's questions, from the file of details next to its
// answers; "" = no such file or field.
func sourceOf(predictions string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(input.WithoutPacking(predictions), ".xml"), ".jsonl")
	f, err := os.Open(base + ".details.jsonl")
	if err != nil {
		return ""
	}
	defer f.Close()
	const longest = 4 << 20
	line, err := bufio.NewReader(io.LimitReader(f, longest)).ReadBytes('\n')
	if err != nil && err != io.EOF || !jsonfast.ValidBytes(line) {
		return ""
	}
	return gjson.GetBytes(line, "spec.data").Str
}

// scored counts the references that are scored where no sample is left out.
func (f *files) scored() (n int) {
	for _, r := range f.references {
		if slices.Contains(macroTasks, r.Task) {
			n++
		}
	}
	return n
}
