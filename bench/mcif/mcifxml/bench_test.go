package mcifxml

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// BenchmarkReadOutput reads 2,000 outputs of 100 words each, as many as a file
// of short outputs has.
func BenchmarkReadOutput(b *testing.B) {
	var doc strings.Builder
	doc.WriteString("<?xml version='1.0' encoding='utf-8'?>\n<testset name=\"x\" type=\"output\">\n<task track=\"short\" text_lang=\"en\">\n")
	for i := range 2_000 {
		fmt.Fprintf(&doc, "<sample id=\"%d\">%s</sample>\n", i, strings.Repeat("a talk &amp; its question ", 20))
	}
	doc.WriteString("</task>\n</testset>\n")
	path := filepath.Join(b.TempDir(), "x.xml")
	fixture.OK(b, os.WriteFile(path, []byte(doc.String()), 0o600))
	b.SetBytes(int64(doc.Len()))
	b.ReportAllocs()
	for b.Loop() {
		out, err := ReadOutput(context.Background(), path, "short", "en", Options{})
		if err != nil || len(out.Samples) != 2_000 {
			b.Fatal(len(out.Samples), err)
		}
	}
}
