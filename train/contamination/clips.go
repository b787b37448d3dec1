package contamination

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/session/production"
)

// A clip is one of the training set. Its caption is not kept.
type clip struct {
	id     string
	path   string
	remote bool
	source source
	group  []string // what it shares with other clips of its source: source, address, file, digests
}

// captionFiles are the files of a folder that caption --list wrote.
const captionFiles = "captions-*.jsonl"

// readClips reads the training set, and looks its texts up as it goes.
func (r *run) readClips(ctx context.Context) error {
	files, media, err := captionsIn(r.List, r.Media)
	if err != nil {
		return err
	}
	ids := make(map[string]string)
	for _, file := range files {
		list, err := production.ReadList(ctx, file, media, "")
		if err != nil {
			return err
		}
		for i := range list.Rows {
			row := &list.Rows[i]
			if other, there := ids[row.ID]; there {
				return omniscope.Invalidf("%s:%d: the id %s is there already, in %s", file, row.Line, row.ID, other)
			}
			ids[row.ID] = file
			if err := r.addClip(row); err != nil {
				return err
			}
		}
	}
	return r.readTranscripts(ctx, ids)
}

// captionsIn are the files of a list: itself, or those of a folder of captions. Paths in captions start from where the
// list did that they are of, if it is known.
func captionsIn(list, media string) (files []string, from string, err error) {
	if !ondisk.IsFolder(list) {
		return []string{list}, media, nil
	}
	files, err = filepath.Glob(filepath.Join(escaped(list), captionFiles))
	if err != nil || len(files) == 0 {
		return []string{list}, media, err
	}
	if media == "" {
		media = mediaOfCaptions(filepath.Dir(filepath.Clean(list)))
	}
	return files, media, nil
}

// escaped is a folder's name as a pattern that means it alone.
func escaped(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}

// mediaOfCaptions is the folder that the list lay in of which a folder has the captions, as its captions.json says, or that
// list where it is a folder; "" = it is not known.
func mediaOfCaptions(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "captions.json"))
	if err != nil {
		return ""
	}
	list := gjson.GetBytes(text, "list").String()
	switch {
	case !ondisk.Exists(list):
		return ""
	case ondisk.IsFolder(list):
		return list
	}
	return filepath.Dir(list)
}

func (r *run) addClip(row *production.Row) error {
	own := row.Row
	own.Trajectory = nil
	text, err := own.MarshalJSON()
	if err != nil {
		return err
	}
	c := clip{id: row.ID, path: row.Path, remote: row.Remote()}
	c.source = sourceOf(text, row.ID, row.Path, row.Span)
	c.group = append(c.group, c.source.keys...)
	c.group = append(c.group, "file:"+row.Path)
	if id := gjson.GetBytes(text, "source_id").String(); id != "" {
		c.group = append(c.group, "list:"+id) // however short: within one list it names the source
	}
	for _, column := range []string{"sha256", "source_digest", production.InvestigationField + ".sha256"} {
		if digest := gjson.GetBytes(text, column).String(); digest != "" {
			c.group = append(c.group, "sha256:"+digest)
		}
	}
	if strings.HasPrefix(c.id, "#") || c.id != strings.TrimSpace(c.id) {
		r.warnings = append(r.warnings, fmt.Sprintf("the id %q cannot stand in a list of removals, in which lines that begin with # are comments: give it another one", c.id))
	}
	r.texts.look(len(r.clips), captionOf(row, text))
	r.clips = append(r.clips, c)
	return nil
}

// captionOf are the texts of a row: what its trajectory ends in, and the columns that hold texts.
func captionOf(row *production.Row, text []byte) string {
	all := []string{row.Trajectory.Description()}
	for _, column := range []string{"caption", "text", "transcript"} {
		if v := gjson.GetBytes(text, column); v.Type == gjson.String {
			all = append(all, v.String())
		}
	}
	return strings.Join(all, "\n\n")
}

// A textRow is a line of a file of texts.
type textRow struct {
	ID   json.RawMessage `json:"id"`
	Text *string         `json:"text"`
}

func (t *textRow) id() string {
	var id string
	if json.Unmarshal(t.ID, &id) == nil {
		return id
	}
	return string(t.ID)
}
