package release

import (
	"reflect"
	"strings"
	"testing"

	"omniscope"
)

func TestRowsStayAsTheyAre(t *testing.T) {
	b := newBed(t)
	b.o.Rows = b.file("rows.jsonl", rowA, "", "  "+rowB+"\r", rowC)
	b.build()
	if got, want := b.read("data/test.jsonl"), rowA+"\n"+rowB+"\n"+rowC+"\n"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
}

func TestTwoReleasesOfOneInput(t *testing.T) {
	b := newBed(t)
	b.o.Provenance = b.file("how.jsonl", `{"id":"a","maker":"m"}`)
	b.o.Media = b.media()
	b.build()
	first := b.tree(b.o.Out)
	b.o.Out = b.path("elsewhere")
	b.build()
	second := b.tree(b.o.Out)
	if len(first) != 11 || len(second) != len(first) {
		t.Errorf("%d and %d files", len(first), len(second))
	}
	for name := range first {
		if first[name] != second[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func TestOutFolders(t *testing.T) {
	b := newBed(t)
	b.file("out/notes.txt", "somebody's work")
	if _, err := Build(t.Context(), b.o); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "something else") {
		t.Errorf("a folder with something else: %v", err)
	}
	b.o.Force = true
	if _, err := Build(t.Context(), b.o); omniscope.KindOf(err) != omniscope.Usage {
		t.Errorf("by force: %v", err)
	}
	b.o.Out, b.o.Force = b.path("fresh"), false
	b.build()
	before := b.tree(b.o.Out)
	if _, err := Build(t.Context(), b.o); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), "--force") {
		t.Errorf("a folder with a release: %v", err)
	}
	b.o.Force = true
	b.file("fresh/data/old.jsonl", "of an earlier release")
	b.build()
	if !reflect.DeepEqual(b.tree(b.o.Out), before) {
		t.Error("the release that was replaced left something")
	}
}
