package collect

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/mediafiles"
	"omniscope/internal/rows"
)

// A clipSource is one file that is offered.
type clipSource struct {
	ID          string
	Path        string
	URL         string
	Licence     string
	Origin      string // where it is from
	Attribution string // whom to name
	Category    string
	Of          string // column source: the recording, channel or work that the file is of; "" = its own
	Row         []byte // as it stands in the list, nil for files of a folder
}

// sources are the files that are offered, in order.
type sources struct {
	Name   string
	Digest string // of the list, or of the names in the folder
	List   []clipSource
}

// ReadSources reads a list, JSON Lines with one file each, or finds the media files in a folder and below it,
// but not in the folder leaveOut.
//
// A row has the file in the column path or file, from the folder of the list on. Columns id (default: the path without
// its ending), url, licence (or license), origin (or attribution), category and source may be missing. A row that
// cannot be read is an error of kind Invalid that names file, line and text.
func ReadSources(ctx context.Context, name, leaveOut string) (*sources, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Err: err}
	}
	if info.IsDir() {
		return folderSources(name, leaveOut)
	}
	s := &sources{Name: name}
	s.Digest, err = rows.InOrder(ctx, name, func(_ *rows.File, _ int, text []byte) error {
		source, err := readSource(bytes.TrimSpace(text), filepath.Dir(name))
		s.List = append(s.List, source)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, s.check()
}

func (s *sources) check() error {
	if len(s.List) == 0 {
		return omniscope.Invalidf("%s: there is no media file in it", s.Name)
	}
	return nil
}

func folderSources(name, leaveOut string) (*sources, error) {
	found, _, err := mediafiles.In(name, leaveOut)
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: err}
	}
	s, names, taken := &sources{Name: name}, sha256.New(), make(map[string]bool)
	for _, path := range found {
		below, err := filepath.Rel(name, path)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(names, "%s\n", below)
		id := strings.TrimSuffix(filepath.ToSlash(below), filepath.Ext(below))
		if taken[id] { // two files that differ by their endings
			id = filepath.ToSlash(below)
		}
		taken[id] = true
		s.List = append(s.List, clipSource{ID: id, Path: path})
	}
	s.Digest = fmt.Sprintf("%x", names.Sum(nil))
	return s, s.check()
}

func readSource(row []byte, folder string) (clipSource, error) {
	if err := rows.CheckJSON(row); err != nil {
		return clipSource{}, err
	}
	if !gjson.ParseBytes(row).IsObject() {
		return clipSource{}, errors.New("a row is a JSON object")
	}
	s := clipSource{Row: row}
	for _, c := range []struct {
		to    *string
		names []string
	}{
		{&s.ID, []string{"id"}}, {&s.Path, []string{"path", "file"}}, {&s.URL, []string{"url"}}, {&s.Licence, []string{"licence", "license"}},
		{&s.Origin, []string{"origin"}}, {&s.Attribution, []string{"attribution"}}, {&s.Category, []string{"category"}}, {&s.Of, []string{"source_id", "source"}},
	} {
		text, err := column(row, c.names)
		if err != nil {
			return clipSource{}, err
		}
		*c.to = text
	}
	if s.Path == "" {
		return clipSource{}, errors.New(`it does not say where its file is: give the column "path", and download what is on the web first`)
	}
	if strings.ContainsAny(s.Path+s.ID, "\x00\r\n") {
		return clipSource{}, errors.New("a zero byte or a line end is in no name")
	}
	s.ID = cmp.Or(s.ID, strings.TrimSuffix(s.Path, filepath.Ext(s.Path)))
	if !filepath.IsAbs(s.Path) {
		s.Path = filepath.Join(folder, filepath.FromSlash(s.Path))
	}
	return s, nil
}

// column is the first of some columns that is there.
func column(row []byte, names []string) (string, error) {
	for _, name := range names {
		switch v := gjson.GetBytes(row, name); v.Type {
		case gjson.Null:
		case gjson.String, gjson.Number:
			return v.String(), nil
		default:
			return "", fmt.Errorf("%q is %s, and should be text", name, strings.ToLower(v.Type.String()))
		}
	}
	return "", nil
}

// further are the columns of a row that a result does not have itself, as a field of its own: a column called caption or uuid
// must not be taken for what later steps write.
func further(row []byte) (field []byte) {
	if row == nil {
		return nil
	}
	var columns []byte
	gjson.ParseBytes(row).ForEach(func(key, value gjson.Result) bool {
		if !readColumns[key.String()] {
			columns = append(append(append(append(columns, ','), key.Raw...), ':'), value.Raw...)
		}
		return true
	})
	if columns == nil {
		return nil
	}
	return append(append([]byte(`,"columns":{`), columns[1:]...), '}')
}

// readColumns are columns that results have under names of their own.
var readColumns = map[string]bool{"id": true, "path": true, "file": true, "url": true, "licence": true, "license": true, "origin": true, "attribution": true,
	"category": true, "source": true, "source_id": true}
