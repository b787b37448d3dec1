package train

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestReadReviews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "descriptions.jsonl")
	text := `{"uuid":"a","caption":"A dog. ","verdict":"approve"}
{"uuid":"b","caption":"A cat.","verdict":"send back"}
{"uuid":"c","caption":"A cow."}
{"uuid":"d","caption":"A cat.","verdict":"approve"}
`
	fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	got, err := ReadReviews(t.Context(), path)
	if err != nil || len(got) != 3 || got["A dog."] != Approved || got["A cat."] != SentBack || got["A cow."] != NotReviewed {
		t.Errorf("%v, %v", got, err)
	}
}
