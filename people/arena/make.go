package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/people"
)

// leaseMinutes is how long a battle is kept for somebody who took it.
const leaseMinutes = 15

// A maker makes arenas. Its fields are its options.
type maker struct {
	Captions []string // files, one of each system
	Field    string   // of the captions; "" = the usual ones
	Battles  int      // at most; 0 = all pairs of all clips
	Twice    int      // every so many-th battle is voted on by two people; 0 = none
	Again    int      // every so many-th battle comes again at the end, sides swapped; 0 = none
	Seed     int
	Question string
}

// Options implements people.Maker.
func (m *maker) Options() []bench.Option {
	return []bench.Option{
		{Name: "captions", Help: "file with a system's captions (JSON Lines, JSON, CSV, Parquet, a folder), called as the system; once for each system", Value: bench.Texts(&m.Captions), Path: true},
		{Name: "caption-field", Help: "field of the caption (default: the first that is there of " + strings.Join(bench.CaptionFields, ", ") + ")", Value: bench.Text(&m.Field)},
		{Name: "battles", Help: "how many battles, at most (0 = all pairs of systems on all clips)", Value: bench.Number(&m.Battles)},
		{Name: "twice", Help: "two people vote on every so many-th battle, to see how far people agree (0 = on none)", Value: bench.Number(&m.Twice)},
		{Name: "again", Help: "every so many-th battle comes again at the end, sides swapped, to see how far people agree with themselves (0 = none)", Value: bench.Number(&m.Again)},
		{Name: "seed", Help: "seed of the order, the sides and the intervals", Value: bench.Number(&m.Seed)},
		{Name: "question", Help: "what people are asked", Value: bench.Text(&m.Question)},
	}
}

// Make implements people.Maker.
func (m *maker) Make(ctx context.Context) (*people.Plan, error) {
	p, err := m.plan(ctx)
	if err != nil {
		return nil, err
	}
	question := cmp.Or(m.Question, defaultQuestion)
	return &people.Plan{
		Project: people.Project{
			Kind: name, Title: "Arena",
			Guideline: question + "\n\nPlay the clip first. Judge what the captions say, not how long they are. Whose captions they are is hidden until you have voted.",
			Stages: []people.Stage{{Name: stage, Title: "Vote", People: 1, LeaseMinutes: leaseMinutes,
				By: []people.ProjectRole{people.Voter, people.Annotator, people.Senior, people.Lead}}},
			Settings: map[string]string{settingQuestion: question, people.SettingSeed: strconv.Itoa(m.Seed)},
		},
		Items: p.items(), Warnings: p.warnings, Close: p.close,
	}, nil
}

// A plan is the battles of a project. Captions stay in their files.
type plan struct {
	*maker
	systems  []string
	files    []*bench.TextFile
	clips    []string            // by their names without folder and ending
	named    map[string][]string // of each clip, the files that the captions name
	battles  []battle
	warnings []string
}

// A battle is a clip and the numbers of two systems, the left one first.
type battle struct{ clip, left, right int }

// plan reads which clips have captions of which systems, and pairs them: pairs take turns, so
// that after any number of battles all have met about equally often, each pair on clips drawn by
// the seed, and sides by a coin.
func (m *maker) plan(ctx context.Context) (_ *plan, err error) {
	if len(m.Captions) < 2 {
		return nil, omniscope.Usagef("an arena wants the captions of two systems or more: name a file of each with --captions")
	}
	p := &plan{maker: m, named: make(map[string][]string)}
	defer func() {
		if err != nil {
			_ = p.close()
		}
	}()
	for _, path := range m.Captions {
		name := bench.SystemName(path)
		if i := slices.Index(p.systems, name); i >= 0 {
			return nil, omniscope.Usagef("%s and %s are both captions of %s, by their names: rename one", m.Captions[i], path, name)
		}
		f, err := bench.OpenTextFile(ctx, path, bench.Captions(m.Field))
		if err != nil {
			return nil, err
		}
		p.files, p.systems = append(p.files, f), append(p.systems, name)
		for _, id := range f.IDs() {
			p.clips = append(p.clips, bench.Stem(id))
			p.addFile(id)
		}
	}
	slices.Sort(p.clips)
	p.clips = slices.Compact(p.clips)
	return p, p.pair()
}

// addFile notes which file captions name as their clip.
func (p *plan) addFile(id string) {
	if clip := bench.Stem(id); id != clip && !slices.Contains(p.named[clip], id) {
		p.named[clip] = append(p.named[clip], id)
	}
}

// file is the file of a clip: a film and a sound may have one name but for the ending. Where captions of
// several systems name it differently, only what the names have in common is known.
func (p *plan) file(clip string) string {
	if named := p.named[clip]; len(named) == 1 {
		return named[0]
	}
	return clip
}

// pair makes the battles.
func (p *plan) pair() error {
	draw := rand.New(rand.NewPCG(uint64(p.Seed), 0))
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
			if round < len(pair) && (p.Battles == 0 || len(p.battles) < p.Battles) {
				p.battles = append(p.battles, pair[round])
			}
		}
		if len(p.battles) == before {
			break
		}
	}
	for _, why := range []string{same, named} {
		if void[why] > 0 {
			p.warnings = append(p.warnings, fmt.Sprintf("%d pairs are left out: %s", void[why], why))
		}
	}
	if len(p.battles) == 0 {
		return omniscope.Usagef("there is nothing to compare: no clip has different captions of two systems")
	}
	return nil
}

// Why a pair is left out.
const (
	same  = "both captions are the same"
	named = "a caption names one of the systems"
)

// pairOf are the battles of two systems, in an order that is drawn.
func (p *plan) pairOf(a, b int, draw *rand.Rand, void map[string]int) (out []battle, err error) {
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
func (p *plan) names(caption string) bool {
	const shortest = 4 // a shorter name may be a word
	for _, name := range p.systems {
		if len(name) >= shortest && strings.Contains(strings.ToLower(caption), strings.ToLower(name)) {
			return true
		}
	}
	return false
}

// items are the battles, in the order in which they are voted on, then those that come again.
// Their ids say nothing of the systems.
func (p *plan) items() iter.Seq2[*people.Item, error] {
	all, again := len(p.battles), 0
	if p.Again > 0 {
		again = (all + p.Again - 1) / p.Again
	}
	return people.MadeItems(all+again, func(i int) (*people.Item, any, error) {
		if i < all {
			return p.item(i, false)
		}
		return p.item((i-all)*p.Again, true)
	})
}

func (p *plan) item(i int, again bool) (*people.Item, any, error) {
	b := p.battles[i]
	id := func(i int) string { return fmt.Sprintf("b%d", i+1) }
	item := &people.Item{ID: id(i), Clip: p.clips[b.clip], Media: []people.Media{{File: p.file(p.clips[b.clip])}}}
	payload := battleRecord{}
	if n := p.Twice; n > 0 && i%n == 0 {
		item.People = map[string]int{stage: 2}
	}
	if again {
		b.left, b.right = b.right, b.left
		item.ID, payload.Again = id(len(p.battles)+i/p.Again), item.ID
	}
	left, err1 := p.files[b.left].Get(item.Clip)
	right, err2 := p.files[b.right].Get(item.Clip)
	if err := errors.Join(err1, err2); err != nil {
		return nil, nil, err
	}
	payload.Left, payload.Right = side{p.systems[b.left], *left}, side{p.systems[b.right], *right}
	return item, payload, nil
}

// close closes the files of captions.
func (p *plan) close() error {
	var err error
	for _, f := range p.files {
		err = errors.Join(err, f.Lines.Close())
	}
	return err
}
