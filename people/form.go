package people

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"omniscope"
)

// A Form is what a person sees and answers in a task, beside the player. It is plain data: one
// page draws the forms of all kinds of work.
type Form struct {
	Texts    []Text    `json:"texts,omitempty"`
	Sections []Section `json:"sections,omitempty"`
	// PlayFirst asks for the media to be played before the task is submitted.
	PlayFirst bool `json:"playFirst,omitempty"`
	// Known are texts of earlier stages, by section.field, that Field.Names offers beside the
	// answers of this form.
	Known map[string][]string `json:"known,omitempty"`
}

// A Text is shown and not answered.
type Text struct {
	Title    string   `json:"title,omitempty"`
	Body     string   `json:"body,omitempty"`
	Language string   `json:"language,omitempty"` // such as de; "" = not said
	Start    *float64 `json:"start,omitempty"`
	End      *float64 `json:"end,omitempty"` // where in the media, in seconds; nil = nowhere, or a point
}

// A Section is cards with the same fields.
type Section struct {
	Name   string  `json:"name,omitempty"` // the first part of its answers' keys; letters and digits
	Title  string  `json:"title,omitempty"`
	Help   string  `json:"help,omitempty"`
	Fields []Field `json:"fields,omitempty"`
	Cards  []Card  `json:"cards,omitempty"`

	Add     bool `json:"add,omitempty"`     // people add cards of their own
	Strike  bool `json:"strike,omitempty"`  // a card may be struck: it is then no part of the result
	Order   bool `json:"order,omitempty"`   // cards may be moved
	Merge   bool `json:"merge,omitempty"`   // cards may be merged, and split again
	Columns bool `json:"columns,omitempty"` // the texts of a card stand side by side
	Min     int  `json:"min,omitempty"`     // cards that must be answered and not struck
	Want    int  `json:"want,omitempty"`    // cards that are wanted, shown as a counter; 0 = no counter
}

// A Card is one thing to answer.
type Card struct {
	ID    string   `json:"id,omitempty"` // the second part of its key; "" = the section has this card only
	Title string   `json:"title,omitempty"`
	Texts []Text   `json:"texts,omitempty"`
	Start *float64 `json:"start,omitempty"`
	End   *float64 `json:"end,omitempty"` // where in the media, in seconds
	// Draft is what a machine or an earlier stage proposes. It is no answer until somebody
	// accepts or changes it.
	Draft Value `json:"draft,omitempty"`
	// Optional cards need no answer.
	Optional bool `json:"optional,omitempty"`
}

// Key is the key of a card's answer.
func (s *Section) Key(card string) string {
	if card == "" {
		return s.Name
	}
	return s.Name + "/" + card
}

// A Field is a part of an answer.
type Field struct {
	Name     string    `json:"name,omitempty"` // in the answer's value
	Label    string    `json:"label,omitempty"`
	Help     string    `json:"help,omitempty"`
	Type     FieldType `json:"type,omitempty"`
	Choices  []Choice  `json:"choices,omitempty"` // of Choose and Check
	Optional bool      `json:"optional,omitempty"`
	Ordered  bool      `json:"ordered,omitempty"` // choices are steps of a scale, the least first
	Names    string    `json:"names,omitempty"`   // section.field whose answers are offered for <names> in this text
	Max      int       `json:"max,omitempty"`     // characters; 0 = 10,000
}

// A FieldType says what a field holds.
type FieldType string

// The types of fields, and what their values are.
const (
	Choose FieldType = "choose" // one of the choices: text
	Check  FieldType = "check"  // any of the choices: list of texts
	Words  FieldType = "words"  // a line: text
	Prose  FieldType = "prose"  // lines: text
	When   FieldType = "when"   // a stretch of the media: list of start and end, in seconds
)

// A Choice is one of those of a field.
type Choice struct {
	Value string `json:"value,omitempty"`
	Label string `json:"label,omitempty"`
	Help  string `json:"help,omitempty"`
	// Unseen marks a choice that is not a judgement. People who cannot see the clips may choose it.
	Unseen bool `json:"unseen,omitempty"`
}

// A Value is an answer's: its fields by name, and what is said of the card itself.
type Value map[string]any

// What is said of a card itself.
const (
	ValueStruck = "struck" // true = no part of the result
	ValueFrom   = "from"   // list of texts: the cards or answers that it was made from
	ValueOrder  = "order"  // number: place among the cards
)

// Struck reports whether the card is no part of the result.
func (v Value) Struck() bool { b, _ := v[ValueStruck].(bool); return b }

// Text is a field's text; "" = it has none.
func (v Value) Text(field string) string { s, _ := v[field].(string); return s }

// Texts are a field's texts.
func (v Value) Texts(field string) (out []string) {
	list, _ := v[field].([]any)
	for _, one := range list {
		if s, ok := one.(string); ok {
			out = append(out, s)
		}
	}
	if s, ok := v[field].([]string); ok {
		return s
	}
	return out
}

// From are the cards or answers that it was made from.
func (v Value) From() []string { return v.Texts(ValueFrom) }

// Span is a field's stretch, in seconds; ok = false: it has none. A point has end = start.
func (v Value) Span(field string) (start, end float64, ok bool) {
	switch list := v[field].(type) {
	case []any:
		if len(list) != 2 {
			return 0, 0, false
		}
		start, ok1 := list[0].(float64)
		end, ok2 := list[1].(float64)
		return start, end, ok1 && ok2
	case []float64:
		if len(list) != 2 {
			return 0, 0, false
		}
		return list[0], list[1], true
	}
	return 0, 0, false
}

// Order is the card's place; ok = false: nobody moved it.
func (v Value) Order() (float64, bool) { n, ok := v[ValueOrder].(float64); return n, ok }

// section finds the section of a key, and the card in it; nil = there is none.
func (f *Form) section(key string) (*Section, string) {
	name, card, _ := strings.Cut(key, "/")
	for i := range f.Sections {
		if f.Sections[i].Name == name {
			return &f.Sections[i], card
		}
	}
	return nil, ""
}

// Limits of what a person sends: bytes of a card's id, texts in ValueFrom, bytes of one of them.
const (
	maxCard = 100
	maxFrom = 200
	maxKey  = 500
)

// Check reports why an answer does not fit the form, in words for the person. Fields that are
// not filled in yet are no reason: Missing finds those.
func (f *Form) Check(a *Answer) error {
	s, id := f.section(a.Key)
	if s == nil {
		return omniscope.Usagef("nothing here is called %q", a.Key)
	}
	given := slices.ContainsFunc(s.Cards, func(c Card) bool { return s.Key(c.ID) == a.Key })
	if !given && (!s.Add && !s.Merge || id == "" || len(id) > maxCard || strings.ContainsAny(id, "/ \t\n")) {
		return omniscope.Usagef("%s has no card %q", s.Title, id)
	}
	for name, value := range a.Value {
		if err := s.checkField(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (s *Section) checkField(name string, value any) error {
	switch name {
	case ValueStruck:
		if _, ok := value.(bool); ok && (s.Strike || s.Merge || s.Add) {
			return nil
		}
	case ValueFrom:
		list, ok := value.([]any)
		if ok && len(list) <= maxFrom && !slices.ContainsFunc(list, func(one any) bool { text, ok := one.(string); return !ok || len(text) > maxKey }) {
			return nil
		}
	case ValueOrder:
		if _, ok := value.(float64); ok && s.Order {
			return nil
		}
	default:
		i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
		if i < 0 {
			return omniscope.Usagef("%s has no field %q", s.Title, name)
		}
		return s.Fields[i].check(value)
	}
	return omniscope.Usagef("%s: %q cannot be %v", s.Title, name, value)
}

func (f *Field) check(value any) error {
	fits := false
	switch f.Type {
	case Choose:
		text, ok := value.(string)
		fits = ok && (text == "" || f.offers(text))
	case Check:
		list, ok := value.([]any)
		fits = ok && len(list) <= len(f.Choices) && !slices.ContainsFunc(list, func(one any) bool { text, ok := one.(string); return !ok || !f.offers(text) })
	case Words, Prose:
		if text, ok := value.(string); ok {
			return f.checkText(text)
		}
	case When:
		var start, end float64
		if start, end, fits = (Value{f.Name: value}).Span(f.Name); fits && (start < 0 || end < start) {
			return omniscope.Usagef("%s: it ends before it begins", f.Label)
		}
	}
	if !fits {
		return omniscope.Usagef("%s: %v is not a valid choice", f.Label, value)
	}
	return nil
}

func (f *Field) checkText(text string) error {
	most := cmp.Or(f.Max, 10_000)
	switch {
	case !utf8.ValidString(text):
		return omniscope.Usagef("%s: the text is not valid UTF-8", f.Label)
	case utf8.RuneCountInString(text) > most:
		return omniscope.Usagef("%s: %d characters at most", f.Label, most)
	case f.Type == Words && strings.ContainsAny(text, "\n\r"):
		return omniscope.Usagef("%s: one line only", f.Label)
	}
	return nil
}

func (f *Field) offers(value string) bool {
	return slices.ContainsFunc(f.Choices, func(c Choice) bool { return c.Value == value })
}

// isSet reports whether a field is filled in.
func (f *Field) isSet(v Value) bool {
	switch f.Type {
	case Check:
		return len(v.Texts(f.Name)) > 0
	case When:
		_, _, ok := v.Span(f.Name)
		return ok
	default:
		return strings.TrimSpace(v.Text(f.Name)) != ""
	}
}

// abstains reports whether answers say that the person cannot judge.
func (f *Form) abstains(answers map[string]Value) bool {
	for i := range f.Sections {
		s := &f.Sections[i]
		for _, card := range s.Cards {
			for _, field := range s.Fields {
				chosen := answers[s.Key(card.ID)].Text(field.Name)
				if slices.ContainsFunc(field.Choices, func(c Choice) bool { return c.Unseen && c.Value == chosen }) {
					return true
				}
			}
		}
	}
	return false
}

// wayOut describes what a person can do who cannot see the clips.
func (f *Form) wayOut() string {
	for i := range f.Sections {
		for _, field := range f.Sections[i].Fields {
			for _, c := range field.Choices {
				if c.Unseen {
					return fmt.Sprintf("choose %q, or give the item back", c.Label)
				}
			}
		}
	}
	return "give the item back"
}

// Missing reports the first thing that has to be answered before the task can be submitted, in
// words for the person; nil = nothing.
func (f *Form) Missing(answers map[string]Value) error {
	for i := range f.Sections {
		if err := f.Sections[i].missing(answers); err != nil {
			return err
		}
	}
	return nil
}

func (s *Section) missing(answers map[string]Value) error {
	n := 0
	for _, key := range s.keys(answers) {
		v, answered := answers[key]
		i := slices.IndexFunc(s.Cards, func(c Card) bool { return s.Key(c.ID) == key })
		if !answered && s.Cards[i].Optional || v.Struck() {
			continue
		}
		n++
		for _, field := range s.Fields {
			if !field.Optional && !field.isSet(v) {
				return omniscope.Usagef("%s: %q is missing%s", s.Title, field.Label, s.place(i, key))
			}
		}
	}
	if n < s.Min {
		return omniscope.Usagef("%s: at least %d are needed, there are %d", s.Title, s.Min, n)
	}
	return nil
}

// place says which card an error is of.
func (s *Section) place(i int, key string) string {
	switch {
	case i >= 0 && s.Cards[i].Title != "":
		return ": " + s.Cards[i].Title
	case i >= 0 && len(s.Cards) > 1:
		_, id, _ := strings.Cut(key, "/")
		return " of " + id
	}
	return ""
}

// keys are those of the section's cards, the given ones first, then those that were added.
func (s *Section) keys(answers map[string]Value) (keys []string) {
	for _, c := range s.Cards {
		keys = append(keys, s.Key(c.ID))
	}
	for _, key := range slices.Sorted(maps.Keys(answers)) {
		if name, _, _ := strings.Cut(key, "/"); name == s.Name && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Of are the answers of a section that are not struck, in their order: those that were moved at
// their places, the others as the form has them, added ones by their keys.
func (s *Section) Of(answers map[string]Value) (out []Answer) {
	for _, key := range s.keys(answers) {
		if v, ok := answers[key]; ok && !v.Struck() {
			out = append(out, Answer{Key: key, Value: v})
		}
	}
	places := make(map[string]float64)
	for i, a := range out {
		places[a.Key] = float64(i)
		if n, ok := a.Value.Order(); ok {
			places[a.Key] = n
		}
	}
	slices.SortStableFunc(out, func(a, b Answer) int { return cmp.Compare(places[a.Key], places[b.Key]) })
	return out
}
