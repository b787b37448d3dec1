package compare

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ratingColumns are the columns of a table of ratings.
var ratingColumns = []string{"judge", "system", "score", "value"}

// ReadRatings reads a CSV table in long form: a header with the columns judge,
// system, score and value, in any order and beside others, and a line for each
// rating. Lines that start with # are comments. name is what errors call it.
func ReadRatings(r io.Reader, name string) ([]Rating, error) {
	in := csv.NewReader(r)
	in.Comment = '#'
	bad := func(err error) error {
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			return invalid("%s:%d: %w", name, wrong.Line, wrong.Err)
		}
		line, _ := in.FieldPos(0)
		return invalid("%s:%d: %w", name, line, err)
	}
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, invalid("%s is empty: it wants a header with the columns %s", name, strings.Join(ratingColumns, ", "))
	}
	if err != nil {
		return nil, bad(err)
	}
	at, err := columnsOf(header)
	if err != nil {
		return nil, bad(err)
	}
	var ratings []Rating
	seen := make(map[Rating]int)
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, bad(err)
		}
		rating, err := ratingOf(row, at)
		if err != nil {
			return nil, bad(err)
		}
		key := rating
		key.Value = 0
		line, _ := in.FieldPos(0)
		if first := seen[key]; first > 0 {
			return nil, bad(fmt.Errorf("judge %q has rated system %q for %q on line %d already", rating.Judge, rating.System, rating.Score, first))
		}
		seen[key] = line
		ratings = append(ratings, rating)
	}
	if len(ratings) == 0 {
		return nil, invalid("%s has a header and no ratings", name)
	}
	return ratings, nil
}

// columnsOf finds the columns of a rating in a header.
func columnsOf(header []string) ([]int, error) {
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // some editors write a mark
	at := make([]int, len(ratingColumns))
	for i, name := range ratingColumns {
		at[i] = slices.Index(header, name)
		if at[i] < 0 {
			return nil, fmt.Errorf("there is no column %q: the header wants %s", name, strings.Join(ratingColumns, ", "))
		}
	}
	return at, nil
}

func ratingOf(row []string, at []int) (Rating, error) {
	r := Rating{Judge: row[at[0]], System: row[at[1]], Score: row[at[2]]}
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
