package omnicloze

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	texts  []string     // CSV
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

func (c *captions) readLines() error {
	uuids := make([]string, c.lines.Len())
	err := c.lines.Check(func(i int, text []byte) error {
		row, err := parseRow(text)
		if err == nil && !row.Get("uuid").Exists() {
			err = errors.New("the row has no uuid")
		}
		if err != nil {
			return c.lines.Bad(i, text, err)
		}
		uuids[i] = row.Get("uuid").String()
		return nil
	})
	if err != nil {
		return err
	}
	for i, uuid := range uuids {
		if first, twice := c.at[uuid]; twice {
			return c.lines.Bad(i, nil, fmt.Errorf("uuid %s is there already, on line %d", uuid, c.lines.Number(first)))
		}
		c.at[uuid] = i
	}
	return c.findField()
}

// findField settles which field holds the captions: the user's, or the first
// known name that any row has.
func (c *captions) findField() error {
	wanted := captionFields
	if c.field != "" {
		wanted = []string{c.field}
	}
	for _, field := range wanted {
		for i := range c.lines.Len() {
			text, err := c.lines.At(i)
			if err != nil {
				return err
			}
			if gjson.GetBytes(text, gjson.Escape(field)).Exists() {
				c.field = field
				return nil
			}
		}
	}
	return &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("no row of %s has a caption: looked for %s; name the field with --caption-field",
		c.path, strings.Join(wanted, ", "))}
}

func readCSV(path, field string) (*captions, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	sum := sha256.Sum256(text)
	c := &captions{path: path, digest: hex.EncodeToString(sum[:]), at: make(map[string]int)}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	header, err := r.Read()
	if err != nil {
		return nil, c.bad(fmt.Errorf("no CSV header: %w", err))
	}
	id, column, err := c.columns(header, field)
	if err != nil {
		return nil, err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, c.bad(err)
		}
		line, _ := r.FieldPos(0)
		if _, twice := c.at[record[id]]; twice {
			return nil, c.bad(fmt.Errorf("line %d: uuid %s is there already", line, record[id]))
		}
		c.at[record[id]] = len(c.texts)
		c.texts = append(c.texts, record[column])
	}
}

// columns finds the columns of the uuid and of the caption.
func (c *captions) columns(header []string, field string) (id, column int, err error) {
	wanted := captionFields
	if field != "" {
		wanted = []string{field}
	}
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

func (c *captions) close() error {
	if c.lines == nil {
		return nil
	}
	return c.lines.Close()
}
