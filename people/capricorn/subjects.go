package capricorn

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/people"
	"omniscope/people/match"
)

// subjectSection is the name of the section with subjects.
const subjectSection = "subject"

// A subject is a character, as somebody noted them.
type subject struct {
	key, ref   string
	letter     string
	name, look string
	seen       match.Span
	timed      bool
}

func subjectFields() []people.Field {
	return []people.Field{
		{Name: "name", Label: "Name", Type: people.Words, Max: 100, Help: "short, without angle brackets"},
		{Name: "look", Label: "Look", Type: people.Prose, Help: "how they look, in each scene"},
		{Name: "seen", Label: "First seen", Type: people.When},
	}
}

func subjectsForm(*people.WorkItem) *people.Form {
	return &people.Form{Sections: []people.Section{{Name: subjectSection, Title: "Subjects", Help: "the characters who drive the story",
		Fields: subjectFields(), Add: true, Strike: true, Min: 1}}}
}

// settleSubjectsForm shows the lists of both people. Those of two that are alike are one card.
func settleSubjectsForm(c *people.WorkItem) *people.Form {
	s := people.Section{Name: subjectSection, Title: "Subjects", Help: "one card for each subject: merge those that are one, strike those that are none",
		Fields: subjectFields(), Add: true, Strike: true, Merge: true, Columns: true, Min: 1}
	lists := c.At(Subjects)
	var all []subject
	var owners []int
	for i := range lists {
		for _, one := range subjectsOf(&lists[i]) {
			all, owners = append(all, one), append(owners, i)
		}
	}
	for _, group := range match.Groups(owners, func(i, k int) float64 { return alikeSubjects(&all[i], &all[k]) }, leastAlike) {
		s.Cards = append(s.Cards, subjectCard(all, group, lists))
	}
	return &people.Form{Sections: []people.Section{s}}
}

// subjectCard shows what each person has for one subject, and proposes the longest look.
func subjectCard(all []subject, group []int, lists []people.Done) people.Card {
	best := &all[group[0]]
	for _, i := range group {
		if len(all[i].look) > len(best.look) {
			best = &all[i]
		}
	}
	card := people.Card{ID: cardID(best.ref), Title: best.name}
	var from []any
	for _, letter := range lettersOf(lists) {
		text := people.Text{Title: letter, Body: "–"}
		for _, i := range group {
			if one := &all[i]; one.letter == letter {
				text.Body = one.name + ": " + one.look
				if one.timed {
					text.Start, text.End = &one.seen.Start, &one.seen.End
				}
				from = append(from, one.ref)
			}
		}
		card.Texts = append(card.Texts, text)
	}
	card.Draft = people.Value{"name": best.name, "look": best.look, people.ValueFrom: from}
	if best.timed {
		card.Draft["seen"] = spanValue(best.seen)
		card.Start, card.End = &best.seen.Start, &best.seen.End
	}
	return card
}

// cardID makes a card's id of the answer that it proposes: it stays the same while the answers
// that are shown do.
func cardID(ref string) string {
	parts := strings.SplitN(ref, "/", 4) // stage, event, section, card
	return parts[1] + "-" + parts[3]
}

// lettersOf are the letters of those who did tasks, in order.
func lettersOf(done []people.Done) (letters []string) {
	for _, d := range done {
		letters = append(letters, d.Letter)
	}
	slices.Sort(letters)
	return letters
}

// subjectsOf are the subjects of a task's answers.
func subjectsOf(d *people.Done) (out []subject) {
	for _, key := range people.KeysIn(d.Answers, subjectSection) {
		v := d.Answers[key]
		one := subject{key: key, ref: refOf(d, key), letter: d.Letter, name: v.Text("name"), look: v.Text("look")}
		one.seen.Start, one.seen.End, one.timed = v.Span("seen")
		out = append(out, one)
	}
	return out
}

// alikeSubjects is how alike two subjects are: by their names, or by names and looks together, as two
// people may name one character otherwise; and by when they are first seen.
func alikeSubjects(a, b *subject) float64 {
	words := max(match.Dice(match.Words(a.name), match.Words(b.name)), match.Dice(match.Words(a.name+" "+a.look), match.Words(b.name+" "+b.look)))
	return likeness(words, a.seen, b.seen, a.timed && b.timed)
}

// sameNames reports whether all lists have the same names.
func sameNames(lists []people.Done) bool {
	for i := range lists {
		if !slices.Equal(sortedNames(&lists[i]), sortedNames(&lists[0])) {
			return false
		}
	}
	return len(lists) > 0
}

func sortedNames(d *people.Done) (out []string) {
	for _, s := range subjectsOf(d) {
		out = append(out, s.name)
	}
	slices.Sort(out)
	return out
}

// finalSubjects are those that the senior settled, or those of the first list, where there was
// nothing to settle, by when they are first seen.
func finalSubjects(c *people.WorkItem) []subject {
	lists := c.At(SubjectsSettle)
	if len(lists) == 0 {
		lists = c.At(Subjects)
	}
	if len(lists) == 0 {
		return nil
	}
	out := subjectsOf(&lists[0])
	slices.SortStableFunc(out, func(a, b subject) int {
		return byTime(point{span: a.seen}, point{span: b.seen})
	})
	return out
}

// subjectsAfter are the names of the final subjects.
func subjectsAfter(c *people.WorkItem) (out []string) {
	for _, s := range finalSubjects(c) {
		out = append(out, s.name)
	}
	return out
}

// subjectTexts shows the final subjects.
func subjectTexts(c *people.WorkItem) (out []people.Text) {
	for _, s := range finalSubjects(c) {
		t := people.Text{Title: "<" + s.name + ">", Body: s.look}
		if s.timed {
			t.Start, t.End = &s.seen.Start, &s.seen.End
		}
		out = append(out, t)
	}
	return out
}

// knownSubjects are the names that are offered in the texts of keypoints.
func knownSubjects(c *people.WorkItem) map[string][]string {
	return map[string][]string{subjectName: subjectsAfter(c)}
}

// checkSubjects says, in words for the person, what is wrong with a list of subjects.
func checkSubjects(_ *people.WorkItem, _ *video, answers map[string]people.Value) error {
	var known []string
	for _, key := range people.KeysIn(answers, subjectSection) {
		name := answers[key].Text("name")
		switch {
		case strings.ContainsAny(name, "<>"):
			return omniscope.Usagef("%q: leave the angle brackets out of names", name)
		case strings.TrimSpace(name) != name:
			return omniscope.Usagef("%q: leave out the blanks before and after the name", name)
		case slices.Contains(known, name):
			return omniscope.Usagef("two subjects are called %q: give each a name of its own", name)
		}
		known = append(known, name)
	}
	return nil
}
