package journal

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"omniscope"
	"omniscope/run"
)

// Merged says what was copied from one journal to another, and what was not.
type Merged struct {
	Calls   int // copied
	Known   int // that were there before
	Damaged int // that are not what was written down: left out
	Late    int // that came when another process had taken the call over: left out
}

// Add adds what was copied from a further journal.
func (m *Merged) Add(o Merged) {
	m.Calls += o.Calls
	m.Known += o.Known
	m.Damaged += o.Damaged
	m.Late += o.Late
}

// String says it in a line.
func (m Merged) String() string {
	text := fmt.Sprintf("copied %d calls", m.Calls)
	for _, c := range []struct {
		n    int
		what string
	}{{m.Known, "were there"}, {m.Damaged, "are damaged and were left out"}, {m.Late, "came late and were left out"}} {
		if c.n > 0 {
			text += fmt.Sprintf("; %d %s", c.n, c.what)
		}
	}
	return text
}

// Merge copies into one journal what another has and the first has not: runs, calls with
// their costs and the texts of their requests, and which answers of other runs each run
// was given. Doing it again copies nothing twice. old reads the costs of calls of the
// first version. done is called with the number of calls looked at so far.
func Merge(ctx context.Context, into, from Store, old CostOf, done func(int)) (sum Merged, err error) {
	runs, err := from.List(ctx)
	if err != nil {
		return sum, err
	}
	looked := 0
	for _, r := range runs {
		m := &merge{into: into, from: from, run: r, old: old, look: func() {
			looked++
			done(looked)
		}}
		if err := m.do(ctx); err != nil {
			return sum, err
		}
		sum.Add(m.sum)
	}
	// What a run was given is noted once all answers are there.
	for _, r := range runs {
		if err := noteGiven(ctx, into, from, r); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// A merge copies one run.
type merge struct {
	into, from Store
	run        Run
	old        CostOf
	look       func()
	sum        Merged

	journal Journal
	known   map[identity]bool
	group   *errgroup.Group
	batch   map[run.Key]bool // keys of the calls that are being appended
}

// An identity tells calls apart, whichever journal they are in.
type identity struct {
	key      run.Key
	checksum int64 // of all but the request's text
}

func identityOf(e *run.Entry) identity { return identity{e.Key, RowChecksum(e)} }

func (m *merge) do(ctx context.Context) (err error) {
	if m.journal, err = openAsIs(ctx, m.into, m.run); err != nil {
		return err
	}
	return errors.Join(m.copy(ctx), m.journal.Close())
}

// openAsIs opens a run. One that is there keeps its description.
func openAsIs(ctx context.Context, s Store, r Run) (Journal, error) {
	runs, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, there := range runs {
		if there.Name == r.Name {
			r = there
		}
	}
	return s.Run(ctx, r.Description)
}

func (m *merge) copy(ctx context.Context) error {
	m.known = make(map[identity]bool)
	for c, err := range m.into.Calls(ctx, m.run.Name, "") {
		if err != nil {
			return err
		}
		m.known[identityOf(&c.Entry)] = true
	}
	m.begin()
	for c, err := range m.from.Calls(ctx, m.run.Name, "") {
		if err != nil {
			return errors.Join(err, m.group.Wait())
		}
		if c.Run != m.run.Name {
			continue // it is copied with its own run
		}
		m.look()
		if err := m.one(ctx, c); err != nil {
			return err
		}
	}
	return m.group.Wait()
}

// mostAppends is how many calls are appended at a time, since journals write in groups.
const mostAppends = 1000

func (m *merge) begin() {
	m.group, m.batch = new(errgroup.Group), make(map[run.Key]bool)
}

func (m *merge) one(ctx context.Context, c *Call) error {
	switch {
	case c.Damaged != nil:
		m.sum.Damaged++
		return nil
	case c.Late:
		m.sum.Late++
		return nil
	case m.known[identityOf(&c.Entry)]:
		m.sum.Known++
		return nil
	}
	if m.batch[c.Key] || len(m.batch) == mostAppends { // of equal calls the newest has to stay so
		if err := m.group.Wait(); err != nil {
			return err
		}
		m.begin()
	}
	if !c.Checked && m.old != nil && c.Kind == "model" {
		c.Cost = m.old(c.Result)
	}
	m.batch[c.Key] = true
	m.sum.Calls++
	m.group.Go(func() error { return m.journal.Append(ctx, &c.Entry) })
	return nil
}

// noteGiven notes which answers of other runs a run was given.
func noteGiven(ctx context.Context, into, from Store, r Run) (err error) {
	var j Journal
	defer func() {
		if j != nil {
			err = errors.Join(err, j.Close())
		}
	}()
	for c, err := range from.Calls(ctx, r.Name, "") {
		if err != nil {
			return err
		}
		if c.Run == r.Name || c.Outcome != omniscope.OK {
			continue
		}
		if j == nil {
			if j, err = openAsIs(ctx, into, r); err != nil {
				return err
			}
		}
		if _, err := j.Lookup(ctx, c.Key, c.Source); err != nil {
			return err
		}
	}
	return nil
}
