package production

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
)

// A Captioned is a row of an output: a clip of a list and its caption.
type Captioned struct {
	Row              // without the trajectory; its own columns are in Text
	File    string   // that the row stands in
	Caption string   // "" = there is none
	Summary *Summary // of the investigation; nil = it was another's
	Partial bool     // Summary lacks numbers: a 0 in it may be unknown
	Text    []byte   // the row's own columns, a JSON object
}

// ReadCaptions calls do for each row of captions: a folder with captions-*.jsonl, as an Output has one for each pass, or a
// file of rows of that form, or with the caption in one of bench.CaptionFields. Relative paths start from media; "" = from the
// folder of the list that the captions are of, or of the file. A file that is not finished is an error: half of its captions
// would be missing. Ids that are there twice, and rows that cannot be read, are errors of kind Invalid with file and line.
func ReadCaptions(ctx context.Context, name, media string, do func(*Captioned) error) error {
	files, err := captionFiles(name)
	if err != nil {
		return err
	}
	if media == "" {
		media = mediaOf(name)
	}
	ids := make(map[string]string) // where each is
	for _, file := range files {
		if err := readCaptionFile(ctx, file, media, ids, do); err != nil {
			return err
		}
	}
	return nil
}

// captionFiles are the files of captions in a folder, in order, or the one file.
func captionFiles(name string) (files []string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, omniscope.Invalidf("captions: %w", err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		switch file := e.Name(); {
		case !strings.HasSuffix(file, ".jsonl"):
		case strings.HasPrefix(file, "unfinished-"):
			return nil, omniscope.Invalidf("%s is not finished: run the same investigation again until it is", filepath.Join(name, file))
		case strings.HasPrefix(file, "captions-"):
			files = append(files, filepath.Join(name, file))
		}
	}
	if len(files) == 0 {
		return nil, omniscope.Invalidf("%s has no file captions-00000.jsonl: name the folder of a pass, such as captions/av of `omniscope investigate --list --out captions`", name)
	}
	return files, nil
}

// mediaOf is the folder that paths of captions start from.
func mediaOf(name string) string {
	folder := filepath.Dir(name)
	text, err := os.ReadFile(filepath.Join(folder, manifestFile)) // beside the folder of a pass
	var m manifest
	if err == nil && json.Unmarshal(text, &m) == nil && m.List != "" {
		if ondisk.IsFolder(m.List) {
			return m.List
		}
		return filepath.Dir(m.List)
	}
	return folder
}

func readCaptionFile(ctx context.Context, file, media string, ids map[string]string, do func(*Captioned) error) (err error) {
	lines, err := rows.Open(ctx, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lines.Close()) }()
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return err
		}
		c, why := readCaptioned(text, media)
		if why == nil && ids[c.ID] != "" {
			why = fmt.Errorf("the id %s is there already, at %s", c.ID, ids[c.ID])
		}
		if why != nil {
			return lines.Bad(i, text, why)
		}
		c.File, c.Line = file, lines.Number(i)
		ids[c.ID] = fmt.Sprintf("%s:%d", file, c.Line)
		if err := do(c); err != nil {
			return err
		}
	}
	return nil
}

func readCaptioned(text []byte, media string) (*Captioned, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	r := &reader{list: &List{}, media: media, lines: make(map[string]int)}
	if err := r.add(bytes.TrimSpace(text), 0); err != nil {
		return nil, err
	}
	c := &Captioned{Row: r.list.Rows[0]}
	c.Caption = c.Trajectory.Description()
	c.Trajectory = nil
	if v := gjson.GetBytes(text, InvestigationField); v.IsObject() {
		c.Summary = &Summary{}
		if err := json.Unmarshal([]byte(v.Raw), c.Summary); err != nil {
			return nil, fmt.Errorf("%s: %w", InvestigationField, err)
		}
		if !v.Get("unfounded").Exists() {
			c.Partial, c.Summary.Sentences = true, 0 // how many sentences rest on no observation is not known
		}
	}
	for _, field := range bench.CaptionFields {
		if v := gjson.GetBytes(text, gjson.Escape(field)); c.Caption == "" && v.Type == gjson.String {
			c.Caption = v.Str
		}
	}
	own := c.Row.Row.Without(InvestigationField)
	var err error
	c.Text, err = own.MarshalJSON()
	return c, err
}
