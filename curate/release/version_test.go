package release

import (
	"encoding/json"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

func (b *bed) version() (v releaseVersion) {
	b.Helper()
	fixture.OK(b, json.Unmarshal([]byte(b.read(versionFile)), &v))
	return v
}

// TestDigests changes one thing at a time: the digests of the set and of the item it belongs to change, no other.
func TestDigests(t *testing.T) {
	for name, c := range map[string]struct {
		change func(b *bed)
		items  string // whose digest differs
		set    bool
	}{
		"nothing":           {func(b *bed) {}, "", false},
		"order of the rows": {func(b *bed) { b.o.Rows = b.file("rows.jsonl", rowC, rowA, rowB) }, "", false},
		"the card":          {func(b *bed) { b.o.Settings.Description = "Other words." }, "", false},
		"a row":             {func(b *bed) { b.o.Rows = b.file("rows.jsonl", rowA, strings.Replace(rowB, "Two", "To", 1), rowC) }, "b", true},
		"blanks in a row":   {func(b *bed) { b.o.Rows = b.file("rows.jsonl", strings.Replace(rowA, ":", ": ", 1), rowB, rowC) }, "a", true},
		"a licence": {func(b *bed) {
			b.o.Sources = b.file("s", sourceA, sourceB, strings.Replace(sourceC, "nd/3.0", "nd/4.0", 1))
		}, "c", true},
		"a span": {func(b *bed) { b.o.Sources = b.file("s", strings.Replace(sourceA, "12", "13", 1), sourceB, sourceC) }, "a", true},
		"media":  {func(b *bed) { b.o.Media = b.media() }, "abc", true},
		"what is not shown": {func(b *bed) {
			b.o.Sources = b.file("s", strings.Replace(sourceA, "/data/ann", "/srv", 1), sourceB, sourceC)
		}, "", false},
		"an item that is new": {func(b *bed) { b.o.Rows, b.o.Sources = b.file("rows.jsonl", rowA, rowB), b.file("s", sourceA, sourceB) }, "c", true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.build()
			before := b.version()
			c.change(b)
			b.o.Out = b.path("second")
			b.build()
			changes := compareVersions(&before, new(b.version()))
			if got := strings.Join(changes.Changed, "") + strings.Join(changes.Removed, ""); got != c.items {
				t.Errorf("items that differ: %q, want %q", got, c.items)
			}
			if now := b.version(); (now.Digest != before.Digest) != c.set {
				t.Errorf("digest %s, before %s", now.Digest, before.Digest)
			}
		})
	}
}

func TestPreviousRelease(t *testing.T) {
	changed := strings.Replace(rowB, "Two", "To", 1)
	for name, c := range map[string]struct {
		rows     []string
		version  string
		refused  string // "" = released
		warned   string
		inChange string // what CHANGES.md says
	}{
		"the same":                     {[]string{rowA, rowB}, "1.2.3", "", "", "The items are the same."},
		"a lower version":              {[]string{rowA, rowB}, "1.2.2", "version 1.2.2 is lower than 1.2.3", "", ""},
		"changed, same version":        {[]string{rowA, changed}, "1.2.3", "set version to 2.0.0 (b)", "", ""},
		"added, same version":          {[]string{rowA, rowB, rowC}, "1.2.3", "set version to 1.3.0 (c)", "", ""},
		"removed, same version":        {[]string{rowA}, "1.2.3", "set version to 2.0.0 (b)", "", ""},
		"changed, higher version":      {[]string{rowA, changed}, "2.0.0", "", "", "Changed: 1\n\n- b: row\n"},
		"changed, version too low yet": {[]string{rowA, changed}, "1.2.4", "", "asks for version 2.0.0", "- b: row\n"},
		"added and removed":            {[]string{rowA, rowC}, "10.0.0", "", "", "Added: 1\n\n- c\n\nRemoved: 1\n\n- b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBed(t)
			b.o.Rows, b.o.Settings.Version = b.file("rows.jsonl", rowA, rowB), "1.2.3"
			b.build()
			b.o.Previous, b.o.Out = b.o.Out, b.path("out2")
			b.o.Rows, b.o.Settings.Version = b.file("rows.jsonl", c.rows...), c.version
			if c.refused != "" {
				b.refused(omniscope.Invalid, c.refused)
				return
			}
			r := b.build()
			if text := b.read(changesFile); !strings.Contains(text, "## "+c.version+", after 1.2.3\n") || !strings.Contains(text, c.inChange) {
				t.Errorf("CHANGES.md %s lacks %q", text, c.inChange)
			}
			if warnings := strings.Join(r.Warnings, "\n"); c.warned == "" && strings.Contains(warnings, "asks for version") || !strings.Contains(warnings, c.warned) {
				t.Errorf("warnings %s, want %q", warnings, c.warned)
			}
		})
	}
}

func TestChangesOfEarlierReleasesStay(t *testing.T) {
	b := newBed(t)
	for i, version := range []string{"1.0.0", "2.0.0", "3.0.0"} {
		b.o.Rows = b.file("rows.jsonl", []string{rowA, rowB, rowC}[i:]...)
		b.o.Settings.Version = version
		b.build()
		b.o.Previous, b.o.Out = b.o.Out, b.path("out"+version)
	}
	b.o.Out = b.o.Previous
	want := "# Changes\n\n## 3.0.0, after 2.0.0\n\nRemoved: 1\n\n- b\n\n## 2.0.0, after 1.0.0\n\nRemoved: 1\n\n- a\n"
	if got := b.read(changesFile); got != want {
		t.Errorf("CHANGES.md %s, want %s", got, want)
	}
}

func TestPreviousThatIsNone(t *testing.T) {
	b := newBed(t)
	b.o.Previous = b.path("nowhere")
	b.refused(omniscope.NotFound, "the previous release")
	b.file("other/VERSION.json", `{"schema":"x"}`)
	b.o.Previous = b.path("other")
	b.refused(omniscope.Invalid, "was not written by omniscope curate release")
	b.file("other/VERSION.json", `{"schema":"omniscope/release/1","name":"another","version":"1.0.0"}`)
	b.refused(omniscope.Invalid, `holds a release of "another"`)
}

// TestDigestsByHand computes digests as docs/curate-release.md says.
func TestDigestsByHand(t *testing.T) {
	hash := func(text string) string {
		return sha256hex.Of(text)
	}
	b := newBed(t)
	b.o.Rows = b.file("rows.jsonl", rowA)
	b.build()
	v := b.version()
	source := hash(`["c1","CC-BY-4.0","https://e.org/1","Site","","11","2","12"]`)
	item := hash(`["a","test","` + hash(rowA) + `","` + source + `",""]`)
	if e := v.Items[0]; e.Row != hash(rowA) || e.Source != source || e.Digest != item || v.Digest != hash("a\x00"+item+"\n") {
		t.Errorf("%+v", v)
	}
}
