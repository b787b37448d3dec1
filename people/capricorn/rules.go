package capricorn

import (
	"cmp"
	"slices"
	"strings"

	"omniscope"
	"omniscope/people"
)

// checkNoted says, in words for the person, what is wrong with the keypoints of an annotator.
func checkNoted(c *people.WorkItem, v *video, answers map[string]people.Value) error {
	return cmp.Or(checkSources(keypointsForm(c, v), answers), checkKeypoints(pointsIn(answers), subjectsAfter(c)))
}

// checkKept does so for the keypoints that a senior keeps.
func checkKept(c *people.WorkItem, _ *video, answers map[string]people.Value) error {
	points, err := keptAnswers(answers)
	return cmp.Or(err, checkSources(selectForm(c), answers), checkKeypoints(points, subjectsAfter(c)))
}

// checkFinal does so for the keypoints that the lead leaves.
func checkFinal(c *people.WorkItem, _ *video, answers map[string]people.Value) error {
	points, subjects := pointsIn(answers), subjectsLeft(c, answers)
	return cmp.Or(checkSources(consolidateForm(c), answers), checkKeypoints(points, subjects), checkTwoEach(points, subjects))
}

// checkKeypoints says, in words for the person, what is wrong with keypoints: those of subjects name
// subjects that are known, and no text stands twice, since the published scorer counts texts.
func checkKeypoints(points []point, subjects []string) error {
	seen := make(map[string]bool, len(points))
	for i := range points {
		p := &points[i]
		text := strings.TrimSpace(p.text)
		if seen[text] {
			return omniscope.Usagef("two keypoints say %q: strike one, or say what differs", text)
		}
		seen[text] = true
		if !p.ofSubjects() {
			continue
		}
		named := names(p.text)
		if len(named) == 0 {
			return omniscope.Usagef("%q names no subject: write one of %s, or choose a class without subjects", text, bracketedList(subjects))
		}
		for _, name := range named {
			if !slices.Contains(subjects, name) {
				return omniscope.Usagef("%q names <%s>, who is no subject: write one of %s", text, name, bracketedList(subjects))
			}
		}
	}
	return nil
}

func bracketedList(subjects []string) string { return "<" + strings.Join(subjects, ">, <") + ">" }

// checkTwoEach makes sure that two keypoints name each subject: how consistently a caption speaks
// of a subject cannot be told from one.
func checkTwoEach(points []point, subjects []string) error {
	count := make(map[string]int)
	for i := range points {
		if points[i].ofSubjects() {
			for _, name := range names(points[i].text) {
				count[name]++
			}
		}
	}
	for _, name := range subjects {
		if count[name] < 2 {
			return omniscope.Usagef("%d keypoints of subjects name <%s>, and each subject needs two: add some, or strike the subject and whoever names it", count[name], name)
		}
	}
	return nil
}

// checkSources refuses a keypoint whose sources are not on the form, so that every final keypoint
// can be traced to its authors.
func checkSources(form *people.Form, answers map[string]people.Value) error {
	section := sectionOf(form)
	shown := make(map[string]bool)
	for _, card := range section.Cards {
		shown[card.ID], shown[section.Key(card.ID)] = true, true
		for _, ref := range card.Draft.From() {
			shown[ref] = true
		}
	}
	for key := range answers {
		shown[key], shown[people.CardOf(key)] = true, true
	}
	for _, key := range people.KeysIn(answers, keypointSection) {
		for _, ref := range answers[key].From() {
			if !shown[ref] {
				return omniscope.Usagef("a keypoint says that it was made from %q, which is not here: load the page again, and put the keypoint in again", ref)
			}
		}
	}
	return nil
}

func sectionOf(form *people.Form) *people.Section {
	i := slices.IndexFunc(form.Sections, func(s people.Section) bool { return s.Name == keypointSection })
	return &form.Sections[i]
}

// sources are the answers that an answer was made from: those that it names, of cards what they
// propose. An answer to a card that names nothing was made of what the card proposes. Nothing
// = the person made it themselves.
func sources(section *people.Section, key string, v people.Value) (refs []string) {
	add := func(ref string) {
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	from := v.From()
	if len(from) == 0 {
		from = []string{key}
	}
	for _, ref := range from {
		if isRef(ref) {
			add(ref)
			continue
		}
		for _, card := range section.Cards {
			if card.ID == ref || section.Key(card.ID) == ref {
				for _, one := range card.Draft.From() {
					add(one)
				}
			}
		}
	}
	return refs
}

// isRef reports whether a source is an answer of an earlier stage, or a draft, and no card.
func isRef(ref string) bool {
	return strings.HasPrefix(ref, draftRef) || strings.Count(ref, "/") == 3
}
