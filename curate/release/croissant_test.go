package release

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

// node is what a test looks at of a node of JSON-LD.
type node struct {
	ID       string `json:"@id"`
	Type     string `json:"@type"`
	DataType string
	SHA256   string
	Size     string `json:"contentSize"`
	URL      string `json:"contentUrl"`
	Key      struct {
		ID string `json:"@id"`
	}
	References struct {
		ID string `json:"@id"`
	}
	Source *struct {
		FileObject struct {
			ID string `json:"@id"`
		}
		Extract   struct{ Column, FileProperty string }
		Transform struct{ JSONPath, Regex string }
	}
	Repeated bool
	Field    []node
	SubField []node
	Data     []map[string]string
}

type croissant struct {
	Context      map[string]any `json:"@context"`
	ConformsTo   string
	License      string
	Distribution []node
	RecordSet    []node
}

func (b *bed) croissant() (c croissant) {
	b.Helper()
	fixture.OK(b, json.Unmarshal([]byte(b.read("croissant.json")), &c))
	return c
}

// TestCroissantFiles finds each file of the release, with its digest.
func TestCroissantFiles(t *testing.T) {
	b := newBed(t)
	b.o.Media = b.media()
	b.build()
	c, files := b.croissant(), b.tree(b.o.Out)
	if len(c.Distribution) != len(files)-1 { // but itself
		t.Errorf("%d files are described, %d are there", len(c.Distribution), len(files))
	}
	for _, f := range c.Distribution {
		if f.Type != "cr:FileObject" || f.ID != f.URL || f.SHA256 != sha256hex.Of(files[f.URL]) {
			t.Errorf("%+v", f)
		}
	}
	if c.ConformsTo != "http://mlcommons.org/croissant/1.0" || c.License != "https://creativecommons.org/licenses/by/4.0/" {
		t.Errorf("%s, %s", c.ConformsTo, c.License)
	}
}

// TestCroissantReferences follows every reference to a node, and every name to the context.
func TestCroissantReferences(t *testing.T) {
	b := newBed(t)
	b.many(30)
	b.settings(settingsText + "split: {train: 30, validation: 30, test: 40}\n")
	b.build()
	c := b.croissant()
	ids := make(map[string]int)
	var all []node
	var collect func(nodes []node)
	collect = func(nodes []node) {
		for _, n := range nodes {
			ids[n.ID]++
			all = append(all, n)
			collect(slices.Concat(n.Field, n.SubField))
		}
	}
	collect(slices.Concat(c.Distribution, c.RecordSet))
	for _, n := range all {
		if ids[n.ID] != 1 {
			t.Errorf("the id %q is there %d times", n.ID, ids[n.ID])
		}
		for _, to := range []string{n.Key.ID, n.References.ID} {
			if to != "" && ids[to] != 1 {
				t.Errorf("%s refers to %q, which is not there", n.ID, to)
			}
		}
		if n.Source != nil && ids[n.Source.FileObject.ID] != 1 {
			t.Errorf("%s comes from %q, which is not there", n.ID, n.Source.FileObject.ID)
		}
	}
	if len(c.RecordSet) != 4 || c.RecordSet[0].DataType != "cr:Split" || c.RecordSet[0].Data[1]["splits/url"] != "cr:ValidationSplit" {
		t.Errorf("record sets %+v", c.RecordSet)
	}
}

func TestCroissantColumns(t *testing.T) {
	b := newBed(t)
	b.build()
	got := make(map[string]string)
	var walk func(n node)
	walk = func(n node) {
		if n.Source != nil {
			got[strings.TrimPrefix(n.ID, "test/")] = strings.Join([]string{n.DataType, n.Source.Extract.Column, n.Source.Transform.JSONPath, map[bool]string{true: "repeated"}[n.Repeated]}, " ")
		}
		for _, inner := range slices.Concat(n.Field, n.SubField) {
			walk(inner)
		}
	}
	walk(b.croissant().RecordSet[1])
	for id, want := range map[string]string{"uuid": "sc:Text uuid  ", "score": "sc:Float score  ", "big": "sc:Integer big  ", "flag": "sc:Boolean flag  ", "deep": "sc:Integer deep [*] repeated",
		"cloze/passage": "sc:Text cloze passage ", "cloze/blanks/number": "sc:Integer cloze blanks[*].number ", "cloze/blanks/options": "sc:Text cloze blanks[*].options repeated"} {
		if got[id] != want {
			t.Errorf("%s is %q, want %q", id, got[id], want)
		}
	}
}
