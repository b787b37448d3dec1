package textnorm

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/golden"
)

// A goldenLine is an input and what whisper_normalizer 0.0.10 makes of it.
type goldenLine struct {
	ID, In, Out, Src string
}

func readGolden(t testing.TB, name string) (lines []goldenLine) {
	t.Helper()
	f, err := os.Open(golden.Path(t, "metrics", name))
	fixture.OK(t, err)
	defer f.Close()
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var line goldenLine
		fixture.OK(t, json.Unmarshal(scanner.Bytes(), &line))
		lines = append(lines, line)
	}
	fixture.OK(t, scanner.Err())
	return lines
}

func TestEnglishEqualsTheOriginal(t *testing.T) {
	lines := readGolden(t, "normalizer_en.jsonl")
	for _, line := range lines {
		if got, err := English(line.In); err != nil || got != line.Out {
			t.Errorf("%s %q\ngot  %q, %v\nwant %q", line.ID, line.In, got, err, line.Out)
		}
	}
	if len(lines) != 4550 {
		t.Errorf("%d lines, want 4550", len(lines))
	}
}

func TestBasicEqualsTheOriginal(t *testing.T) {
	lines := readGolden(t, "normalizer_basic.jsonl")
	for _, line := range lines {
		if got := Basic(line.In); got != line.Out {
			t.Errorf("%s %q\ngot  %q\nwant %q", line.ID, line.In, got, line.Out)
		}
	}
	if len(lines) != 3420 {
		t.Errorf("%d lines, want 3420", len(lines))
	}
}
