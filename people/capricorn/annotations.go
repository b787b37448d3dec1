package capricorn

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/rows"
	"omniscope/people"
)

// An importedRow is a row of the released annotations.
type importedRow struct {
	place  string // file and line
	points map[string]people.Value
	vision map[string]people.Value // which can be seen; nil = not said
}

// A row is a line of an official file.
type row struct {
	id     string
	fields []field // all but the keypoints
	texts  [][]string
}

// readAnnotations reads --annotations: videos whose keypoints are final.
func (p *making) readAnnotations(ctx context.Context, m *maker) error {
	if m.Annotations == "" {
		return nil
	}
	return eachRow(ctx, m.Annotations, func(r *row, place string) error {
		f := p.films[r.id]
		switch {
		case f == nil:
			f = &film{id: r.id, place: place}
			p.add(f)
		case f.imported != nil:
			return fmt.Errorf("video %s is annotated already, at %s: leave one of the lines out", r.id, f.imported.place)
		}
		f.fields = r.fields
		f.imported = &importedRow{place: place, points: make(map[string]people.Value)}
		n := 0
		for class, list := range r.texts {
			if list == nil {
				p.warn("%s: video %s has no list %s; files that come out have an empty one", place, r.id, classes[class].Value)
			}
			for _, text := range list {
				n++
				f.imported.points[importedKey(n)] = people.Value{fieldClass: classes[class].Value, fieldText: text, people.ValueOrder: float64(n)}
			}
		}
		return nil
	})
}

// importedKey names the n-th keypoint of a row, so that keys are in their order.
func importedKey(n int) string { return fmt.Sprintf("%s/%05d", keypointSection, n) }

// readVision reads --vision-only: which keypoints can be seen without sound.
func (p *making) readVision(ctx context.Context, m *maker) error {
	if m.VisionOnly == "" {
		return nil
	}
	err := eachRow(ctx, m.VisionOnly, func(r *row, place string) error {
		f := p.films[r.id]
		switch {
		case f == nil || f.imported == nil:
			return fmt.Errorf("video %s is not in %s", r.id, m.Annotations)
		case f.imported.vision != nil:
			return fmt.Errorf("video %s is there already: leave one of the lines out", r.id)
		case !sameFields(f.fields, r.fields):
			p.warn("%s: video %s has other fields than at %s, such as its duration: files that come out have those of %s", place, r.id, f.imported.place, m.Annotations)
		}
		return f.imported.see(r)
	})
	if err != nil {
		return err
	}
	open := 0
	for _, f := range p.films {
		if f.imported != nil && f.imported.vision == nil {
			open++
		}
	}
	if open > 0 {
		p.warn("%d annotated videos are not in %s: people are asked what of them can be seen without sound", open, m.VisionOnly)
	}
	return nil
}

func sameFields(a, b []field) bool {
	return slices.EqualFunc(a, b, func(a, b field) bool { return a.Name == b.Name && string(a.Value) == string(b.Value) })
}

// see notes which keypoints are in a row of the vision-only file. Each must be in the annotations, in
// the same class and order: otherwise the file could not come out as it went in.
func (i *importedRow) see(r *row) error {
	i.vision = make(map[string]people.Value, len(i.points))
	left := slices.Clone(r.texts)
	for n := range len(i.points) {
		key := importedKey(n + 1)
		v := i.points[key]
		class := classNumber(v.Text(fieldClass))
		said := drop
		if list := left[class]; len(list) > 0 && list[0] == v.Text(fieldText) {
			said, left[class] = keep, list[1:]
		}
		i.vision[key] = people.Value{fieldKeep: said}
	}
	for class, list := range left {
		if len(list) > 0 {
			return fmt.Errorf("events.%s: %q is not among the keypoints at %s, or in another order than there", classes[class].Value, list[0], i.place)
		}
	}
	return nil
}

// eachRow reads an official file. An error of do is told with file and line.
func eachRow(ctx context.Context, file string, do func(r *row, place string) error) error {
	n := 0
	err := people.ReadRows(ctx, file, func(lines *rows.File, i int, text []byte) error {
		n++
		r, err := parseRow(text)
		if err != nil {
			return err
		}
		return do(r, lines.Place(i))
	})
	if err == nil && n == 0 {
		err = omniscope.Invalidf("%s: there are no videos in it", file)
	}
	return err
}

// parseRow reads a line of an official file. It refuses what would not come out again.
func parseRow(text []byte) (*row, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	whole := gjson.ParseBytes(text)
	r := &row{texts: make([][]string, len(classes))}
	whole.ForEach(func(name, value gjson.Result) bool {
		if name.Str != "events" {
			r.fields = append(r.fields, field{strings.Clone(name.Str), json.RawMessage(strings.Clone(value.Raw))})
		}
		return true
	})
	if r.id = rowID(whole); r.id == "" {
		return nil, bench.NoField("video_id", bench.FieldsOf(text))
	}
	events := whole.Get("events")
	if !events.IsObject() {
		return nil, bench.NoField("events", bench.FieldsOf(text))
	}
	var err error
	events.ForEach(func(name, list gjson.Result) bool {
		class := classNumber(name.Str)
		switch {
		case class < 0:
			err = fmt.Errorf("events.%s is none of the five lists of keypoints", name.Str)
		case list.Type == gjson.Null:
		case !list.IsArray():
			err = fmt.Errorf("events.%s is not a list", name.Str)
		default:
			r.texts[class], err = textsOf(name.Str, list)
		}
		return err == nil
	})
	return r, err
}

func textsOf(name string, list gjson.Result) ([]string, error) {
	texts := []string{}
	for _, one := range list.Array() {
		if one.Type != gjson.String {
			return nil, fmt.Errorf("events.%s holds %s, which is not text", name, rows.Quote([]byte(one.Raw)))
		}
		texts = append(texts, strings.Clone(one.Str))
	}
	return texts, nil
}

// rowID is a video's name: video_id, else the name of the file in video_path.
func rowID(whole gjson.Result) string {
	switch id := whole.Get("video_id"); {
	case id.Type == gjson.String && id.Str != "":
		return strings.Clone(id.Str)
	case id.Type == gjson.Number:
		return strings.Clone(id.Raw)
	}
	file := path.Base(strings.ReplaceAll(whole.Get("video_path").Str, `\`, "/"))
	if file == "." {
		return ""
	}
	return strings.Clone(strings.TrimSuffix(file, path.Ext(file)))
}
