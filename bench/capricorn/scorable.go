package capricorn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/internal/spelling"
)

// A shortage counts what the annotations lack, before any call is made.
type shortage struct {
	rows, keypoints int
	lacking         [numClasses]int // rows without the list, by class
	misspelt        [numClasses]int // of these rows, those with a list of a similar name
	first           [numClasses]int // the first row with a misspelt list
}

const numClasses = 5

// add counts a row.
func (s *shortage) add(v *video, row int, text []byte) {
	s.rows++
	s.keypoints += len(v.events)
	if len(v.lacking) == 0 {
		return
	}
	there := unknownLists(text)
	for class, c := range classes {
		if !slices.Contains(v.lacking, c.key) {
			continue
		}
		s.lacking[class]++
		if _, near := spelling.Nearest(c.key, there); near {
			if s.misspelt[class]++; s.misspelt[class] == 1 {
				s.first[class] = row
			}
		}
	}
}

// unknownLists returns the names of lists of events that are not a class.
func unknownLists(text []byte) (names []string) {
	for _, name := range bench.FieldsOf([]byte(gjson.GetBytes(text, "events").Raw)) {
		if !slices.ContainsFunc(classes, func(c struct{ key, title string }) bool { return c.key == name }) {
			names = append(names, name)
		}
	}
	return names
}

// refuse returns an error if there is no keypoint at all, or if most rows
// misspell a class. Annotations may lack a class, as the visual-only ones do.
func (s *shortage) refuse(lines *rows.File) error {
	for class, c := range classes {
		row := s.first[class]
		if s.misspelt[class] == 0 || s.keypoints > 0 && 2*s.misspelt[class] <= s.rows {
			continue
		}
		text, err := lines.At(row)
		if err != nil {
			return err
		}
		return bench.Doubtful("%s: events: %w; so it is in %d of %d rows", lines.Place(row), bench.NoField(c.key, unknownLists(text)), s.misspelt[class], s.rows)
	}
	if s.keypoints > 0 || s.rows == 0 {
		return nil
	}
	var keys []string
	for _, c := range classes {
		keys = append(keys, c.key)
	}
	return bench.Doubtful("%s: no row has a keypoint: events wants lists called %s", lines.Place(0), strings.Join(keys, ", "))
}

// refuseCaptions returns an error if all captions are empty, or none is of an
// annotated video.
func (d *data) refuseCaptions(captions map[string]*captionAt) error {
	used, says, first := 0, 0, ""
	for id, c := range captions {
		if c.used {
			used++
		} else if first == "" || c.line < captions[first].line {
			first = id
		}
		if c.nonEmpty {
			says++
		}
	}
	switch {
	case len(captions) == 0:
		return bench.Doubtful("%s has no captions", d.captions.Path)
	case used == 0:
		return bench.Unnamed(bench.Doubtful("%s: video %s is not annotated in %s, and so it is with each of %d captions: the first video there is %s",
			d.captions.Place(captions[first].line), first, d.rows.Path, len(captions), d.units[0].id))
	case says == 0:
		return bench.Doubtful("the caption, field %q, is empty in all %d rows of %s: name another field with --caption-field", d.field, len(captions), d.captions.Path)
	}
	return nil
}

// refuse returns an error if the earlier run has none of the videos to score,
// because all calls would be paid again.
func (p *past) refuse(d *data, dir string) error {
	if len(p.first) == 0 || slices.ContainsFunc(d.units, func(u place) bool { _, ok := p.first[u.id]; return ok }) {
		return nil
	}
	return bench.Doubtful("--continue %s: none of the %d videos there is among the %d to score", dir, len(p.first), len(d.units))
}

// noID returns the error for a row without a video id.
func noID(text []byte) error {
	return fmt.Errorf("has neither video_id nor video_path: %w", bench.NoField("video_id", bench.FieldsOf(text)))
}
