package capricorn

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
)

// data reads the annotations and the captions, one video at a time.
type data struct {
	rows     *rows.File
	captions *rows.File
	units    []place
	field    string
	scoring  bench.Scoring
	warnings []string
	digest   hash.Hash
	of       int // videos that are annotated
}

// A place says on which lines a video's row and caption are.
type place struct {
	id      string
	row     int
	caption int // none where there is none
	first   string
	clash   bool // there are several captions, and they differ

	captions int // how many there are
}

const none = -1

// captionFields are the names that a caption may have.
var captionFields = []string{"caption", "predicted_caption", "prediction", "response", bench.TrajectoryField}

// A captionAt says on which line a video's caption is.
type captionAt struct {
	line     int
	lines    int // how many there are
	used     bool
	nonEmpty bool // the caption is not empty
	clash    bool
	sum      [sha256.Size]byte
}

func (d *data) indexCaptions(ctx context.Context, field string, ids *bench.RowIDs) (map[string]*captionAt, error) {
	at := make(map[string]*captionAt, d.captions.Len())
	var text []byte
	for i := range d.captions.Len() {
		err := ctx.Err()
		if err != nil {
			return nil, err
		}
		if text, err = d.captions.AppendTo(text[:0], i); err != nil {
			return nil, err
		}
		id := ""
		if ids == nil {
			id, err = idOf(text)
		} else if id = ids.Of[i]; id == "" {
			continue // the row is of no video
		}
		if err != nil {
			return nil, d.captions.Bad(i, text, err)
		}
		if err := d.chooseField(text, field); err != nil {
			return nil, d.captions.Bad(i, text, err)
		}
		caption := bench.TextIn(text, d.field)
		if caption.Exists() && caption.Type != gjson.String && caption.Type != gjson.Null {
			return nil, d.captions.Bad(i, text, fmt.Errorf("%s is not text", d.field))
		}
		sum, says := sha256.Sum256([]byte(caption.Raw)), strings.TrimSpace(caption.Str) != ""
		if known, ok := at[id]; ok {
			d.warnings = append(d.warnings, fmt.Sprintf("%s: video %s has a caption already, on %s", d.captions.Place(i), id, d.captions.LineName(known.line)))
			known.clash = known.clash || known.sum != sum
			known.lines++
			known.nonEmpty = known.nonEmpty || says
			known.line, known.sum = i, sum // the last one counts, as in the published scorer
			continue
		}
		at[id] = &captionAt{line: i, lines: 1, sum: sum, nonEmpty: says}
	}
	return at, nil
}

// chooseField takes the caption's field name from the first row.
func (d *data) chooseField(text []byte, wanted string) error {
	if d.field != "" {
		return nil
	}
	names := captionFields
	if wanted != "" {
		names = []string{wanted}
	}
	for _, name := range names {
		if gjson.GetBytes(text, gjson.Escape(name)).Exists() {
			d.field = name
			return nil
		}
	}
	return fmt.Errorf("has no caption, looked for as %s: %w; name the caption's field with --caption-field", strings.Join(names, ", "), bench.NoField(names[0], bench.FieldsOf(text)))
}

// idOf reads a row's video id: video_id, or the name of video_path without its
// ending.
func idOf(text []byte) (string, error) {
	id, err := anyIDOf(text)
	if err == nil && len(id) > bench.LongestID {
		return "", fmt.Errorf("the video's id has %d bytes, more than %d", len(id), bench.LongestID)
	}
	return id, err
}

func anyIDOf(text []byte) (string, error) {
	if err := rows.CheckJSON(text); err != nil {
		return "", err
	}
	switch id := gjson.GetBytes(text, "video_id"); id.Type {
	case gjson.String:
		if id.Str != "" {
			return id.Str, nil
		}
	case gjson.Number:
		return id.Raw, nil
	}
	if p := gjson.GetBytes(text, "video_path"); p.Type == gjson.String && p.Str != "" {
		base := path.Base(strings.ReplaceAll(p.Str, `\`, "/"))
		if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "" {
			return stem, nil
		}
		return base, nil
	}
	return "", bench.Unnamed(noID(text))
}

func (d *data) indexRows(ctx context.Context, in bench.Inputs, captions map[string]*captionAt) error {
	first := make(map[string]int)
	same := make(map[string][sha256.Size]byte)
	var short shortage
	var text []byte
	for i := range d.rows.Len() {
		err := ctx.Err()
		if err != nil {
			return err
		}
		if text, err = d.rows.AppendTo(text[:0], i); err != nil {
			return err
		}
		v, err := d.parse(text)
		if err != nil {
			return d.rows.Bad(i, text, err)
		}
		if before, ok := first[v.id]; ok {
			if same[v.id] != sha256.Sum256(text) {
				return d.rows.Bad(i, nil, fmt.Errorf("video %s is annotated already, and otherwise, on %s: leave one of the rows out", v.id, d.rows.LineName(before)))
			}
			d.warnings = append(d.warnings, fmt.Sprintf("%s: video %s stands there twice and is scored once", d.rows.Place(i), v.id))
			continue
		}
		first[v.id], same[v.id] = i, sha256.Sum256(text)
		d.warn(v, i)
		short.add(v, i, text)
		p := place{id: v.id, row: i, caption: none}
		if c := captions[v.id]; c != nil {
			c.used = true
			p.caption, p.captions, p.clash = c.line, c.lines, c.clash
		}
		if !d.takes(in, v.id) {
			continue
		}
		if len(v.events) > 0 {
			p.first = stepOf(v.id, v.events[0])
		}
		d.units = append(d.units, p)
		d.digest.Write(text)
	}
	d.of = len(first)
	if err := d.checkSelected(in.Samples, first); err != nil {
		return err
	}
	if len(d.units) == 0 {
		return omniscope.Invalidf("%s: no videos to score", d.rows.Path)
	}
	if !in.Allow {
		return short.refuse(d.rows)
	}
	return nil
}

// takes reports whether a video is among those to score.
func (d *data) takes(in bench.Inputs, id string) bool {
	return (in.Samples == nil || slices.Contains(in.Samples, omniscope.SampleID(id))) && (in.Limit <= 0 || len(d.units) < in.Limit)
}

// checkSelected returns an error that lists selected videos without annotations.
func (d *data) checkSelected(wanted []omniscope.SampleID, rows map[string]int) error {
	var lacking []string
	for _, id := range wanted {
		if _, ok := rows[string(id)]; !ok && !slices.Contains(lacking, string(id)) {
			lacking = append(lacking, string(id))
		}
	}
	if len(lacking) == 0 {
		return nil
	}
	slices.Sort(lacking)
	return omniscope.Usagef("--sample: no such video in %s: %s%s", d.rows.Path, strings.Join(lacking, ", "),
		spelling.Hint(lacking[0], slices.Sorted(maps.Keys(rows))))
}

// warn adds warnings about what a row lacks.
func (d *data) warn(v *video, i int) {
	if len(v.lacking) > 0 {
		d.warnings = append(d.warnings, fmt.Sprintf("%s: video %s has no list of %s", d.rows.Place(i), v.id, strings.Join(v.lacking, ", ")))
	}
	if v.duration == nil {
		d.warnings = append(d.warnings, fmt.Sprintf("%s: video %s has no duration", d.rows.Place(i), v.id))
	}
}

// checkUnknownCaptions warns of captions of videos that are not annotated, or
// returns an error. The published scorer stops at the first.
func (d *data) checkUnknownCaptions(in bench.Inputs, captions map[string]*captionAt) error {
	var ids []string
	for id, c := range captions {
		if !c.used {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.SortFunc(ids, func(a, b string) int { return captions[a].line - captions[b].line })
	if in.Scoring == bench.Official {
		i := captions[ids[0]].line
		return d.captions.Bad(i, nil, fmt.Errorf("video %s is not annotated, and the published scorer stops there: leave its caption out, or score with --scoring strict", ids[0]))
	}
	d.warnings = append(d.warnings, fmt.Sprintf("%d captions are of videos that are not annotated and are left out; the published scorer stops there, and what scoring official has here is of the rest: %s", len(ids), strings.Join(ids[:min(len(ids), 5)], ", ")))
	return nil
}

// parse reads a row of the annotations in the form that the scoring asks about.
func (d *data) parse(text []byte) (*video, error) {
	v, err := parseVideo(text)
	if err == nil && d.scoring == bench.Strict {
		v.mend()
	}
	return v, err
}

// parseVideo reads a row of the annotations.
func parseVideo(text []byte) (*video, error) {
	id, err := idOf(text)
	if err != nil {
		return nil, err
	}
	v := &video{id: id}
	switch t := gjson.GetBytes(text, "duration"); t.Type {
	case gjson.Number:
		v.duration, v.rawTime = &t.Num, t.Raw
	case gjson.Null:
	default:
		return nil, fmt.Errorf("duration is %s, which is not a number of seconds", t.Raw)
	}
	events := gjson.GetBytes(text, "events")
	if !events.IsObject() {
		return nil, fmt.Errorf("has no object of events: %w", bench.NoField("events", bench.FieldsOf(text)))
	}
	for class, c := range classes {
		list := events.Get(c.key)
		if !list.Exists() || list.Type == gjson.Null {
			v.lacking = append(v.lacking, c.key)
			continue
		}
		if !list.IsArray() {
			return nil, fmt.Errorf("events.%s is not a list", c.key)
		}
		for _, e := range list.Array() {
			if e.Type != gjson.String {
				return nil, fmt.Errorf("events.%s holds %s, which is not text", c.key, rows.Quote([]byte(e.Raw)))
			}
			ev := event{class: class, text: e.Str}
			if ev.ofSubjects() {
				ev.subjects = subjectsOf(e.Str)
			}
			v.events = append(v.events, ev)
		}
	}
	return v, nil
}

// load reads unit i.
func (d *data) load(i int) (*video, error) {
	p := d.units[i]
	text, err := d.rows.At(p.row)
	if err != nil {
		return nil, err
	}
	v, err := d.parse(text)
	if err != nil {
		return nil, d.rows.Bad(p.row, text, err)
	}
	v.absent = true
	if p.caption == none {
		return v, nil
	}
	if text, err = d.captions.At(p.caption); err != nil {
		return nil, err
	}
	switch c := bench.TextIn(text, d.field); {
	case c.Type == gjson.String && !d.captions.EmptyCell(p.caption, c):
		v.caption, v.absent = strings.Clone(c.Str), false
	case c.Exists():
		v.caption, v.absent, v.null = "None", false, true // Python's name of null
	}
	return v, nil
}

// Close closes the files.
func (d *data) Close() error {
	var err error
	for _, l := range []*rows.File{d.rows, d.captions} {
		if l != nil {
			err = errors.Join(err, l.Close())
		}
	}
	return err
}
