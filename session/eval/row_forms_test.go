package eval

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/parquet-go/parquet-go"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// writeParquet writes flat rows of JSON Lines as a Parquet file, in row groups of two: texts as
// texts, a field called media as a group of bytes and path, as the library datasets stores
// sound and pictures.
func writeParquet(t *testing.T, lines, path string) {
	t.Helper()
	var rows []map[string]any
	for line := range strings.Lines(lines) {
		row := make(map[string]any)
		fixture.OK(t, json.Unmarshal([]byte(line), &row))
		rows = append(rows, row)
	}
	schema := parquet.Group{}
	for name := range rows[0] {
		schema[name] = parquet.Optional(parquet.String())
		if name == "media" {
			schema[name] = parquet.Group{"bytes": parquet.Leaf(parquet.ByteArrayType), "path": parquet.String()}
		}
	}
	fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
	f, err := os.Create(path)
	fixture.OK(t, err)
	defer f.Close()
	w := parquet.NewGenericWriter[map[string]any](f, parquet.NewSchema("rows", schema), parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(2))
	for _, row := range rows {
		if path, ok := row["media"].(string); ok {
			row["media"] = map[string]any{"bytes": []byte{0, 1, 2}, "path": path}
		}
		if _, err := w.Write([]map[string]any{row}); err != nil {
			t.Fatal(err)
		}
	}
	fixture.OK(t, w.Close())
}

// pipeOf returns the path of a pipe from which a text is read.
func pipeOf(t *testing.T, text string) string {
	t.Helper()
	r, w, err := os.Pipe()
	fixture.OK(t, err)
	t.Cleanup(func() { r.Close() })
	go func() {
		io.WriteString(w, text)
		w.Close()
	}()
	return fmt.Sprintf("/dev/fd/%d", r.Fd())
}

// wide is a text in UTF-16 with a byte order mark.
func wide(text string) string {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = append(b, byte(unit), byte(unit>>8))
	}
	return string(b)
}

const formFiles = `
-- rows.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": "A dog, \"Rex\" – 犬."}
{"uuid": "2", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "B"}]}, "predicted_caption": "Nothing."}
-- list.json --
[
  {"uuid": "1", "cloze": {"passage": "A [BLANK_1].",
     "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}, "predicted_caption": "A dog, \"Rex\" – 犬."},
  {"uuid": "2", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "B"}]},
   "predicted_caption": "Nothing."}
]
-- data.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}}
{"uuid": "2", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "B"}]}}
-- captions.tsv --
uuid	caption
2	Nothing.
1	A dog, "Rex" – 犬.
-- captions.csv --
uuid,caption
2,Nothing.
1,"A dog, ""Rex"" – 犬."
`

// The same rows in any form that can be read give the same scores.
func TestRowForms(t *testing.T) {
	f := enter(t, formFiles)
	rows, table := fixture.Read(t, "rows.jsonl"), fixture.Read(t, "captions.csv")
	fixture.FileIn(t, "", "rows.jsonl.gz", fixture.Gzip(rows))
	fixture.FileIn(t, "", "wide.jsonl", wide(rows))
	fixture.FileIn(t, "", "captions.csv.gz", fixture.Gzip(table))
	f.eval("omni-cloze", "rows.jsonl", out("lines")).ok()
	for _, c := range []struct {
		name, predictions string
		settings          []setting
	}{
		{"list", "list.json", nil},
		{"packed", "rows.jsonl.gz", nil},
		{"wide", "wide.jsonl", nil},
		{"stdin", "-", []setting{stdin("rows.jsonl")}},
		{"pipe", pipeOf(t, rows), nil},
		{"table", "captions.tsv", []setting{data(pipeOf(t, fixture.Read(t, "data.jsonl")))}},
		{"csv", "captions.csv.gz", []setting{data("data.jsonl")}},
	} {
		f.eval("omni-cloze", c.predictions, append(c.settings, out(c.name))...).ok()
		sameFile(t, "lines/blanks.jsonl", c.name+"/blanks.jsonl")
	}
}

// A pipe is read once, however often its rows are looked at, and a run of a judge is resumed by
// what the pipe brings.
func TestRowsFromPipe(t *testing.T) {
	f, mock := enter(t, formFiles), startJudge(t)
	for range 2 {
		f.eval("omni-cloze", "-", stdin("rows.jsonl"), mock.judges, judgedBy("openai/mock", "openai/other")).ok()
		mock.asked(4)
	}
	f.eval("omni-cloze", "rows.jsonl", judgedBy("scripted/"+pipeOf(t, `{"1": [], "2": []}`)), dryRun).ok().prints(`calls to make  2`)
}

const setFiles = `
-- captions.jsonl --
{"uuid": "1", "caption": "A dog, \"Rex\" – 犬.", "media": "1.mp4"}
{"uuid": "2", "caption": "Nothing.", "media": "2.mp4"}
{"uuid": "3", "caption": "A cat.", "media": "3.mp4"}
-- first.jsonl --
{"uuid": "1", "caption": "A dog, \"Rex\" – 犬."}
-- second.jsonl --
{"uuid": "2", "caption": "Nothing."}
{"uuid": "3", "caption": "A cat."}
-- captions.csv --
uuid,caption
1,"A dog, ""Rex"" – 犬."
2,Nothing.
3,A cat.
-- misnamed.jsonl --
{"uuid": "1", "captoin": "A dog, \"Rex\" – 犬."}
{"uuid": "2", "captoin": "Nothing."}
{"uuid": "3", "captoin": "A cat."}
-- twice.jsonl --
{"uuid": "1", "caption": "A dog."}
{"uuid": "1", "caption": "Nothing."}
-- rows.jsonl --
{"uuid": "1", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "A"}]}}
{"uuid": "2", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "B"}]}}
{"uuid": "3", "cloze": {"passage": "A [BLANK_1].", "blanks": [{"number": 1, "options": ["A: dog", "B: cat"], "answer_key": "B"}]}}
-- other/train.jsonl --
{"uuid": "1", "caption": "A dog."}
-- other/test.jsonl --
{"uuid": "1", "caption": "A dog."}
-- saved/data-00000-of-00001.arrow --
no table
-- tables/readme.txt --
`

// Captions in Parquet files of any name, in shards of a split and in folders of the
// hub's layout have the scores of the same rows as JSON Lines.
func TestParquetAndFolders(t *testing.T) {
	f, mock := enter(t, setFiles), startJudge(t)
	one := []setting{data("rows.jsonl"), system("one")}
	eval := func(predictions, dir string, more ...setting) *evalFolder {
		t.Helper()
		return f.eval("omni-cloze", predictions, append(append([]setting{out(dir)}, one...), more...)...)
	}
	eval("captions.jsonl", "lines").ok()
	same := func(dir string) {
		t.Helper()
		sameFile(t, "lines/blanks.jsonl", dir+"/blanks.jsonl")
	}
	captions := fixture.Read(t, "captions.jsonl")
	writeParquet(t, captions, "captions.bin")
	eval("captions.bin", "parquet").ok().warns(`warning: captions.bin: columns of bytes, such as media, are left out of its rows: media.bytes`)
	same("parquet")
	eval(pipeOf(t, fixture.Read(t, "captions.bin")), "pipe").ok()
	same("pipe")

	writeParquet(t, fixture.Read(t, "first.jsonl"), "set/data/test-00000-of-00002.parquet")
	eval("set", "none").fails(omniscope.Invalid, `set: data/test-00001-of-00002.parquet is missing: get all files of the split`)
	writeParquet(t, fixture.Read(t, "second.jsonl"), "set/data/test-00001-of-00002.parquet")
	eval("set", "shards").ok()
	same("shards")
	// The digest of a folder is that of what sha256sum prints of its files.
	sums := ""
	for _, name := range []string{"data/test-00000-of-00002.parquet", "data/test-00001-of-00002.parquet"} {
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(fixture.Read(t, "set/"+name))), name)
	}
	holds(t, "shards/results.json", fmt.Sprintf("%x", sha256.Sum256([]byte(sums))))
	// The system is called after the folder and what is chosen of it.
	f.eval("omni-cloze", "set#test", data("rows.jsonl")).ok().prints(`^system +set-test$`)
	// A run is resumed, though the folder is read again.
	for range 2 {
		f.eval("omni-cloze", "set", data("rows.jsonl"), mock.judges).ok()
		mock.asked(3)
	}

	fixture.OK(t, os.Remove("tables/readme.txt"))
	fixture.FileIn(t, "", "tables/captions.csv.gz", fixture.Gzip(fixture.Read(t, "captions.csv")))
	eval("tables", "table").ok()
	same("table")

	writeParquet(t, fixture.Read(t, "misnamed.jsonl"), "misnamed.parquet")
	eval("misnamed.parquet", "field", field("captoin")).ok()
	same("field")

	writeParquet(t, fixture.Read(t, "twice.jsonl"), "twice.parquet")
	fixture.FileIn(t, "", "cut.parquet", fixture.Read(t, "captions.bin")[:300])
	fixture.FileIn(t, "", "packed.gz", fixture.Gzip(fixture.Read(t, "captions.bin")))
	for predictions, want := range map[string]string{
		"misnamed.parquet": `misnamed.parquet, row 1: .*captoin`,
		"twice.parquet":    `twice.parquet, row 2: uuid 1 is there already, on row 1`,
		"set#train":        `set: it has no #train but #test`,
		"other":            `other: it holds several parts: add one of them to its name, #train, #test`,
		"saved":            `saved: its rows are in Arrow files, .* datasets.load_from_disk\("FOLDER"\).to_parquet\("rows.parquet"\)`,
		"cut.parquet":      `cut.parquet: it does not end as a Parquet file does: it breaks off`,
		"packed.gz":        `packed.gz is a packed Parquet file: unpack it once`,
	} {
		f.eval("omni-cloze", predictions, data("rows.jsonl")).fails(omniscope.Invalid, want)
	}
	f.eval("omni-cloze", "captions.bin", func(r *evalRun) { r.limits.Row = 20 }).fails(omniscope.Invalid, `captions.bin.* raise --max-row-size`)
}
