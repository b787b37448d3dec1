package ugc

import (
	"fmt"

	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/metric"
	"omniscope/model/judge"
)

// An examined is a caption with known bounds of its ratings.
type examined struct {
	reference, caption string
	low, high          [3]int // of pictures, sound and detail
}

const (
	harbour = "At a harbour in the rain, two fishermen in yellow coats unload crates of fish from a red boat named AURORA. A bell rings twice, gulls cry, and one of the men shouts 'Hurry up!' over the noise of an engine. The mood is tense."
	kitchen = "In a bright kitchen a young woman in a striped apron slices carrots and slides them into a steel pot. Cheerful guitar music plays, the knife taps on the board, and she says 'Ten minutes to go' to the camera. A caption reads EASY SOUP."
)

var (
	good    = [3]int{4, 4, 4}
	best    = [3]int{metric.TopLevel, metric.TopLevel, metric.TopLevel}
	worst   = [3]int{1, 1, 1}
	poor    = [3]int{2, 2, 2}
	noSound = [3]int{metric.TopLevel, 2, metric.TopLevel}
	noView  = [3]int{2, metric.TopLevel, metric.TopLevel}
)

// examination are captions that have all of the reference, nothing of it, all but the sound, or only the sound.
var examination = []examined{
	{harbour, harbour, good, best},
	{kitchen, kitchen, good, best},
	{harbour, "It rains at a harbour. Two fishermen who wear yellow coats unload crates of fish from a red boat; AURORA is written on it. A bell rings two times, gulls cry, an engine is loud, and one of the men shouts 'Hurry up!' in a tense mood.", good, best},
	{kitchen, "A young woman with a striped apron stands in a bright kitchen, slices carrots and puts them into a steel pot while a caption shows EASY SOUP. To cheerful guitar music and the tapping of her knife she tells the camera 'Ten minutes to go'.", good, best},
	{harbour, kitchen, worst, poor},
	{kitchen, harbour, worst, poor},
	{harbour, "A cat sleeps on a sofa in a silent room.", worst, poor},
	{kitchen, "A football match is played in a full stadium, and the crowd sings.", worst, poor},
	{harbour, "At a harbour in the rain, two fishermen in yellow coats unload crates of fish from a red boat named AURORA.", [3]int{4, 1, 1}, noSound},
	{kitchen, "Cheerful guitar music plays, a knife taps on a board, and a woman's voice says 'Ten minutes to go'.", [3]int{1, 3, 1}, noView},
}

func exam(a *captions.Asking) (items []bench.ExamItem) {
	for i, e := range examination {
		c := &captions.Clip[reference]{ID: fmt.Sprintf("exam-%02d", i+1), Facts: reference(e.reference)}
		items = append(items, bench.NewExamItem(a.Judge, judge.Question[[3]int]{Step: c.ID, Messages: messages(a, c, e.caption), Schema: schema, Read: read},
			func(ratings [3]int) bool {
				for k, r := range ratings {
					if r < e.low[k] || r > e.high[k] {
						return false
					}
				}
				return true
			}))
	}
	return items
}
