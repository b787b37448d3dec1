package parquetfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// usual are limits that small files keep.
func usual() Limits {
	return Limits{
		Row: 1 << 20, Values: 10_000, Held: 64 << 20, Size: 1 << 30,
		Long:  func(row int) error { return fmt.Errorf("row %d is long", row) },
		Many:  func(row int) error { return fmt.Errorf("row %d has many values", row) },
		Pages: errors.New("large pages"), Large: errors.New("large file"),
	}
}

func read(t *testing.T, stored []byte, limits Limits) (rows, leftOut []string, err error) {
	t.Helper()
	leftOut, err = Rows(t.Context(), "q.parquet", bytes.NewReader(stored), int64(len(stored)), limits, func(number int, row []byte) error {
		if rows = append(rows, string(row)); len(rows) != number {
			t.Errorf("the row %d is called %d", len(rows), number)
		}
		return nil
	})
	return rows, leftOut, err
}

// written is a file that the library writes.
func written[T any](t *testing.T, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, w.Close())
	return b.Bytes()
}

type media struct {
	Bytes []byte `parquet:"bytes,optional"`
	Path  string `parquet:"path,optional"`
}

type choice struct {
	Label string   `parquet:"label"`
	Texts []string `parquet:"texts,list"`
}

type everything struct {
	ID      string           `parquet:"id,dict"`
	Options []string         `parquet:"options,list"`
	Choices []choice         `parquet:"choices,list"`
	Bare    []int32          `parquet:"bare"`
	Seconds *int64           `parquet:"seconds,optional"`
	Share   float64          `parquet:"share"`
	Small   float32          `parquet:"small"`
	Yes     bool             `parquet:"yes"`
	Count   uint32           `parquet:"count"`
	At      int64            `parquet:"at,timestamp(microsecond)"`
	Day     int32            `parquet:"day,date"`
	Price   int64            `parquet:"price,decimal(2:9)"`
	Key     uuid.UUID        `parquet:"key"`
	Old     deprecated.Int96 `parquet:"old"`
	Tags    map[string]int32 `parquet:"tags"`
	Audio   *media           `parquet:"audio,optional"`
	Raw     []byte           `parquet:"raw"`
}

func TestRowsOfEveryType(t *testing.T) {
	seconds, at := int64(9), time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	rows := []everything{
		{ID: "001-1", Options: []string{"A. \"Apples\"", "B. Ü"}, Choices: []choice{{"x", []string{"1", "2"}}, {"y", nil}}, Bare: []int32{1, -2}, Seconds: &seconds,
			Share: 0.1, Small: 0.1, Yes: true, Count: math.MaxUint32, At: at.UnixMicro(), Day: 20_000, Price: -5, Key: uuid.UUID{1, 2, 15: 255},
			Old: deprecated.Int96{0, 0, 2_440_589}, Tags: map[string]int32{"k": 3}, Audio: &media{[]byte("RIFF"), "a.wav"}, Raw: []byte{1}},
		{ID: "001-2", Share: math.NaN(), Small: 1e7, Price: 12345},
	}
	want := []string{
		`{"id":"001-1","options":["A. \"Apples\"","B. Ü"],"choices":[{"label":"x","texts":["1","2"]},{"label":"y","texts":[]}],"bare":[1,-2],"seconds":9,` +
			`"share":0.1,"small":0.1,"yes":true,"count":4294967295,"at":"2026-01-02T03:04:05.000006Z","day":"2024-10-04","price":-0.05,"key":"01020000-0000-0000-0000-0000000000ff",` +
			`"old":"1970-01-02T00:00:00","tags":{"k":3},"audio":{"path":"a.wav"}}`,
		`{"id":"001-2","options":[],"choices":[],"bare":[],"seconds":null,"share":null,"small":10000000,"yes":false,"count":0,"at":"1970-01-01T00:00:00Z","day":"1970-01-01","price":123.45,` +
			`"key":"00000000-0000-0000-0000-000000000000","old":"-4713-11-24T00:00:00","tags":{},"audio":null}`,
	}
	for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd, &parquet.Lz4Raw} {
		t.Run(codec.String(), func(t *testing.T) {
			got, leftOut, err := read(t, written(t, rows, parquet.Compression(codec)), usual())
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got  %s\nwant %s\n%v", strings.Join(got, "\n     "), strings.Join(want, "\n     "), err)
			}
			if !slices.Equal(leftOut, []string{"audio.bytes", "raw"}) {
				t.Errorf("left out: %q", leftOut)
			}
		})
	}
}

type encoded struct {
	Delta  int64   `parquet:"delta,delta"`
	Small  int32   `parquet:"small,delta"`
	Length string  `parquet:"length,delta"`
	Dict   string  `parquet:"dict,dict"`
	Number int64   `parquet:"number,dict"`
	Split  float64 `parquet:"split,split"`
	Yes    bool    `parquet:"yes"`
}

// Values come out as they went in, whatever the encoding, over pages and row groups. What the library writes in pages of version 1
// is not right where values may be missing: those of testdata are of other writers.
func TestEncodings(t *testing.T) {
	const rows = 10_000
	in := make([]encoded, rows)
	var want []string
	for i := range in {
		e := &in[i]
		e.Delta, e.Small = int64(i)*int64(i)*7-5000, int32(i%7)*-1000
		e.Length, e.Dict, e.Number, e.Split = strings.Repeat("ab", i%9), fmt.Sprint("d", i%300), int64(i%3)<<40, float64(i)*1.5-77
		e.Yes = i%3 == 0
		want = append(want, fmt.Sprintf(`{"delta":%d,"small":%d,"length":%q,"dict":%q,"number":%d,"split":%v,"yes":%t}`, e.Delta, e.Small, e.Length, e.Dict, e.Number, e.Split, e.Yes))
	}
	for _, version := range []int{1, 2} {
		stored := written(t, in, parquet.DataPageVersion(version), parquet.PageBufferSize(3000), parquet.MaxRowsPerRowGroup(3333))
		got, _, err := read(t, stored, usual())
		if err != nil || len(got) != rows {
			t.Fatalf("version %d: %d rows, %v", version, len(got), err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("version %d, row %d: %s, want %s", version, i+1, got[i], want[i])
			}
		}
	}
}

// Lists of lists, and what is missing in them, as the library reads them itself.
func TestNestedListsAreThoseOfTheLibrary(t *testing.T) {
	type inner struct {
		Words []string `parquet:"words,list"`
		Note  *string  `parquet:"note,optional"`
	}
	type outer struct {
		Shots []inner `parquet:"shots,list"`
		Next  *inner  `parquet:"next,optional"`
	}
	note := "n"
	var rows []outer
	var want []string
	for i := range 3000 {
		var r outer
		var b strings.Builder
		b.WriteString(`{"shots":[`)
		for s := range i % 4 {
			in := inner{}
			words := []string{}
			for w := range (i + s) % 3 {
				in.Words = append(in.Words, fmt.Sprint(w))
				words = append(words, fmt.Sprintf("%q", fmt.Sprint(w)))
			}
			text := "null"
			if (i+s)%2 == 0 {
				in.Note, text = &note, `"n"`
			}
			if s > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, `{"words":[%s],"note":%s}`, strings.Join(words, ","), text)
			r.Shots = append(r.Shots, in)
		}
		next := "null"
		if i%6 == 1 {
			r.Next, next = &inner{Words: []string{"z"}}, `{"words":["z"],"note":null}`
		}
		fmt.Fprintf(&b, `],"next":%s}`, next)
		rows, want = append(rows, r), append(want, b.String())
	}
	got, _, err := read(t, written(t, rows, parquet.PageBufferSize(500)), usual())
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%d rows, %v", len(got), err)
	}
}

// Wherever a file is cut or a byte is changed, nothing breaks: it is read or refused.
func TestDamagedFiles(t *testing.T) {
	seconds := int64(9)
	stored := written(t, []everything{{ID: "1", Options: []string{"a", "b"}, Seconds: &seconds, Tags: map[string]int32{"k": 1}}, {ID: "2"}}, parquet.Compression(&parquet.Zstd))
	for cut := range stored {
		if _, _, err := read(t, stored[:cut], usual()); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), "q.parquet") {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	refused := 0
	for at := range stored {
		for _, flip := range []byte{1, 0x80, 0xff} {
			bad := bytes.Clone(stored)
			bad[at] ^= flip
			if _, _, err := read(t, bad, usual()); err != nil {
				refused++
			}
		}
	}
	if refused < len(stored) {
		t.Errorf("only %d of %d changes were noticed", refused, 3*len(stored))
	}
}

func TestLimits(t *testing.T) {
	type row struct {
		Text string   `parquet:"text"`
		List []string `parquet:"list,list"`
	}
	stored := written(t, []row{{Text: "a"}, {Text: strings.Repeat("b", 5000)}, {List: make([]string, 500)}}, parquet.Compression(&parquet.Gzip))
	for _, c := range []struct {
		want string
		set  func(*Limits)
	}{
		{"row 2 is long", func(l *Limits) { l.Row = 4000 }},
		{"row 3 has many values", func(l *Limits) { l.Values = 400 }},
		{"large pages", func(l *Limits) { l.Held = 5000 }},
		{"large file", func(l *Limits) { l.Size = 5000 }},
	} {
		limits := usual()
		c.set(&limits)
		if _, _, err := read(t, stored, limits); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestRefusedFiles(t *testing.T) {
	type onlyBytes struct {
		Video media  `parquet:"video,optional"`
		Raw   []byte `parquet:"raw"`
	}
	for _, c := range []struct {
		name, want string
		stored     []byte
	}{
		{"encrypted", "encrypted", []byte("PAR1....\x00\x00\x00\x00PARE")},
		{"only its beginning", "breaks off", []byte("PAR1")},
		{"a footer of nothing", "it has no columns", []byte("PAR1\x00\x01\x00\x00\x00PAR1")},
		{"metadata longer than the file", "metadata are longer", []byte("PAR1\x00\xff\x00\x00\x00PAR1")},
	} {
		if _, _, err := read(t, c.stored, usual()); omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	type rawOnly struct {
		Raw []byte `parquet:"raw"`
	}
	if _, _, err := read(t, written(t, []rawOnly{{[]byte{1}}}), usual()); err == nil || !strings.Contains(err.Error(), "all its columns hold bytes, and no text or numbers: raw") {
		t.Errorf("only bytes: %v", err)
	}
	if rows, _, err := read(t, written(t, []onlyBytes{{Video: media{Path: "a.mp4"}}}), usual()); err != nil || !slices.Equal(rows, []string{`{"video":{"path":"a.mp4"}}`}) {
		t.Errorf("a path: %q, %v", rows, err)
	}
}

// Columns that are left out are not read: their bytes may be of any size, or missing.
func TestMediaAreNotRead(t *testing.T) {
	type row struct {
		Video media `parquet:"video,optional"`
	}
	stored := written(t, []row{{media{bytes.Repeat([]byte{7}, 1<<20), "a.mp4"}}}, parquet.Compression(&parquet.Uncompressed))
	counted := &countingReader{from: bytes.NewReader(stored)}
	rows := 0
	if _, err := Rows(t.Context(), "q", counted, int64(len(stored)), usual(), func(int, []byte) error { rows++; return nil }); err != nil || rows != 1 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	if counted.bytes > 100_000 {
		t.Errorf("%d of %d bytes were read", counted.bytes, len(stored))
	}
}

type countingReader struct {
	from  io.ReaderAt
	bytes int
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	r.bytes += len(p)
	return r.from.ReadAt(p, at)
}

func TestStops(t *testing.T) {
	type row struct {
		N int `parquet:"n"`
	}
	stored := written(t, make([]row, 10))
	own := errors.New("own")
	if _, err := Rows(t.Context(), "q", bytes.NewReader(stored), int64(len(stored)), usual(), func(int, []byte) error { return own }); err != own {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Rows(ctx, "q", bytes.NewReader(stored), int64(len(stored)), usual(), nil); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// The files in testdata were written by other programs, as its README.md says.
func TestFilesOfOtherWriters(t *testing.T) {
	want, err := os.ReadFile("testdata/rows.jsonl")
	fixture.OK(t, err)
	for _, name := range []string{"arrow-rs-snappy", "arrow-rs-zstd-v2", "arrow-rs-gzip", "arrow-rs-brotli", "arrow-rs-lz4-raw", "hyparquet-writer"} {
		stored, err := os.ReadFile("testdata/" + name + ".parquet")
		fixture.OK(t, err)
		rows, leftOut, err := read(t, stored, usual())
		if got := strings.Join(rows, "\n") + "\n"; err != nil || got != string(want) || !slices.Equal(leftOut, []string{"audio.bytes"}) {
			t.Errorf("%s: %v, left out %q\n%s", name, err, leftOut, got)
		}
	}
}

// Each file has its rows next to it, as pyarrow reads them.
func TestFilesAsPyarrowReadsThem(t *testing.T) {
	for _, name := range []string{"fastparquet", "pyspark", "pyarrow-empty", "pyarrow-empty-between", "apache-repeated", "apache-map"} {
		stored, err := os.ReadFile("testdata/" + name + ".parquet")
		want, err2 := os.ReadFile("testdata/" + name + ".jsonl")
		if err = errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		rows, leftOut, err := read(t, stored, usual())
		var got strings.Builder
		for _, row := range rows {
			got.WriteString(row + "\n")
		}
		if err != nil || got.String() != string(want) || len(leftOut) > 0 {
			t.Errorf("%s: %v, left out %q\n%s", name, err, leftOut, got.String())
		}
	}
}

// How levels are encoded is checked for each kind where a column has such levels.
func TestLevelMethods(t *testing.T) {
	const bitPacked = 4
	zero := []byte{2, 0, 0, 0, 2, 0} // the length of a run, and a run of one zero
	for _, c := range []struct {
		name           string
		maxRep, maxDef int
		rep, def       int
		refused        bool
	}{
		{"no levels", 0, 0, bitPacked, bitPacked, false},
		{"no repetition", 0, 1, bitPacked, runLength, false},
		{"no definition", 1, 0, runLength, bitPacked, false},
		{"repetition", 1, 0, bitPacked, runLength, true},
		{"definition", 0, 1, runLength, bitPacked, true},
		{"both", 1, 1, bitPacked, bitPacked, true},
		{"neither", 1, 1, runLength, runLength, false},
	} {
		column := &column{maxRep: c.maxRep, maxDef: c.maxDef, page: slices.Concat(zero, zero)}
		err := column.levelsV1(pageHeader{repLevels: c.rep, defLevels: c.def})
		if (err != nil) != c.refused || c.refused && !strings.Contains(err.Error(), "the method 4, which is out of use") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A chunk without values needs no place in the file; one with values does.
func TestChunkPlace(t *testing.T) {
	for _, c := range []struct {
		start, values int64
		refused       bool
	}{{0, 0, false}, {-1, 0, false}, {1 << 40, 0, false}, {0, 1, true}, {101, 1, true}, {4, 1, false}, {4, -1, true}} {
		column := &column{r: &reader{size: 100}}
		if err := column.begin(chunk{start: c.start, values: c.values}); (err != nil) != c.refused {
			t.Errorf("%d values at %d: %v", c.values, c.start, err)
		}
	}
}

func FuzzRows(f *testing.F) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[everything](&b, parquet.Compression(&parquet.Uncompressed))
	_, err := w.Write([]everything{{ID: "1", Options: []string{"a"}}, {ID: "2"}})
	if err = errors.Join(err, w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, stored []byte) {
		limits := usual()
		limits.Held, limits.Size = 1<<20, 1<<20
		Rows(t.Context(), "q", bytes.NewReader(stored), int64(len(stored)), limits, func(int, []byte) error { return nil })
	})
}
