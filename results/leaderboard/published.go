package leaderboard

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
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
	judge          string // "" = the judge of the benchmark
	unknownJudge   bool   // the source names no judge
}

// judgePart begins the last part of a setting, the judge of rows that another judge than the benchmark's
// judged; unknown if their source names no judge.
const judgePart = "judge="

// published reads the printed values of a benchmark; nil if there are no values.
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
		c := cell{model: row[0], group: row[1], slice: row[3], score: row[4], value: value, shown: row[5], source: row[6], note: row[7]}
		c.setting, c.judge, _ = strings.Cut(row[2], judgePart)
		c.setting = strings.TrimSpace(c.setting)
		if c.judge == "unknown" {
			c.judge, c.unknownJudge = "", true
		}
		cells = append(cells, c)
	}
	return cells, nil
}

// Has reports whether a benchmark has published values.
func Has(benchmark string) bool {
	cells, err := published(benchmark)
	return err == nil && len(cells) > 0
}

// A setting is the settings of a published row or a run: values by name.
type setting map[string]string

func parseSetting(text string) setting {
	s := make(setting)
	for part := range strings.FieldsSeq(text) {
		name, value, _ := strings.Cut(part, "=")
		s[name] = value
	}
	return s
}

// agrees reports whether no name has another value in other. A missing name is not a
// contradiction.
func (s setting) agrees(other setting) bool {
	for name, value := range s {
		if v, says := other[name]; says && v != value {
			return false
		}
	}
	return true
}

// like is the setting of a run in the form of the paper's: the values of the names that distinguish
// published rows.
func (s setting) like(cells []cell) string {
	names := make(map[string]bool)
	for _, c := range cells {
		for name := range parseSetting(c.setting) {
			names[name] = true
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if value, says := s[name]; says {
			parts = append(parts, name+"="+value)
		}
	}
	return strings.Join(parts, " ")
}
