package labels

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/internal/rows"
	"omniscope/people"
)

// writeTasks writes a list with each task as it was, and an annotation more for each person who changed
// something.
func writeTasks(ctx context.Context, w *people.Workplace, to io.Writer) error {
	out := bufio.NewWriter(to)
	before := "[\n"
	err := people.EachItem(ctx, w, taskOf, func(_ *people.Item, t *taskRecord, done map[string][]people.Done) error {
		text, err := t.with(done[stage])
		if err != nil {
			return err
		}
		_, err = out.WriteString(before + text)
		before = ",\n"
		return err
	}, stage)
	if err != nil {
		return err
	}
	out.WriteString("\n]\n") // a bufio.Writer keeps its first error
	return out.Flush()
}

// with is the task with what people changed.
func (t *taskRecord) with(done []people.Done) (string, error) {
	var annotations []string
	for i := range done {
		results, differs, err := t.changed(&done[i])
		if err != nil {
			return "", omniscope.Invalidf("write a task: %w", err)
		}
		if differs {
			annotations = append(annotations, fmt.Sprintf(`{"result":%s,"created_username":%s,"was_cancelled":false,"ground_truth":false}`,
				rows.Array("", results).JSON, jsonfast.AppendRaw(nil, done[i].Person)))
		}
	}
	if len(annotations) == 0 {
		return t.Raw, nil
	}
	if list := gjson.Get(t.Raw, "annotations"); list.IsArray() {
		annotations = append(raws(list), annotations...)
	}
	task, err := rows.Set(t.Raw, rows.Array("annotations", annotations))
	if err != nil {
		return "", omniscope.Invalidf("read a task: %w", err)
	}
	return task, nil
}

// raws are the items of a list as they are written.
func raws(list gjson.Result) (out []string) {
	for _, v := range list.Array() {
		out = append(out, v.Raw)
	}
	return out
}

// changed is what a person made of the task's results, and whether it differs from them.
func (t *taskRecord) changed(d *people.Done) (out []string, differs bool, err error) {
	all := t.results()
	given, gone := t.struck(all, d)
	for i := range all {
		r := &all[i]
		v, answered := d.Answers[r.keyOrNone()]
		if v.Struck() || gone[r.raw.Get("id").String()] && r.raw.Get("id").Exists() {
			differs = true
			continue
		}
		raw := r.raw.Raw
		if answered {
			if raw, err = t.change(r, v); err != nil {
				return nil, false, err
			}
			differs = differs || raw != r.raw.Raw
		}
		out = append(out, raw)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Answers)) {
		if v := d.Answers[key]; !given[key] && !v.Struck() {
			added, err := t.added(key, v)
			if err != nil {
				return nil, false, err
			}
			if added != "" {
				differs = true
				out = append(out, added)
			}
		}
	}
	return out, differs, nil
}

// struck returns the keys of the results that are asked about, and the regions that a person struck, with everything about them.
func (t *taskRecord) struck(all []result, d *people.Done) (given, gone map[string]bool) {
	given, gone = make(map[string]bool), make(map[string]bool)
	for i := range all {
		if r := &all[i]; r.control >= 0 {
			given[r.key()] = true
			if c := &t.Controls[r.control]; c.marks() && d.Answers[r.key()].Struck() {
				gone[r.raw.Get("id").String()] = true
			}
		}
	}
	return given, gone
}

// keyOrNone is the key of a result's answer; "" = nobody sees it.
func (r *result) keyOrNone() string {
	if r.control < 0 {
		return ""
	}
	return r.key()
}

// change returns a result with the fields of an answer that differ from it.
func (t *taskRecord) change(r *result, v people.Value) (string, error) {
	c := &t.Controls[r.control]
	was := r.value(c, t.Rate)
	return t.put(r.raw.Raw, c, v, func(field string, is any) bool { return !reflect.DeepEqual(is, was[field]) })
}

// put writes the fields of an answer that are wanted into a result.
func (t *taskRecord) put(raw string, c *controlTag, v people.Value, wanted func(field string, is any) bool) (string, error) {
	for _, field := range []string{fieldSpan, fieldLabel, fieldValue} {
		if is, ok := v[field]; !ok || !wanted(field, is) {
			continue
		}
		value, err := rows.Set(gjson.Get(raw, "value").Raw, t.written(c, field, v)...)
		if err != nil {
			return "", err
		}
		fields := []rows.Field{{Name: "value", JSON: value}}
		if field == fieldSpan && c.Type == timeline { // Label Studio shows it with the region
			meta := fmt.Sprintf("frames are time × %g", t.Rate)
			fields = append(fields, rows.Field{Name: "meta", JSON: `{"text":[` + string(jsonfast.AppendRaw(nil, meta)) + `]}`})
		}
		if raw, err = rows.Set(raw, fields...); err != nil {
			return "", err
		}
	}
	return raw, nil
}

// written is a field of an answer as the value of a result has it.
func (t *taskRecord) written(c *controlTag, field string, v people.Value) []rows.Field {
	start, end, _ := v.Span(field)
	switch {
	case field == fieldSpan && c.Type == timeline:
		return []rows.Field{{Name: "ranges", JSON: fmt.Sprintf(`[{"start":%d,"end":%d}]`, t.frame(start), t.frame(end))}}
	case field == fieldSpan:
		return []rows.Field{number("start", start), number("end", end)}
	case field == fieldLabel || c.Type == choices && c.Many:
		return []rows.Field{rows.List(string(c.Type), v.Texts(field))}
	case c.Type == choices:
		return []rows.Field{rows.List(string(c.Type), []string{v.Text(field)})}
	case c.Type == ratingTag:
		return []rows.Field{{Name: "rating", JSON: v.Text(field)}}
	}
	return []rows.Field{rows.List("text", []string{v.Text(field)})}
}

// frame is the number of a frame, as Label Studio counts them.
func (t *taskRecord) frame(seconds float64) int { return int(math.Round(seconds * t.Rate)) }

// number is a field with a number in Go's shortest form.
func number(name string, v float64) rows.Field {
	return rows.Field{Name: name, JSON: strconv.FormatFloat(v, 'g', -1, 64)}
}

// added is a result of something that people added; "" = there is nothing in it.
func (t *taskRecord) added(key string, v people.Value) (string, error) {
	section, id, _ := strings.Cut(key, "/")
	n, err := strconv.Atoi(strings.TrimPrefix(section, "s"))
	if err != nil || n < 1 || n > len(t.Controls) || len(v) == 0 {
		return "", nil
	}
	c := &t.Controls[n-1]
	if id == "" {
		id = "omniscope-" + section
	}
	raw, err := rows.Set("{}", rows.String("id", id), rows.String("from_name", c.Name), rows.String("to_name", c.To),
		rows.String("type", string(c.Type)), rows.String("origin", "manual"), rows.Field{Name: "value", JSON: "{}"})
	if err != nil {
		return "", err
	}
	return t.put(raw, c, v, func(string, any) bool { return true })
}
