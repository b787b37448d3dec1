package bench

import (
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestTextsOfTrajectories reads captions from rows that have nothing but the detective's conversation.
func TestTextsOfTrajectories(t *testing.T) {
	path := fixture.File(t, "rows.jsonl", `{"id": "a", "omni_detective_trajectory": [{"role": "user", "content": "Look."}, {"role": "assistant", "content": "A dog barks."}]}
{"id": "b", "omni_detective_trajectory": [{"role": "assistant", "content": [{"type": "text", "text": "Rain."}, {"type": "text", "text": "Wind."}]}]}
{"id": "c", "omni_detective_trajectory": [{"role": "user", "content": "Look."}]}`)
	f, err := OpenTextFile(t.Context(), path, Captions(""))
	fixture.OK(t, err)
	defer f.Lines.Close()
	for id, want := range map[string]string{"a": "A dog barks.", "b": "Rain.\nWind.", "c": "(none)"} {
		got, err := f.Get(id)
		fixture.OK(t, err)
		if got == nil {
			none := "(none)"
			got = &none
		}
		if *got != want {
			t.Errorf("%s: %q, want %q", id, *got, want)
		}
	}
	both := fixture.File(t, "both.jsonl", `{"id": "a", "caption": "A cat.", "omni_detective_trajectory": [{"role": "assistant", "content": "A dog barks."}]}`)
	g, err := OpenTextFile(t.Context(), both, Captions(""))
	fixture.OK(t, err)
	defer g.Lines.Close()
	if got, err := g.Get("a"); err != nil || got == nil || *got != "A cat." {
		t.Errorf("%v, %v, want the field caption", got, err)
	}
}
