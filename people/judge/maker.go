package judge

import (
	"context"
	"iter"
	"os"

	"omniscope"
	"omniscope/bench"
	"omniscope/people"
)

// leaseMinutes is how long a call is kept for somebody who took it.
const leaseMinutes = 60

// A maker makes projects of calls. Its fields are its options.
type maker struct {
	Pending string // file of calls, as runs note them; "" = they come later
	People  int    // who answer each call
}

// newMaker makes a maker with the defaults.
func newMaker() *maker { return &maker{People: 1} }

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "pending", Help: "file of calls that a run with --judge people/FOLDER noted, such as FOLDER/pending.jsonl\n(default: none; serving the project adds them)", Value: bench.Text(&m.Pending), Path: true},
		{Name: "people", Help: "how many people answer each call; the reply of most counts, else the first", Value: bench.Number(&m.People)},
	}
}

// Make implements people.Maker.
func (m *maker) Make(context.Context) (*people.Plan, error) {
	if m.People < 1 {
		return nil, omniscope.Usagef("--people %d: at least one person answers each call", m.People)
	}
	var items []*people.Item
	if m.Pending != "" {
		if _, err := os.Stat(m.Pending); err != nil {
			return nil, omniscope.Usagef("--pending: %w", err)
		}
		var err error
		if items, err = readPending(m.Pending); err != nil {
			return nil, err
		}
	}
	return &people.Plan{
		Project: people.Project{Kind: Name, Title: "Judging", Guideline: "Answer as the text of each question asks. Judge by what is written there alone.",
			Stages: []people.Stage{{Name: stage, Title: "Answer", People: m.People, LeaseMinutes: leaseMinutes, Sound: people.NoMedia,
				By: []people.ProjectRole{people.Annotator, people.Senior, people.Lead}}}},
		Items: listed(items), ItemsLater: true,
	}, nil
}

// listed are items one by one, each once.
func listed(items []*people.Item) iter.Seq2[*people.Item, error] {
	return func(yield func(*people.Item, error) bool) {
		seen := make(map[string]bool)
		for _, item := range items {
			if !seen[item.ID] && !yield(item, nil) {
				return
			}
			seen[item.ID] = true
		}
	}
}
