package omnicloze

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/valyala/fastjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/quantity"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
)

// captionFields are the names a caption may have when the user gives none.
var captionFields = []string{"predicted_caption", "caption", "prediction", "response", bench.TrajectoryField}

// A data is the opened input: the benchmark's rows, and the captions, which are
// in the same rows or in a separate file.
type data struct {
	rows     *rows.File
	captions *captions // nil = in the rows
	field    string    // of the caption in the rows
	samples  []sample
	digest   string // of the questions that will be judged
	of       int    // rows of the file
	warnings []string
}

// A sample is one row that will be judged.
type sample struct {
	uuid string
	row  int
}

func openData(ctx context.Context, in bench.Inputs) (*data, error) {
	d := &data{field: in.CaptionField}
	path := in.Data
	if path == "" {
		path = in.Predictions
	}
	var err error
	if d.rows, err = rows.Open(ctx, path); err != nil {
		return nil, err
	}
	if in.Data != "" {
		return d.openCaptions(ctx, in)
	}
	if in.IDField != "" {
		return nil, errors.Join(omniscope.Usagef("--id-field is for captions in a file of their own: name the benchmark's file with --data"), d.Close())
	}
	if d.field == "" {
		d.field = captionFields[0]
	}
	if err := d.read(ctx, in); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// A rowInfo is what is kept of a row after it was scanned.
type rowInfo struct {
	uuid       string
	recording  string  // name of the clip; "" = the row does not say
	digest     [8]byte // of uuid and cloze
	built, odd bool    // options built; blanks not numbered 1, 2, 3, ...
	scorable
}

func (d *data) read(ctx context.Context, in bench.Inputs) error {
	rows := make([]rowInfo, d.rows.Len())
	err := d.rows.Check(ctx, func(i int, text []byte) error {
		g, err := d.scanRow(text, in.Scoring)
		if err != nil {
			return d.rows.Bad(i, text, err)
		}
		rows[i] = g
		return nil
	})
	if err != nil {
		return err
	}
	if d.of = len(rows); d.of == 0 {
		return omniscope.Invalidf("%s has no rows", d.rows.Path)
	}
	return d.chooseRows(in, rows)
}

func (d *data) scanRow(text []byte, scoring bench.Scoring) (rowInfo, error) {
	if err := rows.CheckJSON(text); err != nil {
		return rowInfo{}, err
	}
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	it, err := readItem(p, text)
	if err != nil {
		return rowInfo{}, d.hintCaptionsOnly(text, err)
	}
	g := rowInfo{uuid: it.uuid, built: it.built, scorable: countScorable(it, scoring)}
	if name := scalar(it.row.Get("video_path")); name != "" {
		g.recording = bench.Stem(name)
	}
	g.captured, g.answered = d.captions != nil, d.captions != nil
	if v := it.row.Get(d.field); d.captions == nil && v != nil {
		if g.captured = true; v.Type() == fastjson.TypeObject || v.Type() == fastjson.TypeArray {
			return rowInfo{}, notText(d.field)
		}
		g.answered = notEmpty(v)
	}
	p.text = it.cloze.MarshalTo(append(append(p.text[:0], it.uuid...), 0))
	sum := sha256.Sum256(p.text)
	copy(g.digest[:], sum[:])
	for i, b := range it.blanks {
		g.odd = g.odd || b.number != i+1
	}
	return g, nil
}

// hintCaptionsOnly adds a hint to err if the file seems to hold captions only.
func (d *data) hintCaptionsOnly(text []byte, err error) error {
	if d.captions == nil && gjson.ParseBytes(text).IsObject() && !gjson.GetBytes(text, "cloze").Exists() {
		return fmt.Errorf("the row has no cloze: give the benchmark's file with --data (%w)", err)
	}
	return err
}

// parseRow checks that text is one JSON object.
func parseRow(text []byte) (gjson.Result, error) {
	if err := rows.CheckJSON(text); err != nil {
		return gjson.Result{}, err
	}
	row := gjson.ParseBytes(text)
	if !row.IsObject() {
		return row, errors.New("the line is not a JSON object")
	}
	return row, nil
}

// chooseRows chooses the rows to judge, checks them and adds warnings.
func (d *data) chooseRows(in bench.Inputs, rows []rowInfo) error {
	wanted := make(map[string]bool)
	for _, id := range in.Samples {
		wanted[string(id)] = true
	}
	byUUID, err := d.sorted(rows)
	if err != nil {
		return err
	}
	var built, odd, captured, answered int
	d.samples = make([]sample, 0, len(rows))
	for i, g := range rows {
		built, odd, captured, answered = built+quantity.If(g.built), odd+quantity.If(g.odd), captured+quantity.If(g.captured), answered+quantity.If(g.answered)
		if len(in.Samples) == 0 || wanted[g.uuid] {
			delete(wanted, g.uuid)
			d.samples = append(d.samples, sample{uuid: g.uuid, row: i})
		}
	}
	if len(wanted) > 0 {
		unknown, known := sortedKeys(wanted), make([]string, len(rows))
		for i, g := range rows {
			known[i] = g.uuid
		}
		return omniscope.Usagef("--sample: no such uuid in %s: %s%s",
			d.rows.Path, strings.Join(unknown, ", "), spelling.Hint(unknown[0], known))
	}
	switch {
	case captured == 0:
		return d.noCaptions()
	case answered == 0 && !in.Allow:
		return bench.Doubtful("the caption, field %q, is empty in all %d rows of %s: name another field with --caption-field", d.field, len(rows), d.rows.Path)
	}
	if in.Limit > 0 && len(d.samples) > in.Limit {
		d.samples = d.samples[:in.Limit]
	}
	if err := d.check(in, rows); err != nil {
		return err
	}
	all := sha256.New()
	for _, s := range d.samples {
		all.Write(rows[s.row].digest[:])
	}
	d.digest = hex.EncodeToString(all.Sum(nil)[:6])
	d.addWarnings(rows, built, odd)
	return d.matchCaptions(in.Allow, func(uuid string) bool {
		_, found := slices.BinarySearchFunc(byUUID, uuid, func(i int32, uuid string) int { return strings.Compare(rows[i].uuid, uuid) })
		return found
	})
}

// addWarnings warns of odd rows and captions.
func (d *data) addWarnings(rows []rowInfo, built, odd int) {
	d.warnIf(d.rows.NotUTF8(), "bytes that are not UTF-8 in lines of the benchmark, read as U+FFFD: %d")
	if d.captions != nil {
		d.warnIf(d.captions.lines.NotUTF8(), "bytes that are not UTF-8 in lines of the captions, read as U+FFFD: %d")
		d.warnIf(d.captions.inOtherFields, "captions left out because they stand in another field than \""+d.captions.field+"\": %d; name the field with --caption-field")
	}
	d.warnIf(built, "%d rows have blanks without options; they were built from answer, distractors and answer_index")
	d.warnIf(odd, "%d rows do not number their blanks 1, 2, 3, ...; replies are matched by position, as the released scorer does")
	if d.captions != nil {
		recordings := make(map[string]string, len(rows))
		for _, g := range rows {
			recordings[g.uuid] = g.recording
		}
		d.warnings = append(d.warnings, d.captions.leaveOut(recordings, d.rows.Path)...)
	}
}

// sorted returns the rows in the order of their uuids, which must differ.
func (d *data) sorted(rows []rowInfo) ([]int32, error) {
	byUUID := make([]int32, len(rows))
	for i := range byUUID {
		byUUID[i] = int32(i)
	}
	slices.SortStableFunc(byUUID, func(a, b int32) int { return strings.Compare(rows[a].uuid, rows[b].uuid) })
	for k := 1; k < len(byUUID); k++ {
		first, again := int(byUUID[k-1]), int(byUUID[k])
		if uuid := rows[again].uuid; uuid == rows[first].uuid {
			return nil, d.rows.Bad(again, nil, fmt.Errorf("uuid %s is there already, on %s", uuid, d.rows.LineName(first)))
		}
	}
	return byUUID, nil
}

func (d *data) noCaptions() error {
	text, err := d.rows.At(0)
	if err != nil {
		return err
	}
	return omniscope.Invalidf(
		"no row of %s has the caption: %s: %w; name the caption's field with --caption-field, or give the benchmark with --data and the captions with --predictions",
		d.rows.Path, d.rows.Place(0), bench.NoField(d.field, bench.FieldsOf(text)))
}

// matchCaptions compares the captions' uuids with the benchmark's.
func (d *data) matchCaptions(allow bool, known func(uuid string) bool) error {
	if d.captions == nil {
		return nil
	}
	var unknown []string
	for uuid := range d.captions.at {
		if !known(uuid) {
			unknown = append(unknown, uuid)
		}
	}
	slices.Sort(unknown)
	if len(unknown) == len(d.captions.at) {
		return bench.Unnamed(omniscope.Invalidf("none of the %d captions in %s belongs to a uuid of %s (first: %s)",
			len(unknown), d.captions.path, d.rows.Path, strings.Join(unknown[:min(3, len(unknown))], ", ")))
	}
	if d.captions.empty && !allow {
		return bench.Doubtful("the caption, field %q, is empty in all %d rows of %s: name another field with --caption-field", d.captions.field, len(d.captions.at), d.captions.path)
	}
	if len(unknown) > 0 {
		d.warnings = append(d.warnings, fmt.Sprintf("%d captions belong to no uuid of %s and were left out: %s",
			len(unknown), d.rows.Path, strings.Join(unknown[:min(5, len(unknown))], ", ")))
	}
	return nil
}

func (d *data) warnIf(n int, format string) {
	if n > 0 {
		d.warnings = append(d.warnings, fmt.Sprintf(format, n))
	}
}

// load reads sample i and its caption with p's memory. caption is nil when
// there is none.
func (d *data) load(p *parser, i int) (it *item, caption *string, err error) {
	s := d.samples[i]
	if p.line, err = d.rows.AppendTo(p.line[:0], s.row); err != nil {
		return nil, nil, err
	}
	if it, err = readItem(p, p.line); err != nil {
		return nil, nil, d.rows.Bad(s.row, p.line, err)
	}
	if d.captions != nil {
		caption, err = d.captions.get(s.uuid)
		return it, caption, err
	}
	if v := it.row.Get(d.field); v != nil && v.Type() != fastjson.TypeNull {
		text := scalar(v)
		caption = &text
	}
	return it, caption, nil
}

func stringOrNil(v gjson.Result) *string {
	if v.Type == gjson.Null {
		return nil
	}
	s := v.String()
	return &s
}

func (d *data) digests() map[string]string {
	digests := map[string]string{d.rows.Path: d.rows.Digest}
	if d.captions != nil {
		digests[d.captions.path] = d.captions.digest
	}
	return digests
}

// Close closes the files.
func (d *data) Close() error {
	if d.captions != nil {
		return errors.Join(d.rows.Close(), d.captions.lines.Close())
	}
	return d.rows.Close()
}

func sortedKeys(m map[string]bool) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
