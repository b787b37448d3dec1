package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/bytesize"
	"omniscope/internal/version"
	"omniscope/run/journal/pg"
)

// State is what is known of the machines that share a journal.
type State struct {
	Schema  string        `json:"schema"`
	Health  pg.Health     `json:"database"`
	Workers []workerState `json:"workers"`
	Parts   []runState    `json:"runs"`    // that workers have to do something of
	Trouble []string      `json:"trouble"` // what keeps runs from being done, or done alike
	Notes   []string      `json:"notes"`   // what is worth knowing
}

// stateSchema names the document of a State.
const stateSchema = "omniscope.workers/1"

// A workerState is a worker that is alive.
type workerState struct {
	pg.Worker
	workerFacts
}

// A runState is what workers have to do of a run.
type runState struct {
	Run     string         `json:"run"`
	Waiting int            `json:"units_waiting"`
	Working map[string]int `json:"units_by_worker"`
	Given   int            `json:"units_given_up"`
	Why     string         `json:"given_up_because,omitempty"`
}

const (
	// clocksApart is how far clocks may differ before it is worth a note: nothing goes by
	// them, but people read times.
	clocksApart = 5 * time.Second
	// sparse is the share of a server's connections that should stay free.
	sparse = 0.1
)

// Check looks at the database of a journal and at all who work with it.
func Check(ctx context.Context, at string, warnings io.Writer) (c State, err error) {
	c.Schema = stateSchema
	b, err := openBase(ctx, "machines need", at, 0, warnings)
	if err != nil {
		return c, err
	}
	defer func() { _ = b.Close() }()
	if c.Health, err = b.Health(ctx); err != nil {
		return c, err
	}
	workers, err := b.Workers(ctx)
	if err != nil {
		return c, err
	}
	for _, w := range workers {
		worker := workerState{Worker: w}
		if err := json.Unmarshal([]byte(w.Facts), &worker.workerFacts); err != nil {
			c.Trouble = append(c.Trouble, fmt.Sprintf("worker %s: what it says of itself cannot be read", w.Name))
		}
		c.Workers = append(c.Workers, worker)
	}
	if err := c.addParts(ctx, b); err != nil {
		return c, err
	}
	c.judge()
	return c, nil
}

func (c *State) addParts(ctx context.Context, b *base) error {
	runs, err := b.List(ctx)
	if err != nil {
		return err
	}
	for _, r := range runs {
		state, err := b.queue.State(ctx, r.Name)
		if err != nil {
			return err
		}
		if state.Left() > 0 {
			c.Parts = append(c.Parts, runState{r.Name, state.Waiting, state.Working, state.Given, state.Why})
		}
	}
	return nil
}

// judge says what is wrong and what is worth knowing.
func (c *State) judge() {
	h := &c.Health
	if h.Most-h.Connections < int(sparse*float64(h.Most)) {
		c.Trouble = append(c.Trouble, fmt.Sprintf("%d of %d connections of the server are taken: raise max_connections, or put PgBouncer between", h.Connections, h.Most))
	}
	if h.Ahead.Abs() > clocksApart {
		c.Notes = append(c.Notes, fmt.Sprintf("this machine's clock is %s ahead of the server's; leases go by the server's alone", h.Ahead.Round(time.Second)))
	}
	for _, w := range h.AtWork {
		if w.Dead {
			c.Notes = append(c.Notes, fmt.Sprintf("%s, at work on run %s, has been silent for too long: others take over its %d calls", w.Process, w.Run, w.Claims))
		}
	}
	for _, w := range c.Workers {
		if w.Version != version.Program() {
			c.Trouble = append(c.Trouble, fmt.Sprintf("worker %s is omniscope %s, and this is %s: it refuses runs that are ordered from here", w.Name, w.Version, version.Program()))
		}
		if w.Ahead.Abs() > clocksApart {
			c.Notes = append(c.Notes, fmt.Sprintf("the clock of worker %s is %s ahead of the server's; leases go by the server's alone", w.Name, w.Ahead.Round(time.Second)))
		}
		for _, problem := range w.Problems {
			c.Trouble = append(c.Trouble, fmt.Sprintf("worker %s: %s", w.Name, problem))
		}
	}
	c.compareWorkers()
	alive := make([]string, len(c.Workers))
	for i, w := range c.Workers {
		alive[i] = w.Name
	}
	for _, p := range c.Parts {
		if p.Waiting > 0 && len(alive) == 0 {
			c.Trouble = append(c.Trouble, fmt.Sprintf("%d units of run %s wait, and no worker is alive", p.Waiting, p.Run))
		}
		for worker, units := range p.Working {
			if !slices.Contains(alive, worker) {
				c.Notes = append(c.Notes, fmt.Sprintf("worker %s died with %d units of run %s: its command does them", worker, units, p.Run))
			}
		}
	}
}

// compareWorkers finds what should be the same everywhere.
func (c *State) compareWorkers() {
	for _, same := range []struct {
		what string
		of   func(workerState) string
	}{
		{"programs", func(w workerState) string { return strings.Join(w.Programs, ", ") }},
		{"networks", func(w workerState) string { return strings.Join(w.Networks, ", ") }},
		{"arithmetic of networks", func(w workerState) string { return w.Arithmetic }},
		{"media folders", func(w workerState) string { return strings.Join(w.Media, ", ") }},
	} {
		by := make(map[string][]string)
		for _, w := range c.Workers {
			by[same.of(w)] = append(by[same.of(w)], w.Name)
		}
		if len(by) < 2 {
			continue
		}
		var kinds []string
		for is, names := range by {
			slices.Sort(names)
			if is == "" {
				is = "none"
			}
			kinds = append(kinds, fmt.Sprintf("%s (%s)", is, strings.Join(names, ", ")))
		}
		slices.Sort(kinds)
		c.Notes = append(c.Notes, fmt.Sprintf("workers differ in their %s: %s", same.what, strings.Join(kinds, "; ")))
	}
}

// Summary says how the database is, in lines.
func (c *State) Summary() []string {
	h := c.Health
	return []string{
		fmt.Sprintf("PostgreSQL %s, %s, %d of %d connections taken, clock %+.1f s", h.Server, bytesize.Format(h.Bytes), h.Connections, h.Most, -h.Ahead.Seconds()),
		fmt.Sprintf("about %d calls kept, %d of them late; %d calls are being made by %d processes", h.Calls, h.Late, h.Claims, len(h.AtWork)),
	}
}

// Tables are the workers, and the parts of runs that wait for them; tables without rows are left out.
func (c *State) Tables() (tables []omniscope.Table) {
	workers := omniscope.Table{Columns: []string{"worker", "version", "machine", "units", "queues", "programs", "media"}}
	for _, w := range c.Workers {
		workers.Rows = append(workers.Rows, []string{w.Name, w.Version, fmt.Sprintf("%s, %d CPUs", w.System, w.CPUs), strconv.Itoa(w.Units), strings.Join(w.Queues, ", "), strings.Join(w.Programs, ", "), strings.Join(w.Media, ", ")})
	}
	parts := omniscope.Table{Columns: []string{"run", "units waiting", "being done", "given up"}}
	for _, p := range c.Parts {
		working := 0
		for _, units := range p.Working {
			working += units
		}
		parts.Rows = append(parts.Rows, []string{p.Run, strconv.Itoa(p.Waiting), strconv.Itoa(working), strconv.Itoa(p.Given)})
	}
	for _, t := range []omniscope.Table{workers, parts} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

// Err is the verdict: an error if something keeps runs from being done.
func (c *State) Err() error {
	if len(c.Trouble) == 0 {
		return nil
	}
	return omniscope.Invalidf("%d things to fix, as listed", len(c.Trouble))
}
