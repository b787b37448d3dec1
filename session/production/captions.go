package production

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/internal/rows"
)

// A Captioned is a row of an output: a clip of a list and its caption.
type Captioned struct {
	Row            // without the trajectory; its own columns are in Text
	File    string // that the row stands in
	Caption string // "" = there is none

	Modality omniscope.Modality // that it was written from; "" = not known
	System   string             // that wrote it; "" = not known

	Summary *Summary // of the investigation; nil = it was another's
	Partial bool     // Summary lacks numbers: a 0 in it may be unknown
	Text    []byte   // the row's own columns, a JSON object
}

// ReadCaptions calls do for each row of captions: see captionrow.Files and captionrow.Read for what name may be, and for media.
// A file that is not finished is an error: many of its captions
// would be missing. Ids that are there twice, and rows that cannot be read, are errors of kind Invalid with file and line.
func ReadCaptions(ctx context.Context, name, media string, do func(*Captioned) error) error {
	files, err := captionrow.Files(name)
	if err != nil {
		return err
	}
	ids := make(map[string]string) // where each is
	for _, file := range files {
		if err := readCaptionFile(ctx, file, media, ids, do); err != nil {
			return err
		}
	}
	return nil
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
		c, why := readCaptioned(text, file, media)
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

func readCaptioned(text []byte, file, media string) (*Captioned, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	r := &reader{list: &List{}, lines: make(map[string]int), fields: captionrow.PathFields, find: func(path string) string {
		return (&captionrow.Row{Path: path}).Find(file, media)
	}}
	if err := r.add(bytes.TrimSpace(text), 0); err != nil {
		return nil, err
	}
	c := &Captioned{Row: r.list.Rows[0]}
	c.Trajectory = nil
	c.Caption, _ = captionrow.Text(text)
	c.Modality, c.System = omniscope.Modality(gjson.GetBytes(text, "modality").String()), gjson.GetBytes(text, "system").String()
	if v := gjson.GetBytes(text, InvestigationField); v.IsObject() {
		c.Summary = &Summary{}
		if err := json.Unmarshal([]byte(v.Raw), c.Summary); err != nil {
			return nil, fmt.Errorf("%s: %w", InvestigationField, err)
		}
		if !v.Get("unfounded").Exists() {
			c.Partial, c.Summary.Sentences = true, 0 // how many sentences have no evidence is not known
		}
	}
	own := c.Row.Row.Without(InvestigationField)
	var err error
	c.Text, err = own.MarshalJSON()
	return c, err
}
