package diff

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

const head = `{"run":"predict-1","spec":{"modality":"audio","model":{"model":"openai/m"},"seed":0}}` + "\n"

func row(sample, answer string) string {
	return fmt.Sprintf(`{"sample":%q,"outcome":"ok","answer":%q,"sent":{"modality":"audio","prompt":"Describe it."},"model":"m","usage":{"tokens_in":1,"tokens_out":1,"cost_usd":0}}`+"\n", sample, answer)
}

func opened(t *testing.T, path string) *Side {
	t.Helper()
	s, err := Open(t.Context(), path)
	fixture.OK(t, err)
	return s
}

func TestSamplesOfOneRunOnly(t *testing.T) {
	a := opened(t, fixture.File(t, "a.details.jsonl", head+row("x", "Rain.")+row("y", "Wind.")))
	b := opened(t, fixture.File(t, "b.details.jsonl", head+row("z", "Snow.")+row("x", "Rain.")))
	r, err := Runs(a, b)
	if err != nil || r.Samples != 3 || len(r.Partings) != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, want := range []partingSample{{"y", Data, "the sample", "is there", "is not there", false, false}, {"z", Data, "the sample", "is not there", "is there", false, false}} {
		if r.Partings[i] != want {
			t.Errorf("got %+v, want %+v", r.Partings[i], want)
		}
	}
}

func TestQuotesBeginWhereTextsPart(t *testing.T) {
	long := strings.Repeat("ä", 40)
	d := texts("it", long+"red", long+"blue")
	if d == nil || d.what != "it, from byte 81 on" || d.a != `…"ääääääred"` || d.b != `…"ääääääblue"` {
		t.Errorf("%+v", d)
	}
	if d := texts("it", "one\n", "one"); d == nil || d.a != `"one\n"` || d.b != `"one"` {
		t.Errorf("%+v", d)
	}
}

func TestFilesThatAreNoRuns(t *testing.T) {
	folder := t.TempDir()
	for path, says := range map[string]string{
		filepath.Join(folder, "none"): "no such file or folder",
		folder:                        "results.json: no such file",
		fixture.File(t, "captions.jsonl", `{"id":"x","caption":"y"}`):          "captions.details.jsonl: no such file",
		fixture.File(t, "b.details.jsonl", ""):                                 "no run of a model wrote it",
		fixture.File(t, "c.details.jsonl", row("x", "Rain.")):                  "first line does not describe a run",
		fixture.File(t, "d.details.jsonl", head+row("x", "A.")+row("x", "A.")): `d.details.jsonl:3: `,
		fixture.File(t, "e.details.jsonl", head+`{"sample":"x","outc`):         `e.details.jsonl:2: `,
	} {
		if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), says) || omniscope.KindOf(err) == omniscope.Internal {
			t.Errorf("%s: %v; want %q", path, err, says)
		}
	}
}
