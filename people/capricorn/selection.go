package capricorn

import (
	"slices"
	"strings"

	"omniscope"
	"omniscope/people"
	"omniscope/people/match"
)

// A cluster is keypoints of several people that seem to say the same.
type cluster struct {
	id      string
	members []point // the best one first
}

// clusters puts the keypoints of all people together. match.Groups says how: from the most alike
// on, by words and time, never two of one person. A cluster is shown with its best member: the one
// most like the others, of equals the one with more words, of those the one that was submitted
// first. Letters have no part in it, as they change from stage to stage.
func clusters(lists []people.Done) []cluster {
	var all []point
	var owners []int
	for i := range lists {
		for _, p := range pointsOf(&lists[i]) {
			all, owners = append(all, p), append(owners, i)
		}
	}
	var out []cluster
	for _, group := range match.Groups(owners, func(i, k int) float64 { return alike(&all[i], &all[k]) }, leastAlike) {
		best := bestOf(all, group)
		c := cluster{id: cardID(all[best].ref), members: []point{all[best]}}
		for _, i := range group {
			if i != best {
				c.members = append(c.members, all[i])
			}
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b cluster) int { return byTime(a.members[0], b.members[0]) })
	return out
}

func bestOf(all []point, group []int) (best int) {
	most := -1.0
	best = group[0]
	for _, i := range group {
		sum := 0.0
		for _, k := range group {
			if k != i {
				sum += alike(&all[min(i, k)], &all[max(i, k)])
			}
		}
		if sum > most || sum == most && len(all[i].words) > len(all[best].words) {
			best, most = i, sum
		}
	}
	return best
}

func (c *cluster) refs() (refs []string) {
	for _, p := range c.members {
		refs = append(refs, p.ref)
	}
	return refs
}

// selectForm shows seniors what all annotators proposed.
func selectForm(c *people.WorkItem) *people.Form {
	s := people.Section{Name: keypointSection, Title: "Keypoints", Help: "keep what is right, matters, and is said once; merge cards that say the same, split those that do not",
		Merge: true, Add: true, Columns: true, Want: wanted,
		Fields: append([]people.Field{{Name: fieldKeep, Label: "Keep or drop", Type: people.Choose, Choices: []people.Choice{{Value: keep, Label: "Keep"}, {Value: drop, Label: "Drop"}}}},
			keypointFields(true)...)}
	lists := c.At(Keypoints)
	letters := lettersOf(lists)
	for _, one := range clusters(lists) {
		best := &one.members[0]
		card := people.Card{ID: one.id, Draft: draftOf(best, one.refs())}
		setTime(&card, best)
		for _, letter := range letters {
			text := people.Text{Title: letter, Body: "–"}
			if i := slices.IndexFunc(one.members, func(p point) bool { return p.letter == letter }); i >= 0 {
				text = textOf(letter, &one.members[i])
			}
			card.Texts = append(card.Texts, text)
		}
		s.Cards = append(s.Cards, card)
	}
	return &people.Form{Texts: subjectTexts(c), Known: knownSubjects(c), Sections: []people.Section{s}}
}

// keptAnswers are the keypoints that a senior keeps. One that is kept needs all its fields.
func keptAnswers(answers map[string]people.Value) (kept []point, err error) {
	for _, p := range pointsIn(answers) {
		if p.value.Text(fieldKeep) != keep {
			continue
		}
		if p.text == "" || p.class == "" || !p.timed {
			return nil, omniscope.Usagef("%q is kept, but has no text, no class or no time", p.text)
		}
		kept = append(kept, p)
	}
	return kept, nil
}

// A candidate is a card of the seniors, with what each of them made of it.
type candidate struct {
	id    string
	views []view
}

// A view is what one senior made of a candidate.
type view struct {
	letter string
	kept   *point // nil = it is dropped
}

// candidates are the cards that one senior or more kept.
func candidates(c *people.WorkItem) (out []candidate) {
	seniors := c.At(selectStage)
	place := make(map[string]int)
	for i := range seniors {
		for _, p := range pointsOf(&seniors[i]) {
			if p.value.Text(fieldKeep) != keep {
				continue
			}
			id := people.CardOf(p.key)
			at, ok := place[id]
			if !ok {
				at = len(out)
				place[id] = at
				one := candidate{id: id}
				for _, d := range seniors {
					one.views = append(one.views, view{letter: d.Letter})
				}
				out = append(out, one)
			}
			out[at].views[i].kept = &p
		}
	}
	return out
}

// chosen is the keypoint that is proposed to the lead: that of the first senior who kept it.
func (c *candidate) chosen() *point {
	for _, v := range c.views {
		if v.kept != nil {
			return v.kept
		}
	}
	return nil
}

// disputed reports whether the seniors differ.
func (c *candidate) disputed() bool {
	first := c.chosen()
	return slices.ContainsFunc(c.views, func(v view) bool {
		return v.kept == nil || v.kept.class != first.class || v.kept.text != first.text || v.kept.span != first.span
	})
}

// card shows a candidate to the lead.
func (c *candidate) card() people.Card {
	p := c.chosen()
	var from []string
	views := slices.Clone(c.views)
	slices.SortFunc(views, func(a, b view) int { return strings.Compare(a.letter, b.letter) })
	card := people.Card{ID: c.id}
	if c.disputed() {
		card.Title = "The seniors differ"
	}
	for _, v := range views {
		if v.kept == nil {
			card.Texts = append(card.Texts, people.Text{Title: v.letter, Body: "Drop"})
			continue
		}
		card.Texts = append(card.Texts, textOf(v.letter+" · Keep", v.kept))
		from = append(from, v.kept.ref)
	}
	card.Draft = draftOf(p, from)
	setTime(&card, p)
	return card
}

// consolidateForm shows the lead what the seniors kept: first what they differ on, then the rest
// by time. Subjects of whom too little is left may be struck.
func consolidateForm(c *people.WorkItem) *people.Form {
	s := people.Section{Name: keypointSection, Title: "Final keypoints", Help: "first those on which the seniors differ", Fields: keypointFields(false),
		Add: true, Strike: true, Merge: true, Columns: true, Min: 1, Want: wanted}
	all := candidates(c)
	slices.SortStableFunc(all, func(a, b candidate) int {
		if da, db := a.disputed(), b.disputed(); da != db {
			if da {
				return -1
			}
			return 1
		}
		return byTime(*a.chosen(), *b.chosen())
	})
	for i := range all {
		s.Cards = append(s.Cards, all[i].card())
	}
	subjects := people.Section{Name: subjectSection, Title: "Subjects", Help: "strike a subject whom no keypoint needs; each of the others needs two", Strike: true}
	for _, one := range finalSubjects(c) {
		subjects.Cards = append(subjects.Cards, people.Card{ID: people.CardOf(one.key), Title: "<" + one.name + ">", Texts: []people.Text{{Body: one.look}}, Optional: true})
	}
	return &people.Form{Known: knownSubjects(c), Sections: []people.Section{s, subjects}}
}

// subjectsLeft are the names of the final subjects that the lead did not strike.
func subjectsLeft(c *people.WorkItem, answers map[string]people.Value) (out []string) {
	for _, s := range finalSubjects(c) {
		if !answers[s.key].Struck() {
			out = append(out, s.name)
		}
	}
	return out
}
