package omnicloze

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
)

// captions is a file of captions by uuid.
type captions struct {
	path   string
	digest string
	at     map[string]int      // uuid to row
	media  map[string][]string // names of the recording in the rows that have one, by uuid
	field  string
	lines  *rows.File
	ids    *bench.RowIDs // of the rows; nil = their field uuid
	// inOtherFields counts rows whose caption is in another field than the chosen one.
	inOtherFields int
	empty         bool // all captions are empty
}

// readCaptions reads a file of captions. ids are the uuids of its rows; nil = the rows have them.
func readCaptions(ctx context.Context, lines *rows.File, field string, ids *bench.RowIDs) (*captions, error) {
	c := &captions{path: lines.Path, digest: lines.Digest, lines: lines, field: field, ids: ids, at: make(map[string]int, lines.Len()), media: make(map[string][]string)}
	return c, c.readLines(ctx)
}

// A captionRow is the summary of one row. For each possible caption field it has
// three bits: the row has the field, the field is not a string, the field is not
// empty.
type captionRow struct {
	uuid               string
	media              []string
	has, odd, nonEmpty uint8
}

func (c *captions) readLines(ctx context.Context) error {
	fields := fieldsToTry(c.field)
	rows := make([]captionRow, c.lines.Len())
	err := c.lines.Check(ctx, func(i int, text []byte) (err error) {
		if rows[i], err = readCaptionRow(text, fields); err == nil {
			err = c.name(&rows[i], i, text)
		}
		if err != nil {
			return c.lines.Bad(i, text, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, row := range rows {
		if row.uuid == "" {
			continue // the row is of no sample
		}
		if first, twice := c.at[row.uuid]; twice {
			return c.lines.Bad(i, nil, fmt.Errorf("uuid %s is there already, on %s", row.uuid, c.lines.LineName(first)))
		}
		c.at[row.uuid] = i
		if len(row.media) > 0 {
			c.media[row.uuid] = row.media
		}
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
	out := captionRow{media: bench.AskedIn(row, "").Media, uuid: bench.ID(row.Get("uuid"))}
	for k, field := range fields {
		v := bench.TextIn(text, field)
		if v.Exists() {
			out.has |= 1 << k
		}
		if v.Type == gjson.JSON {
			out.odd |= 1 << k
		}
		if v.Type != gjson.Null && (v.Type != gjson.String || strings.TrimSpace(v.Str) != "") {
			out.nonEmpty |= 1 << k
		}
	}
	return out, nil
}

// name gives a row its uuid.
func (c *captions) name(row *captionRow, i int, text []byte) error {
	if c.ids != nil {
		row.uuid = c.ids.Of[i]
		return nil
	}
	if row.uuid == "" {
		return bench.Unnamed(fmt.Errorf("the row has no uuid: %w", bench.NoField("uuid", bench.FieldsOf(text))))
	}
	if len(row.uuid) > bench.LongestID {
		return fmt.Errorf("the uuid has %d bytes, more than %d", len(row.uuid), bench.LongestID)
	}
	return nil
}

// chooseField chooses the field of the captions: the first that any row has. It
// must hold text.
func (c *captions) chooseField(fields []string, rows []captionRow) error {
	var has uint8
	for _, row := range rows {
		has |= row.has
	}
	if has == 0 {
		return c.noCaption(fields)
	}
	k := bits.TrailingZeros8(has)
	c.field = fields[k]
	c.empty = !slices.ContainsFunc(rows, func(r captionRow) bool { return r.nonEmpty&(1<<k) != 0 })
	for i, row := range rows {
		if row.has != 0 && row.has&(1<<k) == 0 {
			c.inOtherFields++
		}
		if row.odd&(1<<k) != 0 {
			text, err := c.lines.At(i)
			return cmp.Or(err, c.lines.Bad(i, text, notText(c.field)))
		}
	}
	return nil
}

// noCaption is the error for a file without captions.
func (c *captions) noCaption(fields []string) error {
	if c.lines.Len() == 0 {
		return omniscope.Invalidf("%s has no rows", c.path)
	}
	text, err := c.lines.At(0)
	if err != nil {
		return err
	}
	var why error
	there := bench.FieldsOf(text)
	for _, field := range fields {
		if _, near := spelling.Nearest(field, there); near || field == fields[0] {
			why = fmt.Errorf("%s: %w", c.lines.Place(0), bench.NoField(field, there))
			if near {
				break
			}
		}
	}
	return omniscope.Invalidf("no row of %s has a caption, looked for as %s: %w; name the field with --caption-field",
		c.path, strings.Join(fields, ", "), why)
}

func notText(field string) error { return fmt.Errorf("the caption, field %q, is not a text", field) }

// get returns the caption of uuid, nil if there is none.
func (c *captions) get(uuid string) (*string, error) {
	i, ok := c.at[uuid]
	if !ok {
		return nil, nil
	}
	text, err := c.lines.At(i)
	if err != nil {
		return nil, err
	}
	v := bench.TextIn(text, c.field)
	if c.lines.EmptyCell(i, v) {
		return nil, nil
	}
	return stringOrNil(v), nil
}

// leaveOut leaves a caption out if its row names the recording of another uuid: numbers may be from another
// version of the benchmark. recordings are the names by uuid.
func (c *captions) leaveOut(recordings map[string]string, data string) (warnings []string) {
	known := make(map[string]bool, len(recordings))
	for _, name := range recordings {
		known[name] = name != ""
	}
	found := bench.NewRepeats(data, false)
	for _, uuid := range slices.Sorted(maps.Keys(c.media)) {
		row, own := bench.Asked{Media: c.media[uuid]}, bench.Asked{}
		if recordings[uuid] != "" {
			own.Media = []string{recordings[uuid]}
		}
		r := own.Compare(&row, known)
		found.Add(uuid, c.lines.LineName(c.at[uuid]), r)
		if r.Contradiction != "" {
			delete(c.at, uuid)
		}
	}
	return found.Warnings(false)
}
