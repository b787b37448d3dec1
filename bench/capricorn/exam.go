package capricorn

import (
	"fmt"

	"omniscope"
	"omniscope/bench"
)

// An examinedEvent is a keypoint with the known verdict of a caption.
type examinedEvent struct {
	class         int
	text, caption string
	verdict       omniscope.Verdict
}

const (
	market = "An old woman in a purple scarf sells apples at a market stall. A boy with a skateboard buys two of them. Later it begins to rain, and the old woman covers the stall with a sheet."
	studio = "In a small studio, a bearded man plays a cello while a lamp flickers. He stops, laughs, and says that the string is broken."
)

// eventExam are keypoints that a caption clearly has, has with a wrong detail, or does not have.
var eventExam = []examinedEvent{
	{0, "<seller> sells apples at a stall", market, omniscope.Correct},
	{1, "<boy> buys apples from <seller>", market, omniscope.Correct},
	{0, "<seller> sings a song on a bridge", market, omniscope.NotGiven},
	{0, "<musician> plays a trumpet in a small studio", studio, omniscope.Partial},
	{0, "<musician> washes a car", studio, omniscope.NotGiven},
	{2, "It begins to rain", market, omniscope.Correct},
	{2, "A lamp flickers", studio, omniscope.Correct},
	{4, "A helicopter lands on a roof", studio, omniscope.NotGiven},
}

// groupExam are descriptions that a reader takes for one subject, or for several.
var groupExam = []struct {
	descriptions []string
	caption      string
	groups       int
}{
	{[]string{"An old woman in a purple scarf", "the old woman"}, market, 1},
	{[]string{"a masked runner", "a chef with a white hat"}, "A masked runner crosses a bridge at dawn. In a restaurant, a chef with a white hat tastes a soup.", 2},
}

var _ bench.Examiner = (*evaluation)(nil)

// Exam implements bench.Examiner, in the form in which the run asks about keypoints.
func (e *evaluation) Exam() (items []bench.ExamItem, err error) {
	if e.judge == nil {
		return nil, nil
	}
	step := func() string { return fmt.Sprintf("exam-%02d", len(items)+1) }
	for _, x := range eventExam {
		v := &video{caption: x.caption}
		ev := event{class: x.class, text: x.text, subjects: subjectsOf(x.text)}
		if e.b.Batched {
			items = append(items, e.batchItem(step(), v, ev, x.verdict))
			continue
		}
		q := e.prompts.eventQuestion(v, ev, 0)
		q.Step = step()
		read := q.Read
		q.Read = func(reply string) (judgement, error) {
			j, err := read(reply)
			if err == nil {
				err = j.contradiction()
			}
			return j, err
		}
		items = append(items, bench.NewExamItem(e.judge, q, func(j judgement) bool { return j.verdict == x.verdict }))
	}
	for _, x := range groupExam {
		var descriptions []*description
		for _, text := range x.descriptions {
			descriptions = append(descriptions, &description{text: text})
		}
		q := e.prompts.clusterQuestion(&video{caption: x.caption}, "", descriptions, 0)
		q.Step = step()
		items = append(items, bench.NewExamItem(e.judge, q, func(groups []group) bool { return len(groups) == x.groups }))
	}
	return items, nil
}

// batchItem asks about one event as a run asks about all of a video.
func (e *evaluation) batchItem(step string, v *video, ev event, verdict omniscope.Verdict) bench.ExamItem {
	found := make(map[int]judgement)
	q := e.batchQuestion(v, []event{ev}, found, []keeper{{strict: true}})
	q.Step = step
	return bench.NewExamItem(e.batchJudge(1), q, func(struct{}) bool { return found[0].verdict == verdict })
}
