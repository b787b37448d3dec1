package salmonn

import (
	"fmt"

	"omniscope/bench"
	"omniscope/bench/captions"
	"omniscope/model/judge"
)

// An examined is a caption with the known number of correct events.
type examined struct {
	events  facts
	caption string
	lost    int  // events that are missed or incorrect: judges differ in which of the two a changed event is
	made    bool // it mentions something else
}

var (
	street = facts{"A dog barks at a cyclist", "The cyclist falls off the bicycle", "A woman in a green dress helps him up", "A siren is heard"}
	stage  = facts{"A singer walks onto the stage", "The audience applauds", "The drummer drops a stick"}
)

// examination are captions with all events, some events, no event, or a changed one.
var examination = []examined{
	{street, "A dog barks at a cyclist. The cyclist falls off the bicycle, and a woman in a green dress helps him up. A siren is heard.", 0, false},
	{stage, "A singer walks onto the stage, the audience applauds, and the drummer drops a stick.", 0, false},
	{street, "While a siren is heard, a cyclist at whom a dog barks falls off his bicycle. A woman who wears a green dress helps the cyclist up.", 0, false},
	{street, "A dog barks at a cyclist. The cyclist falls off the bicycle.", 2, false},
	{stage, "A singer walks onto the stage.", 2, false},
	{street, "A siren is heard.", 3, false},
	{street, "A chef cuts onions in a kitchen and pours oil into a pan.", 4, true},
	{stage, "Two children build a sandcastle at the sea.", 3, true},
	{street, "A dog barks at a cyclist. The cyclist falls off the bicycle, and a policeman with a black cap helps him up. A siren is heard.", 1, true},
	{stage, "A singer walks onto the stage, the audience boos and throws paper, and the drummer drops a stick.", 1, true},
}

// exam asks with the first prompt and the settings of the first round.
func exam(a *captions.Asking) (items []bench.ExamItem) {
	for i, e := range examination {
		c := &captions.Clip[facts]{ID: fmt.Sprintf("exam-%02d", i+1), Facts: e.events}
		items = append(items, bench.NewExamItem(seeded(a.Judge, 0), judge.Question[tally]{Step: c.ID, Messages: messages(a, "list", c, e.caption), Schema: schema,
			Read: func(reply string) (tally, error) { return read(reply, len(e.events)) }},
			func(t tally) bool { return t.missed+t.incorrect == e.lost && (e.made || t.hallucinated == 0) }))
	}
	return items
}
