package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"omniscope"
	"omniscope/internal/version"
	"omniscope/internal/visible"
	"omniscope/media"
	"omniscope/metric/neural/installed"
	"omniscope/run"
	"omniscope/run/local"
	"omniscope/run/river"
	"omniscope/session"
)

// Serving says how a worker does parts of runs.
type Serving struct {
	Kinds    session.Kinds // of runs that it can do
	Calls    session.Calls // where it works, and how many calls of one model it makes at a time
	Units    int           // at a time
	Queues   []string      // that it serves
	Warnings io.Writer
	Media    []string // folders that have to be there
}

// A server does parts of any run that is ordered, until it is stopped.
type server struct {
	*Serving
	base  *base
	life  context.Context // of what is open here, which outlives the part that had it opened
	slots chan struct{}

	mu      sync.Mutex
	runs    map[string]*servedRun // by their names and orders
	refused map[string]refusal    // runs that this machine cannot do, likewise
	done    int
}

// A refusal is why a machine cannot do a run, and when that was found.
type refusal struct {
	why  string
	when time.Time
}

// A servedRun is a run whose work is open here.
type servedRun struct {
	opened sync.Once
	work   *session.Work
	err    error
	users  int
	idle   time.Time // since when nobody uses it
}

const (
	keepOpen   = 5 * time.Second  // a run without parts
	refuseFor  = 30 * time.Second // whether a refused run can be done by now
	tellEvery  = 30 * time.Second // what was done
	partsAhead = 2                // parts at a time, beyond those that keep all slots busy
)

// Serve does parts of runs until ctx ends.
func Serve(ctx context.Context, o *Serving) (err error) {
	serving := false
	defer func() {
		if !serving && run.Stopping(ctx).Err() != nil {
			err = nil // whoever ends a worker before it began has lost nothing
		}
	}()
	w := &server{Serving: o, life: run.WithStop(ctx), slots: make(chan struct{}, o.Units), runs: make(map[string]*servedRun), refused: make(map[string]refusal)}
	if w.base, err = openBase(ctx, "a worker needs", o.Calls.JournalAt(), o.Calls.Lease, o.Warnings); err != nil {
		return err
	}
	defer func() { _ = w.base.Close() }()
	known, err := factsOfThisMachine(ctx, o)
	if err != nil {
		return err
	}
	facts := func() string {
		now := known
		now.Refused = w.refusals()
		text, _ := json.Marshal(now) // texts, numbers and times
		return string(text)
	}
	name := workerName()
	jobs := &river.Jobs{}
	leave, err := w.base.Register(ctx, name, facts, jobs.List)
	if err != nil {
		return err
	}
	defer leave()
	serving = true
	fmt.Fprintf(o.Warnings, "worker %s serves %s on %s: %d units at a time\n", name, strings.Join(o.Queues, ", "), w.base.Where(), o.Units)
	queues := make(map[string]int)
	for _, queue := range o.Queues {
		queues[queue] = o.Units/unitsOf(queue) + partsAhead
	}
	go w.tidy(ctx)
	err = w.base.queue.Serve(ctx, river.Serving{Name: name, Queues: queues, Jobs: jobs}, w.part)
	return errors.Join(err, w.closeAll())
}

func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), strings.ToLower(rand.Text()[:6]))
}

// part does a part of a run.
func (w *server) part(ctx context.Context, p river.Part) error {
	r, err := w.take(p)
	if err != nil {
		return err
	}
	defer w.give(r)
	units := func(yield func(int) bool) {
		for unit := p.From; unit < p.To && yield(unit); unit++ {
		}
	}
	err = r.work.DoAll(ctx, &gated{local.Engine{Workers: p.To - p.From}, w.slots}, units, w.count)
	switch kind := omniscope.KindOf(err); {
	case err == nil:
		return nil
	case run.Stopping(ctx).Err() != nil || kind == omniscope.Budget || kind == omniscope.Unusable:
		return err
	case kind.EndsRun() || kind == omniscope.Usage:
		return w.refuse(p, err)
	}
	return err
}

// gated is an engine that does jobs as slots become free.
type gated struct {
	local.Engine
	slots chan struct{}
}

func (g *gated) Run(ctx context.Context, jobs iter.Seq[run.Job], do run.Func) error {
	return g.Engine.Run(ctx, jobs, func(ctx context.Context, job run.Job) error {
		select {
		case g.slots <- struct{}{}:
		case <-run.Stopping(ctx).Done():
			return run.Stopping(ctx).Err()
		}
		defer func() { <-g.slots }()
		return do(ctx, job)
	})
}

func (w *server) count() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
}

// take opens a run's work, or returns the one that is open.
func (w *server) take(p river.Part) (*servedRun, error) {
	name, opened := p.Run, p.Run+" "+p.Order // a run that is handed out again has a budget of its own
	w.mu.Lock()
	if r, refused := w.refused[opened]; refused && time.Since(r.when) < refuseFor {
		w.mu.Unlock()
		return nil, river.ErrLater
	}
	r := w.runs[opened]
	if r == nil {
		r = &servedRun{}
		w.runs[opened] = r
	}
	r.users++
	w.mu.Unlock()
	r.opened.Do(func() { r.work, r.err = w.open(w.life, name) })
	if r.err == nil {
		return r, nil
	}
	w.mu.Lock()
	if w.runs[opened] == r {
		delete(w.runs, opened)
	}
	w.mu.Unlock()
	return nil, w.refuse(p, r.err)
}

// open opens the work of a run as it was ordered.
func (w *server) open(ctx context.Context, name string) (*session.Work, error) {
	text, err := w.base.Order(ctx, name)
	if err != nil {
		return nil, err
	}
	var order session.Order
	if err := json.Unmarshal([]byte(text), &order); err != nil {
		return nil, fmt.Errorf("the order of run %s: %w", name, err)
	}
	if order.Version != version.Program() {
		return nil, omniscope.Invalidf("run %s was ordered by omniscope %s, and this is %s: have the same everywhere", name, order.Version, version.Program())
	}
	if own := installed.Arithmetic(); order.Arithmetic != "" && order.Arithmetic != own {
		return nil, omniscope.Invalidf("run %s scores by networks with %s, and this machine computes with %s, whose last bits differ", name, order.Arithmetic, own)
	}
	return w.Kinds.OpenWork(ctx, order.Calls(w.Calls), name, &order, w.Warnings)
}

// refuse warns why this machine does not do a run, and leaves it to others for a while.
func (w *server) refuse(p river.Part, why error) error {
	text := visible.Line(why.Error())
	w.mu.Lock()
	_, again := w.refused[p.Run+" "+p.Order]
	w.refused[p.Run+" "+p.Order] = refusal{text, time.Now()}
	w.mu.Unlock()
	if !again {
		fmt.Fprintf(w.Warnings, "run %s is not done here: %s\n", p.Run, text)
	}
	return river.ErrLater
}

// refusals are the runs that were refused lately, and why.
func (w *server) refusals() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make(map[string]string)
	for run, r := range w.refused {
		if time.Since(r.when) < 2*refuseFor {
			all[run] = r.why
		}
	}
	return all
}

func (w *server) give(r *servedRun) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r.users--
	r.idle = time.Now()
}

func (w *server) tidy(ctx context.Context) {
	tick, tell := time.NewTicker(keepOpen/2), time.NewTicker(tellEvery)
	defer tick.Stop()
	defer tell.Stop()
	told := 0
	for {
		select {
		case <-tick.C:
			w.closeIdle()
		case <-tell.C:
			told = w.tell(told)
		case <-ctx.Done():
			return
		}
	}
}

// tell says how much was done since it was told, if anything was, and returns how much is
// done by now.
func (w *server) tell(told int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done > told {
		fmt.Fprintf(w.Warnings, "%d units done, %d of them in the last %s; %d runs are open\n", w.done, w.done-told, tellEvery, len(w.runs))
	}
	return w.done
}

// closeIdle closes runs of which no part has come for a while: the budget of a run is
// that of those who work on it, and begins anew when nobody does.
func (w *server) closeIdle() {
	w.mu.Lock()
	var idle []*servedRun
	for name, r := range w.runs {
		if r.users == 0 && time.Since(r.idle) > keepOpen {
			delete(w.runs, name)
			idle = append(idle, r)
		}
	}
	w.mu.Unlock()
	for _, r := range idle {
		if err := r.work.Close(); err != nil {
			fmt.Fprintln(w.Warnings, "warning:", visible.Line(err.Error()))
		}
	}
}

func (w *server) closeAll() (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range w.runs {
		if r.work != nil {
			err = errors.Join(err, r.work.Close())
		}
	}
	w.runs = make(map[string]*servedRun)
	return err
}

// workerFacts are what a worker is and has.
type workerFacts struct {
	Version  string    `json:"version"`
	System   string    `json:"system"`
	CPUs     int       `json:"cpus"`
	Units    int       `json:"units"` // at a time
	Queues   []string  `json:"queues"`
	Began    time.Time `json:"began"`
	Folder   string    `json:"folder"` // that relative paths start from
	Programs []string  `json:"programs"`
	Media    []string  `json:"media"`    // folders that have to be there
	Problems []string  `json:"problems"` // of what is needed for clips

	Networks   []string `json:"networks"`   // that are installed
	Arithmetic string   `json:"arithmetic"` // by which they compute

	Refused map[string]string `json:"refused,omitempty"` // runs with their orders, and why this machine does not do them
}

// factsOfThisMachine are what a worker here is and has.
func factsOfThisMachine(ctx context.Context, o *Serving) (workerFacts, error) {
	folder, err := os.Getwd()
	if err != nil {
		return workerFacts{}, err
	}
	f := workerFacts{Version: version.Program(), System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), Units: o.Units, Queues: o.Queues, Began: time.Now().UTC(), Folder: folder}
	for _, dir := range o.Media {
		names, err := os.ReadDir(dir)
		if err != nil || len(names) == 0 {
			return f, omniscope.Usagef("--media %s: there is nothing to be seen here (%v): mount it, or leave the flag out", dir, err)
		}
		f.Media = append(f.Media, dir)
	}
	for _, p := range media.Programs(ctx) {
		if p.Problem != "" && slices.Contains(o.Queues, session.CPUQueue) {
			f.Problems = append(f.Problems, p.Problem)
		} else if p.Problem == "" {
			f.Programs = append(f.Programs, p.Name+" "+p.Version)
		}
	}
	networks, err := installed.Open(o.Calls.Networks)
	if err != nil {
		return f, err
	}
	f.Networks, f.Arithmetic = networks.Names(), installed.Arithmetic()
	return f, networks.Close()
}
