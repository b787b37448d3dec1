package detective_test

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/detective"
)

// onceEach is a Planner that asks every tool one question and quotes what was found.
type onceEach struct{ question string }

func (p onceEach) Name() string { return "once-each" }

func (p onceEach) Next(_ context.Context, c *detective.Investigation) (detective.Move, error) {
	tools := c.Offered()
	if len(c.Turns) == len(tools) {
		return detective.Move{Done: true, Outcome: omniscope.OK}, nil
	}
	tool := tools[len(c.Turns)].Info().Name
	return detective.Move{Inquiry: detective.Inquiry{Tool: tool, Question: p.question}, Outcome: omniscope.OK}, nil
}

func (p onceEach) Conclude(_ context.Context, c *detective.Investigation) (*detective.Caption, error) {
	caption := &detective.Caption{Outcome: omniscope.OK, Contradictions: []detective.Contradiction{}}
	for _, e := range c.Ledger {
		caption.Sentences = append(caption.Sentences, detective.Sentence{Text: e.What, Evidence: []string{e.ID}})
	}
	return caption, nil
}

// A planner of your own: the interface has three methods.
func ExamplePlanner() {
	var p detective.Planner = onceEach{question: "What happens?"}
	c := &detective.Investigation{Ledger: detective.Ledger{{ID: "o1", What: "A dog barks."}}}
	var move detective.Move
	move, _ = p.Next(context.Background(), c)
	var caption *detective.Caption
	caption, _ = p.Conclude(context.Background(), c)
	fmt.Println(p.Name(), move.Done, caption.Sentences[0].Text, caption.Sentences[0].Evidence)
	// Output: once-each true A dog barks. [o1]
}
