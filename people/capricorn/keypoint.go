package capricorn

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"omniscope/people"
	"omniscope/people/match"
)

// The fields of keypoints.
const (
	fieldSpan   = "span"
	fieldClass  = "class"
	fieldText   = "text"
	fieldSenses = "senses"
	fieldKeep   = "keep"
)

// What may be said of a keypoint.
const (
	keep = "keep"
	drop = "drop"
)

// keypointSection is the name of the section with keypoints, at every stage.
const keypointSection = "keypoint"

// classes are the five lists of the official files, in their order; the first two are of subjects.
var classes = []people.Choice{
	{Value: "main_sbj_evts", Label: "Subject does something", Help: "what one subject does, or what happens to them"},
	{Value: "main_sbj_ints", Label: "Subjects with each other", Help: "what subjects do with, to, or say to each other"},
	{Value: "bg_desc", Label: "Background", Help: "place, light, music, what the scene looks like"},
	{Value: "trans_desc", Label: "Transition", Help: "how one scene becomes the next"},
	{Value: "minor_evts", Label: "Anything else", Help: "what happens without a subject"},
}

const subjectClasses = 2

func classNumber(class string) int {
	return slices.IndexFunc(classes, func(c people.Choice) bool { return c.Value == class })
}

// A point is a keypoint that somebody noted.
type point struct {
	key    string // among the answers of its task
	value  people.Value
	class  string
	text   string
	span   match.Span
	timed  bool // it has a span
	ref    string
	letter string   // of who noted it
	words  []string // of the text, for comparisons
}

func newPoint(key string, v people.Value) point {
	p := point{key: key, value: v, class: v.Text(fieldClass), text: v.Text(fieldText)}
	p.span.Start, p.span.End, p.timed = v.Span(fieldSpan)
	p.words = match.Words(p.text)
	return p
}

// pointsIn are the keypoints among a task's answers that are not struck, by their keys.
func pointsIn(answers map[string]people.Value) (out []point) {
	for _, key := range people.KeysIn(answers, keypointSection) {
		out = append(out, newPoint(key, answers[key]))
	}
	return out
}

// pointsOf are the keypoints of a task that was submitted.
func pointsOf(d *people.Done) []point {
	out := pointsIn(d.Answers)
	for i := range out {
		out[i].ref, out[i].letter = refOf(d, out[i].key), d.Letter
	}
	return out
}

// refOf names an answer of a task, for the field "from" of answers that are made of it. It
// names the event that submitted the task and not its person, since it stands in the pages of those
// who may not know who that is.
func refOf(d *people.Done, key string) string { return fmt.Sprintf("%s/%d/%s", d.Stage, d.Seq, key) }

// inOrder are keypoints in the order of the official files: as an imported file had them, else by time.
func inOrder(points []point) []point {
	slices.SortStableFunc(points, func(a, b point) int {
		na, oka := a.value.Order()
		nb, okb := b.value.Order()
		if oka && okb {
			return cmp.Compare(na, nb)
		}
		return byTime(a, b)
	})
	return points
}

func byTime(a, b point) int {
	return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(a.span.End, b.span.End))
}

// ofSubjects reports whether the keypoint has to name a subject.
func (p *point) ofSubjects() bool {
	n := classNumber(p.class)
	return n >= 0 && n < subjectClasses
}

var bracketed = regexp.MustCompile(`<([^<>]+)>`)

// names are the subjects that a text names, each once.
func names(text string) (out []string) {
	for _, found := range bracketed.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, found[1]) {
			out = append(out, found[1])
		}
	}
	return out
}

// Two people's keypoints, and subjects, are taken for the same from this likeness on: two thirds of it
// is the share of common words, one third that of common time. So the same words at another
// time are alike enough (0.67), and so are a quarter of the words at the same time (0.5).
const (
	leastAlike  = 0.5
	wordsWeight = 2.0 / 3
)

// alike is how alike two keypoints are, 0 to 1. Classes do not count: people disagree on them,
// and agreement on classes is computed of keypoints that are matched.
func alike(a, b *point) float64 {
	return likeness(match.Dice(a.words, b.words), a.span, b.span, a.timed && b.timed)
}

func likeness(words float64, a, b match.Span, timed bool) float64 {
	if !timed {
		return words
	}
	return wordsWeight*words + (1-wordsWeight)*match.Overlap(a, b)
}

// spanValue is a span as answers hold it.
func spanValue(s match.Span) []any { return []any{s.Start, s.End} }

// setTime puts a span on a card.
func setTime(card *people.Card, p *point) {
	if p.timed {
		card.Start, card.End = &p.span.Start, &p.span.End
	}
}

// textOf shows a keypoint.
func textOf(title string, p *point) people.Text {
	t := people.Text{Title: title, Body: p.text}
	if i := classNumber(p.class); i >= 0 {
		t.Title += " · " + classes[i].Label
	}
	if p.timed {
		t.Start, t.End = &p.span.Start, &p.span.End
	}
	return t
}

// draftOf proposes a keypoint that was made from others.
func draftOf(p *point, from []string) people.Value {
	v := people.Value{fieldClass: p.class, fieldText: p.text}
	if p.timed {
		v[fieldSpan] = spanValue(p.span)
	}
	v[people.ValueFrom] = people.List(from)
	return v
}

// subjectName is where the names are that keypoints may have in angle brackets.
const subjectName = subjectSection + ".name"

// keypointFields are those that every stage asks for.
func keypointFields(optional bool) []people.Field {
	return []people.Field{
		{Name: fieldSpan, Label: "When", Type: people.When, Optional: optional},
		{Name: fieldClass, Label: "Class", Type: people.Choose, Choices: classes, Optional: optional},
		{Name: fieldText, Label: "Keypoint", Type: people.Prose, Names: subjectName, Max: 2000, Optional: optional,
			Help: "one sentence; subjects in angle brackets, such as <Anna> opens the door"},
	}
}

var senses = []people.Choice{{Value: "sight", Label: "Seen"}, {Value: "sound", Label: "Heard"}}
