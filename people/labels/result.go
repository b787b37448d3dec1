package labels

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/people"
)

// A result is one of an annotation.
type result struct {
	raw     gjson.Result
	number  int  // in the annotation, from 0
	control int  // among those of the task; -1 = of a type that is not known
	frames  bool // its times are frames
}

// resultsOf are the results that a task comes with: those of its last annotation that was not
// cancelled, else of its last prediction.
func resultsOf(task gjson.Result) []gjson.Result {
	for _, list := range []string{"annotations", "predictions"} {
		all := task.Get(list).Array()
		slices.Reverse(all)
		for _, one := range all {
			if !one.Get("was_cancelled").Bool() {
				return one.Get("result").Array()
			}
		}
	}
	return nil
}

// typeOf is the type of a result; known = false: it is not one that can be worked on here.
func typeOf(r gjson.Result) (t controlType, known bool) {
	value := r.Get("value")
	switch t = controlType(r.Get("type").Str); t {
	case spans: // texts have labels, too, with places of characters
		return t, value.Get("start").Type == gjson.Number && value.Get("end").Type == gjson.Number && !value.Get("text").Exists() && value.Get("labels").IsArray()
	case timeline:
		return t, len(value.Get("ranges").Array()) == 1 && value.Get("timelinelabels").IsArray()
	case choices:
		return t, value.Get("choices").IsArray()
	case ratingTag:
		return t, value.Get("rating").Type == gjson.Number
	case textArea:
		return t, value.Get("text").Exists()
	}
	return t, false
}

// texts are those of a list, or a text alone.
func texts(v gjson.Result) (out []string) {
	for _, one := range v.Array() {
		out = append(out, one.String())
	}
	return out
}

// options are the labels or choices of a result.
func options(r gjson.Result) []string {
	if t := controlType(r.Get("type").Str); t == spans || t == timeline || t == choices {
		return texts(r.Get("value." + string(t)))
	}
	return nil
}

// results are those of the task that it comes with, with their controls.
func (t *taskRecord) results() (out []result) {
	for i, raw := range resultsOf(gjson.Parse(t.Raw)) {
		r := result{raw: raw, number: i, control: -1}
		if kind, known := typeOf(raw); known {
			r.frames = kind == timeline
			r.control = slices.IndexFunc(t.Controls, func(c controlTag) bool { return c.Name == raw.Get("from_name").Str && c.Type == kind })
		}
		out = append(out, r)
	}
	return out
}

// sectionName is that of a control. Names in Label Studio may have any signs.
func sectionName(control int) string { return "s" + strconv.Itoa(control+1) }

func (r *result) cardID() string { return "r" + strconv.Itoa(r.number+1) }

func (r *result) key() string { return sectionName(r.control) + "/" + r.cardID() }

// span is where a result is, in seconds. ok = false: it is of the whole recording.
func (r *result) span(rate float64) (start, end float64, ok bool) {
	value := r.raw.Get("value")
	if r.frames {
		at := value.Get("ranges.0")
		return at.Get("start").Float() / rate, at.Get("end").Float() / rate, true
	}
	return value.Get("start").Float(), value.Get("end").Float(), value.Get("start").Exists() && value.Get("end").Exists()
}

// value is a result as an answer.
func (r *result) value(c *controlTag, rate float64) people.Value {
	value := r.raw.Get("value")
	switch c.Type {
	case spans, timeline:
		start, end, _ := r.span(rate)
		return people.Value{fieldSpan: []any{start, end}, fieldLabel: people.List(options(r.raw))}
	case choices:
		if chosen := options(r.raw); !c.Many {
			return people.Value{fieldValue: strings.Join(chosen, "")}
		}
		return people.Value{fieldValue: people.List(options(r.raw))}
	case ratingTag:
		return people.Value{fieldValue: value.Get("rating").String()}
	}
	return people.Value{fieldValue: strings.Join(texts(value.Get("text")), "\n")}
}

// card shows a result.
func (r *result) card(c *controlTag, rate float64) people.Card {
	card := people.Card{ID: r.cardID(), Draft: r.value(c, rate)}
	if start, end, ok := r.span(rate); ok {
		card.Start, card.End = &start, &end
	}
	if r.frames {
		at := r.raw.Get("value.ranges.0")
		card.Texts = []people.Text{{Title: "Times are approximate", Body: fmt.Sprintf("frames %s to %s at the declared %g a second", at.Get("start").Raw, at.Get("end").Raw, rate)}}
	}
	return card
}

// form asks all controls of the task.
func form(_ *people.WorkItem, t *taskRecord) (*people.Form, error) {
	f := &people.Form{}
	for i := range t.Controls {
		s := t.Controls[i].section(i)
		for _, r := range t.results() {
			if r.control == i {
				s.Cards = append(s.Cards, r.card(&t.Controls[i], t.Rate))
			}
		}
		if len(s.Cards) == 0 && !t.Controls[i].marks() {
			if t.Controls[i].PerRegion {
				continue // it is asked of stretches that have it already
			}
			s.Cards = []people.Card{{Optional: true}}
		}
		f.Sections = append(f.Sections, s)
	}
	if len(f.Sections) == 0 {
		return nil, omniscope.Invalidf("the task asks nothing: make the project with --config")
	}
	return f, nil
}

func (c *controlTag) section(i int) people.Section {
	s := people.Section{Name: sectionName(i), Title: c.Name, Strike: true, Add: c.marks()}
	field := people.Field{Name: fieldValue, Label: c.Name, Type: people.Prose, Max: 100_000}
	for _, o := range c.Options {
		field.Choices = append(field.Choices, people.Choice{Value: o, Label: o})
	}
	switch {
	case c.marks():
		field.Name, field.Label, field.Type = fieldLabel, "Label", people.Check
		s.Fields = append(s.Fields, people.Field{Name: fieldSpan, Label: "When", Type: people.When})
	case c.Type == choices && c.Many:
		field.Type = people.Check
	case c.Type == choices:
		field.Type = people.Choose
	case c.Type == ratingTag:
		field.Type, field.Ordered = people.Choose, true
		for n := 1; n <= c.Most; n++ {
			field.Choices = append(field.Choices, people.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n)})
		}
	}
	s.Fields = append(s.Fields, field)
	return s
}
