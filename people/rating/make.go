package rating

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"omniscope"
	"omniscope/bench"
	"omniscope/people"
)

// leaseMinutes is how long a pair is kept for somebody who took it.
const leaseMinutes = 30

// A maker makes projects of ratings. Its fields are its options.
type maker struct {
	Pairs    string // file
	Scales   string // file; "" = similarity and subject consistency
	People   int    // who rate each pair
	Controls int    // hidden originals, and as many repeats
	Seed     int
}

// newMaker makes a maker with the defaults.
func newMaker() *maker { return &maker{People: 3} }

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "pairs", Help: "file of pairs (JSON Lines, JSON, CSV, Parquet, a folder): clip, original, reconstruction, system", Value: bench.Text(&m.Pairs), Path: true},
		{Name: "scales", Help: "YAML or JSON file with a list of scales: name, label, and five anchors, from 1 to 5\n(default: similarity and subject consistency)", Value: bench.Text(&m.Scales), Path: true},
		{Name: "people", Help: "how many people rate each pair", Value: bench.Number(&m.People)},
		{Name: "controls", Help: "how many originals are shown as reconstructions, and how many pairs are shown twice", Value: bench.Number(&m.Controls)},
		{Name: "seed", Help: "seed of the order, the controls and the intervals", Value: bench.Number(&m.Seed)},
	}
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	if m.Pairs == "" {
		return nil, omniscope.Usagef("name the file of originals and reconstructions with --pairs")
	}
	if m.People < 1 {
		return nil, omniscope.Usagef("--people %d: at least one person rates each pair", m.People)
	}
	scales := ratingScales()
	if m.Scales != "" {
		var err error
		if scales, err = readScales(ctx, m.Scales); err != nil {
			return nil, err
		}
	}
	pairs, err := readPairs(ctx, m.Pairs)
	if err != nil {
		return nil, err
	}
	order, err := m.order(pairs)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(scales)
	if err != nil {
		return nil, err
	}
	p := &people.Plan{
		Project: people.Project{
			Kind: Name, Title: "Ratings",
			Guideline: "Play the original first, then the reconstruction. Rate what the reconstruction shows, not how sharp or fluent it looks. Read the words beside each number before you choose it.",
			Stages: []people.Stage{{Name: stage, Title: "Rate", People: m.People, LeaseMinutes: leaseMinutes,
				By: []people.ProjectRole{people.Voter, people.Annotator, people.Senior, people.Lead}}},
			Settings: map[string]string{settingScales: string(text), people.SettingSeed: strconv.Itoa(m.Seed)},
		},
		Items: people.MadeItems(len(order), func(i int) (*people.Item, any, error) { return itemOf(i, &order[i], scales), order[i], nil }),
	}
	if !slices.ContainsFunc(pairs, func(p pair) bool { return p.System != pairs[0].System }) {
		p.Warnings = append(p.Warnings, fmt.Sprintf("all reconstructions are of %s: ratings compare nothing", pairs[0].System))
	}
	return p, nil
}

func itemOf(i int, p *pair, scales []ratingScale) *people.Item {
	item := &people.Item{ID: idOf(i), Clip: p.Clip,
		Media: []people.Media{{File: p.Original, Title: "Original"}, {File: p.Reconstruction, Title: "Reconstruction"}}}
	if p.Control == HiddenOriginal {
		best := people.Value{}
		for _, s := range scales {
			best[s.Name] = strconv.Itoa(steps)
		}
		item.Control = &people.Control{Stage: stage, Answers: map[string]people.Value{ratingKey: best}}
	}
	return item
}

func idOf(i int) string { return fmt.Sprintf("r%d", i+1) }

// order are the pairs and the controls in the order in which they are rated: shuffled, so that
// neither clips nor systems come together; repeats are of pairs in the first half, and stand in the
// second.
func (m *maker) order(pairs []pair) ([]pair, error) {
	var originals []pair
	for _, p := range pairs {
		if !slices.ContainsFunc(originals, func(o pair) bool { return o.Clip == p.Clip }) {
			originals = append(originals, pair{Clip: p.Clip, Original: p.Original, Reconstruction: p.Original, Control: HiddenOriginal})
		}
	}
	// With more than a third, the first half may hold too few pairs that are no controls.
	if most := min(len(originals), len(pairs)/3); m.Controls > most {
		return nil, omniscope.Usagef("--controls %d: with %d pairs of %d clips there can be %d at most", m.Controls, len(pairs), len(originals), most)
	}
	draw := rand.New(rand.NewPCG(uint64(m.Seed), 0))
	order := slices.Clone(pairs)
	for _, i := range draw.Perm(len(originals))[:m.Controls] {
		order = append(order, originals[i])
	}
	draw.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	half := len(order) / 2
	var repeats []pair
	for _, i := range draw.Perm(half) {
		if p := order[i]; p.Control == None && len(repeats) < m.Controls {
			p.Control, p.Again = Repeat, idOf(i)
			repeats = append(repeats, p)
		}
	}
	for _, p := range repeats {
		order = slices.Insert(order, half+draw.IntN(len(order)-half+1), p)
	}
	return order, nil
}
