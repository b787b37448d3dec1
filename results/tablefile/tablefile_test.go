package tablefile_test

import (
	"bytes"
	"slices"
	"testing"

	"omniscope"
	"omniscope/internal/parquetfile"
	"omniscope/internal/testing/fixture"
	"omniscope/results/tablefile"
)

var table = omniscope.Table{Columns: []string{"run", "n", "difference", "note", "note"}, Numbers: []int{1, 2, 3}, Rows: [][]string{
	{"=a", "1,234", "+0.5", "3", "x"},
	{"b", "–", "-60.00", "3–5", ""},
	{"c", "0", "no score", "", ""},
}}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	fixture.OK(t, tablefile.Write(&out, "csv", table))
	const want = "run,n,difference,note,note\n'=a,1234,0.5,3,x\nb,,-60.00,3–5,\nc,0,,,\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

func TestParquet(t *testing.T) {
	var out bytes.Buffer
	fixture.OK(t, tablefile.Write(&out, "parquet", table))
	var rows []string
	limits := parquetfile.Limits{Row: 1 << 20, Values: 100, Held: 1 << 20, Size: 1 << 20}
	_, err := parquetfile.Rows(t.Context(), "table.parquet", bytes.NewReader(out.Bytes()), int64(out.Len()), limits, func(_ int, row []byte) error {
		rows = append(rows, string(row))
		return nil
	})
	want := []string{
		`{"run":"=a","n":1234,"difference":0.5,"note":"3","note 2":"x"}`,
		`{"run":"b","n":null,"difference":-60,"note":"3–5","note 2":null}`,
		`{"run":"c","n":0,"difference":null,"note":null,"note 2":null}`,
	}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%q, %v", rows, err)
	}
}

func TestJSONLines(t *testing.T) {
	var out bytes.Buffer
	fixture.OK(t, tablefile.Write(&out, "jsonl", table))
	const want = `{"run":"=a","n":1234.0,"difference":0.5,"note":"3","note 2":"x"}
{"run":"b","n":null,"difference":-60.0,"note":"3–5","note 2":null}
{"run":"c","n":0.0,"difference":null,"note":null,"note 2":null}
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}
