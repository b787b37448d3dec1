package release

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCard(t *testing.T) {
	b := newBed(t)
	b.o.Agreement = b.file("agreement.json", `{"tables":[{"title":"Kappa","columns":["who","kappa"],"numbers":[1],"rows":[["a|b","0.71"]]},{"name":"quality","personal":true,"title":"How people work","columns":["person"],"rows":[["ann"]]}]}`)
	b.build()
	card := b.read("README.md")
	for _, want := range []string{
		"---\nlicense: cc-by-4.0\nlanguage:\n- en\n- \"no\"\npretty_name: \"A | set\"\nsize_categories:\n- \"n<1K\"\n",
		"source_datasets:\n- Site\n", "  - split: test\n    path: data/test.parquet\n", "    - name: blanks\n      list:\n      - name: number\n        dtype: int64\n",
		"  - name: deep\n    list:\n      list: int64\n", "  splits:\n  - name: test\n    num_examples: 3\n---\n\n# A \\| set\n",
		"Version 1.0.0 of 2025-01-31.", "### Kappa\n\n| who | kappa |\n| --- | ---: |\n| a\\|b | 0.71 |\n",
		"| CC0-1.0 | cc0-1.0 | 1 | 1 | no |  |\n", "| all | 3 | 3 | 0.00 | 10.0 | 10.0 | 10.0 | 10.0 | 10.0 | 7 | 2.3 |\n",
		"The length of 2 items is not known", "| audio | 1 | 1 | 33.3 % |\n", "they are JSON: mixed, empty.",
	} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
	if strings.Contains(card, "How people work") {
		t.Error("the card tells how single people work")
	}
}

// TestTablesOfPeopleAlone: a project may have no other tables, and its release is none the worse.
func TestTablesOfPeopleAlone(t *testing.T) {
	b := newBed(t)
	b.o.Agreement = b.file("agreement.json", `{"tables":[{"name":"raters","personal":true,"title":"People","columns":["person"],"rows":[["ann"]]}]}`)
	b.build()
	if card := b.read("README.md"); strings.Contains(card, "How far people agreed") || strings.Contains(card, "| ann |") {
		t.Errorf("the card tells of single people:\n%s", card)
	}
}

func TestProvenance(t *testing.T) {
	b := newBed(t)
	b.o.Provenance = b.file("how.jsonl", `{"id":"a","maker":"m","agreed":["x","y"]}`, `{"id":"c2","maker":"n"}`)
	r := b.build()
	var lines []map[string]any
	for line := range strings.Lines(b.read("provenance.jsonl")) {
		lines = append(lines, parsed(t, line).(map[string]any))
	}
	source := lines[0]["source"].(map[string]any)
	if source["file"] != "c1.mp4" || source["take"] != json.Number("7") || source["sha256"] != "11" {
		t.Errorf("the source of a is %v", source)
	}
	if how := lines[0]["provenance"].(map[string]any); how["maker"] != "m" || lines[1]["provenance"].(map[string]any)["maker"] != "n" {
		t.Errorf("provenance %v", lines)
	}
	if warnings := strings.Join(r.Warnings, "\n"); !strings.Contains(warnings, "1 items are not in") {
		t.Errorf("warnings %s", warnings)
	}
	if bytes.Contains([]byte(b.read("provenance.jsonl")), []byte("/data/ann")) {
		t.Error("a folder of the machine is published")
	}
}
