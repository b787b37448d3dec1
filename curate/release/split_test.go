package release

import (
	"fmt"
	"strings"
	"testing"

	"omniscope"
)

// many makes clips of recordings, three of each.
func (b *bed) many(recordings int) {
	var rows, sources []string
	for i := range 3 * recordings {
		rows = append(rows, fmt.Sprintf(`{"uuid":"i%d","video_path":"v/m%d.mp4","cloze":{}}`, i, i))
		sources = append(sources, fmt.Sprintf(`{"id":"m%d","licence":"CC0-1.0","url":"https://e.org/%d"}`, i, i/3))
	}
	b.o.Rows, b.o.Sources = b.file("rows.jsonl", rows...), b.file("sources.jsonl", sources...)
}

func TestSplitsShareNoSource(t *testing.T) {
	b := newBed(t)
	b.many(200)
	b.settings(settingsText + "split: {seed: 3, train: 60, validation: 15, test: 25}\n")
	r := b.build()
	home := make(map[string]string)
	for line := range strings.Lines(b.read("provenance.jsonl")) {
		row := parsed(t, line).(map[string]any)
		url, split := row["source"].(map[string]any)["url"].(string), row["split"].(string)
		if home[url] != "" && home[url] != split {
			t.Errorf("%s is in %s and %s", url, home[url], split)
		}
		home[url] = split
	}
	for split, percent := range map[string]int{"train": 60, "validation": 15, "test": 25} {
		if n, want := r.Items[split], 600*percent/100; n < want-60 || n > want+60 {
			t.Errorf("%s has %d items, want about %d", split, n, want)
		}
		if rows := strings.Count(b.read("data/"+split+".jsonl"), "\n"); rows != r.Items[split] {
			t.Errorf("%s has %d rows, and %d items", split, rows, r.Items[split])
		}
	}
}

func TestSplitsStayAsTheyAre(t *testing.T) {
	split := &Split{Seed: 1, Train: 50, Test: 50}
	got := ""
	for _, group := range []string{"a", "b", "c", "d", "e", "f"} {
		got += split.Of(group)[:2] + " "
	}
	if want := "tr te tr tr te te "; got != want {
		t.Errorf("splits %s, want %s: a release would move items", got, want)
	}
	other := &Split{Seed: 2, Train: 50, Test: 50}
	same := 0
	for i := range 100 {
		if group := fmt.Sprint(i); other.Of(group) == split.Of(group) {
			same++
		}
	}
	if same == 100 {
		t.Error("the seed changes nothing")
	}
}

func TestSourcesThatAreOneFile(t *testing.T) {
	b := newBed(t)
	b.settings(settingsText + "split: {train: 50, test: 50}\n")
	var sources []string
	for i := range 20 {
		sources = append(sources, fmt.Sprintf(`{"id":"m%d","licence":"CC0-1.0","url":"https://e.org/%d","sha256":"same"}`, i, i))
	}
	b.many(6)
	b.o.Sources = b.file("sources.jsonl", sources...)
	b.refused(omniscope.Invalid, `the same digest "same": give both sources the same source_id`)
	for i := range sources {
		sources[i] = strings.Replace(sources[i], `"url"`, `"source_id":"film","url"`, 1)
	}
	b.o.Sources = b.file("sources.jsonl", sources...)
	if r := b.build(); len(r.Items) != 1 {
		t.Errorf("one recording is in %v", r.Items)
	}
}
