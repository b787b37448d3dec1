package capricorn

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"omniscope/model"
	"omniscope/model/judge"
)

// prompts are the prompt files from which the judge's questions are made.
type prompts struct{ subject, other, cluster, batch *judge.Prompt }

// stepOf returns the documented step name of the call about an event.
func stepOf(video string, ev event) string {
	if ev.ofSubjects() {
		return video + "/subject|" + ev.text
	}
	return video + "/other|" + ev.text
}

// eventQuestion makes the question about one event. asked is the number of
// attempts that its step has already used.
func (p *prompts) eventQuestion(v *video, ev event, asked int) judge.Question[judgement] {
	prompt := p.other.Fill("event", ev.text, "caption", v.caption)
	if ev.ofSubjects() {
		prompt = p.subject.Fill("event", ev.text, "subjects", listText(ev.subjects), "caption", v.caption)
	}
	return judge.Question[judgement]{
		Step: stepOf(v.id, ev), Messages: []model.Message{model.Text(model.User, prompt)},
		Repeat: true, Whole: true, Asked: asked, Schema: func() *model.Schema { return eventSchema(ev) },
		Read: func(reply string) (judgement, error) { return readEvent(reply, ev) },
	}
}

// clusterQuestion makes the question that groups a subject's descriptions.
func (p *prompts) clusterQuestion(v *video, subject string, descriptions []*description, asked int) judge.Question[[]group] {
	return judge.Question[[]group]{
		Step:     v.id + "/cluster|" + subject,
		Messages: []model.Message{model.Text(model.User, p.cluster.Fill("descriptions", listText(descriptions), "caption", v.caption))},
		Repeat:   true, Whole: true, Asked: asked, Schema: groupSchema,
		Read: func(reply string) ([]group, error) { return readGroups(reply, descriptions) },
	}
}

// batchQuestion makes one question about several events. found collects the
// readable answers of all replies, by the event's index; a reply is accepted
// when found has all events. kept are the events' keepers; nil = a reply only has to be in the form.
func (p *prompts) batchQuestion(v *video, events []event, found map[int]judgement, kept []keeper) judge.Question[struct{}] {
	var lines strings.Builder
	for i, ev := range events {
		fmt.Fprintf(&lines, "%d. %s", i+1, strings.Join(strings.Fields(ev.text), " "))
		if len(ev.subjects) > 0 {
			fmt.Fprintf(&lines, " (subjects: %s)", listText(ev.subjects))
		}
		lines.WriteByte('\n')
	}
	return judge.Question[struct{}]{
		Step:     v.id + "/batch",
		Messages: []model.Message{model.Text(model.User, p.batch.Fill("keypoints", strings.TrimSuffix(lines.String(), "\n"), "caption", v.caption))},
		Whole:    true,
		Read:     func(reply string) (struct{}, error) { return struct{}{}, readBatch(reply, events, found, kept) },
	}
}

func readBatch(reply string, events []event, found map[int]judgement, kept []keeper) error {
	members, err := lastOfEach(judge.FindJSON(reply))
	if err != nil {
		return err
	}
	var bad []string
	for i, ev := range events {
		if _, ok := found[i]; ok {
			continue
		}
		number := strconv.Itoa(i + 1)
		j, err := readObject(members[number].Raw, ev)
		if !ended(reply) {
			j.unclear = withinThought
		}
		if kept != nil {
			err = kept[i].take(j, err)
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("keypoint %s: %v", number, err))
			continue
		}
		found[i] = j
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "; "))
	}
	return nil
}

// listText writes a list as JSON for a prompt, with < and > as they are.
func listText(list any) string {
	text, _ := asJSON(list) // lists of texts and nil always encode
	return string(text)
}
