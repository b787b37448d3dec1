package input

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"omniscope"
)

// Limits bound what is read of one input. They are far above any real file, so
// that a packed file of a few kilobytes or a pipe without an end cannot take all
// memory or the whole disk. Zero stands for the usual limit.
type Limits struct {
	Size Bytes // of the file once it is unpacked
	Rows int   // rows, lines, or elements and attributes of XML
	Row  Bytes // of one row or line
}

// The names of the flags that set the limits, for errors.
const (
	SizeFlag = "--max-input-size"
	rowsFlag = "--max-input-rows"
	RowFlag  = "--max-row-size"
)

// The usual limits.
const (
	rowsSize  = 2 << 30   // Rows are read from disk one at a time
	textsSize = 256 << 20 // Texts are held in memory
	xmlSize   = 32 << 20  // the largest published file has three megabytes

	manyRows  = 4_000_000
	manyTexts = 1_000_000
	manyMarks = 500_000

	longRow  = 16 << 20
	longText = 1 << 20
	longMark = 9 << 20 // the text of an element: a long talk has 20,000 characters, and expat lets entities make 8 MiB
)

// withDefaults puts the usual limits in place of zeros.
func (l Limits) withDefaults(want Want) Limits {
	usual := map[Want]Limits{
		Rows:     {rowsSize, manyRows, longRow},
		Texts:    {textsSize, manyTexts, longText},
		HeldRows: {textsSize, manyTexts, longText},
		XML:      {xmlSize, manyMarks, longMark},
		zipFile:  {rowsSize, manyRows, longRow},
	}[want]
	if l.Size > 0 {
		usual.Size = l.Size
	}
	if l.Rows > 0 {
		usual.Rows = l.Rows
	}
	if l.Row > 0 {
		usual.Row = l.Row
	}
	return usual
}

// Values is how many commas and brackets a row of JSON may have, which is more
// than it has values: a parser takes about a hundred bytes for each.
func (l Limits) Values() int { return int(l.Row / 32) }

func (l Limits) tooLarge(path string) error {
	return omniscope.Invalidf("%s has more than %s: if that is right, raise %s", path, l.Size, SizeFlag)
}

// TooManyRows is the error for an input with more rows than allowed; what names
// them.
func (l Limits) TooManyRows(path, what string) error {
	return omniscope.Invalidf("%s has more than %d %s: if that is right, raise %s", path, l.Rows, what, rowsFlag)
}

// TooLongRow is the error for a row that is too long.
func (l Limits) TooLongRow(path string, line int) error {
	return omniscope.Invalidf("%s:%d: the row is longer than %s: if that is right, raise %s", path, line, l.Row, RowFlag)
}

// TooManyValues is the error for a row of JSON with too many values.
func (l Limits) TooManyValues(path string, line int) error {
	return omniscope.Invalidf("%s:%d: the row has more than %d commas and brackets: if that is right, raise %s", path, line, l.Values(), RowFlag)
}

// TooDeep is the error for an input that nests what no real one does.
func TooDeep(path, what string, most int) error {
	return omniscope.Invalidf("%s nests %s more than %d deep, which no real file does", path, what, most)
}

// TooLarge is the error for an input that is too large once it is read.
func (l Limits) TooLarge(path string) error { return l.tooLarge(path) }

// Bytes is a size. As a flag it takes a number and a unit: 300MB, 2GiB, 4096.
type Bytes int64

var units = []struct {
	name string
	size Bytes
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}}

func (b Bytes) String() string {
	if b == 0 {
		return ""
	}
	for _, u := range units[:4] {
		if b >= u.size && b%u.size == 0 {
			return fmt.Sprintf("%d %s", b/u.size, u.name)
		}
	}
	return fmt.Sprintf("%d bytes", int64(b))
}

// Set implements the interface of flags.
func (b *Bytes) Set(text string) error {
	number, unit := strings.TrimSpace(text), Bytes(1)
	for _, u := range units {
		if rest, ok := cutSuffixFold(number, u.name); ok {
			number, unit = strings.TrimSpace(rest), u.size
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !(n*float64(unit) >= 1 && n*float64(unit) < 1<<62) {
		return errors.New("want a size such as 500MB or 2GiB")
	}
	*b = Bytes(n * float64(unit))
	return nil
}

// Type implements the interface of flags.
func (*Bytes) Type() string { return "size" }

func cutSuffixFold(text, suffix string) (string, bool) {
	at := len(text) - len(suffix)
	if at < 0 || !strings.EqualFold(text[at:], suffix) {
		return text, false
	}
	return text[:at], true
}
