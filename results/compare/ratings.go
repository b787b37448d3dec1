package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/spreadsheet"
)

// ratingColumns are the columns of a table of ratings.
var ratingColumns = []string{"judge", "system", "score", "value"}

// readRatings reads a CSV table in long form: a header with the columns judge,
// system, score and value, in any order and beside others, and a line for each
// rating. Lines that start with # are comments.
func readRatings(ctx context.Context, path string) ([]rating, error) {
	f, err := input.Open(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := ratingReader{seen: make(map[rating]int)}
	err = rows.EachRecord(f, '#', func(line int, cells []string) error {
		if err := r.read(line, cells); err != nil {
			return omniscope.Invalidf("%s:%d: %w", path, line, err)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case r.at == nil:
		return nil, omniscope.Invalidf("%s is empty: it wants a header with the columns %s", path, strings.Join(ratingColumns, ", "))
	case len(r.ratings) == 0:
		return nil, omniscope.Invalidf("%s has a header and no ratings", path)
	}
	return r.ratings, nil
}

// A ratingReader reads the records of a table of ratings.
type ratingReader struct {
	at      []int // the columns; nil before the header
	width   int
	ratings []rating
	seen    map[rating]int // its line, by a rating without its value
}

func (r *ratingReader) read(line int, cells []string) (err error) {
	if r.at == nil {
		r.width = len(cells)
		r.at, err = columnsOf(cells)
		return err
	}
	if len(cells) != r.width {
		return fmt.Errorf("wrong number of fields: %d, and the header has %d", len(cells), r.width)
	}
	rating, err := ratingOf(cells, r.at)
	if err != nil {
		return err
	}
	key := rating
	key.Value = 0
	if first := r.seen[key]; first > 0 {
		return fmt.Errorf("judge %q has rated system %q for %q on line %d already", rating.Judge, rating.System, rating.Score, first)
	}
	r.seen[key] = line
	r.ratings = append(r.ratings, rating)
	return nil
}

// columnsOf finds the columns of a rating in a header.
func columnsOf(header []string) ([]int, error) {
	at := make([]int, len(ratingColumns))
	for i, name := range ratingColumns {
		at[i] = slices.Index(header, name)
		if at[i] < 0 {
			return nil, fmt.Errorf("there is no column %q: the header wants %s", name, strings.Join(ratingColumns, ", "))
		}
	}
	return at, nil
}

func ratingOf(row []string, at []int) (rating, error) {
	r := rating{Judge: spreadsheet.Text(row[at[0]]), System: spreadsheet.Text(row[at[1]]), Score: spreadsheet.Text(row[at[2]])} // results.csv is such a table
	for i, cell := range []string{r.Judge, r.System, r.Score} {
		if cell == "" {
			return r, fmt.Errorf("%s is empty", ratingColumns[i])
		}
	}
	v, err := strconv.ParseFloat(row[at[3]], 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return r, fmt.Errorf("the value %q is not a number", row[at[3]])
	}
	r.Value = v
	return r, nil
}
