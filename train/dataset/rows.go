package dataset

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench/captionrow"
	"omniscope/internal/ondisk"
	"omniscope/session/production"
	"omniscope/train"
)

// A row is one caption on its way into the data set.
type row struct {
	production.Captioned
	source string // what it is cut from: parts share none, and removals go by it

	rule, why string // that left it out; "" = it is kept
	review    train.Review

	files  []file    // of media
	report *reported // of the investigation; nil = there is none
}

// field is one of the row's own columns, as text; "" = there is none.
func (r *row) field(names ...string) string {
	for _, name := range names {
		if v := gjson.GetBytes(r.Text, gjson.Escape(name)); v.Exists() && v.Type != gjson.Null && v.String() != "" {
			return v.String()
		}
	}
	return ""
}

// seconds is the length of the clip, as far as it is known.
func (r *row) seconds() float64 {
	for _, f := range r.files {
		return f.Measured.Seconds()
	}
	if r.Summary != nil {
		return r.Summary.Seconds
	}
	return 0
}

// read reads the captions.
func (b *building) read(ctx context.Context) error {
	sum := sha256.New()
	modalities := make(map[omniscope.Modality]int)
	err := production.ReadCaptions(ctx, b.Captions, b.Media, func(c *production.Captioned) error {
		if b.Limit > 0 && len(b.rows) == b.Limit {
			return nil
		}
		r := &row{Captioned: *c}
		r.Caption = strings.TrimSpace(r.Caption)
		r.findMedia(b.Media)
		if r.source = r.field("source_id"); r.source == "" {
			r.source, _, _ = strings.Cut(r.field(pathFields...), "#t=")
			if filepath.IsAbs(filepath.FromSlash(r.source)) {
				r.source = path.Base(r.source) // folders of this machine are not published
			}
		}
		m := cmp.Or(omniscope.Modality(r.field("modality")), b.Modality)
		if r.Summary != nil {
			m = cmp.Or(modalityOf(r.Summary.Pass), m)
		}
		modalities[m]++
		fmt.Fprintf(sum, "%s\x00%s\x00%s\n", r.Text, r.Caption, m)
		b.rows = append(b.rows, r)
		return nil
	})
	if err != nil {
		return err
	}
	b.readReviews()
	b.digest = hex.EncodeToString(sum.Sum(nil))
	if b.modality, err = oneModality(b.Captions, modalities); err != nil {
		return err
	}
	return b.checkForms()
}

// pathFields are the columns that may hold the place of the media.
var pathFields = []string{"url", "path", "file_name", "video_path", "audio_path", "video", "audio"}

// findMedia looks for a file that is not where the captions' list would have it: from the folder of the row's file, from the working
// directory, or directly in the folder that the user names.
func (r *row) findMedia(folder string) {
	if r.Remote() || ondisk.IsFile(r.Path) {
		return
	}
	for _, name := range pathFields {
		named := captionrow.Row{Path: r.field(name)}
		if found := named.Find(r.File, folder); ondisk.IsFile(found) {
			r.Path = found
			return
		}
	}
}

// modalityOf is the modality of a pass: a, v, av, or av-3 for the captions after three inquiries.
func modalityOf(pass string) omniscope.Modality {
	name, _, _ := strings.Cut(pass, "-")
	return map[string]omniscope.Modality{"a": omniscope.Audio, "v": omniscope.Visual, "av": omniscope.AudioVisual}[name]
}

func oneModality(captions string, found map[omniscope.Modality]int) (one omniscope.Modality, err error) {
	for m := range found {
		switch {
		case len(found) > 1:
			return "", omniscope.Invalidf("%s has captions of several modalities: a data set is of one, name a folder or file with one", captions)
		case m == omniscope.Visual:
			return "", omniscope.Invalidf("%s has captions of the pictures alone, and no stage of the paper trains on those", captions)
		case m == "":
			return "", omniscope.Usagef("the captions of %s have no modality: give --modality audio or audio-visual", captions)
		}
		one = m
	}
	return one, nil
}

// checkForms refuses trainers that cannot learn from such captions.
func (b *building) checkForms() error {
	for _, f := range b.Forms {
		if !slices.Contains(f.Modalities, b.modality) {
			return omniscope.Usagef("%s has no rows of %s captions", f.Name, b.modality)
		}
	}
	return nil
}

func readJSON(path string, v any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return omniscope.Invalidf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// sameJSON reports whether two values are the same once written.
func sameJSON(a, b any) bool {
	var out [2]any
	for i, v := range []any{a, b} {
		text, err := json.Marshal(v)
		if err != nil || json.Unmarshal(text, &out[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(out[0], out[1])
}
