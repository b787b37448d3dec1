package mcifxml

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// outcome reads a document: its elements on one line, or why and on which line
// it is refused. testdata/documents.txt has the outcomes of a parser that was
// checked against expat.
func outcome(doc string, o Options) string {
	f, err := read(newGuard(context.Background(), "x.xml"), []byte(doc), o, fields)
	var bad *SyntaxError
	if errors.As(err, &bad) {
		return fmt.Sprintf("line %d: %s", bad.Line, bad.Reason)
	} else if err != nil {
		return err.Error()
	}
	return f.outline(f.root)
}

func (f *file) outline(n *node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d:%s", f.line(n), n.tag)
	for _, a := range n.attrs {
		fmt.Fprintf(&b, " %s=%q", a.name, a.value)
	}
	fmt.Fprintf(&b, " %q", n.text)
	if f.cut[n] {
		b.WriteString(" cut")
	}
	for _, kid := range n.kids {
		b.WriteString(" (" + f.outline(kid) + ")")
	}
	return b.String()
}

// Encodings, references, entities, namespaces, CDATA, ends of lines, broken
// marks: each line is a document, its outcome, and its outcome when mended.
func TestRecordedDocuments(t *testing.T) {
	file, err := os.Open("testdata/documents.txt")
	fixture.OK(t, err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	n := 0
	for ; lines.Scan(); n++ {
		row := strings.Split(lines.Text(), "\t")
		doc, err := strconv.Unquote(row[0])
		if err != nil || len(row) != 3 {
			t.Fatalf("line %d: %v", n+1, err)
		}
		if got := outcome(doc, Options{}); got != row[1] {
			t.Errorf("%s\ngot  %s\nwant %s", row[0], got, row[1])
		}
		if got := outcome(doc, Options{Lenient: true}); got != row[2] {
			t.Errorf("mended %s\ngot  %s\nwant %s", row[0], got, row[2])
		}
	}
	if lines.Err() != nil || n < 200 {
		t.Errorf("%d documents, %v", n, lines.Err())
	}
}
