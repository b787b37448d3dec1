package tablefile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"omniscope"
	"omniscope/internal/parquetfile"
	"omniscope/internal/tablefile"
)

var table = omniscope.Table{Columns: []string{"run", "n", "difference", "note", "note"}, Numbers: []int{1, 2, 3}, Rows: [][]string{
	{"=a", "1,234", "+0.5", "3", "x"},
	{"b", "–", "-60.00", "3–5", ""},
	{"c", "0", "no score", "", ""},
}}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := tablefile.Write(&out, "csv", table); err != nil {
		t.Fatal(err)
	}
	const want = "run,n,difference,note,note\n'=a,1234,0.5,3,x\nb,,-60.00,3–5,\nc,0,,,\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestParquet(t *testing.T) {
	var out bytes.Buffer
	if err := tablefile.Write(&out, "parquet", table); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "table.parquet")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var rows []string
	_, err := parquetfile.Rows(t.Context(), path, func(_ int, row []byte) error {
		rows = append(rows, string(row))
		return nil
	})
	want := []string{
		`{"difference":0.5,"n":1234,"note":"3","note 2":"x","run":"=a"}`,
		`{"difference":-60,"n":null,"note":"3–5","note 2":null,"run":"b"}`,
		`{"difference":null,"n":0,"note":null,"note 2":null,"run":"c"}`,
	}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%q, %v", rows, err)
	}
}
