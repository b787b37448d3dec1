package capricorn

import (
	"slices"

	"omniscope/people"
)

// visionFields ask whether a keypoint is in the visual-only subset.
func visionFields() []people.Field {
	return []people.Field{{Name: fieldKeep, Label: "Seen without sound?", Type: people.Choose, Choices: []people.Choice{
		{Value: keep, Label: "Keep", Help: "it can be seen without sound"},
		{Value: drop, Label: "Drop", Help: "it has to be heard, or cannot be told without sound"},
	}}}
}

// visionForm asks about each final keypoint.
func visionForm(c *people.WorkItem) *people.Form {
	s := people.Section{Name: keypointSection, Title: "Keypoints", Fields: visionFields()}
	for _, p := range finalPoints(c.At(consolidateStage)) {
		s.Cards = append(s.Cards, visionCard(&p))
	}
	return &people.Form{Sections: []people.Section{s}}
}

func visionCard(p *point) people.Card {
	card := people.Card{ID: people.CardOf(p.key), Texts: []people.Text{textOf("", p)}}
	card.Texts[0].Title = classLabel(p.class)
	setTime(&card, p)
	return card
}

func classLabel(class string) string {
	if i := classNumber(class); i >= 0 {
		return classes[i].Label
	}
	return class
}

// settleVisionForm asks about those on which people differ.
func settleVisionForm(c *people.WorkItem) *people.Form {
	s := people.Section{Name: keypointSection, Title: "Keypoints on which they differ", Fields: visionFields()}
	votes := c.At(visionStage)
	disputed := disputedVision(votes)
	for _, p := range finalPoints(c.At(consolidateStage)) {
		if !slices.Contains(disputed, p.key) {
			continue
		}
		card := visionCard(&p)
		card.Texts = append(card.Texts, people.ByLetter(votes, func(d *people.Done) string {
			if d.Answers[p.key].Text(fieldKeep) == keep {
				return "Keep"
			}
			return "Drop"
		})...)
		s.Cards = append(s.Cards, card)
	}
	return &people.Form{Sections: []people.Section{s}}
}

// finalPoints are the keypoints that the lead left, in the order of the official files.
func finalPoints(lead []people.Done) []point {
	if len(lead) == 0 {
		return nil
	}
	return inOrder(pointsOf(&lead[0]))
}

// disputedVision are the keys of the keypoints on which people differ.
func disputedVision(votes []people.Done) (keys []string) {
	if len(votes) == 0 {
		return nil
	}
	for _, key := range people.KeysIn(votes[0].Answers, keypointSection) {
		if slices.ContainsFunc(votes, func(d people.Done) bool {
			return d.Answers[key].Text(fieldKeep) != votes[0].Answers[key].Text(fieldKeep)
		}) {
			keys = append(keys, key)
		}
	}
	return keys
}

// seen reports whether a keypoint can be seen without sound, as the senior says, else as
// all others do.
func seen(key string, votes, settled []people.Done) bool {
	if len(settled) > 0 {
		if v, ok := settled[0].Answers[key]; ok {
			return v.Text(fieldKeep) == keep
		}
	}
	return len(votes) > 0 && votes[0].Answers[key].Text(fieldKeep) == keep
}
