package release

import (
	"strings"
	"testing"

	"omniscope"
)

func TestLicenceWords(t *testing.T) {
	for word, want := range map[string]string{
		"CC-BY-4.0": "cc-by-4.0", "cc by 3.0": "cc-by-3.0", "CC BY-NC-SA 2.5": "cc-by-nc-sa-2.5", "CC0": "cc0-1.0", "MIT": "mit", "ODbL-1.0": "odbl",
		"https://creativecommons.org/licenses/by/4.0/": "cc-by-4.0", "http://www.creativecommons.org/licenses/by-nc-nd/3.0/de/": "cc-by-nc-nd-3.0",
		"https://creativecommons.org/publicdomain/zero/1.0/": "cc0-1.0",
		"CC BY": "", "CC-BY-5.0": "", "Creative Commons Attribution": "", "none": "", "https://e.org/licenses/by/4.0": "", "CC-NC-BY-4.0": "",
	} {
		if got := licenceOf(word); got.name != want || (got.link == "") != (want == "") {
			t.Errorf("%q is known as %q (%s), want %q", word, got.name, got.link, want)
		}
	}
}

func TestItemsWithoutLicence(t *testing.T) {
	b := newBed(t)
	b.o.Sources = b.file("sources.jsonl", sourceA, strings.Replace(sourceB, "CC0-1.0", " ", 1))
	b.refused(omniscope.Invalid, "2 items of "+b.o.Rows+" have no licence: add it in "+b.o.Sources+", or leave them out with --without-unlicensed: b, c")
	b.o.WithoutUnlicensed = true
	r := b.build()
	if r.Unlicensed != 2 || r.Items["test"] != 1 || b.read("data/test.jsonl") != rowA+"\n" {
		t.Errorf("%+v", r)
	}
	if card := b.read("README.md"); !strings.Contains(card, "2 items were left out since their source has no licence.") {
		t.Error(card)
	}
	b.o.Sources, b.o.Out = "", b.path("none")
	b.refused(omniscope.Invalid, "no item is left")
	b.o.WithoutUnlicensed = false
	b.refused(omniscope.Invalid, "name a file of sources with --sources")
}

func TestRowsThatNameTheirLicence(t *testing.T) {
	b := newBed(t)
	b.o.Sources = ""
	b.o.Rows = b.file("rows.jsonl", `{"key":7,"clip":"x/7.wav","licence":"CC-BY-4.0","attribution":"Ann, E. Org","said":"one two"}`)
	b.o.IDField, b.o.MediaField = "key", "clip"
	r := b.build()
	if got := b.read("licences.csv"); !strings.HasSuffix(got, "\n7,CC-BY-4.0,cc-by-4.0,https://creativecommons.org/licenses/by/4.0/,,,\"Ann, E. Org\",1\n") {
		t.Error(got)
	}
	if len(r.Warnings) > 0 {
		t.Errorf("warnings: %v", r.Warnings)
	}
}

func TestWarnings(t *testing.T) {
	b := newBed(t)
	b.o.Sources = b.file("sources.jsonl", `{"id":"c1","licence":"CC BY","url":"https://e.org/1"}`, `{"id":"c2","licence":"CC-BY-4.0"}`, sourceC)
	b.o.Media = b.media()
	b.o.Settings.Homepage, b.o.Settings.License = "", "Our own"
	warnings := strings.Join(b.build().Warnings, "\n")
	for _, want := range []string{`the licence "CC BY" of 1 items is not known`, "1 items need attribution and have none, nor an origin or address: b",
		"forbids passing changed media on, and a cut clip is one: c", "the settings have no homepage", `the license of the annotations, "Our own", is not known`} {
		if !strings.Contains(warnings, want) {
			t.Errorf("no warning %q in:\n%s", want, warnings)
		}
	}
	if card := b.read("README.md"); !strings.Contains(card, "license: other\nlicense_name: our-own\n") {
		t.Error(card)
	}
}

func TestWithdrawnItems(t *testing.T) {
	b := newBed(t)
	b.o.Rows = b.file("rows.jsonl", strings.Replace(rowA, `"score"`, `"of e.org/1"`, 1), rowB, rowC)
	b.o.Without = b.file("ids.txt", "# asked for in May", "a", "https://e.org/2", "gone")
	r := b.build()
	if r.Withdrawn != 2 || b.read("data/test.jsonl") != rowC+"\n" || !strings.Contains(strings.Join(r.Warnings, "\n"), "1 ids of "+b.o.Without+" are of no item: gone") {
		t.Errorf("%+v", r)
	}
	for name, text := range b.tree(b.o.Out) {
		if strings.Contains(text, "e.org/1") || strings.Contains(text, "Two three") {
			t.Errorf("%s still speaks of what was withdrawn", name)
		}
	}
}
