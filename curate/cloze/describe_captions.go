package cloze

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/captionrow"
	"omniscope/detective"
	"omniscope/internal/rows"
)

// captions are those of clips by one set of senses. They stay in their files until they are asked for.
type captions struct {
	sense   omniscope.Modality
	path    string // as the user names it
	field   string // with the text; "" = the usual ones
	files   []*rows.File
	rows    map[string]captionRow // by id
	ids     []string              // in the order of the files
	reports map[string]string     // report.json of investigations, by id
}

type captionRow struct{ file, row int }

// A caption of a clip, read.
type caption struct {
	video     string
	sentences []detective.Sentence
	ledger    detective.Ledger
	stale     bool // there is a report, of another caption
}

// idFields are the fields that name a clip; mediaFields those that may say where its file is.
var (
	idFields    = []string{"uuid", "id"}
	mediaFields = []string{"video_path", "url", "path", "file_name", "video", "audio_path", "audio"}
)

// openCaptions opens captions: a file of rows, a folder with the files captions-*.jsonl that
// 'omniscope caption --list' writes, or a folder of investigations with a report.json each.
func openCaptions(ctx context.Context, path string, sense omniscope.Modality, field string) (c *captions, err error) {
	c = &captions{sense: sense, path: path, field: field, rows: make(map[string]captionRow)}
	info, err := os.Stat(path)
	if err != nil {
		return c, omniscope.Invalidf("the %s captions: %w", sense, err)
	}
	folder, files := filepath.Dir(path), []string{path}
	if info.IsDir() {
		folder = path
		if files, err = captionrow.Files(path); err != nil && !errors.Is(err, captionrow.ErrNoFile) {
			return c, err
		}
	}
	for _, file := range files {
		if err := c.open(ctx, file); err != nil {
			return c, err
		}
	}
	if len(files) > 0 { // their reports, if caption was to write them, are next to their folder
		c.reports, err = detective.FindReports(ctx, filepath.Join(filepath.Dir(folder), "reports", filepath.Base(folder)))
		return c, err
	}
	if c.reports, err = detective.FindReports(ctx, folder); err != nil {
		return c, err
	}
	if len(c.reports) == 0 {
		return c, omniscope.Invalidf("%s holds no captions: name a file of rows, a folder with captions-00000.jsonl as 'omniscope caption --list' writes it, or one of investigations with a report.json each", path)
	}
	return c, nil
}

// open notes the rows of a file.
func (c *captions) open(ctx context.Context, path string) error {
	lines, err := rows.Open(ctx, path)
	if err != nil {
		return err
	}
	c.files = append(c.files, lines)
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return err
		}
		if err := rows.CheckJSON(text); err != nil {
			return lines.Bad(i, text, err)
		}
		id := firstScalar(text, idFields)
		if id == "" || len(id) > bench.LongestID {
			return lines.Bad(i, text, fmt.Errorf("the row has no uuid or id of at most %d bytes: %w", bench.LongestID, bench.NoField("uuid", bench.FieldsOf(text))))
		}
		if at, twice := c.rows[id]; twice {
			return lines.Bad(i, nil, fmt.Errorf("the id %s is there already, on %s of %s", id, c.files[at.file].LineName(at.row), c.files[at.file].Path))
		}
		if _, ok := c.text(text); !ok {
			return lines.Bad(i, text, c.noText(text))
		}
		c.rows[id] = captionRow{len(c.files) - 1, i}
		c.ids = append(c.ids, id)
	}
	return nil
}

func (c *captions) noText(row []byte) error {
	return fmt.Errorf("the row has no caption, looked for as %s and as the last message of %s: %w; name the field with --caption-field",
		strings.Join(c.fields(), ", "), detective.TrajectoryField, bench.NoField(c.fields()[0], bench.FieldsOf(row)))
}

func (c *captions) fields() []string {
	if c.field != "" {
		return []string{c.field}
	}
	return bench.CaptionFields
}

// text is the caption of a row, "" where the row says that it has none. ok is false where the row has no such field.
func (c *captions) text(row []byte) (text string, ok bool) {
	if c.field == "" {
		return captionrow.Text(row)
	}
	v := gjson.GetBytes(row, gjson.Escape(c.field))
	return v.Str, v.Type == gjson.String || v.Exists() && v.Type == gjson.Null
}

// firstScalar is the first field of a row that is a text or a number.
func firstScalar(row []byte, names []string) string {
	for _, name := range names {
		switch v := gjson.GetBytes(row, name); v.Type {
		case gjson.String:
			return v.Str
		case gjson.Number:
			return v.Raw
		}
	}
	return ""
}

// videoOf is how a released row names the clip of a row. Where the file lies on this machine is no part of it: an absolute path is
// named by its last part.
func videoOf(row []byte) string {
	video := firstScalar(row, mediaFields)
	if filepath.IsAbs(video) {
		return filepath.Base(video)
	}
	return video
}

// get is the caption of a clip; nil = there is none.
func (c *captions) get(ctx context.Context, id string) (*caption, error) {
	report, err := c.report(ctx, id)
	if err != nil {
		return nil, err
	}
	at, ok := c.rows[id]
	if !ok {
		return reported(report), nil
	}
	row, err := c.files[at.file].At(at.row)
	if err != nil {
		return nil, err
	}
	text, _ := c.text(row)
	if found := reported(report); found != nil && strings.TrimSpace(report.Caption.Text) == strings.TrimSpace(text) {
		found.video = videoOf(row)
		return found, nil
	}
	if own := ofRow(row); own != nil && report == nil {
		return own, nil
	}
	return &caption{video: videoOf(row), sentences: cut(text), stale: report != nil}, nil
}

// ofRow is the caption of a row with the evidence of its sentences; nil = the row has no evidence.
func ofRow(text []byte) *caption {
	row, err := captionrow.Read(text)
	if err != nil || len(row.Sentences) == 0 {
		return nil
	}
	c := &caption{video: videoOf(text)}
	for _, s := range row.Sentences {
		c.sentences = append(c.sentences, detective.Sentence{Text: s.Text, Evidence: s.Evidence, Disputed: s.Disputed})
	}
	for _, o := range row.Evidence {
		c.ledger = append(c.ledger, detective.Evidence{ID: o.ID, Tool: o.Tool, What: o.What, StartS: o.StartS, EndS: o.EndS})
	}
	return c
}

// filesOf returns the files of captions; it skips nil.
func filesOf(all []*captions) (files []*rows.File) {
	for _, c := range all {
		if c != nil {
			files = append(files, c.files...)
		}
	}
	return files
}

func digestsOf(all ...*captions) map[string]string {
	digests := make(map[string]string)
	for _, f := range filesOf(all) {
		digests[f.Path] = f.Digest
	}
	return digests
}

func closeAll(all ...*captions) (err error) {
	for _, f := range filesOf(all) {
		err = errors.Join(err, f.Close())
	}
	return err
}

// has reports whether there is anything about a clip.
func (c *captions) has(id string) bool {
	_, row := c.rows[id]
	return row || c.reports[id] != "" && len(c.files) == 0
}

// names are the clips, in the order of the files; of reports in the order of the alphabet.
func (c *captions) names() []string {
	if len(c.files) > 0 {
		return c.ids
	}
	return slices.Sorted(maps.Keys(c.reports))
}
