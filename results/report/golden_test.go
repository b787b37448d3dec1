package report

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"

	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
	"omniscope/metric"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Some marks are two columns wide on East Asian terminals, and so are the
// tables there; the golden files are of the others.
func TestMain(m *testing.M) {
	text.OverrideRuneWidthEastAsianWidth(false)
	os.Exit(m.Run())
}

var columns = Columns(&metric.Cloze)

func asText(o TextOptions) func(io.Writer, *document.Results) error {
	o.Columns = columns
	return func(w io.Writer, r *document.Results) error { return Text(w, r, o) }
}

func asMarkdown(w io.Writer, r *document.Results) error { return Markdown(w, r, columns) }

var mcifColumns = []Column{
	{Name: "asr_wer", Title: "REC-WER", Percent: true, Lower: true},
	{Name: "trans_comet", Title: "TRANS-COMET", Percent: true},
	{Name: "qa_bertscore", Title: "QA-BERTScore", Percent: true},
	{Name: "sum_bertscore", Title: "SUM-BERTScore", Percent: true},
}

func asMCIF(o TextOptions) func(io.Writer, *document.Results) error {
	o.Columns = mcifColumns
	return func(w io.Writer, r *document.Results) error { return Text(w, r, o) }
}

func asMCIFMarkdown(w io.Writer, r *document.Results) error { return Markdown(w, r, mcifColumns) }

// written returns what a format makes of a document.
func written(t *testing.T, format func(io.Writer, *document.Results) error, r *document.Results) string {
	t.Helper()
	var out bytes.Buffer
	fixture.OK(t, format(&out, r))
	return out.String()
}

func TestGolden(t *testing.T) {
	tests := []struct {
		file   string
		make   func() *document.Results
		format func(io.Writer, *document.Results) error
	}{
		{"normal.txt", normal, asText(TextOptions{})},
		{"normal-wide.txt", normal, asText(TextOptions{Width: 160})},
		{"normal-narrow.txt", normal, asText(TextOptions{Width: 80})},
		{"normal-color.txt", normal, asText(TextOptions{Color: true, Width: 160})},
		{"differing.txt", unscoredAndDiffering, asText(TextOptions{})},
		{"differing-color.txt", unscoredAndDiffering, asText(TextOptions{Color: true})},
		{"official.txt", officialAsked, asText(TextOptions{Width: 130})},
		{"noscore.txt", nothingJudged, asText(TextOptions{})},
		{"oneclip.txt", oneClip, asText(TextOptions{})},
		{"unknowncost.txt", unknownCost, asText(TextOptions{})},
		{"hostile.txt", hostile, asText(TextOptions{})},
		{"normal.md", normal, asMarkdown},
		{"differing.md", unscoredAndDiffering, asMarkdown},
		{"official.md", officialAsked, asMarkdown},
		{"noscore.md", nothingJudged, asMarkdown},
		{"oneclip.md", oneClip, asMarkdown},
		{"hostile.md", hostile, asMarkdown},
		{"differing.csv", unscoredAndDiffering, CSV},
		{"noscore.csv", nothingJudged, CSV},
		{"oneclip.csv", oneClip, CSV},
		{"noscore.json", nothingJudged, JSON},
		{"mcif.txt", mcif, asMCIF(TextOptions{})},
		{"mcif-wide.txt", mcif, asMCIF(TextOptions{Width: 160})},
		{"mcif-narrow.txt", mcif, asMCIF(TextOptions{Width: 80})},
		{"mcif.md", mcif, asMCIFMarkdown},
		{"mcif-every.txt", everyTask, asMCIF(TextOptions{})},
		{"mcif-every-narrow.txt", everyTask, asMCIF(TextOptions{Width: 80})},
		{"mcif.csv", mcif, CSV},
		{"mcif-stopped.txt", mcifStopped, asMCIF(TextOptions{})},
		{"mcif-stopped.md", mcifStopped, asMCIFMarkdown},
		{"mcif-noscore.txt", mcifStoppedOfficial, asMCIF(TextOptions{})},
		{"mcif-hostile.txt", hostileTables, asMCIF(TextOptions{Width: 80})},
		{"mcif-hostile.md", hostileTables, asMCIFMarkdown},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) { compare(t, test.file, written(t, test.format, test.make())) })
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		fixture.OK(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	fixture.OK(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); refresh with -update:\n%s", file, diff)
	}
}
