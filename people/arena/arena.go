// Package arena has people compare captions of one clip by two systems, whose names they do not
// know before they have voted (Omni-Captioner, arXiv 2510.12720: 500 pairs of 7 systems; which
// one is more detailed).
package arena

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/bench"
	"omniscope/people"
)

// Kind is the name of this kind of work.
const Kind = "arena"

// Stage is the name of its only stage.
const Stage = "vote"

// VoteKey is the key of a vote among a task's answers.
const VoteKey = "vote"

// Question is what is asked where a project asks nothing else.
const Question = "Which of the two captions describes the clip in more detail, without saying what is not there?"

// A Winner is what a vote says.
type Winner string

// What a vote may say.
const (
	Left    Winner = "left"
	Right   Winner = "right"
	Tie     Winner = "tie"
	BothBad Winner = "both bad"
	Cannot  Winner = "cannot judge" // no vote
)

// Winners are all of them, in the order of their keys.
var Winners = []Winner{Left, Right, Tie, BothBad, Cannot}

// A Vote is what a person says of a battle.
type Vote struct {
	Winner Winner `json:"winner"`
	Reason string `json:"reason,omitempty"`
}

// A Battle is two captions of a clip.
type Battle struct {
	Left  Side `json:"left"`
	Right Side `json:"right"`
}

// A Side is the caption of one system.
type Side struct {
	System string `json:"system"`
	Text   string `json:"text"`
}

// BattleOf reads the battle of an item.
func BattleOf(item *people.Item) (*Battle, error) {
	b := &Battle{}
	if err := json.Unmarshal(item.Payload, b); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: fmt.Errorf("item %s is no battle: %w", item.ID, err)}
	}
	return b, nil
}

// Rules are those of votes.
type Rules struct{}

var _ people.Rules = Rules{}

// Check implements people.Rules.
func (Rules) Check(_ string, _ *people.Item, a *people.Answer) error {
	var v Vote
	switch {
	case a.Key != VoteKey || json.Unmarshal(a.Value, &v) != nil:
		return refused("this is no vote")
	case !slices.Contains(Winners, v.Winner):
		return refused("a vote is one of left, right, tie, both bad, cannot judge, not %q", v.Winner)
	case len(v.Reason) > 2000:
		return refused("the reason is too long: 2,000 bytes at most")
	}
	return nil
}

// Complete implements people.Rules.
func (Rules) Complete(_ string, _ *people.Item, answers map[string]json.RawMessage) error {
	if answers[VoteKey] == nil {
		return refused("vote first")
	}
	return nil
}

func refused(format string, args ...any) error {
	return &omniscope.Error{Kind: omniscope.Usage, Err: fmt.Errorf(format, args...)}
}

// lease is how long a battle is kept for somebody who took it.
const lease = 15 * time.Minute

// Project is an arena that asks a question; "" = Question.
func Project(name, question string) *people.Project {
	return &people.Project{Name: name, Kind: Kind, Title: "Arena", Guideline: cmp.Or(question, Question),
		Stages: []people.Stage{{Name: Stage, Title: "Vote", By: []people.Role{people.Voter, people.Annotator, people.Senior, people.Lead, people.Owner}, People: 1, Lease: lease}}}
}

// Options say which battles there are.
type Options struct {
	Captions []string // files, one of each system
	Battles  int      // at most; 0 = all pairs of all clips
	Twice    int      // every so many-th battle is voted on by two people, for their agreement; 0 = none
	Seed     uint64
}

// A Plan is the battles of a project.
type Plan struct {
	Systems  []string
	Warnings []string

	files   []*bench.TextFile
	clips   []string
	options Options
	battles []battle
}

// A battle is a clip and the numbers of two systems, the left one first.
type battle struct{ clip, left, right int }

// New reads which clips have captions of which systems, and pairs them: pairs take turns, so
// that after any number of battles all have met about equally often, each pair on clips drawn by
// the seed, and sides by a coin.
func New(ctx context.Context, o Options) (_ *Plan, err error) {
	if len(o.Captions) < 2 {
		return nil, refused("an arena wants the captions of two systems or more: name a file of each with --captions")
	}
	p := &Plan{options: o}
	defer func() {
		if err != nil {
			p.Close()
		}
	}()
	for _, path := range o.Captions {
		f, err := bench.OpenTextFile(ctx, path, bench.Captions(""))
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
		name := bench.SystemName(path)
		if slices.Contains(p.Systems, name) {
			return nil, refused("two systems are called %s, by their files: rename one", name)
		}
		p.Systems = append(p.Systems, name)
		for _, id := range f.IDs() {
			p.clips = append(p.clips, bench.Stem(id))
		}
	}
	slices.Sort(p.clips)
	p.clips = slices.Compact(p.clips)
	return p, p.pair()
}

// pair makes the battles.
func (p *Plan) pair() error {
	draw := rand.New(rand.NewPCG(p.options.Seed, 0))
	var pairs [][]battle
	void := make(map[string]int)
	for a := range p.files {
		for b := a + 1; b < len(p.files); b++ {
			one, err := p.pairOf(a, b, draw, void)
			if err != nil {
				return err
			}
			pairs = append(pairs, one)
		}
	}
	draw.Shuffle(len(pairs), func(i, k int) { pairs[i], pairs[k] = pairs[k], pairs[i] })
	for round := 0; ; round++ {
		before := len(p.battles)
		for _, pair := range pairs {
			if round < len(pair) && (p.options.Battles == 0 || len(p.battles) < p.options.Battles) {
				p.battles = append(p.battles, pair[round])
			}
		}
		if len(p.battles) == before {
			break
		}
	}
	for _, why := range []string{same, named} {
		if void[why] > 0 {
			p.Warnings = append(p.Warnings, fmt.Sprintf("%d pairs are left out: %s", void[why], why))
		}
	}
	if len(p.battles) == 0 {
		return refused("there is nothing to compare: no clip has different captions of two systems")
	}
	return nil
}

// Why a pair is left out.
const (
	same  = "both captions are the same"
	named = "a caption names one of the systems"
)

// pairOf are the battles of two systems, in an order that is drawn.
func (p *Plan) pairOf(a, b int, draw *rand.Rand, void map[string]int) (out []battle, err error) {
	for _, clip := range draw.Perm(len(p.clips)) {
		left, err1 := p.files[a].Get(p.clips[clip])
		right, err2 := p.files[b].Get(p.clips[clip])
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		one := battle{clip, a, b}
		if draw.IntN(2) == 1 {
			one.left, one.right = b, a
		}
		switch {
		case left == nil || right == nil:
		case strings.TrimSpace(*left) == strings.TrimSpace(*right):
			void[same]++
		case p.names(*left) || p.names(*right):
			void[named]++
		default:
			out = append(out, one)
		}
	}
	return out, nil
}

// names reports whether a caption names a system, which would say whose it is.
func (p *Plan) names(caption string) bool {
	const shortest = 4 // a shorter name may be a word
	for _, name := range p.Systems {
		if len(name) >= shortest && strings.Contains(strings.ToLower(caption), strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// Len is how many battles there are.
func (p *Plan) Len() int { return len(p.battles) }

// Items are the battles, in the order in which they are voted on. Their ids say nothing of
// the systems.
func (p *Plan) Items() iter.Seq2[*people.Item, error] {
	return func(yield func(*people.Item, error) bool) {
		for i, b := range p.battles {
			item, err := p.item(i, b)
			if !yield(item, err) || err != nil {
				return
			}
		}
	}
}

func (p *Plan) item(i int, b battle) (*people.Item, error) {
	clip := p.clips[b.clip]
	left, err1 := p.files[b.left].Get(clip)
	right, err2 := p.files[b.right].Get(clip)
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	payload, err := json.Marshal(Battle{Left: Side{p.Systems[b.left], *left}, Right: Side{p.Systems[b.right], *right}})
	item := &people.Item{ID: fmt.Sprintf("b%d", i+1), Clip: clip, Media: clip, Payload: payload}
	if n := p.options.Twice; n > 0 && i%n == 0 {
		item.People = 2
	}
	return item, err
}

// Close closes the files of captions.
func (p *Plan) Close() error {
	var err error
	for _, f := range p.files {
		err = errors.Join(err, f.Lines.Close())
	}
	return err
}
