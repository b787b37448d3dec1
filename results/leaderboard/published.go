package leaderboard

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed published/*.csv
var files embed.FS

// A cell is a value that a paper printed.
type cell struct {
	model, group   string
	setting, slice string // NAME=VALUE, with spaces between
	score          string // by its name in results
	value          float64
	shown          string // as printed
	source, note   string
}

// published reads the printed values of a benchmark. A benchmark without any has none.
func published(benchmark string) ([]cell, error) {
	path := "published/" + benchmark + ".csv"
	f, err := files.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	if header := "model,group,setting,slice,score,value,source,note"; strings.Join(rows[0], ",") != header {
		return nil, fmt.Errorf("%s has other columns than %s", path, header)
	}
	var cells []cell
	for i, row := range rows[1:] {
		value, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+2, err)
		}
		cells = append(cells, cell{row[0], row[1], row[2], row[3], row[4], value, row[5], row[6], row[7]})
	}
	return cells, nil
}

// A setting is how a model was asked: values by name.
type setting map[string]string

func parseSetting(text string) setting {
	s := make(setting)
	for part := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(part, "=")
		s[name] = value
	}
	return s
}

// agrees reports whether no name has another value in other. What either does not say
// is no contradiction.
func (s setting) agrees(other setting) bool {
	for name, value := range s {
		if v, says := other[name]; says && v != value {
			return false
		}
	}
	return true
}
