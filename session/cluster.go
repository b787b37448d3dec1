package session

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"omniscope/internal/bytesize"
	"omniscope/internal/version"
	"omniscope/run/river"
	"omniscope/store/pg"
)

// A Cluster is what is known of the machines that share a journal.
type Cluster struct {
	Health  pg.Health
	Workers []ClusterWorker
	Parts   []ClusterParts // by run
	Trouble []string       // what keeps runs from being done, or done alike
	Notes   []string       // what is worth knowing
}

// A ClusterWorker is a worker that is alive.
type ClusterWorker struct {
	pg.Worker
	Facts
}

// A ClusterParts is what workers have to do of a run.
type ClusterParts struct {
	Run   string
	State river.State
}

const (
	// clocksApart is how far clocks may differ before it is worth a note: nothing goes by
	// them, but people read times.
	clocksApart = 5 * time.Second
	// sparse is the share of a server's connections that should stay free.
	sparse = 0.1
)

// CheckCluster looks at the database of a journal and at all who work with it.
func CheckCluster(ctx context.Context, at string, warnings io.Writer) (c Cluster, err error) {
	if !pg.Is(at) {
		return c, usage("machines share a journal in a database: name it with --journal postgres://user@host/database")
	}
	s, err := pg.Open(ctx, at, pg.Options{Warnings: warnings})
	if err != nil {
		return c, err
	}
	defer s.Close()
	if c.Health, err = s.Health(ctx); err != nil {
		return c, err
	}
	workers, err := s.Workers(ctx)
	if err != nil {
		return c, err
	}
	for _, w := range workers {
		worker := ClusterWorker{Worker: w}
		if err := json.Unmarshal([]byte(w.Facts), &worker.Facts); err != nil {
			c.Trouble = append(c.Trouble, fmt.Sprintf("worker %s: what it says of itself cannot be read", w.Name))
		}
		c.Workers = append(c.Workers, worker)
	}
	if err := c.addParts(ctx, s, at); err != nil {
		return c, err
	}
	c.judge()
	return c, nil
}

func (c *Cluster) addParts(ctx context.Context, s *pg.Store, at string) error {
	q, err := river.Open(ctx, at)
	if err != nil {
		return err
	}
	defer q.Close()
	runs, err := s.List(ctx)
	if err != nil {
		return err
	}
	for _, r := range runs {
		state, err := q.State(ctx, r.Name)
		if err != nil {
			return err
		}
		if state.Left() > 0 {
			c.Parts = append(c.Parts, ClusterParts{r.Name, state})
		}
	}
	return nil
}

// judge says what is wrong and what is worth knowing.
func (c *Cluster) judge() {
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
		if p.State.Waiting > 0 && len(alive) == 0 {
			c.Trouble = append(c.Trouble, fmt.Sprintf("%d units of run %s wait, and no worker is alive", p.State.Waiting, p.Run))
		}
		for worker, units := range p.State.Working {
			if !slices.Contains(alive, worker) {
				c.Notes = append(c.Notes, fmt.Sprintf("worker %s died with %d units of run %s: its command does them", worker, units, p.Run))
			}
		}
	}
}

// compareWorkers finds what should be the same everywhere.
func (c *Cluster) compareWorkers() {
	for _, same := range []struct {
		what string
		of   func(ClusterWorker) string
	}{
		{"programs", func(w ClusterWorker) string { return strings.Join(w.Programs, ", ") }},
		{"networks", func(w ClusterWorker) string { return strings.Join(w.Networks, ", ") }},
		{"arithmetic of networks", func(w ClusterWorker) string { return w.Arithmetic }},
		{"media folders", func(w ClusterWorker) string { return strings.Join(w.Media, ", ") }},
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
func (c *Cluster) Summary() []string {
	h := c.Health
	return []string{
		fmt.Sprintf("PostgreSQL %s, %s, %d of %d connections taken, clock %+.1f s", h.Server, bytesize.Format(h.Bytes), h.Connections, h.Most, -h.Ahead.Seconds()),
		fmt.Sprintf("about %d calls kept, %d of them late; %d calls are being made by %d processes", h.Calls, h.Late, h.Claims, len(h.AtWork)),
	}
}
