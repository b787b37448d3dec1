package omnicloze

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
)

// captions is a file of captions by uuid: JSON Lines, or CSV with a header.
type captions struct {
	path   string
	digest string
	at     map[string]int // uuid to row
	field  string
	lines  *bench.Lines // JSON Lines
	// elsewhere counts rows whose caption has another name than the others'.
	elsewhere int
	texts     []string // CSV
}

func openCaptions(path, field string) (*captions, error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		return readCSV(path, field)
	}
	lines, err := bench.OpenLines(path)
	if err != nil {
		return nil, err
	}
	c := &captions{path: path, digest: lines.Digest, lines: lines, field: field, at: make(map[string]int, lines.Len())}
	if err := c.readLines(); err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	return c, nil
}

// A captionRow is what one reading of a row leaves behind: of each name that
// the caption may have, a bit that says whether the row has it, and one that
// says whether it holds something else than text.
type captionRow struct {
	uuid     string
	has, odd uint8
}

func (c *captions) readLines() error {
	fields := fieldsToTry(c.field)
	rows := make([]captionRow, c.lines.Len())
	err := c.lines.Check(func(i int, text []byte) (err error) {
		if rows[i], err = readCaptionRow(text, fields); err != nil {
			return c.lines.Bad(i, text, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, row := range rows {
		if first, twice := c.at[row.uuid]; twice {
			return c.lines.Bad(i, nil, fmt.Errorf("uuid %s is there already, on line %d", row.uuid, c.lines.Number(first)))
		}
		c.at[row.uuid] = i
	}
	return c.chooseField(fields, rows)
}

// fieldsToTry are the names a caption may have: the user's, or the usual ones.
func fieldsToTry(field string) []string {
	if field != "" {
		return []string{field}
	}
	return captionFields
}

func readCaptionRow(text []byte, fields []string) (captionRow, error) {
	row, err := parseRow(text)
	if err != nil {
		return captionRow{}, err
	}
	out := captionRow{}
	switch id := row.Get("uuid"); id.Type {
	case gjson.String:
		out.uuid = id.Str
	case gjson.Number: // as it is written there, as in the benchmark's rows
		out.uuid = id.Raw
	}
	if out.uuid == "" {
		return captionRow{}, errors.New("the row has no uuid")
	}
	for k, field := range fields {
		v := row.Get(gjson.Escape(field))
		if v.Exists() {
			out.has |= 1 << k
		}
		if v.Type == gjson.JSON {
			out.odd |= 1 << k
		}
	}
	return out, nil
}

// chooseField settles which field holds the captions: the first that any row
// has. It must hold text.
func (c *captions) chooseField(fields []string, rows []captionRow) error {
	var has uint8
	for _, row := range rows {
		has |= row.has
	}
	if has == 0 {
		return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("no row of %s has a caption: looked for %s; name the field with --caption-field",
			c.path, strings.Join(fields, ", "))}
	}
	k := bits.TrailingZeros8(has)
	c.field = fields[k]
	for i, row := range rows {
		if row.has != 0 && row.has&(1<<k) == 0 {
			c.elsewhere++
		}
		if row.odd&(1<<k) != 0 {
			text, err := c.lines.At(i)
			return cmp.Or(err, c.lines.Bad(i, text, notText(c.field)))
		}
	}
	return nil
}

func notText(field string) error { return fmt.Errorf("the caption, field %q, is not a text", field) }

func readCSV(path, field string) (*captions, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		kind := omniscope.Invalid
		if errors.Is(err, fs.ErrNotExist) {
			kind = omniscope.NotFound
		}
		return nil, &omniscope.Error{Kind: kind, Err: err}
	}
	sum := sha256.Sum256(text)
	c := &captions{path: path, digest: hex.EncodeToString(sum[:]), at: make(map[string]int)}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	header, err := r.Read()
	if err != nil {
		return nil, c.bad(fmt.Errorf("no CSV header: %w", err))
	}
	id, column, err := c.columns(header, fieldsToTry(field))
	if err != nil {
		return nil, err
	}
	var first []int // line of each caption
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, c.bad(err)
		}
		line, _ := r.FieldPos(0)
		if record[id] == "" {
			return nil, c.bad(fmt.Errorf("line %d: the row has no uuid", line))
		}
		if i, twice := c.at[record[id]]; twice {
			return nil, c.bad(fmt.Errorf("line %d: uuid %s is there already, on line %d", line, record[id], first[i]))
		}
		first = append(first, line)
		c.at[record[id]] = len(c.texts)
		c.texts = append(c.texts, record[column])
	}
}

// columns finds the columns of the uuid and of the caption.
func (c *captions) columns(header, wanted []string) (id, column int, err error) {
	id, column = slices.Index(header, "uuid"), -1
	for _, name := range wanted {
		if column < 0 {
			column = slices.Index(header, name)
		}
	}
	if id < 0 || column < 0 {
		return 0, 0, c.bad(fmt.Errorf("line 1: the header needs uuid and one of %s; it has %s",
			strings.Join(wanted, ", "), strings.Join(header, ", ")))
	}
	return id, column, nil
}

func (c *captions) bad(err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("%s: %w", c.path, err)}
}

// get returns the caption of uuid, nil if there is none.
func (c *captions) get(uuid string) (*string, error) {
	i, ok := c.at[uuid]
	if !ok {
		return nil, nil
	}
	if c.lines == nil {
		return &c.texts[i], nil
	}
	text, err := c.lines.At(i)
	if err != nil {
		return nil, err
	}
	return stringOrNil(gjson.GetBytes(text, gjson.Escape(c.field))), nil
}

func (c *captions) notUTF8() int {
	if c.lines != nil {
		return c.lines.NotUTF8()
	}
	n := 0
	for _, text := range c.texts {
		n += one(!utf8.ValidString(text))
	}
	return n
}

func (c *captions) close() error {
	if c.lines == nil {
		return nil
	}
	return c.lines.Close()
}
