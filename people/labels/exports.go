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

	"github.com/valyala/fastjson"

	"omniscope"
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
	var p fastjson.Parser
	task, err := p.Parse(t.Raw)
	if err != nil {
		return "", omniscope.Invalidf("read a task: %w", err)
	}
	var a fastjson.Arena
	changed := false
	for i := range done {
		results, differs := t.changed(&done[i], &a)
		if !differs {
			continue
		}
		changed = true
		if list := task.Get("annotations"); list == nil || list.Type() != fastjson.TypeArray {
			task.Set("annotations", a.NewArray())
		}
		annotation := a.NewObject()
		annotation.Set("result", results)
		annotation.Set("created_username", a.NewString(done[i].Person))
		annotation.Set("was_cancelled", a.NewFalse())
		annotation.Set("ground_truth", a.NewFalse())
		task.Get("annotations").SetArrayItem(len(task.GetArray("annotations")), annotation)
	}
	if !changed {
		return t.Raw, nil
	}
	return string(task.MarshalTo(nil)), nil
}

// changed is what a person made of the task's results, and whether it differs from them.
func (t *taskRecord) changed(d *people.Done, a *fastjson.Arena) (out *fastjson.Value, differs bool) {
	out = a.NewArray()
	all := t.results()
	given := make(map[string]bool)
	gone := make(map[string]bool) // regions that were struck, with all that is said of them
	for i := range all {
		if r := &all[i]; r.control >= 0 {
			given[r.key()] = true
			if c := &t.Controls[r.control]; c.marks() && d.Answers[r.key()].Struck() {
				gone[r.raw.Get("id").String()] = true
			}
		}
	}
	add := func(v *fastjson.Value) { out.SetArrayItem(len(out.GetArray()), v) }
	for i := range all {
		r := &all[i]
		v, answered := d.Answers[r.keyOrNone()]
		if v.Struck() || gone[r.raw.Get("id").String()] && r.raw.Get("id").Exists() {
			differs = true
			continue
		}
		raw := fastjson.MustParse(r.raw.Raw)
		if answered && t.change(raw, r, v, a) {
			differs = true
		}
		add(raw)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Answers)) {
		if v := d.Answers[key]; !given[key] && !v.Struck() {
			if added := t.added(key, v, a); added != nil {
				differs = true
				add(added)
			}
		}
	}
	return out, differs
}

// keyOrNone is the key of a result's answer; "" = nobody sees it.
func (r *result) keyOrNone() string {
	if r.control < 0 {
		return ""
	}
	return r.key()
}

// change puts an answer into a result, and reports whether it differs from it.
func (t *taskRecord) change(raw *fastjson.Value, r *result, v people.Value, a *fastjson.Arena) bool {
	c := &t.Controls[r.control]
	was, differs := r.value(c, t.Rate), false
	for _, field := range []string{fieldSpan, fieldLabel, fieldValue} {
		if is, ok := v[field]; ok && !reflect.DeepEqual(is, was[field]) {
			differs = true
			t.put(raw, c, field, v, a)
		}
	}
	return differs
}

// put writes a field of an answer into a result.
func (t *taskRecord) put(raw *fastjson.Value, c *controlTag, field string, v people.Value, a *fastjson.Arena) {
	value := raw.Get("value")
	switch {
	case field == fieldSpan && c.Type == timeline:
		start, end, _ := v.Span(field)
		at := a.NewObject()
		at.Set("start", a.NewNumberInt(t.frame(start)))
		at.Set("end", a.NewNumberInt(t.frame(end)))
		ranges := a.NewArray()
		ranges.SetArrayItem(0, at)
		value.Set("ranges", ranges)
		meta := a.NewObject() // Label Studio shows it beside the region
		meta.Set("text", textList(a, fmt.Sprintf("frames are time × %g", t.Rate)))
		raw.Set("meta", meta)
	case field == fieldSpan:
		start, end, _ := v.Span(field)
		value.Set("start", a.NewNumberFloat64(start))
		value.Set("end", a.NewNumberFloat64(end))
	case field == fieldLabel || c.Type == choices && c.Many:
		value.Set(string(c.Type), textList(a, v.Texts(field)...))
	case c.Type == choices:
		value.Set(string(c.Type), textList(a, v.Text(field)))
	case c.Type == ratingTag:
		value.Set("rating", a.NewNumberString(v.Text(field)))
	default:
		value.Set("text", textList(a, v.Text(field)))
	}
}

// frame is the number of a frame, as Label Studio counts them.
func (t *taskRecord) frame(seconds float64) int { return int(math.Round(seconds * t.Rate)) }

func textList(a *fastjson.Arena, texts ...string) *fastjson.Value {
	out := a.NewArray()
	for i, text := range texts {
		out.SetArrayItem(i, a.NewString(text))
	}
	return out
}

// added is a result of something that people added; nil = there is nothing in it.
func (t *taskRecord) added(key string, v people.Value, a *fastjson.Arena) *fastjson.Value {
	section, id, _ := strings.Cut(key, "/")
	n, err := strconv.Atoi(strings.TrimPrefix(section, "s"))
	if err != nil || n < 1 || n > len(t.Controls) || len(v) == 0 {
		return nil
	}
	c := &t.Controls[n-1]
	if id == "" {
		id = "omniscope-" + section
	}
	raw := a.NewObject()
	raw.Set("id", a.NewString(id))
	raw.Set("from_name", a.NewString(c.Name))
	raw.Set("to_name", a.NewString(c.To))
	raw.Set("type", a.NewString(string(c.Type)))
	raw.Set("origin", a.NewString("manual"))
	raw.Set("value", a.NewObject())
	for _, field := range []string{fieldSpan, fieldLabel, fieldValue} {
		if _, ok := v[field]; ok {
			t.put(raw, c, field, v, a)
		}
	}
	return raw
}
