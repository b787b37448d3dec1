package filter

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/rows"
	"omniscope/media/pdac"
)

// PDAC adds to each line of JSON Lines "segments", the segments into which
// pdac.Segments divides the frames "probs", and "yaml", the file of segments that names
// the talk "wav". The line may have options: "max", "min", "threshold" and "not_strict".
func PDAC() Work { return onRecords(divided, "segments", "yaml") }

func divided(r *rows.Record) ([]rows.Field, error) {
	probs, err := r.Numbers("probs")
	if err != nil {
		return nil, err
	}
	o, err := pdacOptions(r)
	if err != nil {
		return nil, err
	}
	wav := "talk.wav"
	if _, there, err := r.Find("wav"); err != nil {
		return nil, err
	} else if there {
		if wav, err = r.Text("wav"); err != nil {
			return nil, err
		}
	}
	segments, err := pdac.Segments(probs, o)
	if err != nil {
		return nil, err
	}
	text, err := pdac.YAML(pdac.Entries(wav, segments))
	if err != nil {
		return nil, err
	}
	return []rows.Field{{Name: "segments", JSON: segmentsJSON(segments)}, rows.String("yaml", string(text))}, nil
}

// segmentsJSON is a list of segments as Python's json.dumps writes it.
func segmentsJSON(segments []pdac.Segment) string {
	items := make([]string, len(segments))
	for i, s := range segments {
		items[i] = fmt.Sprintf(`{"start": %d, "end": %d, "duration": %s, "offset": %s}`, s.Start, s.End, rows.Shortest(s.Duration), rows.Shortest(s.Offset))
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// pdacOptions are the options of a line, those of the published program where it has none.
func pdacOptions(r *rows.Record) (pdac.Options, error) {
	o := pdac.Default
	for name, to := range map[string]*float64{"max": &o.Max, "min": &o.Min, "threshold": &o.Threshold} {
		value, there, err := r.Find(name)
		switch {
		case err != nil:
			return o, err
		case there && value.Type != gjson.Number:
			return o, rows.WrongType(strconv.Quote(name), value, "a number")
		case there:
			*to = value.Num
		}
	}
	value, there, err := r.Find("not_strict")
	if err == nil && there && !value.IsBool() {
		err = rows.WrongType(`"not_strict"`, value, "true or false")
	}
	o.NotStrict = value.Bool()
	return o, err
}
