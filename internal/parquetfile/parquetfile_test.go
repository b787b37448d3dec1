package parquetfile

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"omniscope"
)

type question struct {
	ID      string   `parquet:"question_id"`
	Options []string `parquet:"options,list"`
	Seconds *int64   `parquet:"seconds,optional"`
}

func TestRows(t *testing.T) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[question](&b)
	seconds := int64(9)
	if _, err := w.Write([]question{{"001-1", []string{"A. Apples.", "B. Ü"}, &seconds}, {"001-2", nil, nil}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "q.parquet")
	write := func(text []byte) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(b.Bytes())
	var rows []string
	digest, err := Rows(t.Context(), path, func(_ int, row []byte) error { rows = append(rows, string(row)); return nil })
	want := `{"options":["A. Apples.","B. Ü"],"question_id":"001-1","seconds":9}` + "\n" + `{"options":[],"question_id":"001-2","seconds":null}`
	if got := strings.Join(rows, "\n"); err != nil || got != want || len(digest) != 64 {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	for cut := range b.Len() - 1 { // cut anywhere it is refused, and nothing breaks
		write(b.Bytes()[:cut])
		if _, err := Rows(t.Context(), path, func(int, []byte) error { return nil }); omniscope.KindOf(err) != omniscope.Invalid {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	if _, err := Rows(t.Context(), path+"x", nil); omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestWrappedLists reads lists as other writers wrap them.
func TestWrappedLists(t *testing.T) {
	in := map[string]any{"a": map[string]any{"list": []any{map[string]any{"item": "x"}, map[string]any{"element": "y"}}}, "b": map[string]any{"list": 1}}
	out := plain(in).(map[string]any)
	if list := out["a"].([]any); len(list) != 2 || list[0] != "x" || list[1] != "y" {
		t.Errorf("%v", out)
	}
}
