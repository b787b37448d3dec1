package detective

import (
	"context"

	"omniscope"
	"omniscope/perceive"
)

// Offline plans without any model: it puts one fixed question to each tool,
// those that measure before those that interpret, and writes the caption from
// a fixed set of sentences, each made of the observations it names. The same
// observations make the same caption.
type Offline struct{}

var _ Planner = Offline{}

// Name implements Planner.
func (Offline) Name() string { return "offline" }

// offlinePlan lists the tools it knows in the order in which it asks them, and
// what. Others come after them, in the order of the investigation.
var offlinePlan = []Inquiry{
	{Tool: "scene", Question: "What are the shots, cuts, fades and black stretches, the light, the colours and the motion of the picture?"},
	{Tool: "sound", Question: "How does the recording sound: level, dynamics, band, faults, rhythm, events and silences?"},
	{Tool: "ocr", Question: "Which words can be read in the picture, and when?"},
	{Tool: "asr", Question: "What is said, word for word, and when?"},
}

// anyQuestion is put to a tool that is not in the plan.
const anyQuestion = "Describe everything in the clip, in the order in which it happens, with times."

// Next implements Planner.
func (Offline) Next(_ context.Context, c *Investigation) (Move, error) {
	asked := make(map[string]bool)
	for i := range c.Turns {
		asked[c.Turns[i].Inquiry.Tool] = true
	}
	for _, q := range offlineOrder(c.Offered()) {
		if !asked[q.Tool] {
			return Move{Inquiry: q, Outcome: omniscope.OK}, nil
		}
	}
	if q, ok := c.closerInquiry(); ok {
		return Move{Inquiry: q, Outcome: omniscope.OK}, nil
	}
	return Move{Done: true, Outcome: omniscope.OK}, nil
}

// mostCloser is how many closer looks the plan takes.
const mostCloser = 3

// closerInquiry is the next closer look at where a tool was unsure in its first answer. Tools that may be
// paid for are not asked twice.
func (c *Investigation) closerInquiry() (q Inquiry, ok bool) {
	taken := make(map[Inquiry]bool)
	for i := range c.Turns {
		if in := c.Turns[i].Inquiry; !in.Focus.Whole() {
			taken[in] = true
		}
	}
	if len(taken) >= mostCloser {
		return q, false
	}
	for i := range c.Turns {
		t := &c.Turns[i]
		if tool := c.tool(t.Inquiry.Tool); !t.Inquiry.Focus.Whole() || tool == nil || tool.Info().Asks {
			continue
		}
		for _, f := range t.Closer {
			q = t.Inquiry
			if q.Focus = f; !taken[q] {
				return q, true
			}
		}
	}
	return q, false
}

// offlineOrder is the inquiries for some tools.
func offlineOrder(tools []perceive.Tool) []Inquiry {
	var order, rest []Inquiry
	for _, q := range offlinePlan {
		for _, t := range tools {
			if t.Info().Name == q.Tool {
				order = append(order, q)
			}
		}
	}
	for _, t := range tools {
		if q := offlineInquiry(t.Info().Name); q.Question == anyQuestion {
			rest = append(rest, q)
		}
	}
	return append(order, rest...)
}

// offlineInquiry is the plan's inquiry for a tool.
func offlineInquiry(tool string) Inquiry {
	for _, q := range offlinePlan {
		if q.Tool == tool {
			return q
		}
	}
	return Inquiry{Tool: tool, Question: anyQuestion}
}

// Conclude implements Planner.
func (Offline) Conclude(_ context.Context, c *Investigation) (*Caption, error) {
	return newCaption(c.tellDisputes(plainSentences(c.Ledger))), nil
}

// plainSentences describes the evidence. The tools of the plan measure.
func plainSentences(l Ledger) []Sentence {
	return l.Describe(func(tool string) bool { return offlineInquiry(tool).Question != anyQuestion })
}
