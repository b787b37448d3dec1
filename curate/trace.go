package curate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
)

// A trace is all that the steps of a project wrote of one item.
type trace struct {
	ID    string      `json:"id"`
	Steps []traceLine `json:"steps"`
}

// A traceLine is a line of a step's file that is about the item.
type traceLine struct {
	Step     string          `json:"step"`
	File     string          `json:"file"` // below the project
	Line     int             `json:"line"` // from 1
	Rejected bool            `json:"rejected,omitempty"`
	Row      json.RawMessage `json:"row"`
}

// idFields are the fields that name an item, in the files of the steps.
var idFields = []string{"id", "uuid", "video_id", "talk"}

// Traces follows items through the steps of a project: those that are named, or all, in the order in which they first come.
func (p *Project) Traces(ids []string) ([]trace, error) {
	var all []trace
	at := make(map[string]int)
	add := func(id string, line traceLine) {
		if len(ids) > 0 && !slices.Contains(ids, id) {
			return
		}
		i, ok := at[id]
		if !ok {
			i = len(all)
			at[id], all = i, append(all, trace{ID: id})
		}
		all[i].Steps = append(all[i].Steps, line)
	}
	for i := range p.Recipe.Steps {
		s := &p.Recipe.Steps[i]
		for _, file := range append([]string{s.Items, s.Rejected}, s.Also...) {
			if file == "" {
				continue
			}
			if err := p.eachLine(s, file, add); err != nil {
				return nil, err
			}
		}
	}
	for _, id := range ids {
		if _, ok := at[id]; !ok {
			return nil, omniscope.Usagef("no step of %s has written anything of the item %q", p.Dir, id)
		}
	}
	return all, nil
}

// eachLine calls add for each line of a step's file.
func (p *Project) eachLine(s *recipeStep, file string, add func(id string, line traceLine)) error {
	path := filepath.Join(p.Folder(s.Name), file)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	below, err := filepath.Rel(p.Dir, path)
	if err != nil {
		return err
	}
	return rows.NewReader(f, 64<<10, path, input.Limits{}).Each(func(n int, text []byte) error {
		row := bytes.TrimSpace(text)
		if len(row) == 0 {
			return nil
		}
		id := idOf(row)
		if id == "" {
			return omniscope.Invalidf("%s:%d: the line has none of the fields id, uuid, video_id and talk, or is no JSON", path, n)
		}
		add(id, traceLine{Step: s.Name, File: filepath.ToSlash(below), Line: n, Rejected: file == s.Rejected, Row: bytes.Clone(row)})
		return nil
	})
}

// idOf is the id of a row; "" = it has none.
func idOf(row []byte) string {
	if !jsonfast.ValidBytes(row) {
		return ""
	}
	for _, name := range idFields {
		if v := gjson.GetBytes(row, name); v.Exists() {
			return v.String()
		}
	}
	return ""
}
